// configs/weir.toml is what the key table says, and every shipped file loads.
#include "crawler/config/reference.h"

#include <gtest/gtest.h>

#include <string>

#include "base/durable_file.h"
#include "crawler/config/assign.h"
#include "crawler/config/key_table.h"

namespace weir::crawler {
namespace {

constexpr std::uint64_t kFileBytesMax = 1 << 20;

std::string shipped(const std::string& name) { return WEIR_SOURCE_DIR "/configs/" + name; }

Result<LoadedConfig> load_shipped(const std::string& name) {
  ConfigSources sources;
  sources.system_file.clear();
  sources.file = shipped(name);
  return load_config(sources);
}

TEST(ConfigReference, TheShippedFileIsTheTableWrittenOut) {
  const auto text = read_file(shipped("weir.toml"), kFileBytesMax);
  ASSERT_TRUE(text) << text.error().message();
  EXPECT_TRUE(*text == format_reference()) << "renew it: weir config print --reference > configs/weir.toml";
}

TEST(ConfigReference, EveryKeyHasMeaningCostAndRange) {
  for (const KeyRow& row : key_table()) {
    EXPECT_FALSE(row.meaning.empty()) << full_name(row);
    EXPECT_FALSE(row.cost.empty()) << full_name(row);
    const bool ranged = row.kind == KeyKind::kCount || row.kind == KeyKind::kFraction ||
                        row.kind == KeyKind::kDuration || row.kind == KeyKind::kBytes ||
                        row.kind == KeyKind::kChoice || row.kind == KeyKind::kChoices;
    EXPECT_EQ(format_range(row).empty(), !ranged) << full_name(row);
  }
}

TEST(ConfigReference, TheShippedFileChangesNothing) {
  const auto loaded = load_shipped("weir.toml");
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Config defaults;
  for (const KeyRow& row : key_table()) {
    EXPECT_EQ(format_value(row, loaded->config), format_value(row, defaults)) << full_name(row);
  }
}

TEST(ConfigReference, TheOtherShippedFilesLoadAndDifferFromTheDefaults) {
  const Config defaults;
  for (const std::string name : {"site.toml", "broad.toml"}) {
    const auto loaded = load_shipped(name);
    ASSERT_TRUE(loaded) << loaded.error().message();
    for (std::size_t i = 0; i < key_table().size(); ++i) {
      const KeyRow& row = key_table()[i];
      if (!loaded->origins[i].starts_with(WEIR_SOURCE_DIR)) continue;
      EXPECT_NE(format_value(row, loaded->config), format_value(row, defaults))
          << name << ": " << full_name(row);
    }
  }
}

TEST(ConfigReference, PrintedConfigsNameTheOriginAndReadBackEqual) {
  ConfigSources sources;
  sources.system_file.clear();
  sources.sets = {"crawl.depth=3", "scope.deny=['\\.pdf$']"};
  const auto loaded = load_config(sources);
  ASSERT_TRUE(loaded);
  const std::string text = format_config(*loaded);
  EXPECT_NE(text.find("\ndepth = 3                               # --set\n"), std::string::npos) << text;
  EXPECT_NE(text.find("deny = ['\\.pdf$']"), std::string::npos) << text;
  EXPECT_NE(text.find("# built-in\n"), std::string::npos);
  const auto settings = read_toml(text, "printed");
  ASSERT_TRUE(settings) << settings.error().message();
  Config config;
  for (const TomlSetting& setting : *settings) {
    if (setting.name.empty()) continue;
    const std::size_t index = find_key(setting.section, setting.name);
    ASSERT_LT(index, key_table().size()) << setting.name;
    EXPECT_TRUE(assign_toml(key_table()[index], setting, config)) << setting.name;
  }
  EXPECT_EQ(config.crawl.depth, 3u);
  EXPECT_EQ(config.scope.deny, loaded->config.scope.deny);
}

}  // namespace
}  // namespace weir::crawler
