// Files, environment and flags to one config: order, places of problems, and what is meant by a typing error.
#include "crawler/config/loader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "crawler/config/assign.h"
#include "crawler/config/key_table.h"

namespace weir::crawler {
namespace {

using namespace std::chrono_literals;

class ConfigLoader : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        testing::TempDir() + "weir_config_" + testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    sources_.system_file.clear();
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, std::string_view text) {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  Result<LoadedConfig> load(std::string_view text) {
    sources_.file = write("weir.toml", text);
    return load_config(sources_);
  }

  // The problems of `text`, with the file's path taken away.
  std::string problems(std::string_view text) {
    const auto loaded = load(text);
    if (loaded) return "accepted";
    EXPECT_EQ(loaded.error().code(), ErrorCode::kUsage);
    std::string message = loaded.error().message();
    for (std::size_t at = 0; (at = message.find(folder_)) != std::string::npos;)
      message.erase(at, folder_.size() + 1);
    return message;
  }

  std::string folder_;
  ConfigSources sources_;
};

TEST_F(ConfigLoader, LaterLayersWinKeyByKey) {
  sources_.system_file =
      write("system.toml", "[crawl]\ndepth = 1\nlimit_pages = 11\n[politeness]\ndelay = \"11s\"\n");
  sources_.environment = {{"WEIR_CRAWL__DEPTH", "3"}, {"WEIR_AGENT__NAME", "env"}};
  sources_.sets = {"crawl.depth=4", "robots.obey=false"};
  sources_.flags = {{"crawl.depth", "5", "--depth"}};
  const auto loaded = load("[crawl]\ndepth = 2\nfetcher_threads = 2\n");
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->config.crawl.depth, 5u);
  EXPECT_EQ(loaded->origin("crawl", "depth"), "--depth");
  EXPECT_EQ(loaded->config.crawl.limit_pages, 11u);
  EXPECT_EQ(loaded->origin("crawl", "limit_pages"), sources_.system_file + ":3:1");
  EXPECT_EQ(loaded->config.crawl.fetcher_threads, 2u);
  EXPECT_EQ(loaded->config.agent.name, "env");
  EXPECT_EQ(loaded->origin("agent", "name"), "environment WEIR_AGENT__NAME");
  EXPECT_FALSE(loaded->config.robots.obey);
  EXPECT_EQ(loaded->origin("robots", "obey"), "--set");
  EXPECT_EQ(loaded->origin("robots", "obey_meta"), "built-in");
}

TEST_F(ConfigLoader, KeyRulesComeAsListAndAsListOfTables) {
  const auto loaded = load(
      "[key]\nrules = [\"sort-query\", \"strip-www\"]\n"
      "[[key.strip_params]]\nhost = \"a.test\"\nparams = [\"sid\", \"utm_*\"]\n"
      "[[key.strip_params]]\nparams = [\"ref\"]\n");
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->config.key.rules, (TextList{"sort-query", "strip-www"}));
  ASSERT_EQ(loaded->config.key.strip_params.size(), 2u);
  EXPECT_EQ(loaded->config.key.strip_params[0].host, "a.test");
  EXPECT_EQ(loaded->config.key.strip_params[0].params, (TextList{"sid", "utm_*"}));
  EXPECT_EQ(loaded->config.key.strip_params[1].host, "");
  const KeyRow& row = key_table()[find_key("key", "strip_params")];
  const std::string printed = format_value(row, loaded->config);
  EXPECT_EQ(printed, R"([{ host = "a.test", params = ["sid", "utm_*"] }, { params = ["ref"] }])");
  Config again;
  ASSERT_TRUE(assign_text(row, printed, again));
  EXPECT_EQ(format_value(row, again), printed);
}

