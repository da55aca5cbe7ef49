// The engine's small parts: stored records and their damage, the packed window, the host table, the IP gate,
// the robots cache.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "frontier/local/done_record.h"
#include "frontier/local/host_table.h"
#include "frontier/local/ip_gate.h"
#include "frontier/local/journal.h"
#include "frontier/local/layout.h"
#include "frontier/local/queue_entry.h"
#include "frontier/local/robots_cache.h"
#include "frontier/local/timer_wheel.h"

namespace weir::test {
namespace {

using namespace frontier::local;  // NOLINT: a test of these parts
using frontier::HostId;
using frontier::IpAddress;
using frontier::Reason;
using frontier::RobotsFile;
using frontier::RobotsState;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

// Every proper prefix of a record must be refused, and so must one byte too many.
template <typename Decode>
void expect_only_whole(const std::string& bytes, Decode decode) {
  EXPECT_TRUE(decode(bytes));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(decode(std::string_view(bytes).substr(0, length))) << "cut at " << length;
  }
  EXPECT_FALSE(decode(bytes + "x"));
}

TEST(QueueKey, OrderOfBytesIsOrderOfService) {
  std::string last;
  for (const QueueKey key : {QueueKey{1, 4, 1}, {1, 4, 255}, {1, 4, 256}, {1, 9, 0}, {2, 0, 0}, {256, 0, 0}}) {
    std::string bytes;
    append_queue_key(bytes, key);
    EXPECT_EQ(bytes.size(), 11U);
    EXPECT_LT(last, bytes);
    const QueueKey back = decode_queue_key(bytes);
    EXPECT_EQ(back.host, key.host);
    EXPECT_EQ(back.queue_class, key.queue_class);
    EXPECT_EQ(back.seq, key.seq);
    last = bytes;
  }
}

TEST(QueueEntry, ComesBackAsItWas) {
  QueueEntry entry;
  entry.depth = 300;
  entry.depth_limit = 7;
  entry.redirect_hops = 3;
  entry.off_scope_hops = 2;
  entry.attempt = 2;
  entry.not_before = WallTime(seconds(1'800'000'000));
  entry.discovered = WallTime(seconds(1'700'000'000));
  entry.path = "/p?q";
  entry.tag = "tag";
  set_parent(entry, "http://a.test/parent", "http://a.test");
  std::string bytes;
  append_queue_entry(bytes, entry);
  const auto back = decode_queue_entry(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->depth, 300);
  EXPECT_EQ(back->depth_limit, 7);
  EXPECT_EQ(back->redirect_hops, 3);
  EXPECT_EQ(back->off_scope_hops, 2);
  EXPECT_EQ(back->attempt, 2);
  EXPECT_EQ(back->not_before, entry.not_before);
  EXPECT_EQ(back->discovered, entry.discovered);
  EXPECT_EQ(back->path, "/p?q");
  EXPECT_EQ(back->tag, "tag");
  EXPECT_EQ(back->parent, "/parent");
  EXPECT_EQ(parent_url(*back, "http://a.test"), "http://a.test/parent");
  expect_only_whole(bytes, [](std::string_view part) { return decode_queue_entry(part).has_value(); });
}

TEST(HostRecord, ComesBackAsItWas) {
  HostRecord record;
  record.origin = "http://a.test";
  record.next_seq = 1000;
  record.queues[0] = {0, 3, 17};
  record.queues[1] = {9, 1, 900};
  record.queue_count = 2;
  record.failures = 2;
  record.overloads = 1;
  record.contacted = true;
  record.given_up = Reason::kDnsNotFound;
  record.hold = Deadline{WallTime(seconds(5)), seconds(3)};
  record.robots = RobotsState::kRules;
  record.robots_until = {WallTime(seconds(9)), hours(1)};
  record.robots_version = 77;
  record.crawl_delay = seconds(30);
  std::string bytes;
  append_host_record(bytes, record);
  const auto back = decode_host_record(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->origin, record.origin);
  EXPECT_EQ(back->next_seq, 1000U);
  EXPECT_EQ(back->pending(), 4U);
  EXPECT_EQ(back->queues[1].cursor, 900U);
  EXPECT_EQ(back->failures, 2);
  EXPECT_EQ(back->overloads, 1);
  EXPECT_TRUE(back->contacted);
  EXPECT_EQ(back->given_up, Reason::kDnsNotFound);
  EXPECT_EQ(back->hold->span, seconds(3));
  EXPECT_EQ(back->robots, RobotsState::kRules);
  EXPECT_EQ(back->robots_version, 77U);
  EXPECT_EQ(back->crawl_delay, seconds(30));
  expect_only_whole(bytes, [](std::string_view part) { return decode_host_record(part).has_value(); });
}

TEST(DoneRecord, ComesBackAsItWas) {
  DoneRecord record;
  record.failed = true;
  record.reason = Reason::kTooSlow;
  record.status = 503;
  record.fetched = WallTime(seconds(7));
  record.bytes = 1 << 20;
  record.digest = 99;
  record.depth = 4;
  record.attempts = 3;
  record.url = "http://a.test/";
  record.parent = "http://b.test/";
  record.redirect = "http://c.test/";
  std::string bytes;
  append_done_record(bytes, record);
  const auto back = decode_done_record(bytes);
  ASSERT_TRUE(back);
  EXPECT_TRUE(back->failed);
  EXPECT_EQ(back->reason, Reason::kTooSlow);
  EXPECT_EQ(back->status, 503);
  EXPECT_EQ(back->bytes, 1U << 20);
  EXPECT_EQ(back->redirect, "http://c.test/");
  expect_only_whole(bytes, [](std::string_view part) { return decode_done_record(part).has_value(); });
}

TEST(Journal, ComesBackAsItWas) {
  JournalRecord journal;
  journal.add_fingerprint({1, 2});
  journal.add_fingerprint({3, 4});
  HostRecord host;
  host.next_seq = 5;
  journal.add_host(42, host);
  std::string bytes;
  journal.encode(bytes, {10, 20, 30, 40, 50});
  std::vector<dedup::Fingerprint> fingerprints;
  JournalVisitor visitor;
  visitor.fingerprints = [&](const auto& part) { fingerprints = part; };
  visitor.host = [](HostId id, const HostRecord& record) {
    EXPECT_EQ(id, 42U);
    EXPECT_EQ(record.next_seq, 5U);
  };
  visitor.totals = [](const Totals& totals) { EXPECT_EQ(totals.next_host, 50U); };
  EXPECT_TRUE(decode_journal(bytes, visitor));
  EXPECT_EQ(fingerprints, (std::vector<dedup::Fingerprint>{{1, 2}, {3, 4}}));
  expect_only_whole(bytes, [](std::string_view part) { return decode_journal(part, {}); });
}

TEST(Deadline, NeverWaitsLongerThanItsSpan) {
  const Now now{MonoTime(hours(5)), WallTime(hours(500'000))};
  const Deadline deadline = Deadline::from(now.mono + hours(1), now);
  EXPECT_EQ(deadline.restored(now), now.mono + hours(1));
  EXPECT_EQ(deadline.restored({now.mono, now.wall + hours(2)}), now.mono);
  EXPECT_EQ(deadline.restored({now.mono, now.wall - hours(99)}), now.mono + hours(1));
}

TEST(QueueWindow, AgreesWithAMap) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    QueueWindow window;
    std::map<std::uint64_t, std::string> map;
    std::uint64_t next = 1;
    for (int step = 0; step < 4000; ++step) {
      const std::string value(random() % 200, static_cast<char>('a' + random() % 26));
      switch (random() % 5) {
        case 0:
        case 1:
          window.push_back(next, value);
          map[next++] = value;
          break;
        case 2:
          if (map.empty()) break;
          ASSERT_EQ(window.front_seq(), map.begin()->first);
          ASSERT_EQ(window.front_value(), map.begin()->second);
          window.pop_front();
          map.erase(map.begin());
          break;
        case 3: {
          const std::uint64_t seq = random() % (next + 1);
          if (map.contains(seq)) break;
          window.insert(seq, value);
          map[seq] = value;
          next = std::max(next, seq + 1);
          break;
        }
        case 4: {
          const std::uint64_t seq = random() % (next + 1);
          ASSERT_EQ(window.erase(seq), map.erase(seq) == 1);
          break;
        }
      }
      ASSERT_EQ(window.size(), map.size());
    }
  }
}

TEST(HostTable, FindsWhatIsInsideThroughGrowthAndRemoval) {
  std::mt19937_64 random(7);
  HostTable table;
  std::map<std::string, Slot> inside;
  for (int step = 0; step < 20'000; ++step) {
    const std::string origin = "http://h" + std::to_string(random() % 5000) + ".test";
    const auto known = inside.find(origin);
    if (known == inside.end()) {
      ASSERT_EQ(table.find(origin), kNoSlot);
      inside[origin] = table.add(origin, 1);
    } else {
      ASSERT_EQ(table.find(origin), known->second);
      if (random() % 2 == 0) {
        table.remove(known->second);
        inside.erase(known);
      }
    }
    ASSERT_EQ(table.size(), inside.size());
  }
  for (const auto& [origin, slot] : inside) EXPECT_EQ(table.at(slot).origin, origin);
}

IpAddress address(std::uint8_t last) {
  IpAddress ip;
  ip.known = true;
  ip.bytes[15] = last;
  return ip;
}

TEST(IpGate, StartsOnOneAddressKeepTheGap) {
  IpGate gate(milliseconds(100));
  const MonoTime start(hours(1));
  EXPECT_EQ(gate.ask(address(1), {}, start), start);
  EXPECT_EQ(gate.ask(address(2), {}, start), start);
  const MonoTime second = gate.ask(address(1), {}, start);
  const MonoTime third = gate.ask(address(1), {}, start);
  EXPECT_GE(second, start + milliseconds(100));
  EXPECT_GE(third, second + milliseconds(100));
  EXPECT_EQ(gate.ask(address(1), second, second), second);
  // Late by more than the gap: who comes after must still keep its distance.
  const MonoTime late = third + milliseconds(90);
  EXPECT_EQ(gate.ask(address(1), third, late), late);
  EXPECT_GE(gate.ask(address(1), {}, late), late + milliseconds(100));
}

TEST(IpGate, UnknownAddressAndNoGapPass) {
  const MonoTime now(hours(1));
  IpGate gate(milliseconds(100));
  EXPECT_EQ(gate.ask({}, {}, now), now);
  EXPECT_EQ(gate.ask({}, {}, now), now);
  IpGate off(Duration(0));
  EXPECT_EQ(off.ask(address(1), {}, now), now);
  EXPECT_EQ(off.ask(address(1), {}, now), now);
}

TEST(RobotsCache, LeastRecentlyUsedLeaveFirst) {
  RobotsCache cache(3000);
  const auto file = [] { return std::make_shared<const RobotsFile>(RobotsFile{std::string(1000, 'x'), 1}); };
  cache.put(1, file());
  cache.put(2, file());
  EXPECT_NE(cache.find(1), nullptr);
  cache.put(3, file());
  EXPECT_NE(cache.find(1), nullptr);
  EXPECT_EQ(cache.find(2), nullptr);
  EXPECT_LE(cache.bytes(), 3000U);
}

}  // namespace
}  // namespace weir::test
