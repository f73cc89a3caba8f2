// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

namespace test
{

/// A folder that goes away with its test.
class TemporaryFolder
{
public:
  explicit TemporaryFolder(const std::string & name)
  : path_(
      std::filesystem::temp_directory_path() /
      ("ambf_convert_" + name + "_" + std::to_string(::getpid())))
  {
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder()
  {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder & operator=(const TemporaryFolder &) = delete;

  std::filesystem::path operator/(const std::string & name) const { return path_ / name; }
  std::filesystem::path write(const std::string & name, const std::string & text) const
  {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  const std::filesystem::path & path() const { return path_; }

private:
  std::filesystem::path path_;
};

}  // namespace test
