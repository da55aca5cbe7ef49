// FrontierWorld: a frontier under test and the hand that moves its clock, with one-line verbs for what owners
// do. For GoogleTest: a call that should succeed and does not is a failed expectation. One thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "frontier/frontier.h"
#include "frontier/local/engine.h"

namespace weir::test {

// A folder of its own under the test's temporary folder, removed with the object.
class ScratchFolder {
 public:
  ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

dedup::Fingerprint fingerprint_of(std::string_view url);  // of a fixed secret

struct LinkOptions {
  std::uint16_t depth = 0;
  frontier::Priority priority = frontier::Priority::kNormal;
  std::uint8_t redirect_hops = 0;
  std::uint8_t off_scope_hops = 0;
};
// `url` is "scheme://host[:port]/...".
void add_link(frontier::CandidateBatch& batch, std::string_view url, const LinkOptions& options = {});
frontier::CandidateBatch links(std::initializer_list<std::string_view> urls);

frontier::Settlement settlement_of(const frontier::Lease& lease, frontier::Outcome outcome,
                                   frontier::Reason reason = frontier::Reason::kOk);
// An answer came: contacted, 10 ms.
frontier::Settlement answered(const frontier::Lease& lease);
frontier::Settlement robots_answered(const frontier::Lease& lease, std::string body = "");

class FrontierWorld {
 public:
  explicit FrontierWorld(std::unique_ptr<frontier::Frontier> subject) : subject_(std::move(subject)) {}

  frontier::Frontier& operator*() { return *subject_; }
  frontier::Frontier* operator->() { return subject_.get(); }
  std::unique_ptr<frontier::Frontier>& subject() { return subject_; }

  Now now() const { return now_; }
  void advance(Duration by);

  frontier::TurnReport add(std::initializer_list<std::string_view> urls);
  frontier::TurnReport add(const frontier::CandidateBatch& batch);
  std::vector<frontier::Lease> lease(std::size_t limit = 1000);
  // The only lease there is now; an expectation fails when there is none or more.
  frontier::Lease lease_one();
  frontier::TurnReport settle(const frontier::Settlement& settlement);
  frontier::TurnReport settle(const std::vector<frontier::Settlement>& settlements);
  // Leases and answers until drained, moving the clock; the URLs in the order they went out (robots left out).
  std::vector<std::string> drain(
      const std::function<frontier::Settlement(const frontier::Lease&)>& fetch = answered);

  static Now start();

 private:
  std::unique_ptr<frontier::Frontier> subject_;
  Now now_ = start();
};

}  // namespace weir::test
