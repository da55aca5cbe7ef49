// xxHash's one home.
#include "base/hash.h"

#include <sys/random.h>
#include <xxhash.h>

#include "base/check.h"

namespace weir {

std::uint64_t hash64(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

Hash128 keyed_hash128(std::string_view bytes, const HashSecret& secret) {
  const XXH128_hash_t hash = XXH3_128bits_withSecret(bytes.data(), bytes.size(), secret.data(), secret.size());
  return {hash.high64, hash.low64};
}

Hasher64::Hasher64() : state_(XXH3_createState()) {
  WEIR_CHECK(state_ != nullptr);
  XXH3_64bits_reset(static_cast<XXH3_state_t*>(state_));
}

Hasher64::~Hasher64() { XXH3_freeState(static_cast<XXH3_state_t*>(state_)); }

void Hasher64::update(std::string_view bytes) {
  XXH3_64bits_update(static_cast<XXH3_state_t*>(state_), bytes.data(), bytes.size());
}

std::uint64_t Hasher64::digest() const { return XXH3_64bits_digest(static_cast<const XXH3_state_t*>(state_)); }

HashSecret random_secret() {
  HashSecret secret;
  // getrandom returns up to 256 bytes whole once the system's pool is initialised.
  WEIR_CHECK(::getrandom(secret.data(), secret.size(), 0) == static_cast<ssize_t>(secret.size()));
  return secret;
}

}  // namespace weir
