// Names of files: which are refused, and which only look like it.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "frontier/scope/file_suffixes.h"

namespace weir::frontier {
namespace {

std::string found(const std::vector<std::string>& entries, std::string_view path) {
  const auto list = FileSuffixes::compile(entries);
  if (!list) return list.error().message();
  const auto index = list->find(path);
  return index ? list->suffixes()[*index] : "";
}

struct Row {
  const char* path;
  const char* suffix;
};

TEST(ScopeSuffixes, TheDefaultListNamesFilesWithoutLinks) {
  const Row rows[] = {
      {"/a.zip", ".zip"},
      {"/dir.d/A.ZIP", ".zip"},
      {"/a.tar.gz", ".gz"},
      {"/sitemap.xml.gz", ""},
      {"/urls.TXT.GZ", ""},  // how sitemaps come
      {"/photo.JPeG", ".jpeg"},
      {"/a.pdf", ".pdf"},
      {"/operator.zip.html", ""},     // the last suffix counts
      {"/v1.2", ""},                  // a version
      {"/v1.2/", ""},                 // a folder
      {"/archive.zip/", ""},          // a folder too
      {"/a.zip/index", ""},           // the last segment counts
      {"/zip", ""},                   // no point
      {"/.zip", ""},                  // no name before it
      {"/a.zip.", ""},                // nothing after the point
      {"/a.zipper", ""},              // longer
      {"/wiki/Node.js", ""},          // pages have such names
      {"/site/example.com", ""},      //
      {"/wiki/File:Cat.jpg", ""},     // the page about the file
      {"/wiki/Datei%3ACat.jpg", ""},  //
      {"/feed.xml", ""},
      {"/list.txt", ""},
      {"/index.php", ""},
      {"/", ""},
      {"", ""},
  };
  for (const Row& row : rows) EXPECT_EQ(found({"default"}, row.path), row.suffix) << row.path;
}

TEST(ScopeSuffixes, AnOwnListReplacesOrExtendsTheDefault) {
  EXPECT_EQ(found({".Log"}, "/a.LOG"), ".log");
  EXPECT_EQ(found({".log"}, "/a.zip"), "");
  EXPECT_EQ(found({"default", ".log"}, "/a.zip"), ".zip");
  EXPECT_EQ(found({"default", ".log"}, "/a.log"), ".log");
  EXPECT_EQ(found({".tar.gz"}, "/a.tar.gz"), ".tar.gz");
  EXPECT_EQ(found({".tar.gz"}, "/a.gz"), "");
  EXPECT_EQ(found({}, "/a.zip"), "");
}

TEST(ScopeSuffixes, WhatIsNoSuffixIsRefusedByIndex) {
  for (const char* entry : {"zip", ".", "", ".a/b", ".a.", "*.zip", ".a?b"}) {
    EXPECT_TRUE(found({".ok", entry}, "/").starts_with("scope.suffixes_deny[1]: ")) << entry;
  }
}

TEST(ScopeSuffixes, TheDefaultListIsDocumented) {
  std::ifstream file(std::string(WEIR_SOURCE_DIR) + "/docs/scope.md");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  for (const std::string_view suffix : default_suffixes()) {
    EXPECT_NE(text.find("`" + std::string(suffix) + "`"), std::string::npos) << suffix;
  }
}

}  // namespace
}  // namespace weir::frontier
