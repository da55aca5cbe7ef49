// robots.txt against recorded verdicts of others: Google's matcher and its specification tests must be met in
// full; protego and crawler-commons wherever they agree with Google. What is decided otherwise is listed here,
// row by row, with the reason. Needs the corpora beside the repository.
#include <gtest/gtest.h>
#include <zlib.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "crawler/robots/robots.h"
#include "tests/support/corpora.h"

namespace weir::crawler {
namespace {

using nlohmann::json;

// Path and query as Google's matcher cuts them out of whatever a test calls a URL.
std::string target_of(std::string_view url) {
  const std::size_t start = url.starts_with("//") ? 2 : 0;
  const std::size_t early = url.find_first_of("/?;", start);
  std::size_t search = url.find("://", start);
  search = search == std::string_view::npos || early < search ? start : search + 3;
  const std::size_t path = url.find_first_of("/?;", search);
  const std::size_t hash = url.find('#', search);
  if (path == std::string_view::npos || hash < path) return "/";
  const std::string_view target = url.substr(path, hash == std::string_view::npos ? hash : hash - path);
  return target.starts_with('/') ? std::string(target) : "/" + std::string(target);
}

std::string decode_base64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) continue;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      out += static_cast<char>(bits >> count & 0xFF);
    }
  }
  return out;
}

std::string body_of(const json& row) {
  if (row.contains("robots")) return row["robots"];
  if (row.contains("robots_b64")) return decode_base64(row["robots_b64"].get<std::string>());
  return {};
}

