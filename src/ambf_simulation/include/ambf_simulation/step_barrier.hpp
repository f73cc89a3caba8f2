// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ambf_simulation
{

/// Who may be named in a barrier, with the newest manifest that each has read; 0: it does not say.
using BarrierMembers = std::map<std::string, std::uint32_t>;

/// The end of one round: the members that have to handle its step, and readers that have to acknowledge it, before it
/// is answered.
class StepBarrier
{
public:
  StepBarrier(std::uint64_t number, std::uint64_t step) : number_(number), step_(step) {}

  /// Waits for these, too; what is no member fails at once.
  void wait_for(const std::vector<std::string> & names, const BarrierMembers & members);
  void wait_for_readers() { readers_ = true; }
  /// The longest of what was asked for counts, from `now` [ns].
  void allow(double seconds, std::int64_t now);

  void published() { published_ = true; }
  void readers_done() { readers_ = false; }
  void member_done(const std::string & name, bool ok, const std::string & message);
  void member_gone(const std::string & name);

  std::uint64_t number() const { return number_; }
  std::uint64_t step() const { return step_; }
  bool waits_for_readers() const { return readers_; }
  bool complete() const { return published_ && waiting_.empty() && !readers_; }
  bool overdue(std::int64_t now) const { return now >= deadline_; }
  /// Whom it waits for, in words.
  std::string awaited() const;
  /// All who failed or are missing, with what is known of it. `revision`: of the world's manifest.
  std::vector<std::string> missing(const BarrierMembers & members, std::uint32_t revision) const;

private:
  std::uint64_t number_;
  std::uint64_t step_;
  std::set<std::string> waiting_;
  std::vector<std::string> failed_;
  bool readers_ = false;
  bool published_ = false;
  double timeout_ = 0.0;  ///< [s]
  std::int64_t deadline_ = 0;
};

/// Names in one line.
std::string joined(const std::vector<std::string> & names);

}  // namespace ambf_simulation