TEST_F(ConfigLoader, KeyRulesThatCannotBeAreRefused) {
  struct Row {
    std::string_view text;
    std::string_view message;
  };
  constexpr Row kRows[] = {
      {"[key]\nrules = [\"strip-ww\"]\n",
       "weir.toml:2:1: key.rules: there is no key rule 'strip-ww'; did you mean 'strip-www'?"},
      {"[key]\nrules = \"strip-www\"\n", "must be a list of texts"},
      {"[key]\nstrip_params = [\"sid\"]\n", "must be a list of tables"},
      {"[[key.strip_params]]\nhost = \"a.test\"\n", "has a table without params"},
      {"[[key.strip_params]]\nparams = \"sid\"\n", "has params that are no list of texts"},
      {"[[key.strip_params]]\nparams = [1]\n", "has params that are no texts in quotes"},
      {"[[key.strip_params]]\nhost = [\"a\"]\nparams = [\"s\"]\n", "has a host that is no text in quotes"},
      {"[[key.strip_params]]\nhots = \"a\"\nparams = [\"s\"]\n", "has a table with 'hots'"},
      {"[[key.strip_params]]\nhost = \"http://a\"\nparams = [\"s\"]\n",
       "weir.toml:1:7: key.strip_params: 'http://a' cannot be the host"},
      {"[[scope.hosts]]\nx = 1\n", "not a list of tables"},
  };
  for (const Row& row : kRows) EXPECT_TRUE(problems(row.text).contains(row.message)) << problems(row.text);
}

TEST_F(ConfigLoader, TypingErrorsNameThePlaceAndTheNearestKey) {
  struct Row {
    std::string_view text;
    std::string_view message;
    std::string_view reason;
  };
  constexpr Row kRows[] = {
      {"[scope]\npath_depht_max = 3\n",
       "weir.toml:2:1: unknown key 'path_depht_max' in [scope]; did you mean 'path_depth_max'?",
       "letters swapped"},
      {"[scope]\ndepth = 3\n",
       "weir.toml:2:1: unknown key 'depth' in [scope]; did you mean 'depth' in [crawl]?",
       "right key, wrong section"},
      {"[crwal]\ndepth = 3\n", "weir.toml:1:2: unknown section [crwal]; did you mean [crawl]?",
       "a wrong section is said once, not for each of its keys"},
      {"depth = 3\n", "weir.toml:1:1: key 'depth' stands outside a section; write it below [crawl]",
       "no section"},
      {"crawl = 3\n", "weir.toml:1:1: 'crawl' is a section: write [crawl] and its keys below",
       "section as value"},
      {"[agent]\nfrobnicate = 1\n", "weir.toml:2:1: unknown key 'frobnicate' in [agent]; it has: name, contact",
       "nothing is near: what there is"},
  };
  for (const Row& row : kRows) EXPECT_EQ(problems(row.text), row.message) << row.reason;
}

TEST_F(ConfigLoader, ValuesOfTheWrongKindSayWhatIsRight) {
  struct Row {
    std::string_view text;
    std::string_view message;
  };
  constexpr Row kRows[] = {
      {"[politeness]\ndelay = 5\n", "weir.toml:2:1: politeness.delay needs a unit: write \"5s\""},
      {"[politeness]\ndelay = true\n", "politeness.delay must be a text with a unit, not true"},
      {"[politeness]\ndelay = \"-1s\"\n", "politeness.delay cannot be negative"},
      {"[fetch]\nbody_bytes_max = 1000000\n", "fetch.body_bytes_max needs a unit: write \"1000000MiB\""},
      {"[crawl]\ndepth = \"3\"\n", "crawl.depth must be a whole number without quotes, not \"3\""},
      {"[crawl]\ndepth = -1\n", "crawl.depth must be 0 to 65535, not -1"},
      {"[crawl]\ndepth = 65536\n", "crawl.depth must be 0 to 65535, not 65536"},
      {"[crawl]\ndepth = 1.0\n", "crawl.depth must be a whole number without quotes, not 1"},
      {"[robots]\nobey = \"no\"\n", "robots.obey must be true or false without quotes, not \"no\""},
      {"[robots]\nobey = 0\n", "robots.obey must be true or false without quotes, not 0"},
      {"[scope]\nhosts = \"a.test\"\n",
       "scope.hosts must be a list of texts, like [\"a.test\"], not \"a.test\""},
      {"[scope]\nhosts = [1]\n", "scope.hosts must be a list of texts in quotes"},
      {"[agent]\nname = 1979-05-27\n", "agent.name must be a text in quotes, not a date"},
      {"[dns.hosts]\na.test = \"127.0.0.1\"\n", "names with a dot need quotes"},
      {"[dedup]\nfpr = nan\n", "dedup.fpr must be 0.0 to 0.5"},
  };
  for (const Row& row : kRows) {
    const std::string found = problems(row.text);
    EXPECT_NE(found.find(row.message), std::string::npos) << row.text << "\n" << found;
  }
}

