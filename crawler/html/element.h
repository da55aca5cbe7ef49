// The elements and attributes that carry links, or decide what becomes of those that do, as small numbers: what
// the tag scanner, the tree context, gumbo's walk and LinkCollector speak to each other. Static tables, no
// state. Names are the HTML Standard's, with those of SVG and MathML that matter; case never counts.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <string_view>

namespace weir::crawler {

enum class Namespace : std::uint8_t { kHtml, kSvg, kMathml };

// In the order of the table in element.cc.
enum class Element : std::uint8_t {
  kOther,
  // with attributes that hold URLs
  kA,
  kApplet,
  kArea,
  kAudio,
  kBase,
  kBlockquote,
  kBody,
  kButton,
  kDel,
  kEmbed,
  kForm,
  kFrame,
  kHead,
  kHtml,
  kIframe,
  kImage,  // SVG's; HTML parsers take it for img
  kImg,
  kInput,
  kIns,
  kLink,
  kMeta,
  kObject,
  kQ,
  kScript,
  kSource,
  kStyle,
  kTable,
  kTd,
  kTh,
  kTr,
  kTrack,
  kUse,
  kVideo,
  kFeImage,
  // MathML, where every element may have href
  kMath,
  kMi,
  kMn,
  kMo,
  kMs,
  kMtext,
  kMrow,
  kMaction,
  kSemantics,
  kAnnotation,
  kAnnotationXml,
  kMglyph,
  kMalignmark,
  // what decides where the others end up
  kSvg,
  kForeignObject,
  kDesc,
  kTitle,
  kTemplate,
  kSelect,
  kOption,
  kOptgroup,
  kKeygen,
  kTextarea,
  kFrameset,
  kNoframes,
  kNoembed,
  kNoscript,
  kXmp,
  kPlaintext,
  kCaption,
  kCol,
  kColgroup,
  kTbody,
  kTfoot,
  kThead,
  kFont,
  // the rest of those with a rule of their own
  kAddress,
  kArticle,
  kAside,
  kB,
  kBasefont,
  kBgsound,
  kBig,
  kBr,
  kCenter,
  kCode,
  kDd,
  kDetails,
  kDir,
  kDiv,
  kDl,
  kDt,
  kEm,
  kFieldset,
  kFigcaption,
  kFigure,
  kFooter,
  kH1,
  kH2,
  kH3,
  kH4,
  kH5,
  kH6,
  kHeader,
  kHgroup,
  kHr,
  kI,
  kLi,
  kListing,
  kMain,
  kMarquee,
  kMenu,
  kNav,
  kNobr,
  kOl,
  kP,
  kParam,
  kPre,
  kRuby,
  kS,
  kSearch,
  kSection,
  kSmall,
  kSpan,
  kStrike,
  kStrong,
  kSub,
  kSummary,
  kSup,
  kTt,
  kU,
  kUl,
  kVar,
  kWbr,
  kLast  // their number
};

inline constexpr std::size_t kElementCount = static_cast<std::size_t>(Element::kLast);

// What the HTML Standard's tree construction (13.2.6) says of an element, as bits.
enum ElementTrait : std::uint8_t {
  kVoid = 1,             // has no end tag and no content
  kSpecial = 2,          // stops the search for "any other end tag"
  kBreaksOut = 4,        // ends foreign content
  kInHead = 8,           // does not open the body
  kEndsFramesetOk = 16,  // after it, frameset means nothing any more
  kContextual = 32,      // changes what its neighbours mean, or has raw text for content
};

std::uint8_t traits_of(Element element);
inline bool has_trait(Element element, ElementTrait trait) { return (traits_of(element) & trait) != 0; }

template <typename... Others>
constexpr bool is_any(Element element, Others... others) {
  return ((element == others) || ...);
}

class ElementSet {
 public:
  bool has(Element element) const { return bits_[static_cast<std::size_t>(element)]; }
  void add(Element element) { bits_.set(static_cast<std::size_t>(element)); }
  void add_all() { bits_.set(); }

 private:
  std::bitset<kElementCount> bits_;
};

enum class Attribute : std::uint8_t {
  kAction,
  kArchive,
  kBackground,
  kCite,
  kCode,
  kCodebase,
  kColor,
  kContent,
  kData,
  kEncoding,
  kFace,
  kFormaction,
  kFormmethod,
  kHref,
  kHttpEquiv,
  kImagesrcset,
  kLongdesc,
  kManifest,
  kMethod,
  kName,
  kPing,
  kPoster,
  kProfile,
  kRel,
  kSize,
  kSrc,
  kSrcset,
  kStyle,
  kType,
  kXlinkHref,
  kOther  // also the number of the others
};

inline constexpr std::size_t kAttributeCount = static_cast<std::size_t>(Attribute::kOther);

// The attributes of one tag. Absent ones are absent, not empty. Views borrow.
class AttributeValues {
 public:
  bool has(Attribute which) const { return (present_ & bit(which)) != 0; }
  std::string_view text(Attribute which) const {
    return has(which) ? values_[static_cast<std::size_t>(which)] : std::string_view{};
  }

  // The first of two attributes of one name wins (HTML Standard 13.2.5.33).
  void set_first(Attribute which, std::string_view value) {
    if (has(which)) return;
    set(which, value);
  }
  void set(Attribute which, std::string_view value) {
    present_ |= bit(which);
    values_[static_cast<std::size_t>(which)] = value;
  }
  void clear() { present_ = 0; }
  bool empty() const { return present_ == 0; }

  // Calls visit(Attribute) for each that is there.
  template <typename Visit>
  void each(Visit visit) const {
    for (std::uint32_t left = present_; left != 0; left &= left - 1)
      visit(static_cast<Attribute>(__builtin_ctz(left)));
  }

 private:
  static_assert(kAttributeCount <= 32);
  static constexpr std::uint32_t bit(Attribute which) { return 1u << static_cast<unsigned>(which); }

  std::uint32_t present_ = 0;
  std::array<std::string_view, kAttributeCount> values_;  // only those present mean anything
};

// kOther for all the rest. Cost: one probe of a table.
Element find_element(std::string_view name);
Attribute find_attribute(std::string_view name);

std::string_view name_of(Element element);
std::string_view name_of(Attribute attribute);

}  // namespace weir::crawler
