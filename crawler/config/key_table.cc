// The rows. Defaults are not here but in crawler/config/config.h, so that they exist once.
#include "crawler/config/key_table.h"

#include <algorithm>

namespace weir::crawler {
namespace {

constexpr double kMillisecond = 1000;
constexpr double kSecond = 1000 * kMillisecond;
constexpr double kHour = 3600 * kSecond;
constexpr double kDay = 24 * kHour;
constexpr double kKibi = 1024;
constexpr double kMebi = 1024 * kKibi;
constexpr double kGibi = 1024 * kMebi;

constexpr SectionRow kSections[] = {
    {"crawl", "what to crawl, how far, and when to stop"},
    {"agent", "who is asking; goes into the User-Agent line"},
    {"fetch", "HTTP transfers: how many, how large, how long"},
    {"politeness", "how often a host is asked"},
    {"robots", "robots.txt and the robots meta element"},
    {"scope", "which URLs belong to the crawl; without hosts, domains, prefixes and allow: the seeds' hosts"},
    {"key", "lossy rules of URL identity, all off (docs/url-identity.md)"},
    {"parse", "how links are taken out of a page"},
    {"dedup", "how it is known that a URL was met before"},
    {"frontier", "the queue of URLs and what a crash may cost"},
    {"output", "what a crawl leaves besides its state"},
    {"log", "what the program says about itself"},
    {"dns", "how names become addresses"},
};

#define WEIR_SLOT(member) [](Config& config) -> Slot { return &config.member; }

using enum KeyKind;

// clang-format off: a row is a key
constexpr KeyRow kKeys[] = {
    {"crawl", "seeds", kTexts, WEIR_SLOT(crawl.seeds), {}, "",
     "URLs to start from, besides those on the command line", "nothing"},
    {"crawl", "seed_files", kTexts, WEIR_SLOT(crawl.seed_files), {}, "",
     "files of seeds, one URL a line, plain or gzip; \"-\" is standard input",
     "read at every start; a seed seen before costs one dedup question"},
    {"crawl", "state", kText, WEIR_SLOT(crawl.state), {}, "",
     "folder that a crawl resumes from; made when missing", "disk: about 200 bytes per URL"},
    {"crawl", "depth", kCount, WEIR_SLOT(crawl.depth), {0, 65535}, "",
     "links away from a seed; 0: the seeds only; 65535: no limit", "pages grow with every step"},
    {"crawl", "limit_pages", kCount, WEIR_SLOT(crawl.limit_pages), {0, 1e15}, "",
     "stop after so many fetched pages, with the rest left queued; 0: no limit", "nothing"},
    {"crawl", "sitemaps", kBool, WEIR_SLOT(crawl.sitemaps), {}, "",
     "take the sitemaps that a host's robots.txt names, as seeds; needs robots.obey",
     "pages that nobody links to; one fetch per sitemap"},
    {"crawl", "fetcher_threads", kCount, WEIR_SLOT(crawl.fetcher_threads), {0, 256}, "",
     "threads that fetch and parse; 0: one per core", "memory: about 20 MiB a thread, plus its bodies"},
    {"crawl", "drain_timeout", kDuration, WEIR_SLOT(crawl.drain_timeout), {0, kHour}, "",
     "how long running transfers may finish after the first SIGTERM or SIGINT",
     "longer stops later; shorter fetches more pages again on resume"},
    {"crawl", "checkpoint_interval", kDuration, WEIR_SLOT(crawl.checkpoint_interval), {kSecond, kDay}, "",
     "how often the dedup set and the host table are published",
     "shorter writes more; longer replays more at the next start"},

    {"agent", "name", kText, WEIR_SLOT(agent.name), {}, "",
     "product token: what robots.txt groups are matched with; letters, '-' and '_'", "nothing"},
    {"agent", "contact", kText, WEIR_SLOT(agent.contact), {}, "",
     "URL or mail address for who runs a site; required unless every seed is on loopback", "nothing"},

    {"fetch", "transfers", kCount, WEIR_SLOT(fetch.transfers), {1, 4096}, "",
     "transfers at a time, per fetcher thread", "memory: up to body_bytes_max for each; one socket each"},
    {"fetch", "connections_max", kCount, WEIR_SLOT(fetch.connections_max), {1, 65536}, "",
     "connections kept open for reuse, per fetcher thread", "one descriptor and about 40 KiB each with TLS"},
    {"fetch", "body_bytes_max", kBytes, WEIR_SLOT(fetch.body_bytes_max), {kKibi, kGibi}, "",
     "a body is cut here, counted after decoding, and marked truncated",
     "memory, times transfers in the worst case"},
    {"fetch", "redirects_max", kCount, WEIR_SLOT(fetch.redirects_max), {0, 100}, "",
     "redirects followed in a row", "one request each"},
    {"fetch", "retries", kCount, WEIR_SLOT(fetch.retries), {0, 100}, "",
     "further tries of a URL after a transient failure", "one request each, backoff apart"},
    {"fetch", "retry_backoff", kDuration, WEIR_SLOT(fetch.retry_backoff), {kMillisecond, kDay}, "",
     "wait before the first further try; doubles each time", "longer keeps the host's queue waiting"},
    {"fetch", "retry_backoff_max", kDuration, WEIR_SLOT(fetch.retry_backoff_max), {kMillisecond, 7 * kDay}, "",
     "cap of the doubling", "as retry_backoff"},
    {"fetch", "connect_timeout", kDuration, WEIR_SLOT(fetch.connect_timeout),
     {100 * kMillisecond, 10 * 60 * kSecond}, "",
     "TCP and TLS handshake together", "longer holds a transfer for dead hosts; shorter loses slow ones"},
    {"fetch", "first_byte_timeout", kDuration, WEIR_SLOT(fetch.first_byte_timeout),
     {100 * kMillisecond, kHour}, "",
     "from the request sent to the first byte of the answer", "as connect_timeout"},
    {"fetch", "total_timeout", kDuration, WEIR_SLOT(fetch.total_timeout), {kSecond, kDay}, "",
     "one transfer from start to end", "as connect_timeout"},
    {"fetch", "low_speed", kBytes, WEIR_SLOT(fetch.low_speed), {1, kGibi}, "",
     "bytes a second; a transfer slower than this for low_speed_time is ended", "higher loses slow hosts"},
    {"fetch", "low_speed_time", kDuration, WEIR_SLOT(fetch.low_speed_time), {kSecond, kHour}, "",
     "see low_speed", "longer lets a dripping server hold a transfer"},
    {"fetch", "verify_tls", kBool, WEIR_SLOT(fetch.verify_tls), {}, "",
     "check certificates against the roots", "false takes any answer from anyone for the site's"},
    {"fetch", "ca_file", kText, WEIR_SLOT(fetch.ca_file), {}, "",
     "PEM file of roots trusted besides the system's; empty: none", "nothing"},
    {"fetch", "accept", kText, WEIR_SLOT(fetch.accept), {}, "",
     "the Accept line of every request", "nothing"},
    {"fetch", "allow_networks", kTexts, WEIR_SLOT(fetch.allow_networks), {}, "",
     "private and loopback networks that may be contacted, like \"127.0.0.0/8\"; the others are refused",
     "whoever controls DNS of a crawled name can send requests there"},

    {"politeness", "delay", kDuration, WEIR_SLOT(politeness.delay), {0, kDay}, "",
     "between the end of a fetch and the next of one host; 0s: none",
     "a host of 100,000 pages takes 28 hours at 1s"},
    {"politeness", "per_ip_delay", kDuration, WEIR_SLOT(politeness.per_ip_delay), {0, kDay}, "",
     "between two starts on one IP address; 0s: none; when not named: a tenth of delay",
     "many hosts behind one address share its rate"},
    {"politeness", "connections_per_host", kCount, WEIR_SLOT(politeness.connections_per_host), {1, 64}, "",
     "fetches of one host at a time", "more is felt as load by small sites"},
    {"politeness", "crawl_delay_max", kDuration, WEIR_SLOT(politeness.crawl_delay_max), {0, kDay}, "",
     "robots crawl-delay is obeyed up to this", "lower is less polite; higher lets a typo stall a host"},
    {"politeness", "adaptive_factor", kFraction, WEIR_SLOT(politeness.adaptive_factor), {0, 1000}, "",
     "the delay is at least so many times the last fetch time; 0: off", "slow hosts take longer"},
    {"politeness", "delay_max", kDuration, WEIR_SLOT(politeness.delay_max), {0, kDay}, "",
     "cap of the adaptive delay", "as adaptive_factor"},
    {"politeness", "hold_max", kDuration, WEIR_SLOT(politeness.hold_max), {kSecond, 30 * kDay}, "",
     "cap of Retry-After and of a host's backoff", "lower asks a host that asked to be left alone"},
    {"politeness", "host_failures_max", kCount, WEIR_SLOT(politeness.host_failures_max), {1, 255}, "",
     "failures in a row after which a host is given up and its URLs fail", "more tries on dead hosts"},

    {"robots", "obey", kBool, WEIR_SLOT(robots.obey), {}, "",
     "fetch robots.txt first and keep to it (RFC 9309)",
     "one request per host and day; false: only on your own hosts"},
    {"robots", "obey_meta", kBool, WEIR_SLOT(robots.obey_meta), {}, "",
     "keep to nofollow in <meta name=robots>", "false follows links that a page asks not to be followed"},
    {"robots", "retry", kDuration, WEIR_SLOT(robots.retry), {kMillisecond, kDay}, "",
     "wait before an unreachable robots.txt is asked for again", "the host is not crawled meanwhile"},

    {"scope", "hosts", kTexts, WEIR_SLOT(scope.hosts), {}, "",
     "\"a.test\" (any port), \"a.test:8080\", \"*\" (the whole web)", "nothing"},
    {"scope", "domains", kTexts, WEIR_SLOT(scope.domains), {}, "",
     "\"a.test\": the host itself and every host below it; \"*.co.uk\": what is below a public suffix",
     "nothing"},
    {"scope", "same_domain", kBool, WEIR_SLOT(scope.same_domain), {}, "",
     "the registrable domains of the seeds: \"a.co.uk\" of \"www.a.co.uk\" (Public Suffix List)",
     "more hosts than the seeds'"},
    {"scope", "prefixes", kTexts, WEIR_SLOT(scope.prefixes), {}, "",
     "URLs that begin so", "one comparison each, per link"},
    {"scope", "allow", kTexts, WEIR_SLOT(scope.allow), {}, "",
     "RE2 patterns searched in the whole URL", "0.1 to 1 us per link for all patterns together"},
    {"scope", "deny", kTexts, WEIR_SLOT(scope.deny), {}, "",
     "RE2 patterns; a URL with a match is out of scope unless one of rules has accepted it", "as allow"},
    {"scope", "rules", kTexts, WEIR_SLOT(scope.rules), {}, "",
     "\"+ RE2\" or \"- RE2\": the first that matches accepts or rejects, before all lists but the limits below",
     "as allow, and twice that for a URL with a match"},
    {"scope", "off_scope_hops", kCount, WEIR_SLOT(scope.off_scope_hops), {0, 100}, "",
     "links followed away from what hosts, domains, prefixes and allow name; deny and the limits hold",
     "1 asks every page that the crawl links to, on any host"},
    {"scope", "schemes", kTexts, WEIR_SLOT(scope.schemes), {}, "",
     "\"http\", \"https\"", "nothing"},
    {"scope", "ports", kTexts, WEIR_SLOT(scope.ports), {}, "",
     "the only ports that are asked, like \"443\"; empty: all but bad_ports", "nothing"},
    {"scope", "bad_ports", kBool, WEIR_SLOT(scope.bad_ports), {}, "",
     "true: also ports that browsers block (mail, ssh, printers ...)",
     "a page can make the crawler speak to services that are no web servers"},
    {"scope", "suffixes_deny", kTexts, WEIR_SLOT(scope.suffixes_deny), {}, "",
     "ends of file names without links, like \".zip\"; \"default\": the list in docs/scope.md; []: none",
     "less fetches whole archives, films and images for nothing"},
    {"scope", "nofollow", kChoice, WEIR_SLOT(scope.nofollow), {}, "ignore obey",
     "links with rel=nofollow; it is a word about endorsement, not about access",
     "obey misses pages; ignore walks into some calendars and sort orders"},
    {"scope", "url_bytes_max", kBytes, WEIR_SLOT(scope.url_bytes_max), {16, 64 * kKibi}, "",
     "longer URLs are out of scope, never cut", "disk and memory per queued URL"},
    {"scope", "path_depth_max", kCount, WEIR_SLOT(scope.path_depth_max), {1, 65535}, "",
     "segments of a path; deeper ones are out of scope", "higher falls deeper into endless folders"},
    {"scope", "segment_repeats_max", kCount, WEIR_SLOT(scope.segment_repeats_max), {1, 65535}, "",
     "the same segment so many times in one path is a trap and out of scope",
     "higher walks further into traps"},
    {"scope", "group_repeats_max", kCount, WEIR_SLOT(scope.group_repeats_max), {1, 65535}, "",
     "a group of segments that follows itself more often is a trap: /i/w/i/w/i/w/i/w", "as segment_repeats_max"},
    {"scope", "query_parameters_max", kCount, WEIR_SLOT(scope.query_parameters_max), {0, 65535}, "",
     "parameters of one query; more are out of scope", "as segment_repeats_max"},
    {"scope", "parameter_repeats_max", kCount, WEIR_SLOT(scope.parameter_repeats_max), {1, 65535}, "",
     "the same parameter in one query; more often is a trap", "as segment_repeats_max"},

    {"key", "rules", kTexts, WEIR_SLOT(key.rules), {}, "",
     "ignore-scheme, strip-www, strip-session-ids, strip-tracking, sort-query, lowercase-path, strip-index, "
     "strip-trailing-slash, hashbang",
     "each may merge pages that are not one; a state keeps its rules until `weir rekey`"},
    {"key", "strip_params", kParamTables, WEIR_SLOT(key.strip_params), {}, "",
     "parameters without a meaning: [{ host = \"a.test\", params = [\"sid\", \"ref_*\"] }]; no host: every host",
     "as rules"},

    {"parse", "engine", kChoice, WEIR_SLOT(parse.engine), {}, "stream gumbo",
     "stream: links from the tags alone; gumbo: a whole HTML5 tree; they agree (docs/extraction.md)",
     "gumbo: most of the processor time of a crawl"},
    {"parse", "requisites", kBool, WEIR_SLOT(parse.requisites), {}, "",
     "also follow what pages are made of: images, media, style sheets, scripts, icons",
     "many more fetches; style sheets are read for more"},
    {"parse", "references", kBool, WEIR_SLOT(parse.references), {}, "",
     "also follow what is named only: cite, longdesc, ping, profile", "a few more fetches"},
    {"parse", "tree_depth_max", kCount, WEIR_SLOT(parse.tree_depth_max), {16, 4096}, "",
     "nested elements; deeper pages are read from their tags alone", "the tree builder is quadratic in depth"},
    {"parse", "arena_bytes_max", kBytes, WEIR_SLOT(parse.arena_bytes_max), {kMebi, 4 * kGibi}, "",
     "memory of one page's tree; larger ones are read as far as it reaches", "memory, per fetcher thread"},
    {"parse", "deadline", kDuration, WEIR_SLOT(parse.deadline), {kMillisecond, kHour}, "",
     "time of one page's parse", "a thread's transfers wait meanwhile"},
    {"parse", "links_max", kCount, WEIR_SLOT(parse.links_max), {1, 10e6}, "",
     "links taken from one page; more are dropped and the page is marked limited",
     "memory and one long commit"},

    {"dedup", "backend", kText, WEIR_SLOT(dedup.backend), {}, "",
     "exact: never wrong; bloom: sized by capacity and fpr",
     "exact: 16 bytes of fingerprint per URL in memory; bloom: 2 to 4 bytes"},
    {"dedup", "capacity", kCount, WEIR_SLOT(dedup.capacity), {0, 1e13}, "",
     "URLs expected; required by sized backends; 0: not named", "memory in proportion"},
    {"dedup", "fpr", kFraction, WEIR_SLOT(dedup.fpr), {0, 0.5}, "",
     "share of new URLs that may be taken for seen at capacity; required by sized backends; 0: not named",
     "ten times less is about 5 bits more per URL"},

    {"frontier", "engine", kChoice, WEIR_SLOT(frontier.engine), {}, "local",
     "local: one process, one folder", "nothing"},
    {"frontier", "durability", kChoice, WEIR_SLOT(frontier.durability), {}, "os interval commit",
     "what survives power loss: os: what the system had written; interval: all but sync_interval; commit: all",
     "commit: one disk sync per turn, about half the rate; kill -9 loses nothing anyway"},
    {"frontier", "sync_interval", kDuration, WEIR_SLOT(frontier.sync_interval), {kMillisecond, kHour}, "",
     "how often durability = \"interval\" syncs", "shorter syncs more; longer loses more to a power cut"},
    {"frontier", "window_bytes", kBytes, WEIR_SLOT(frontier.window_bytes), {kMebi, 64 * kGibi}, "",
     "heads of queues held in memory, all hosts together", "memory; less reads the store more often"},
    {"frontier", "lease_time", kDuration, WEIR_SLOT(frontier.lease_time), {kSecond, kDay}, "",
     "a URL not settled after this is leased again; above fetch.total_timeout",
     "longer finds a lost transfer later; shorter fetches twice"},
    {"frontier", "robots_bytes", kBytes, WEIR_SLOT(frontier.robots_bytes), {kMebi, 4 * kGibi}, "",
     "robots.txt texts held in memory; the others are read from the store", "memory"},

    {"output", "kinds", kChoices, WEIR_SLOT(output.kinds), {}, "jsonl dropped none",
     "jsonl: a line per fetch in fetch.jsonl; dropped: one per refused link in dropped.jsonl; none: nothing",
     "jsonl: about 400 bytes of disk per fetch; dropped: 250 per refused link, which may be most of them"},
    {"output", "folder", kText, WEIR_SLOT(output.folder), {}, "",
     "where outputs go; empty: crawl.state", "nothing"},
    {"output", "progress_interval", kDuration, WEIR_SLOT(output.progress_interval), {kSecond, kDay}, "",
     "between two progress lines when standard error is no terminal", "log space"},

    {"log", "level", kChoice, WEIR_SLOT(log.level), {}, "debug info warn error",
     "least level that is written", "debug writes lines for single URLs"},
    {"log", "file", kText, WEIR_SLOT(log.file), {}, "",
     "file to append to; empty: standard error", "disk: file_bytes_max times files_kept + 1"},
    {"log", "file_bytes_max", kBytes, WEIR_SLOT(log.file_bytes_max), {64 * kKibi, 64 * kGibi}, "",
     "the file is rotated at this size", "see file"},
    {"log", "files_kept", kCount, WEIR_SLOT(log.files_kept), {1, 1000}, "",
     "rotated files kept", "see file"},

    {"dns", "hosts", kTextMap, WEIR_SLOT(dns.hosts), {}, "",
     "addresses of names, before any DNS: { \"a.test\" = \"127.0.0.2\", \"*.b.test\" = \"127.0.0.3\" }",
     "nothing"},
    {"dns", "servers", kTexts, WEIR_SLOT(dns.servers), {}, "",
     "\"192.0.2.1\" or \"192.0.2.1:5353\"; empty: the system's", "nothing"},
    {"dns", "timeout", kDuration, WEIR_SLOT(dns.timeout), {100 * kMillisecond, 600 * kSecond}, "",
     "one question, repeats included", "longer holds a transfer for dead names"},
    {"dns", "ttl_min", kDuration, WEIR_SLOT(dns.ttl_min), {0, kDay}, "",
     "an answer is kept at least so long", "longer keeps asking an address that has moved"},
    {"dns", "ttl_max", kDuration, WEIR_SLOT(dns.ttl_max), {0, 30 * kDay}, "",
     "an answer is kept at most so long", "as ttl_min"},
    {"dns", "cache_entries_max", kCount, WEIR_SLOT(dns.cache_entries_max), {1, 100e6}, "",
     "names remembered, per fetcher thread", "memory: about 200 bytes each"},
};
// clang-format on

#undef WEIR_SLOT

}  // namespace

std::span<const KeyRow> key_table() { return kKeys; }

std::span<const SectionRow> section_table() { return kSections; }

std::string full_name(const KeyRow& row) { return std::string(row.section) + "." + std::string(row.name); }

std::size_t find_key(std::string_view section, std::string_view name) {
  const auto found = std::ranges::find_if(
      kKeys, [&](const KeyRow& row) { return row.section == section && row.name == name; });
  return static_cast<std::size_t>(found - std::begin(kKeys));
}

}  // namespace weir::crawler
