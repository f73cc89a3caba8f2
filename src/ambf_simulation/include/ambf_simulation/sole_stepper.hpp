// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

namespace ambf_simulation
{

/// Who steps a world that no agent has joined: whoever asked first, until it has been silent for the
/// lease. Two that step in turns would each take the other's steps for its own.
class SoleStepper
{
public:
  /// Free, or this one's already.
  bool may(const std::string & who, std::int64_t now, std::int64_t lease) const
  {
    return holder_.empty() || holder_ == who || (!busy_ && now - seen_ >= lease);
  }
  void claim(const std::string & who, std::int64_t now)
  {
    holder_ = who;
    seen_ = now;
  }
  /// Its steps begin and end: however long they take, it is not silent meanwhile.
  void begin() { busy_ = true; }
  void end(std::int64_t now)
  {
    busy_ = false;
    seen_ = now;
  }
  void release() { holder_.clear(); }
  const std::string & holder() const { return holder_; }

private:
  std::string holder_;
  std::int64_t seen_ = 0;
  bool busy_ = false;
};

}  // namespace ambf_simulation
