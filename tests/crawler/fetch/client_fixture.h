// ClientRun: a client, a clock whose time can be moved ahead, and a loop that runs until the answers are there.
// Shared by the tests of HttpClient. One thread.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/log.h"
#include "crawler/fetch/http_client.h"

namespace weir::crawler {

inline const std::vector<std::string> kLoopbackAllowed = {"127.0.0.0/8", "::1/128"};

class ClientRun {
 public:
  explicit ClientRun(HttpOptions options = {}, const std::vector<std::string>& allowed = kLoopbackAllowed) {
    if (options.user_agent.empty()) options.user_agent = "weir-test/1";
    auto rules = AddressRules::parse(allowed);
    EXPECT_TRUE(rules) << rules.error().message();
    auto created = HttpClient::create(options, *rules, *log_);
    EXPECT_TRUE(created) << created.error().message();
    client_ = std::move(*created);
  }

  HttpClient& operator*() { return *client_; }
  HttpClient* operator->() { return client_.get(); }

  Now now() const {
    Now now = clock_.now();
    now.mono += ahead_;
    now.wall += ahead_;
    return now;
  }
  void move_ahead(Duration duration) { ahead_ += duration; }

  void start(const std::string& url, std::uint64_t id = 1, std::uint64_t body_bytes_max = 0) {
    client_->start({id, url, body_bytes_max}, now());
  }

  // Runs until `count` answers are there; fewer when `patience` of real time is over.
  std::vector<HttpAnswer> collect(std::size_t count, Duration patience = std::chrono::seconds(20)) {
    std::vector<HttpAnswer> answers;
    const MonoTime end = now().mono + patience;
    while (answers.size() < count && now().mono < end) client_->poll(std::chrono::seconds(1), now(), answers);
    EXPECT_EQ(answers.size(), count);
    std::ranges::sort(answers, {}, &HttpAnswer::id);
    return answers;
  }

  HttpAnswer get(const std::string& url, std::uint64_t body_bytes_max = 0) {
    start(url, 1, body_bytes_max);
    auto answers = collect(1);
    return answers.empty() ? HttpAnswer{} : std::move(answers.front());
  }

 private:
  std::unique_ptr<Log> log_ = Log::discard();
  SystemClock clock_;
  Duration ahead_{0};
  std::unique_ptr<HttpClient> client_;
};

}  // namespace weir::crawler
