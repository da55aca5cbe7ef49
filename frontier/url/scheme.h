// The special schemes of the URL Standard (section 4.2) and their default ports. Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace weir::frontier {

enum class SchemeKind : std::uint8_t { kNotSpecial, kHttp, kHttps, kWs, kWss, kFtp, kFile };

// `scheme` in lower case, without ':'.
constexpr SchemeKind scheme_kind(std::string_view scheme) {
  if (scheme == "https") return SchemeKind::kHttps;
  if (scheme == "http") return SchemeKind::kHttp;
  if (scheme == "file") return SchemeKind::kFile;
  if (scheme == "ftp") return SchemeKind::kFtp;
  if (scheme == "ws") return SchemeKind::kWs;
  if (scheme == "wss") return SchemeKind::kWss;
  return SchemeKind::kNotSpecial;
}

// 0: the scheme has none.
constexpr std::uint16_t default_port(SchemeKind kind) {
  switch (kind) {
    case SchemeKind::kHttp:
    case SchemeKind::kWs: return 80;
    case SchemeKind::kHttps:
    case SchemeKind::kWss: return 443;
    case SchemeKind::kFtp: return 21;
    case SchemeKind::kFile:
    case SchemeKind::kNotSpecial: return 0;
  }
  return 0;
}

}  // namespace weir::frontier
