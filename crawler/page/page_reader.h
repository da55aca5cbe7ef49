// PageReader: what one answer leads to. Decodes the body, extracts links, resolves them, asks scope, makes
// fingerprints and drops repeats; or turns a redirect into one candidate. Knows HTML and URLs; knows neither
// sockets nor queues. One per fetcher thread (its stack must suit the extractor).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "crawler/fetch/http_client.h"
#include "crawler/html/extractor.h"
#include "crawler/html/media_type.h"
#include "crawler/metrics/counters.h"
#include "crawler/metrics/stage_times.h"
#include "crawler/output/dropped_log.h"
#include "crawler/page/link_memory.h"
#include "dedup/fingerprint.h"
#include "frontier/messages.h"
#include "frontier/scope/scope.h"
#include "frontier/url/key_rules.h"

namespace weir::crawler {

struct PageReaderOptions {
  std::uint8_t redirects_max = 10;  // redirects in a row
  bool obey_robots_meta = true;     // <meta name=robots content=nofollow>
  ExtractorLimits limits;           // as the extractor has them: for what other readers read
  frontier::KeyRules key_rules;     // those of the state
  bool obey_nofollow = false;       // rel=nofollow of single links
};

struct PageReading {
  frontier::CandidateBatch links;
  std::uint32_t repeats = 0;
  bool limited = false;  // a parser guard cut the page short
};

struct RedirectReading {
  frontier::Reason reason = frontier::Reason::kRedirect;
  std::string target;              // wire form; the raw text when it is not a URL
  frontier::CandidateBatch links;  // the one candidate, when reason is kRedirect
};

class PageReader {
 public:
  // `scope`, `counters` and `times` are borrowed and shared; `secret` is copied; `dropped` is borrowed, of this
  // thread, and null when refused links are only counted.
  PageReader(std::unique_ptr<Extractor> extractor, const frontier::Scope& scope, const dedup::Secret& secret,
             const PageReaderOptions& options, CrawlCounters& counters, StageTimes& times,
             DroppedLog* dropped = nullptr);

  // Links of a 2xx answer: of its header, and of its body when that is HTML, a sitemap, a feed or, with
  // requisites, CSS. `page` is the lease's URL, parsed.
  PageReading read(const frontier::Lease& lease, const frontier::Url& page, const HttpAnswer& answer);

  // Where a 3xx answer points, and whether we go there.
  RedirectReading follow(const frontier::Lease& lease, const frontier::Url& page, const HttpAnswer& answer);

  // The sitemaps that a host's robots.txt names, as candidates of depth 0, as far as scope lets them in. `page`
  // is the address of the robots.txt.
  frontier::CandidateBatch sitemaps(const frontier::Lease& lease, const frontier::Url& page,
                                    std::string_view robots);

  // Fingerprint of a URL's key under this crawl's rules and secret; `key` receives the key's text.
  dedup::Fingerprint fingerprint(const frontier::Url& url, std::string& key) const;

 private:
  struct Target {
    const frontier::Lease& lease;
    const frontier::Url& base;
    std::uint32_t depth;
    PageReading& reading;
  };
  void take_links(const frontier::Lease& lease, const frontier::Url& page, const Extraction& extraction,
                  PageReading& reading);
  void take_header_links(const frontier::Lease& lease, const frontier::Url& page, const HttpAnswer& answer,
                         PageReading& reading);
  void read_body(const frontier::Lease& lease, const frontier::Url& page, const HttpAnswer& answer);
  void read_html(const MediaType& type, std::string_view body);
  bool read_list(const frontier::Url& page, const MediaType& type, std::string_view body, bool named);
  void take_link(std::string_view raw, const Target& target);
  void add_candidate(frontier::CandidateBatch& links, const frontier::Url& parsed, const frontier::Url& wire,
                     const frontier::Candidate& candidate) const;
  bool is_same_page(const frontier::Url& page, const frontier::Url& target,
                    const dedup::Fingerprint& fingerprint);
  void refuse_nofollow(std::string_view raw, const Target& target, std::string_view rule);
  void refuse_invalid(std::string_view raw, frontier::UrlError error, const Target& target);
  void refuse(const frontier::Url& wire, const frontier::ScopeVerdict& verdict, const Target& target);
  void log_drop(const frontier::Lease& lease, DroppedLine line);

  std::unique_ptr<Extractor> extractor_;
  const frontier::Scope& scope_;
  const dedup::Secret secret_;
  const PageReaderOptions options_;
  CrawlCounters& counters_;
  StageTimes& times_;
  Extraction extraction_;                                  // of the page at hand; reused
  const frontier::QueryEncoder* query_encoder_ = nullptr;  // likewise; null: UTF-8
  DroppedLog* const dropped_;
  PageHrefs hrefs_;
  RecentLinks recent_;
  std::string key_buffer_;
};

}  // namespace weir::crawler
