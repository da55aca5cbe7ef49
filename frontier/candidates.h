// CandidateBatch: the links of one page (or a run of seeds) on their way to the dedup stage, in one buffer.
// Built by a fetcher, moved once to the frontier. Every URL is in wire form and has passed scope.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dedup/fingerprint.h"

namespace weir::frontier {

// Queue classes of a host, served in this order; FIFO within one.
enum class Priority : std::uint8_t { kUrgent = 0, kHigh = 2, kNormal = 4, kLow = 6, kRetry = 9 };

inline constexpr std::uint16_t kNoDepthLimit = 0xffff;

struct Candidate {
  dedup::Fingerprint fingerprint;  // of the URL's key
  std::uint32_t offset = 0;        // into CandidateBatch::text
  std::uint32_t length = 0;
  std::uint32_t origin_length = 0;  // text[offset, offset + origin_length) is "scheme://host[:port]"
  std::uint16_t depth = 0;          // links away from its seed
  Priority priority = Priority::kNormal;
  std::uint8_t redirect_hops = 0;   // redirects in a row that led here
  std::uint8_t off_scope_hops = 0;  // links in a row away from what the scope's rules name; 0: they name it
  bool same_page = false;  // a redirect to another spelling of its own page: admitted though its key was met
};

struct CandidateBatch {
  std::string text;  // all URLs, one after another
  std::vector<Candidate> items;
  std::string parent;                         // URL of the page; empty for seeds
  std::string tag;                            // the seed's label, inherited by all it leads to
  std::uint16_t depth_limit = kNoDepthLimit;  // the seed's own limit, inherited likewise

  std::string_view url(const Candidate& c) const { return std::string_view(text).substr(c.offset, c.length); }
  std::string_view origin(const Candidate& c) const {
    return std::string_view(text).substr(c.offset, c.origin_length);
  }
  void add(std::string_view url, Candidate candidate) {
    candidate.offset = static_cast<std::uint32_t>(text.size());
    candidate.length = static_cast<std::uint32_t>(url.size());
    text.append(url);
    items.push_back(candidate);
  }
};

}  // namespace weir::frontier
