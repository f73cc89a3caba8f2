// SPDX-License-Identifier: BSD-3-Clause
#include "left_segments.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace ambf_physics
{
namespace
{

constexpr std::string_view kPrefix = "fastrtps_";
constexpr std::size_t kDigits = 16;
constexpr std::string_view kLock = "_el";

/// `fastrtps_`, 16 digits of a random number, `_el`: ports, which have the same prefix, are used again and do not grow.
bool is_lock_of_segment(std::string_view name)
{
  if (
    name.size() != kPrefix.size() + kDigits + kLock.size() || !name.starts_with(kPrefix) ||
    !name.ends_with(kLock)) {
    return false;
  }
  const auto digits = name.substr(kPrefix.size(), kDigits);
  return digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Takes the owner's lock and removes the segment, then the lock file.
bool remove_if_left(const std::string & lock)
{
  const int file = open(lock.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) { return false; }
  const std::string segment = lock.substr(0, lock.size() - kLock.size());
  bool removed = false;
  if (flock(file, LOCK_EX | LOCK_NB) == 0) {
    unlink(segment.c_str());
    removed = unlink(lock.c_str()) == 0;
  }
  close(file);
  return removed;
}

}  // namespace

std::size_t remove_left_segments(const std::filesystem::path & folder)
{
  std::error_code error;
  std::vector<std::string> locks;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    if (is_lock_of_segment(it->path().filename().native())) {
      locks.push_back(it->path().native());
    }
  }
  return static_cast<std::size_t>(std::count_if(locks.begin(), locks.end(), remove_if_left));
}

}  // namespace ambf_physics
