// A small load generator, to show that the synthetic web is never the bottleneck: kept connections, one request
// at a time on each, random pages. Runs in a process of its own, so that the server's processor time is its
// own.
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "tests/web/graph.h"

namespace weir::testweb {

// Asks for pages until `duration` has passed; false: the server did not answer as it should.
bool load(const Graph& graph, std::uint16_t port, Duration duration, const Clock& clock);

}  // namespace weir::testweb
