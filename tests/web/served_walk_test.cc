// The reference walk (over the graph) against a walk over what is served (HTML over HTTP answers), and the
// crawler of the second, which is written from the specifications alone: WHATWG URL, HTML, RFC 9309.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <deque>
#include <map>
#include <regex>
#include <set>

#include "tests/web/report.h"
#include "tests/web/web_service.h"

namespace weir::testweb {
namespace {

constexpr std::uint16_t kPort = 8080;

std::string replace_all(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string without(const std::string& html, const std::string& pattern) {
  return std::regex_replace(html, std::regex(pattern), "");
}

std::string decode_entities(const std::string& text) {
  static const std::regex numeric("&#(x?)([0-9a-f]+);");
  std::string out;
  auto last = text.cbegin();
  for (std::sregex_iterator it(text.begin(), text.end(), numeric), end; it != end; ++it) {
    out.append(last, (*it)[0].first);
    out += static_cast<char>(std::stoi((*it)[2], nullptr, (*it)[1].length() > 0 ? 16 : 10));
    last = (*it)[0].second;
  }
  return replace_all(replace_all(out.append(last, text.cend()), "&quot;", "\""), "&amp;", "&");
}

std::string normalise(const std::string& url) {
  static const std::regex escape("%([0-9A-Fa-f]{2})");
  std::string out;
  auto last = url.cbegin();
  for (std::sregex_iterator it(url.begin(), url.end(), escape), end; it != end; ++it) {
    const char byte = static_cast<char>(std::stoi((*it)[1], nullptr, 16));
    out.append(last, (*it)[0].first);
    const bool plain =
        std::isalnum(static_cast<unsigned char>(byte)) != 0 || std::string("-._~").contains(byte);
    out += plain ? std::string(1, byte) : (*it)[0].str();
    last = (*it)[0].second;
  }
  return out.append(last, url.cend());
}

std::string remove_dots(const std::string& path) {
  std::vector<std::string> segments;
  std::string segment;
  for (const char c : path.substr(1) + "/") {
    if (c != '/') {
      segment += c;
      continue;
    }
    if (segment == "..") {
      if (!segments.empty()) segments.pop_back();
    } else if (segment != ".") {
      segments.push_back(segment);
    }
    segment.clear();
  }
  if (path.ends_with("/.") || path.ends_with("/..")) segments.emplace_back();
  std::string out;
  for (const std::string& each : segments) out += "/" + each;
  return out.empty() ? "/" : out;
}

// `base` and the result are "host:port/path?query"; empty: no http URL.
std::string resolve(const std::string& base, std::string reference) {
  std::erase_if(reference, [](char c) { return c == '\t' || c == '\n'; });
  reference.erase(0, reference.find_first_not_of(' '));
  reference.erase(reference.find_last_not_of(' ') + 1);
  reference = reference.substr(0, reference.find('#'));
  const auto question = reference.find('?');
  const std::string query = question == std::string::npos ? "" : reference.substr(question);
  std::string path = reference.substr(0, question);
  std::ranges::replace(path, '\\', '/');
  static const std::regex scheme("^([A-Za-z][A-Za-z0-9+.-]*):(.*)$");
  std::smatch match;
  if (std::regex_match(path, match, scheme)) {
    std::string name = match[1];
    std::ranges::transform(name, name.begin(), [](char c) { return static_cast<char>(std::tolower(c)); });
    if (name != "http") return "";
    path = match[2];
  }
  const std::string authority = base.substr(0, base.find('/'));
  const std::string base_target = base.substr(authority.size());
  const std::string base_path = base_target.substr(0, base_target.find('?'));
  if (path.starts_with("//")) {
    std::string host = path.substr(2, path.find('/', 2) - 2);
    std::ranges::transform(host, host.begin(), [](char c) { return static_cast<char>(std::tolower(c)); });
    return host + remove_dots(path.substr(2 + host.size())) + query;
  }
  if (path.starts_with("/")) return authority + remove_dots(path) + query;
  if (path.empty()) return authority + (question == std::string::npos ? base_target : base_path + query);
  return authority + remove_dots(base_path.substr(0, base_path.rfind('/') + 1) + path) + query;
}

std::string value_of(const std::smatch& match, std::size_t first) {
  for (std::size_t i = first; i < first + 3; ++i) {
    if (match[i].matched) return decode_entities(match[i]);
  }
  return "";
}

std::set<std::string> links_of(const std::string& page, const std::string& html) {
  std::string text = without(html, "<!--[^]*?-->");
  text = without(without(text, "<script>[^]*?</script>"), "<textarea>[^]*?</textarea>");
  std::string base = page;
  std::smatch match;
  static const std::string value = "(?:\"([^\"]*)\"|'([^']*)'|([^ \"'>][^ >]*))";
  static const std::regex base_tag("<base href=" + value + ">");
  static const std::regex refresh("content=\"600; url=([^\"]*)\"");
  static const std::regex tag(
      "<(?:a|area|link|iframe|frame)(?: +[a-z]+ *= *(?:\"[^\"]*\"|[^ \"'>]+))*? +(?:href|src) *= *" + value,
      std::regex::icase);
  if (std::regex_search(text, match, base_tag)) base = resolve(page, value_of(match, 1));
  std::set<std::string> out;
  if (std::regex_search(text, match, refresh)) out.insert(resolve(base, match[1]));
  for (std::sregex_iterator it(text.begin(), text.end(), tag), end; it != end; ++it) {
    out.insert(resolve(base, value_of(*it, 1)));
  }
  out.erase("");
  return out;
}

std::string inflate_gzip(const std::string& body) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string out(1 << 20, '\0'), in = body;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

// The group for everybody: longest matching rule, allow before disallow. Here `*` stands only in front.
bool allowed(const std::string& robots, const std::string& target) {
  static const std::regex rule("(Allow|Disallow): (\\S+)");
  const std::string group = robots.substr(std::min(robots.find("User-agent: *"), robots.size()));
  std::size_t longest = 0;
  bool verdict = true;
  for (std::sregex_iterator it(group.begin(), group.end(), rule), end; it != end; ++it) {
    const std::string pattern = (*it)[2];
    const bool matches = pattern.starts_with("/*") ? target.ends_with(pattern.substr(2, pattern.size() - 3))
                                                   : target.starts_with(pattern);
    if (!matches || pattern.size() < longest) continue;
    longest = pattern.size();
    verdict = (*it)[1] == "Allow";
  }
  return verdict;
}

struct ServedWalk {
  std::set<std::string> asked;  // "hK.test/path?query", escapes of unreserved characters undone
  std::set<std::uint16_t> statuses;
  bool gzip = false;
  bool chunked = false;
};

// A crawler in one page of code: each URL once (again after a 503), keeping to robots.txt. Good enough for this
// web only.
class Walker {
 public:
  explicit Walker(WebService& service) : service_(service) {}

  ServedWalk walk() {
    offer("h0.test:" + std::to_string(kPort) + "/");
    while (!queue_.empty()) {
      const std::string url = queue_.front();
      queue_.pop_front();
      visit(url);
    }
    return walk_;
  }

 private:
  void offer(const std::string& url) {
    const std::string name = normalise(url);
    if (met_.insert(name).second) queue_.push_back(name);
  }

  Answer ask(const std::string& url) {
    const std::string authority = url.substr(0, url.find('/'));
    EXPECT_TRUE(authority.ends_with(":" + std::to_string(kPort))) << url;
    Exchange exchange;
    exchange.request.method = "GET";
    exchange.request.host = authority.substr(0, authority.find(':'));
    exchange.request.target = url.substr(authority.size());
    exchange.request.accepts_gzip = true;
    service_.begin(exchange, MonoTime());
    service_.finish(exchange, true);
    return exchange.answer;
  }

  const std::string& robots(const std::string& authority) {
    const auto found = robots_.find(authority);
    if (found != robots_.end()) return found->second;
    const Answer answer = ask(authority + "/robots.txt");
    const std::string text = answer.status == 200   ? answer.body
                             : answer.status == 503 ? "User-agent: *\nDisallow: /\n"
                                                    : "";
    return robots_.emplace(authority, text).first->second;
  }

  void visit(const std::string& url) {
    const std::string authority = url.substr(0, url.find('/'));
    if (!allowed(robots(authority), url.substr(authority.size()))) return;
    Answer answer = ask(url);
    walk_.statuses.insert(answer.status);
    if (answer.status == 503) answer = ask(url);
    walk_.statuses.insert(answer.status);
    walk_.asked.insert(authority.substr(0, authority.find(':')) + url.substr(authority.size()));
    walk_.gzip = walk_.gzip || answer.gzip;
    walk_.chunked = walk_.chunked || answer.chunked;
    if (!answer.location.empty()) return offer(resolve(url, answer.location));
    const std::string html = answer.gzip ? inflate_gzip(answer.body) : answer.body;
    for (const std::string& link : links_of(url, html)) offer(link);
  }

  WebService& service_;
  std::set<std::string> met_;
  std::deque<std::string> queue_;
  std::map<std::string, std::string> robots_;
  ServedWalk walk_;
};

std::set<std::string> names(const Graph& graph, const std::vector<Node>& nodes) {
  std::set<std::string> out;
  for (const Node& node : nodes) out.insert(host_name(node.host) + graph.target(node));
  return out;
}

WebOptions small_web(std::uint64_t seed, std::string_view features) {
  WebOptions options;
  options.seed = seed;
  options.hosts = 12;
  options.pages = 400;
  options.links = 6;
  options.body_bytes = 200;
  options.features = *parse_features(features);
  return options;
}

TEST(ServedWalk, TheReferenceSetIsWhatAWalkOfTheServedPagesAsks) {
  const std::string some(kDefaultFeatures);
  for (const std::string& features : {std::string("none"), some, some + ",robots-down"}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " features " + features);
      WebService service(small_web(seed, features), kPort);
      const ServedWalk walk = Walker(service).walk();
      EXPECT_EQ(walk.asked, names(service.graph(), reference_set(service.graph())));
      const std::string report = service.report();
      for (const char* zero : {"\"missed\":0,", "\"doubled\":0,", "\"strays\":0,", "\"forbidden\":0,",
                               "\"unexpected\":0,", "\"robots_not_first\":0,"}) {
        EXPECT_NE(report.find(zero), std::string::npos) << zero << "\n" << report;
      }
    }
  }
}

TEST(ServedWalk, TwoServersOfOneSeedServeTheSame) {
  const WebOptions options = small_web(7, kDefaultFeatures);
  WebService first(options, kPort), second(options, kPort);
  EXPECT_EQ(Walker(first).walk().asked, Walker(second).walk().asked);
  const Graph graph(options);
  for (const Node& node : reference_set(graph)) {
    Exchange one, two;
    one.request.host = two.request.host = host_name(node.host);
    one.request.target = two.request.target = graph.target(node);
    first.begin(one, MonoTime());
    second.begin(two, MonoTime());
    ASSERT_EQ(Site::wire(one.request, one.answer), Site::wire(two.request, two.answer)) << one.request.target;
  }
}

TEST(ServedWalk, EveryFeatureOfTheDefaultWebIsMet) {
  WebOptions options = small_web(1, kDefaultFeatures);
  options.hosts = 60;
  options.pages = 2000;
  WebService service(options, kPort);
  const ServedWalk walk = Walker(service).walk();
  EXPECT_EQ(walk.statuses, (std::set<std::uint16_t>{200, 301, 302, 307, 308, 404, 500, 503}));
  EXPECT_TRUE(walk.gzip);
  EXPECT_TRUE(walk.chunked);
  EXPECT_TRUE(std::ranges::any_of(walk.asked, [](const std::string& url) { return url.contains("/go/5/"); }));
  EXPECT_TRUE(std::ranges::any_of(walk.asked, [](const std::string& url) { return url.contains("/out/"); }));
  EXPECT_TRUE(walk.asked.contains("h0.test/loop/b"));
}

}  // namespace
}  // namespace weir::testweb
