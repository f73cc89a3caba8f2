// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

/// A folder that goes away with the test.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "bag_test_XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  std::filesystem::path operator/(const std::string & name) const { return path_ / name; }

private:
  std::filesystem::path path_;
};

inline std::string read_file(const std::filesystem::path & file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_file(const std::filesystem::path & file, const std::string & content) {
  std::ofstream(file, std::ios::binary) << content;
}
