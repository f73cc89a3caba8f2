// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace test
{

/// Real ADF files, which are no part of the project: the folder that AMBF_ADF_CORPUS names, or nothing.
inline std::filesystem::path corpus()
{
  const char * folder = std::getenv("AMBF_ADF_CORPUS");
  return std::filesystem::path(folder == nullptr ? "" : folder).lexically_normal();
}

inline bool has_corpus() { return std::filesystem::is_directory(corpus() / "descriptions"); }

inline std::string why_no_corpus()
{
  const std::string folder = corpus().string();
  return folder.empty() ? "AMBF_ADF_CORPUS is not set: set it to a folder that holds AMBF's "
                          "descriptions/ to run this"
                        : "AMBF_ADF_CORPUS is '" + folder + "', where no descriptions/ is";
}

inline bool long_tier()
{
  const char * value = std::getenv("AMBF_TEST_LONG");
  return value != nullptr && std::string(value) == "1";
}

/// All YAML files of the corpus, relative to its root and sorted; empty where it is absent.
inline std::vector<std::string> corpus_files()
{
  std::vector<std::string> files;
  if (!has_corpus()) { return files; }
  for (const auto & entry : std::filesystem::recursive_directory_iterator(corpus())) {
    if (entry.path().extension() == ".yaml") {
      files.push_back(entry.path().lexically_relative(corpus()).string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace test

#define SKIP_WITHOUT_CORPUS() \
  if (!test::has_corpus()) { GTEST_SKIP() << test::why_no_corpus(); }
