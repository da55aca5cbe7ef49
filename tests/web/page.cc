// The HTML: head with the links that live there (base, link, meta refresh), then either a frameset or a body of
// filler text with the other links in between.
#include "tests/web/page.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "tests/web/link_text.h"

namespace weir::testweb {
namespace {

constexpr std::uint64_t kWriteSalt = 200;
constexpr std::uint64_t kLocationSalt = 201;
constexpr std::size_t kWordsBytes = 64 << 10;
constexpr std::size_t kFillerBytesMax = kWordsBytes / 2;  // of one gap between two links

constexpr std::array<std::string_view, 24> kVocabulary = {
    "river", "weir", "the", "of", "and",  "water", "stone", "gate",   "level", "flow", "under", "bridge",
    "mill",  "a",    "to",  "in", "that", "runs",  "slow",  "winter", "&amp;", "bank", "where", "fish"};

std::string make_words(std::uint64_t seed) {
  Dice dice(mix(seed, kWriteSalt));
  std::string words;
  while (words.size() < kWordsBytes) words.append(kVocabulary[dice.below(kVocabulary.size())]).append(" ");
  return words;
}

// One page being written: its base, its chance, and the text so far.
class Draft {
 public:
  Draft(const Graph& graph, const Node& page, std::uint16_t port)
      : graph_(graph),
        port_(port),
        dice_(mix(graph.seed(), kWriteSalt, page.host, page.index, static_cast<std::uint64_t>(page.kind))),
        base_(address(page)) {}

  Dice& dice() { return dice_; }
  std::string& text() { return text_; }

  void begin_head(std::string_view title) {
    text_ += "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>";
    text_.append(title).append("</title>\n");
    if (!dice_.one_in(16)) return;
    // From here on every relative reference means something else than it would on this page's own URL.
    const std::string target = fmt::format("/s{}/d{}/other.html", dice_.below(13), dice_.below(5));
    const std::string reference =
        dice_.one_in(2) ? target : fmt::format("http://{}{}", base_.authority, target);
    base_.target = target;
    text_ += fmt::format("<base href={}>\n", attribute_value(reference, dice_));
  }

  std::string value(const Node& to) {
    std::string reference = refer(base_, address(to), dice_);
    if (graph_.features().aliases && dice_.one_in(8)) reference = disguise(std::move(reference), dice_);
    return attribute_value(reference, dice_);
  }

  void head_link(const Node& to) { text_ += fmt::format("<link rel=\"next\" href={} title=x>\n", value(to)); }

  void refresh(const Node& to) {
    text_ += fmt::format("<meta http-equiv=\"refresh\" content=\"600; url={}\">\n",
                         refer(base_, address(to), dice_));
  }

  void frame(const Node& to) { text_ += fmt::format("<frame src={} name=f>\n", value(to)); }

  void body_link(const Node& to) {
    const std::string reference = value(to);
    switch (dice_.below(24)) {
      case 0:
        text_ += fmt::format("<map name=m><area shape=rect coords=0,0,1,1 href={} alt=x></map>", reference);
        break;
      case 1: text_ += fmt::format("<iframe src={} title=x></iframe>", reference); break;
      case 2: text_ += fmt::format("<A CLASS=big HREF={} >there</A>", reference); break;
      case 3: text_ += fmt::format("<a title=\"a > b\" href = {} rel='next'>next</a>", reference); break;
      default: text_ += fmt::format("<a href={} id=x>here</a>", reference); break;
    }
  }

  void decoy() {
    const std::uint64_t number = dice_.below(1000);
    switch (dice_.below(6)) {
      case 0: text_ += fmt::format("<!-- <a href=\"/decoy/{}\">old</a> -->", number); break;
      case 1: text_ += fmt::format("<script>var x = \"<a href='/decoy/{}'>x</a>\";</script>", number); break;
      case 2: text_ += fmt::format("<textarea><a href=\"/decoy/{}\">x</a></textarea>", number); break;
      case 3: text_ += fmt::format("<span data-href=\"/decoy/{}\">x</span>", number); break;
      case 4: text_ += "<a href=\"javascript:void(0)\">x</a> <a href=\"mailto:a@b.test\">y</a>"; break;
      default: text_ += fmt::format("&lt;a href=\"/decoy/{}\"&gt;", number); break;
    }
  }

 private:
  Address address(const Node& node) const {
    return {fmt::format("{}:{}", host_name(node.host), port_), graph_.target(node)};
  }

  const Graph& graph_;
  std::uint16_t port_;
  Dice dice_;
  Address base_;
  std::string text_;
};

}  // namespace

PageWriter::PageWriter(const Graph& graph, std::uint16_t port, std::uint32_t body_bytes)
    : graph_(graph), port_(port), body_bytes_(body_bytes), words_(make_words(graph.seed())) {}

std::string_view PageWriter::filler(Dice& dice, std::size_t bytes) const {
  const std::size_t length = std::min(bytes, kFillerBytesMax);
  std::size_t begin = dice.below(words_.size() - length);
  // Never from the middle of an entity.
  begin = words_.rfind(' ', begin);
  if (begin == std::string::npos) begin = 0;
  const std::size_t end = words_.rfind(' ', begin + length);
  return std::string_view(words_).substr(begin, end > begin && end != std::string::npos ? end - begin : 0);
}

std::string PageWriter::write(const Node& node) const {
  Draft draft(graph_, node, port_);
  Dice& dice = draft.dice();
  const std::vector<Node> links = graph_.links(node);
  draft.begin_head(fmt::format("{} {}", host_name(node.host), node.index));
  std::size_t next = 0;
  if (!links.empty() && dice.one_in(12)) draft.head_link(links[next++]);
  if (next < links.size() && dice.one_in(24)) draft.refresh(links[next++]);
  if (node.kind == Kind::kPage && node.index != 0 && dice.one_in(32)) {
    draft.text() += "</head><frameset cols=\"50%,50%\">\n";
    for (; next < links.size(); ++next) draft.frame(links[next]);
    return std::move(draft.text()) + "</frameset></html>\n";
  }
  draft.text() += "</head><body><h1>A page</h1>\n<p>";
  const std::size_t gaps = links.size() - next + 1;
  const std::size_t gap_bytes = body_bytes_ / 2 / gaps + dice.below(body_bytes_ / gaps + 1);
  draft.text() += filler(dice, gap_bytes);
  for (; next < links.size(); ++next) {
    draft.body_link(links[next]);
    draft.text() += filler(dice, gap_bytes);
    if (graph_.features().decoys && dice.one_in(16)) draft.decoy();
    if (dice.one_in(4)) draft.text() += "</p>\n<p>";
  }
  return std::move(draft.text()) + "</p></body></html>\n";
}

std::string PageWriter::location(const Node& from, const Node& to) const {
  const auto address = [&](const Node& node) {
    return Address{fmt::format("{}:{}", host_name(node.host), port_), graph_.target(node)};
  };
  Dice dice(mix(graph_.seed(), kLocationSalt, from.host, from.index, from.hops));
  return refer(address(from), address(to), dice);
}

}  // namespace weir::testweb
