// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace ambf_dynamics::test
{

/// A file's name that no other process of the tests has, for tests run side by side; the file goes with it.
struct TemporaryFile
{
  TemporaryFile(const std::string & stem, const std::string & extension)
  : path(testing::TempDir() + stem + "_" + std::to_string(getpid()) + extension)
  {
  }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile & operator=(const TemporaryFile &) = delete;
  ~TemporaryFile()
  {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }

  std::string path;
};

}  // namespace ambf_dynamics::test
