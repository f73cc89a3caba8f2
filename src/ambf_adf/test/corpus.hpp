#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace test
{

inline std::filesystem::path corpus()
{
  return std::filesystem::path(AMBF_ADF_CORPUS).lexically_normal();
}

inline bool has_corpus() { return std::filesystem::is_directory(corpus() / "descriptions"); }

inline bool long_tier()
{
  const char * value = std::getenv("AMBF_TEST_LONG");
  return value != nullptr && std::string(value) == "1";
}

/// All YAML files of the corpus, relative to its root and sorted; empty where it is absent.
inline std::vector<std::string> corpus_files()
{
  std::vector<std::string> files;
  if (!has_corpus()) {
    return files;
  }
  for (const auto & entry : std::filesystem::recursive_directory_iterator(corpus())) {
    if (entry.path().extension() == ".yaml") {
      files.push_back(entry.path().lexically_relative(corpus()).string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace test

#define SKIP_WITHOUT_CORPUS()                                                       \
  if (!test::has_corpus()) {                                                        \
    GTEST_SKIP() << "the real ADF files are not here: " << test::corpus().string(); \
  }