std::string gunzip(const std::string& bytes) {
  z_stream stream = {};
  EXPECT_EQ(inflateInit2(&stream, 16 + MAX_WBITS), Z_OK);
  std::string out;
  std::string buffer(1 << 16, '\0');
  std::string input = bytes;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  int status = Z_OK;
  while (status == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    status = inflate(&stream, Z_NO_FLUSH);
    out.append(buffer, 0, buffer.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  EXPECT_EQ(status, Z_STREAM_END);
  return out;
}

std::vector<json> rows_of(const std::string& lines) {
  std::vector<json> rows;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) rows.push_back(json::parse(line));
  return rows;
}

// The reasons for which recorded expectations of protego and crawler-commons are not ours.
constexpr std::string_view kNothingDecoded =
    "an escape and its character are different bytes for Google's matcher, and its rows rule out decoding";
constexpr std::string_view kOnTheWire = "a target is what goes on the wire; raw UTF-8 never does";
constexpr std::string_view kTokenOnly =
    "agents are product tokens of letters, '-' and '_' (RFC 9309 2.2.1); digits, '*' and versions are not";
constexpr std::string_view kUnknownLines = "a line with an unknown key is as if absent and ends no group";
constexpr std::string_view kTwoWordsOnly = "without a colon a line counts only when it has exactly two words";
constexpr std::string_view kPathsOnly = "a rule is a path; a whole URL or a bare word matches nothing";
constexpr std::string_view kNoAgentPrefix =
    "an agent matches whole tokens; hedwig's group is not hedwig-news's";
constexpr std::string_view kRobotsPath =
    "the rules of the file hold for its own path too; fetching it asks no one";
constexpr std::string_view kOneToken = "one token per user-agent line; what follows a blank is a comment";
constexpr std::string_view kKnownTypos = "only the misspelt keys that Google documents are forgiven";
constexpr std::string_view kMarkupStays = "markup is not stripped: '/<BR>' is a path";
constexpr std::string_view kDelayIsNoBan = "a long crawl-delay is capped by politeness, it forbids nothing";
constexpr std::string_view kCaseOfEscapes = "escapes are compared without regard to case (RFC 3986 6.2.2.1)";
constexpr std::string_view kUtf16IsRead = "a UTF-16 byte order mark is obeyed, or no rule would be seen";

enum class Side : std::uint8_t { kGoogle, kOrigin };

struct Decision {
  int id;
  Side side;
  std::string_view reason;
  std::string_view url = {};  // empty: all checks of the row that differ
};

constexpr Decision kDecisions[] = {
    {147, Side::kOrigin, kCaseOfEscapes, "https://www.site.local/a%3cd.html"},
    {147, Side::kGoogle, kNothingDecoded},
    {148, Side::kOrigin, kCaseOfEscapes, "https://www.site.local/a%3cd.html"},
    {148, Side::kGoogle, kNothingDecoded},
    {149, Side::kGoogle, kNothingDecoded},
    {150, Side::kGoogle, kNothingDecoded},
    {156, Side::kGoogle, kTokenOnly},
    {159, Side::kGoogle, kTokenOnly, "https://site.local/admin/"},
    {159, Side::kGoogle, kTokenOnly, "https://site.local/some/randome/page.html"},
    {159, Side::kGoogle, kOnTheWire},
    {160, Side::kGoogle, kTokenOnly},
    {173, Side::kGoogle, kTokenOnly},
    {174, Side::kGoogle, kNothingDecoded},
    {176, Side::kGoogle, kUnknownLines},
    {178, Side::kGoogle, kTwoWordsOnly},
    {179, Side::kGoogle, kTokenOnly},
    {188, Side::kGoogle, kOnTheWire},
    {189, Side::kGoogle, kOnTheWire},
    {190, Side::kGoogle, kNothingDecoded},
    {193, Side::kGoogle, kNothingDecoded},
    {194, Side::kGoogle, kNothingDecoded},
    {195, Side::kGoogle, kNothingDecoded},
    {196, Side::kGoogle, kPathsOnly},
    {203, Side::kGoogle, kTokenOnly},
    {206, Side::kGoogle, kNoAgentPrefix},
    {207, Side::kGoogle, kNoAgentPrefix},
    {261, Side::kGoogle, kRobotsPath},
    {269, Side::kGoogle, kTokenOnly},
    {271, Side::kGoogle, kTokenOnly},
    {274, Side::kGoogle, kTokenOnly},
    {275, Side::kGoogle, kRobotsPath, "http://www.fict.org/robots.txt"},
    {275, Side::kGoogle, kNothingDecoded},
    {287, Side::kGoogle, kTokenOnly},
    {289, Side::kGoogle, kTokenOnly},
    {293, Side::kGoogle, kTokenOnly},
    {296, Side::kOrigin, kCaseOfEscapes},
    {299, Side::kGoogle, kNothingDecoded},
    {300, Side::kOrigin, kCaseOfEscapes},
    {301, Side::kOrigin, kCaseOfEscapes, "https://www.example.com/search/%2a/"},
    {301, Side::kGoogle, kNothingDecoded},
    {308, Side::kGoogle, kNothingDecoded},
    {309, Side::kGoogle, kNothingDecoded},
    {310, Side::kGoogle, kNothingDecoded},
    {311, Side::kGoogle, kTokenOnly},
    {314, Side::kGoogle, kOneToken},
    {315, Side::kGoogle, kOneToken},
    {316, Side::kGoogle, kOneToken},
    {319, Side::kOrigin, kUtf16IsRead},
    {320, Side::kOrigin, kUtf16IsRead},
    {325, Side::kGoogle, kMarkupStays},
    {328, Side::kGoogle, kRobotsPath, "http://www.fict.org/robots.txt"},
    {328, Side::kGoogle, kNothingDecoded},
    {329, Side::kGoogle, kTokenOnly},
    {333, Side::kGoogle, kTokenOnly},
    {335, Side::kGoogle, kTokenOnly, "http://domain.com/useragent/"},
    {335, Side::kGoogle, kTokenOnly, "http://domain.com/useragent-no-colon/"},
    {335, Side::kGoogle, kKnownTypos},
    {336, Side::kGoogle, kOnTheWire},
    {337, Side::kGoogle, kOnTheWire},
    {349, Side::kGoogle, kTokenOnly},
    {350, Side::kGoogle, kDelayIsNoBan},
};

const Decision* decision_on(int id, std::string_view url) {
  for (const Decision& decision : kDecisions) {
    if (decision.id == id && (decision.url.empty() || decision.url == url)) return &decision;
  }
  return nullptr;
}

// Several names in one agent are tried by crawler-commons; Google's verdict was taken for the first.
std::string first_agent(const json& check) {
  const std::string agents = check["agent"];
  return agents.substr(0, agents.find(','));
}

struct Expected {
  bool allow = true;
  std::string reason;
};

Expected expected_of(const json& row, const json& check) {
  const bool allow = check["allow"];
  const bool google = check["google"];
  if (allow == google) return {allow, "all agree"};
  const Decision* decision = decision_on(row["id"], check["url"].get<std::string>());
  EXPECT_NE(decision, nullptr) << "undecided: " << row["id"] << " " << check;
  if (decision == nullptr) return {google, "undecided"};
  return {decision->side == Side::kGoogle ? google : allow, std::string(decision->reason)};
}

TEST(RobotsCorpus, GoogleIsMetAndEveryDifferenceIsDecided) {
  WEIR_CORPUS_OR_SKIP(lines, "robots/robots-cases.jsonl");
  int checks = 0;
  for (const json& row : rows_of(lines)) {
    const std::string body = body_of(row);
    for (const json& check : row["checks"]) {
      ++checks;
      const Expected expected = expected_of(row, check);
      const RobotsRules rules = RobotsRules::parse(body, first_agent(check));
      EXPECT_EQ(rules.judge(target_of(check["url"].get<std::string>())).allowed, expected.allow)
          << row["id"] << " " << row["src"] << " " << row["test"] << " " << check << "\n"
          << expected.reason;
    }
  }
  EXPECT_EQ(checks, 1369);
}

TEST(RobotsCorpus, RealFilesAreJudgedAsThreeOthersJudgeThem) {
  WEIR_CORPUS_OR_SKIP(packed, "robots/robots-real.jsonl.gz");
  int unanimous = 0;
  for (const json& row : rows_of(gunzip(packed))) {
    const std::string body = body_of(row);
    std::map<std::string, RobotsRules> rules;
    for (const json& check : row["checks"]) {
      const json& google = check["google"];
      if (google != check["protego"] || google != check["robots_parser"]) continue;
      ++unanimous;
      const std::string agent = check["agent"];
      const auto found = rules.try_emplace(agent, RobotsRules::parse(body, agent)).first;
      EXPECT_EQ(found->second.judge(target_of(check["url"].get<std::string>())).allowed, google.get<bool>())
          << check << "\n"
          << body.substr(0, 400);
    }
  }
  EXPECT_EQ(unanimous, 15'545);
}

// Facts that are not ours, with the reason; the rest of robots-directives.jsonl holds.
struct Exception {
  std::string_view test;
  std::string_view agent;
  std::string_view reason;
};

constexpr Exception kExceptions[] = {
    {"testBrokenKrugleRobotsTxtFile", "googlebot/2.1", kTokenOnly},
    {"testHeritrixCases", "mozilla, delaybot, 99.9", kTokenOnly},
    {"testHtmlMarkupInRobotsTxt", "bogusbot", "a file without a group for us: 30 s stand under another agent"},
    {"testSitemap", "bot1", "a line that is only a URL is no sitemap line"},
};

bool is_exception(const json& row) {
  const std::string agent = row["agent"].is_null() ? "" : row["agent"].get<std::string>();
  for (const Exception& exception : kExceptions) {
    if (exception.test == row["test"] && exception.agent == agent) return true;
  }
  return false;
}

// Relative sitemaps are kept as written; crawler-commons resolves them against its test's host.
std::vector<std::string> resolved(const std::vector<std::string>& sitemaps) {
  std::vector<std::string> out;
  for (const std::string& sitemap : sitemaps) {
    out.push_back(sitemap.starts_with('/') ? "http://domain.com" + sitemap : sitemap);
  }
  return out;
}

double delay_ms(const RobotsRules& rules) { return static_cast<double>(rules.crawl_delay().count()) / 1e3; }

TEST(RobotsCorpus, DelaysAndSitemapsAreReadAsOthersReadThem) {
  WEIR_CORPUS_OR_SKIP(lines, "robots/robots-directives.jsonl");
  int checked = 0;
  for (const json& row : rows_of(lines)) {
    if (row["what"] == "request_rate" || is_exception(row)) continue;
    ++checked;
    const std::string agent = row["agent"].is_null() || row["agent"] == "*" ? "" : row["agent"];
    const RobotsRules rules = RobotsRules::parse(body_of(row), agent);
    const json& value = row["value"];
    if (row["what"] == "sitemaps") {
      EXPECT_EQ(json(rules.sitemaps()), value) << row;
    }
    if (row["what"] == "crawl_delay") {
      EXPECT_EQ(delay_ms(rules), value.is_null() ? 0 : value.get<double>() * 1e3) << row;
    }
    if (row["what"] != "parse") continue;
    const json& delay = value["crawl_delay_ms"];
    EXPECT_EQ(delay_ms(rules), delay.is_null() ? 0 : delay.get<double>()) << row;
    EXPECT_EQ(json(resolved(rules.sitemaps())), value["sitemaps"]) << row;
  }
  EXPECT_GE(checked, 30);
}

}  // namespace
}  // namespace weir::crawler
