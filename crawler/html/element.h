// The elements and attributes that carry links or say something about them, as small numbers: what both
// engines (gumbo's tree, the flat scanner) speak to LinkCollector. Static tables, no state.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace weir::crawler {

enum class Element : std::uint8_t {
  kOther,
  kA,
  kArea,
  kAudio,
  kBase,
  kEmbed,
  kFrame,
  kIframe,
  kImg,
  kInput,
  kLink,
  kMeta,
  kObject,
  kScript,
  kSource,
  kTrack,
  kVideo
};

enum class Attribute : std::uint8_t {
  kContent,
  kData,
  kHref,
  kHttpEquiv,
  kName,
  kPoster,
  kRel,
  kSrc,
  kType,
  kXlinkHref,
  kOther  // also the number of the others
};

inline constexpr std::size_t kAttributeCount = static_cast<std::size_t>(Attribute::kOther);

// Values after character references; absent attributes are absent, not empty.
class AttributeValues {
 public:
  const std::optional<std::string_view>& operator[](Attribute which) const { return at(which); }

  // The first of two attributes of one name wins (HTML Standard 13.2.5.33).
  void set_first(Attribute which, std::string_view value) {
    std::optional<std::string_view>& place = values_[static_cast<std::size_t>(which)];
    if (!place) place = value;
  }
  std::string_view text(Attribute which) const { return at(which).value_or(std::string_view{}); }

 private:
  const std::optional<std::string_view>& at(Attribute which) const {
    return values_[static_cast<std::size_t>(which)];
  }

  std::array<std::optional<std::string_view>, kAttributeCount> values_;
};

// Case does not count. kOther for all the rest.
Element find_element(std::string_view name);
Attribute find_attribute(std::string_view name);

std::string_view name_of(Element element);
std::string_view name_of(Attribute attribute);

}  // namespace weir::crawler
