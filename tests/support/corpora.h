// Finds the conformance corpora, which live beside the repository and are never part of it. Tests that need
// them skip, with a message, where they are absent. Single-threaded, for tests only.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

namespace weir::test {

// The folder, or nothing. `source_dir` is the repository's root (WEIR_SOURCE_DIR).
inline std::optional<std::filesystem::path> corpora_folder(const std::filesystem::path& source_dir) {
  for (const char* place : {"../shared/corpora", "../../shared/corpora"}) {
    std::error_code ignored;
    if (std::filesystem::is_directory(source_dir / place, ignored)) return source_dir / place;
  }
  return std::nullopt;
}

// The whole file, or nothing when the corpora or the file are absent.
inline std::optional<std::string> read_corpus(const std::filesystem::path& source_dir,
                                              const std::string& name) {
  const auto folder = corpora_folder(source_dir);
  if (!folder) return std::nullopt;
  std::ifstream file(*folder / name, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

}  // namespace weir::test

// Declares `name` with the text of the corpus file, or skips the test.
#define WEIR_CORPUS_OR_SKIP(name, file)                                                               \
  const auto name##_read = ::weir::test::read_corpus(WEIR_SOURCE_DIR, file);                          \
  if (!name##_read) GTEST_SKIP() << "corpora are not beside the repository: " << (file) << " absent"; \
  const std::string& name = *name##_read
