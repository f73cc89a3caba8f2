// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_simulation/told_warnings.hpp"

#include <iomanip>
#include <map>
#include <set>
#include <sstream>

namespace ambf_simulation
{

namespace
{

/// Files have about four decimals: only a joint that fits worse than that was described wrongly.
constexpr double kVisibleGap = 1e-4;   // [m]
constexpr double kVisibleTurn = 1e-3;  // [rad]

/// Keys that say nothing are told once for each file, not for each of a hundred beads; keys that are not acted
/// on here once for all files.
std::string group_of(const ambf_adf::Problem & problem)
{
  using Kind = ambf_adf::ProblemKind;
  const std::string key = problem.key.substr(problem.key.rfind('/') + 1);
  if (problem.kind == Kind::UnusedKey) { return "\n" + key; }
  const bool of_key = problem.kind == Kind::UnknownKey || problem.kind == Kind::IneffectiveKey;
  return of_key ? problem.file + "\n" + key : ambf_adf::to_string(problem);
}

class Teller
{
public:
  void add(const ambf_adf::Problems & warnings)
  {
    for (const auto & warning : warnings) {
      // A device says for itself that its multi-body is not there.
      const bool of_device = warning.kind == ambf_adf::ProblemKind::MissingFile &&
                             warning.key.ends_with("simulated multibody");
      // What a launch file says of a model, the model says again.
      if (of_device || !said_.insert(ambf_adf::to_string(warning)).second) { continue; }
      if (++count_[group_of(warning)] == 1) { told_.push_back(warning); }
    }
  }

  void add(const LoadedModel & loaded)
  {
    add(loaded.model.warnings);
    const auto & closure = loaded.closure;
    const bool visible =
      closure.position_error_before > kVisibleGap || closure.angle_error_before > kVisibleTurn;
    if (!closure.moved || !visible) { return; }
    std::ostringstream words;
    words << std::setprecision(3) << "model '" << loaded.model.name
          << "' did not fit its joints by " << closure.position_error_before << " m, "
          << closure.angle_error_before << " rad at '" << closure.worst_joint
          << "': its bodies were placed anew";
    last_.push_back(words.str());
  }

  void add(const std::vector<std::string> & lines)
  {
    last_.insert(last_.end(), lines.begin(), lines.end());
  }

  std::vector<std::string> lines() const
  {
    std::vector<std::string> lines;
    for (const auto & warning : told_) {
      const std::size_t count = count_.at(group_of(warning));
      lines.push_back(
        ambf_adf::to_string(warning) +
        (count == 1 ? "" : " [and " + std::to_string(count - 1) + " more like this]"));
    }
    lines.insert(lines.end(), last_.begin(), last_.end());
    return lines;
  }

private:
  std::set<std::string> said_;
  std::map<std::string, std::size_t> count_;  ///< by group
  ambf_adf::Problems told_;
  std::vector<std::string> last_;  ///< of joints and plugins
};

}  // namespace

std::vector<std::string> told_warnings(const LoadedModel & model)
{
  Teller teller;
  teller.add(model);
  return teller.lines();
}

std::vector<std::string> told_warnings(const Simulation & simulation)
{
  Teller teller;
  teller.add(simulation.content().warnings());
  for (const auto & loaded : simulation.content().models()) { teller.add(loaded); }
  teller.add(simulation.plugins().troubles());
  return teller.lines();
}

}  // namespace ambf_simulation
