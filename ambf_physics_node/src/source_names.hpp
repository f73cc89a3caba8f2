// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace ambf_physics
{

/// Numbers for the names of those who command, so that the physics thread carries no strings.
/// Number 0 is nobody. Any thread.
class SourceNames
{
public:
  std::uint32_t number(const std::string & name)
  {
    std::lock_guard<std::mutex> lock(mutex_);
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] == name) { return static_cast<std::uint32_t>(i); }
    }
    names_.push_back(name);
    return static_cast<std::uint32_t>(names_.size() - 1);
  }

  std::string name(std::uint32_t number) const
  {
    std::lock_guard<std::mutex> lock(mutex_);
    return number < names_.size() ? names_[number] : std::string{};
  }

private:
  mutable std::mutex mutex_;
  std::vector<std::string> names_{""};
};

}  // namespace ambf_physics
