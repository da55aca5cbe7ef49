// The hashes are stored in files and filters, so their values may never change.
#include "base/hash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace weir {
namespace {

HashSecret counted_secret(int first) {
  HashSecret secret;
  for (std::size_t i = 0; i < secret.size(); ++i) {
    secret[i] = static_cast<std::byte>((static_cast<std::size_t>(first) + i * 7) & 0xff);
  }
  return secret;
}

TEST(Hash, ValuesAreThoseOfTheXxh3Specification) {
  EXPECT_EQ(hash64(""), 0x2d06800538d394c2u);  // xxHash's own test vector for XXH3 of nothing, seed 0
}

TEST(Hash, StreamingGivesTheHashOfTheWhole) {
  std::string text;
  for (int i = 0; i < 5'000; ++i) text += static_cast<char>('a' + i % 26);
  for (const std::size_t step : {1u, 3u, 17u, 256u, 1'000u, 5'000u}) {
    Hasher64 hasher;
    for (std::size_t at = 0; at < text.size(); at += step)
      hasher.update(std::string_view(text).substr(at, step));
    EXPECT_EQ(hasher.digest(), hash64(text)) << "step " << step;
  }
}

TEST(Hash, KeyedHashesDependOnTheSecret) {
  const HashSecret one = counted_secret(1);
  const HashSecret other = counted_secret(2);
  EXPECT_EQ(keyed_hash128("http://a.test/", one), keyed_hash128("http://a.test/", one));
  EXPECT_NE(keyed_hash128("http://a.test/", one), keyed_hash128("http://a.test/", other));
  EXPECT_NE(keyed_hash128("http://a.test/", one), keyed_hash128("http://a.test", one));
}

TEST(Hash, KeyedHashesOfEveryLengthUseTheSecret) {
  // XXH3 takes another path for each class of lengths (0, 1-3, 4-8, 9-16, 17-128, 129-240, longer).
  const HashSecret one = counted_secret(1);
  const HashSecret other = counted_secret(2);
  for (const std::size_t length : {0u, 1u, 4u, 9u, 17u, 129u, 241u, 4'096u}) {
    const std::string text(length, 'x');
    EXPECT_NE(keyed_hash128(text, one), keyed_hash128(text, other)) << length;
  }
}

TEST(Hash, RandomSecretsAreFreshAndNotConstant) {
  const HashSecret one = random_secret();
  EXPECT_NE(one, random_secret());
  EXPECT_FALSE(std::all_of(one.begin(), one.end(), [&](std::byte b) { return b == one[0]; }));
}

}  // namespace
}  // namespace weir