TEST_F(ConfigLoader, WhatThisVersionLacksIsRefusedWithWhatItHas) {
  struct Row {
    std::string_view text;
    std::string_view message;
  };
  constexpr Row kRows[] = {
      {"[parse]\nengine = \"dom\"\n", "parse.engine cannot be 'dom' in this version; it has: stream, gumbo"},
      {"[frontier]\nengine = \"redis\"\n", "frontier.engine cannot be 'redis' in this version; it has: local"},
      {"[frontier]\ndurability = \"always\"\n", "it has: os, interval, commit"},
      {"[output]\nkinds = [\"warc\"]\n",
       "output.kinds cannot be 'warc' in this version; it has: jsonl, dropped, none"},
      {"[dedup]\nbackend = \"redis-set\"\n",
       "dedup.backend cannot be 'redis-set' in this version; it has: exact, bloom"},
      {"[dedup]\nbackend = \"blom\"\n", "did you mean 'bloom'?"},
  };
  for (const Row& row : kRows) {
    const std::string found = problems(row.text);
    EXPECT_NE(found.find(row.message), std::string::npos) << row.text << "\n" << found;
  }
}

TEST_F(ConfigLoader, AllProblemsAreListedInOrderOfTheFile) {
  EXPECT_EQ(problems("[politeness]\ndelay = 5\n[crawl]\ndepht = 1\n[nosuchthing]\nx = 1\n").substr(0, 30),
            "weir.toml:2:1: politeness.dela");
  const std::string found = problems("[politeness]\ndelay = 5\n[crawl]\ndepht = 1\n[nosuchthing]\nx = 1\n");
  EXPECT_EQ(std::count(found.begin(), found.end(), '\n'), 2) << found;
}

TEST_F(ConfigLoader, KeysThatNeedEachOtherAreChecked) {
  struct Row {
    std::string_view text;
    std::string_view message;
  };
  constexpr Row kRows[] = {
      {"[dedup]\nbackend = \"bloom\"\n", "dedup.capacity is required by dedup.backend = \"bloom\""},
      {"[dedup]\nbackend = \"bloom\"\ncapacity = 1000\n", "dedup.fpr is required"},
      {"[dns]\nttl_min = \"2h\"\nttl_max = \"1h\"\n",
       "weir.toml:2:1: dns.ttl_min must not be longer than dns.ttl_max"},
      {"[dns]\nhosts = { \"a.test\" = \"b.test\" }\n", "dns.hosts gives 'a.test' the address 'b.test'"},
      {"[dns]\nservers = [\"127.0.0.1:0\"]\n", "dns.servers has '127.0.0.1:0'"},
      {"[output]\nkinds = []\n", "output.kinds must not be empty"},
      {"[output]\nkinds = [\"none\", \"jsonl\"]\n", "output.kinds has \"none\" beside others"},
      {"[agent]\nname = \"my crawler/1.0\"\n", "agent.name must be letters"},
      {"[agent]\ncontact = \"x)\\r\\nX-Evil: 1\"\n", "agent.contact must be ASCII"},
      {"[fetch]\naccept = \"a\\r\\nX-Evil: 1\"\n", "fetch.accept must be ASCII"},
      {"[fetch]\nallow_networks = [\"127.0.0.0/33\"]\n", "127.0.0.0/33"},
      {"[scope]\nallow = [\"(\"]\n", "missing )"},
      {"[frontier]\nlease_time = \"10s\"\n", "fetch.total_timeout must not be longer than frontier.lease_time"},
      {"[crawl]\nstate = \"\"\n", "crawl.state must name a folder"},
  };
  for (const Row& row : kRows) {
    const std::string found = problems(row.text);
    EXPECT_NE(found.find(row.message), std::string::npos) << row.text << "\n" << found;
  }
  EXPECT_EQ(problems("[dns]\nservers = [\"127.0.0.1\", \"127.0.0.1:5353\", \"[::1]:53\", \"::1\"]\n"),
            "accepted");
}

