// Streams that remember what a verb said, for tests of verbs. One thread.
#pragma once

#include <string>
#include <string_view>

#include "crawler/cli/streams.h"

namespace weir::crawler {

class RecordedStreams final : public Streams {
 public:
  void out(std::string_view text) override { said += text; }
  void error(std::string_view text) override { complained += text; }

  std::string said;
  std::string complained;
};

}  // namespace weir::crawler
