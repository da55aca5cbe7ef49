// The path of a link from attribute text to candidate: repeat check, resolution, key, recent check, scope.
#include "crawler/page/page_reader.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "crawler/html/ascii.h"
#include "crawler/html/charset.h"
#include "crawler/html/css.h"
#include "crawler/html/document_base.h"
#include "crawler/html/header_links.h"
#include "crawler/html/query_encoder.h"
#include "crawler/robots/robots.h"
#include "crawler/sitemap/sitemap.h"
#include "crawler/xml/xhtml_extractor.h"

namespace weir::crawler {
namespace {

using frontier::Candidate;
using frontier::Lease;
using frontier::Reason;
using frontier::ScopePlace;
using frontier::ScopeVerdict;
using frontier::Url;

bool is_html(const MediaType& type, std::string_view body) {
  if (type.is_html()) return !looks_binary(body);
  return type.essence.empty() && looks_like_html(body);
}

constexpr std::string_view kRobotsPath = "/robots.txt";

bool is_named_list(const Url& page) {
  const std::string_view path = page.path();
  const std::string name = ascii_lower_copy(path.substr(path.rfind('/') + 1));
  return name.find("sitemap") != std::string::npos || name.ends_with(".xml.gz");
}

LinkKind link_kind_of(EntryKind kind) {
  const bool page = kind == EntryKind::kPage || kind == EntryKind::kSitemap || kind == EntryKind::kAlternate ||
                    kind == EntryKind::kFeed;
  return page ? LinkKind::kPage : LinkKind::kRequisite;
}

constexpr unsigned kHopsMax = ScopePlace::kNoHops - 1;

// A link from a page that is itself outside leads one further away.
std::uint8_t hops_of_link(const Lease& lease) {
  return static_cast<std::uint8_t>(std::min(lease.off_scope_hops + 1u, kHopsMax));
}

// A redirect is no further step, as it is none of depth; but it may be the first one out.
std::uint8_t hops_of_redirect(const Lease& lease) { return std::max<std::uint8_t>(lease.off_scope_hops, 1); }

std::uint8_t hops_taken(const ScopeVerdict& verdict, std::uint8_t hops) {
  return verdict.rule == frontier::ScopeRule::kOffScopeHop ? hops : 0;
}

frontier::CandidateBatch empty_batch(const Lease& lease) {
  frontier::CandidateBatch batch;
  batch.parent = lease.url;
  batch.tag = lease.tag;
  batch.depth_limit = lease.depth_limit;
  return batch;
}

}  // namespace

PageReader::PageReader(std::unique_ptr<Extractor> extractor, const frontier::Scope& scope,
                       const dedup::Secret& secret, const PageReaderOptions& options, CrawlCounters& counters,
                       StageTimes& times, DroppedLog* dropped)
    : extractor_(std::move(extractor)),
      scope_(scope),
      secret_(secret),
      options_(options),
      counters_(counters),
      times_(times),
      dropped_(dropped) {}

dedup::Fingerprint PageReader::fingerprint(const Url& url, std::string& key) const {
  key.clear();
  options_.key_rules.append_key(key, url);
  return dedup::fingerprint(key, secret_);
}

PageReading PageReader::read(const Lease& lease, const Url& page, const HttpAnswer& answer) {
  StageTimer timer;
  PageReading reading;
  reading.links = empty_batch(lease);
  hrefs_.start_page();
  take_header_links(lease, page, answer, reading);
  timer.next(times_.links);
  read_body(lease, page, answer);
  timer.next(times_.parse);
  take_links(lease, page, extraction_, reading);
  timer.next(times_.links);
  return reading;
}

// Fills extraction_.
void PageReader::read_body(const Lease& lease, const Url& page, const HttpAnswer& answer) {
  extraction_.clear();
  query_encoder_ = nullptr;
  const MediaType type = parse_media_type(answer.content_type);
  if (options_.limits.requisites && type.essence == "text/css") {
    const DecodedText text = decode_text(answer.body, type.charset);
    return read_style_sheet(text.same ? std::string_view(answer.body).substr(text.bom_bytes) : text.utf8,
                            extraction_);
  }
  const bool named = is_named_list(page) || lease.parent.ends_with(kRobotsPath);
  if (is_html(type, answer.body) || !read_list(page, type, answer.body, named)) read_html(type, answer.body);
}

void PageReader::read_html(const MediaType& type, std::string_view body) {
  if (!is_html(type, body) && !type.is_xml()) return;
  const DecodedText text = decode_text(body, type.charset);
  const std::string_view utf8 = text.same ? body.substr(text.bom_bytes) : std::string_view(text.utf8);
  query_encoder_ = query_encoder(text.encoding_id);
  if (type.is_xml() && extract_xhtml(utf8, options_.limits, extraction_)) return;
  extractor_->extract(utf8, extraction_);
}

// Sitemaps and feeds. False: it is a page that came as XML.
bool PageReader::read_list(const Url& page, const MediaType& type, std::string_view body, bool named) {
  // gzip and plain text are worth a look only where a name says so: most of both is something else.
  if (!type.is_xml() && !(named && (is_gzip(body) || type.essence == "text/plain"))) return true;
  const Sitemap list = read_sitemap(
      body, type.charset, &page,
      {.entries_max = std::min<std::size_t>(SitemapLimits{}.entries_max, options_.limits.links_max)});
  counters_.invalid_links.add(list.invalid);
  extraction_.limited = list.limited;
  for (const SitemapEntry& entry : list.entries) {
    const LinkKind kind = link_kind_of(entry.kind);
    if (kind == LinkKind::kPage || options_.limits.requisites)
      extraction_.add(entry.url, {}, {.kind = kind, .tag = "list", .attribute = entry_kind_name(entry.kind)});
  }
  return list.format != SitemapFormat::kXhtml;
}

// They are relative to the page's own address, so they come before <base> is known.
void PageReader::take_header_links(const Lease& lease, const Url& page, const HttpAnswer& answer,
                                   PageReading& reading) {
  query_encoder_ = nullptr;
  if (answer.link.empty() && answer.refresh.empty() && answer.content_location.empty()) return;
  read_header_links({answer.link, answer.refresh, answer.content_location}, options_.limits.requisites,
                    extraction_);
  const Target target{lease, page, lease.depth + 1u, reading};
  for (const Link& link : extraction_.links) take_link(extraction_.raw(link), target);
}

void PageReader::take_links(const Lease& lease, const Url& page, const Extraction& extraction,
                            PageReading& reading) {
  reading.limited = extraction.limited;
  if (extraction.limited) counters_.parse_limited.add();
  const bool page_nofollow = extraction.nofollow && options_.obey_robots_meta;
  if (page_nofollow && dropped_ == nullptr) return;
  const std::optional<Url> base = document_base(extraction, &page);
  // The same text in the header may have been another link.
  if (base || query_encoder_ != nullptr) hrefs_.start_page();
  const Target target{lease, base ? *base : page, lease.depth + 1u, reading};
  for (const Link& link : extraction.links) {
    if (page_nofollow) {
      refuse_nofollow(extraction.raw(link), target, "robots.obey_meta");
    } else if (link.nofollow && options_.obey_nofollow) {
      counters_.out_of_scope.add();
      refuse_nofollow(extraction.raw(link), target, "scope.nofollow 'obey'");
    } else {
      take_link(extraction.raw(link), target);
    }
  }
  counters_.repeats.add(reading.repeats);
}

// Only with a log.
void PageReader::log_drop(const Lease& lease, DroppedLine line) {
  line.parent = lease.url;
  line.tag = lease.tag;
  dropped_->add(line);
}

// Leaves no trace in the memories: the same link without nofollow is another matter.
void PageReader::refuse_nofollow(std::string_view raw, const Target& target, std::string_view rule) {
  if (dropped_ == nullptr) return;
  const auto parsed = frontier::parse_url(raw, &target.base, query_encoder_);
  const std::string url(parsed ? frontier::wire_form(*parsed).href() : raw);
  log_drop(target.lease, {.url = url,
                          .parent = {},
                          .reason = DropReason::kNofollow,
                          .rule = std::string(rule),
                          .depth = target.depth,
                          .tag = {}});
}

void PageReader::refuse_invalid(std::string_view raw, frontier::UrlError error, const Target& target) {
  counters_.invalid_links.add();
  if (dropped_ == nullptr) return;
  log_drop(target.lease, {.url = raw,
                          .parent = {},
                          .reason = DropReason::kInvalidUrl,
                          .rule = std::string(describe(error)),
                          .depth = target.depth,
                          .tag = {}});
}

void PageReader::refuse(const Url& wire, const ScopeVerdict& verdict, const Target& target) {
  counters_.out_of_scope.add();
  if (dropped_ == nullptr) return;
  log_drop(target.lease, {.url = wire.href(),
                          .parent = {},
                          .reason = wire.is_http() ? DropReason::kOutOfScope : DropReason::kNotHttp,
                          .rule = scope_.describe(verdict, wire),
                          .depth = target.depth,
                          .tag = {}});
}

frontier::CandidateBatch PageReader::sitemaps(const Lease& lease, const Url& page, std::string_view robots) {
  PageReading reading;
  reading.links = empty_batch(lease);
  query_encoder_ = nullptr;
  hrefs_.start_page();
  const Target target{lease, page, 0, reading};
  const RobotsRules rules = RobotsRules::parse(robots, {});
  for (const std::string& sitemap : rules.sitemaps()) take_link(sitemap, target);
  return std::move(reading.links);
}

void PageReader::take_link(std::string_view raw, const Target& target) {
  PageReading& reading = target.reading;
  if (!hrefs_.first(raw)) {
    ++reading.repeats;
    return;
  }
  auto parsed = frontier::parse_url(raw, &target.base, query_encoder_);
  if (!parsed) {
    refuse_invalid(raw, parsed.error(), target);
    return;
  }
  const dedup::Fingerprint fingerprint = this->fingerprint(*parsed, key_buffer_);
  const RecentVerdict recent = recent_.find(fingerprint);
  if (recent == RecentVerdict::kSent) {
    ++reading.repeats;
    return;
  }
  if (recent == RecentVerdict::kOutOfScope) {
    counters_.out_of_scope.add();
    return;
  }
  bool credentials_dropped = false;
  const Url wire = frontier::wire_form(*parsed, &credentials_dropped);
  if (credentials_dropped) counters_.credentials_dropped.add();
  const ScopePlace place{target.depth, target.lease.depth_limit, hops_of_link(target.lease)};
  const ScopeVerdict verdict = scope_.judge(wire, place);
  if (!verdict.in_scope()) {
    refuse(wire, verdict, target);
    // Under a lossy rule another spelling of the key may well be in scope: www.a.test is out, a.test is in.
    if (scope_.is_lasting(verdict) && !options_.key_rules.lossy())
      recent_.remember(fingerprint, RecentVerdict::kOutOfScope);
    return;
  }
  recent_.remember(fingerprint, RecentVerdict::kSent);
  Candidate candidate;
  candidate.fingerprint = fingerprint;
  candidate.origin_length = static_cast<std::uint32_t>(frontier::origin(wire).size());
  candidate.depth = static_cast<std::uint16_t>(std::min<std::uint32_t>(target.depth, 0xffff));
  candidate.off_scope_hops = hops_taken(verdict, place.hops);
  add_candidate(reading.links, *parsed, wire, candidate);
}

void PageReader::add_candidate(frontier::CandidateBatch& links, const Url& parsed, const Url& wire,
                               const Candidate& candidate) const {
  if (!options_.key_rules.has(frontier::KeyRule::kHashbang)) return links.add(wire.href(), candidate);
  links.add(options_.key_rules.queue_form(parsed).href(), candidate);
}

RedirectReading PageReader::follow(const Lease& lease, const Url& page, const HttpAnswer& answer) {
  RedirectReading reading;
  reading.links = empty_batch(lease);
  reading.target = answer.location;
  const auto parsed = frontier::parse_url(answer.location, &page);
  if (answer.location.empty() || !parsed) {
    reading.reason = Reason::kBadRedirect;
    return reading;
  }
  const Url wire = frontier::wire_form(*parsed);
  reading.target = wire.href();
  if (lease.redirect_hops >= options_.redirects_max) {
    reading.reason = Reason::kTooManyRedirects;
    return reading;
  }
  const ScopePlace place{lease.depth, lease.depth_limit, hops_of_redirect(lease)};
  const ScopeVerdict verdict = scope_.judge(wire, place);
  if (!verdict.in_scope()) {
    counters_.out_of_scope.add();
    if (dropped_ != nullptr) {
      log_drop(lease, {.url = wire.href(),
                       .parent = {},
                       .reason = DropReason::kRedirectOutOfScope,
                       .rule = scope_.describe(verdict, wire),
                       .depth = lease.depth,
                       .tag = {}});
    }
    reading.reason = Reason::kRedirectOutOfScope;
    return reading;
  }
  Candidate candidate;
  candidate.fingerprint = fingerprint(*parsed, key_buffer_);
  candidate.same_page = is_same_page(page, wire, candidate.fingerprint);
  candidate.origin_length = static_cast<std::uint32_t>(frontier::origin(wire).size());
  candidate.depth = lease.depth;
  candidate.redirect_hops = static_cast<std::uint8_t>(lease.redirect_hops + 1);
  candidate.off_scope_hops = hops_taken(verdict, place.hops);
  add_candidate(reading.links, *parsed, wire, candidate);
  return reading;
}

// A lossy rule may give a redirect's target the key of its source: http to https, /x to /x/. The target would
// read seen, and the page would be lost.
bool PageReader::is_same_page(const Url& page, const Url& target, const dedup::Fingerprint& fingerprint) {
  if (!options_.key_rules.lossy() || this->fingerprint(page, key_buffer_) != fingerprint) return false;
  return frontier::canonical_key(page) != frontier::canonical_key(target);
}

}  // namespace weir::crawler