TEST_F(ConfigLoader, SyntaxErrorsAndDuplicateKeysHaveAPlace) {
  EXPECT_TRUE(problems("[crawl]\ndepth = 1\ndepth = 2\n").starts_with("weir.toml:3:"))
      << problems("[crawl]\ndepth = 1\ndepth = 2\n");
  EXPECT_TRUE(problems("[crawl]\ndepth = = 2\n").starts_with("weir.toml:2:"));
  EXPECT_TRUE(problems("[crawl\n").starts_with("weir.toml:1:"));
  EXPECT_TRUE(problems("[crawl]\n[crawl]\n").starts_with("weir.toml:2:"));
}

TEST_F(ConfigLoader, ByteOrderMarkAndCarriageReturnsAreNoProblem) {
  const auto loaded = load("\xEF\xBB\xBF[crawl]\r\ndepth = 7\r\n");
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->config.crawl.depth, 7u);
}

TEST_F(ConfigLoader, AFileThatIsNotOneIsAUsageError) {
  sources_.file = folder_;
  auto loaded = load_config(sources_);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code(), ErrorCode::kUsage);
  EXPECT_NE(loaded.error().message().find("is a directory"), std::string::npos);
  sources_.file = folder_ + "/missing.toml";
  loaded = load_config(sources_);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code(), ErrorCode::kUsage);
  EXPECT_NE(loaded.error().message().find("missing.toml"), std::string::npos);
}

TEST_F(ConfigLoader, AMissingSystemFileIsNoProblem) {
  sources_.system_file = folder_ + "/missing.toml";
  EXPECT_TRUE(load_config(sources_));
}

TEST_F(ConfigLoader, EnvironmentTypingErrorsAreRefused) {
  const auto message = [this](std::string name) {
    sources_.environment = {{std::move(name), "3"}};
    const auto loaded = load_config(sources_);
    return loaded ? std::string("accepted") : loaded.error().message();
  };
  EXPECT_EQ(message("WEIR_CRAWL__DETPH"),
            "environment WEIR_CRAWL__DETPH: unknown key 'detph' in [crawl]; did you mean 'depth'?");
  EXPECT_EQ(message("WEIR_CRWAL__DEPTH"),
            "environment WEIR_CRWAL__DEPTH: unknown section [crwal]; did you mean [crawl]?");
  EXPECT_EQ(message("WEIR_CRAWL_DEPTH"),
            "environment WEIR_CRAWL_DEPTH: needs two underscores between section and key");
  EXPECT_EQ(message("WEIR_HOME"), "accepted");  // another program's
  EXPECT_EQ(message("WEIR_CRAWL__DEPTH"), "accepted");
}

