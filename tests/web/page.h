// PageWriter: the HTML of a node of the graph. Every link of the graph is written once, in one of the many ways
// that people write links (relative, //host, entities, iframe, frame, base, meta refresh, ...); what looks like
// a link but is none (decoys) leads to /decoy/, which is a stray. Pure after construction, thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tests/web/dice.h"
#include "tests/web/graph.h"

namespace weir::testweb {

class PageWriter {
 public:
  // `port` stands in absolute links.
  PageWriter(const Graph& graph, std::uint16_t port, std::uint32_t body_bytes);

  std::string write(const Node& node) const;

  // For a Location field: absolute, //host, absolute path or relative.
  std::string location(const Node& from, const Node& to) const;

 private:
  std::string_view filler(Dice& dice, std::size_t bytes) const;

  const Graph& graph_;
  std::uint16_t port_;
  std::uint32_t body_bytes_;
  std::string words_;
};

}  // namespace weir::testweb
