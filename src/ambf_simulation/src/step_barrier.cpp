// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_simulation/step_barrier.hpp"

#include <algorithm>

namespace ambf_simulation
{

std::string joined(const std::vector<std::string> & names)
{
  std::string text;
  for (const auto & name : names) { text += (text.empty() ? "" : ", ") + name; }
  return text;
}

void StepBarrier::wait_for(const std::vector<std::string> & names, const BarrierMembers & members)
{
  for (const auto & name : std::set<std::string>(names.begin(), names.end())) {
    if (members.contains(name)) {
      waiting_.insert(name);
    } else {
      failed_.push_back(name + " (has not announced itself on World/Barrier)");
    }
  }
}

void StepBarrier::allow(double seconds, std::int64_t now)
{
  timeout_ = std::max(timeout_, seconds);
  deadline_ = now + static_cast<std::int64_t>(timeout_ * 1e9);
}

void StepBarrier::member_done(const std::string & name, bool ok, const std::string & message)
{
  if (waiting_.erase(name) != 0 && !ok) { failed_.push_back(name + ": " + message); }
}

void StepBarrier::member_gone(const std::string & name)
{
  if (waiting_.erase(name) != 0) { failed_.push_back(name + " (is gone)"); }
}

std::string StepBarrier::awaited() const
{
  return waiting_.empty() ? "its readers"
                          : "the barrier: " + joined({waiting_.begin(), waiting_.end()});
}

std::vector<std::string> StepBarrier::missing(
  const BarrierMembers & members, std::uint32_t revision) const
{
  std::vector<std::string> missing = failed_;
  const std::string in_time = " within " + std::to_string(timeout_) + " s";
  for (const auto & name : waiting_) {
    const auto it = members.find(name);
    const std::uint32_t known = it == members.end() ? 0 : it->second;
    const std::string behind = known == 0 || known == revision
                                 ? ""
                                 : "; it knows manifest " + std::to_string(known) +
                                     ", and the world has " + std::to_string(revision);
    missing.push_back(name + " (no answer" + in_time + behind + ")");
  }
  if (readers_) { missing.push_back("a reader (no acknowledgement" + in_time + ")"); }
  return missing;
}

}  // namespace ambf_simulation