TEST_F(ConfigLoader, TextsOfFlagsNeedNoQuotes) {
  sources_.sets = {"scope.hosts=a.test, b.test:8080",
                   R"(scope.allow=['[0-9]{1,3}'])",
                   "politeness.delay=200ms",
                   "dns.hosts=a.test=127.0.0.2,b.test=127.0.0.3",
                   "dns.servers=[]",
                   "agent.contact=\"https://a.test/?a=b\"",
                   "fetch.body_bytes_max=1MiB",
                   "dedup.fpr=1e-6",
                   "output.kinds=none"};
  const auto loaded = load_config(sources_);
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Config& config = loaded->config;
  EXPECT_EQ(config.scope.hosts, (TextList{"a.test", "b.test:8080"}));
  EXPECT_EQ(config.scope.allow, (TextList{"[0-9]{1,3}"}));
  EXPECT_EQ(config.politeness.delay, Duration(200ms));
  EXPECT_EQ(config.dns.hosts, (TextMap{{"a.test", "127.0.0.2"}, {"b.test", "127.0.0.3"}}));
  EXPECT_EQ(config.agent.contact, "https://a.test/?a=b");
  EXPECT_EQ(config.fetch.body_bytes_max, 1u << 20);
  EXPECT_EQ(config.dedup.fpr, 1e-6);
  EXPECT_EQ(config.output.kinds, (TextList{"none"}));
}

TEST_F(ConfigLoader, WrongTextsOfFlagsSayWhatIsRight) {
  struct Row {
    std::string text;
    std::string_view message;
  };
  const Row rows[] = {
      {"crawl.depth", "--set crawl.depth: must be section.key=value, like crawl.depth=3"},
      {"depth=3", "must be section.key=value"},
      {"crawl.detph=3", "did you mean 'depth'?"},
      {"politeness.delay=5", "politeness.delay needs a unit: write \"5s\""},
      {"robots.obey=no", "robots.obey must be true or false, not 'no'"},
      {"scope.allow=[0-9]+", "begins like TOML but is not"},
      {"dns.hosts=a.test", "must be name=value"},
      {"dns.hosts=a.test=127.0.0.1,a.test=127.0.0.2", "names 'a.test' twice"},
      {"crawl.fetcher_threads=257", "crawl.fetcher_threads must be 0 to 256, not 257"},
      {"parse.engine=dom", "it has: stream, gumbo"},
  };
  for (const Row& row : rows) {
    sources_.sets = {row.text};
    const auto loaded = load_config(sources_);
    ASSERT_FALSE(loaded) << row.text;
    EXPECT_NE(loaded.error().message().find(row.message), std::string::npos) << loaded.error().message();
  }
}

TEST_F(ConfigLoader, PerIpDelayFollowsTheDelayUnlessNamed) {
  sources_.sets = {"politeness.delay=200ms"};
  auto loaded = load_config(sources_);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->config.politeness.per_ip_delay, Duration(20ms));
  EXPECT_EQ(loaded->origin("politeness", "per_ip_delay"), "a tenth of politeness.delay");
  sources_.sets = {"politeness.delay=0s"};
  EXPECT_EQ(load_config(sources_)->config.politeness.per_ip_delay, Duration(0));
  sources_.sets = {"politeness.delay=200ms", "politeness.per_ip_delay=5ms"};
  EXPECT_EQ(load_config(sources_)->config.politeness.per_ip_delay, Duration(5ms));
}

TEST_F(ConfigLoader, AppendedFlagsKeepCommasAndEarlierElements) {
  sources_.flags = {{"crawl.seeds", "http://a.test/?a,b", "URL", true},
                    {"crawl.seeds", "http://b.test/", "URL", true}};
  const auto loaded = load("[crawl]\nseeds = [\"http://c.test/\"]\n");
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->config.crawl.seeds, (TextList{"http://c.test/", "http://a.test/?a,b", "http://b.test/"}));
}

TEST_F(ConfigLoader, EveryKeyTakesBackWhatItPrints) {
  const Config defaults;
  for (const KeyRow& row : key_table()) {
    const std::string value = format_value(row, defaults);
    Config config;
    const auto settings = read_toml("v = " + value + "\n", "value");
    ASSERT_TRUE(settings) << full_name(row) << " = " << value;
    const auto assigned = assign_toml(row, settings->front(), config);
    EXPECT_TRUE(assigned) << full_name(row) << " = " << value << ": " << assigned.error();
    EXPECT_EQ(format_value(row, config), value) << full_name(row);
  }
}

}  // namespace
}  // namespace weir::crawler
