// WebService: the synthetic web as the server sees it. Joins graph, site and record, writes the request log and
// answers the control host. Owned by the server's thread.
#pragma once

#include <fstream>
#include <string>

#include "tests/web/graph.h"
#include "tests/web/options.h"
#include "tests/web/record.h"
#include "tests/web/server.h"
#include "tests/web/site.h"

namespace weir::testweb {

class WebService final : public Service {
 public:
  WebService(const WebOptions& options, std::uint16_t port);

  void begin(Exchange& exchange, MonoTime now) override;
  bool ready(const Exchange& exchange) const override;
  void finish(const Exchange& exchange, bool sent) override;

  std::string report() const;
  const Graph& graph() const { return graph_; }
  std::uint64_t requests() const { return record_.requests(); }

 private:
  void begin_control(Exchange& exchange);
  void log(const Exchange& exchange, MonoTime now);

  const WebOptions options_;
  const Graph graph_;
  Site site_;
  Record record_;
  std::ofstream log_;
};

}  // namespace weir::testweb
