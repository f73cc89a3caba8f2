// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_proxies/binding.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <utility>

#include "ambf_adf/lineage.hpp"
#include "ambf_adf/names.hpp"
#include "ambf_teleop/stability.hpp"

namespace ambf_proxies
{

using ambf_teleop::ProxyGains;
using Eigen::Vector3d;

namespace
{

std::string number(double value)
{
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

/// The smallest moment about an axis that is not locked; 0: all are.
double smallest_moment(const Vector3d & inertia)
{
  double smallest = 0.0;
  for (const double moment : inertia) {
    if (moment > 0.0 && (smallest == 0.0 || moment < smallest)) { smallest = moment; }
  }
  return smallest;
}

/// The share that nobody may exceed so that all together take `sum`: who asks for less has it all.
double largest_share(std::vector<double> asked, double sum)
{
  std::sort(asked.begin(), asked.end());
  auto left = static_cast<double>(asked.size());
  for (const double one : asked) {
    if (one * left > sum) { break; }
    sum -= one;
    left -= 1.0;
  }
  return sum / left;
}

/// What is too much along each axis; axes of which the same is to be said share a clause.
class TooMuch
{
public:
  void add(int axis, const std::string & what)
  {
    if (clauses_.empty() || clauses_.back().second != what) { clauses_.emplace_back("", what); }
    std::string & axes = clauses_.back().first;
    axes += (axes.empty() ? "" : ", ") + std::string(1, "xyz"[axis]);
  }
  void tell(const std::string & beginning, std::string & words) const
  {
    for (const auto & [axes, what] : clauses_) {
      words += (words.empty() ? "" : "; ") + beginning + axes + what;
    }
  }

private:
  std::vector<std::pair<std::string, std::string>> clauses_;
};

}  // namespace

std::string nearest(const std::string & name, const std::vector<std::string> & known)
{
  const auto best = ambf_adf::nearest_names(name, known, 1);
  return best.empty() ? "nothing" : "'" + best.front() + "'";
}

PartialGains::PartialGains(const ProxyGains & all)
: linear_stiffness(all.linear_stiffness),
  linear_damping(all.linear_damping),
  angular_stiffness(all.angular_stiffness),
  angular_damping(all.angular_damping)
{
}

PartialGains laid_over(const PartialGains & top, PartialGains under)
{
  using Gain = std::optional<Vector3d>;
  const auto lay = [](const Gain & top_k, const Gain & top_b, Gain & k, Gain & b) {
    if (top_b) {
      b = top_b;
    } else if (top_k && k && b) {
      for (int axis = 0; axis < 3; ++axis) {
        if ((*k)[axis] > 0.0) {
          (*b)[axis] *= std::sqrt(std::max(0.0, (*top_k)[axis]) / (*k)[axis]);
        }
      }
    }
    if (top_k) { k = top_k; }
  };
  lay(top.linear_stiffness, top.linear_damping, under.linear_stiffness, under.linear_damping);
  lay(top.angular_stiffness, top.angular_damping, under.angular_stiffness, under.angular_damping);
  return under;
}

PartialGains gains_of(const ambf_adf::CartesianController & controller)
{
  using ambf_adf::ControlOutput;
  PartialGains gains;
  if (controller.linear_output == ControlOutput::Effort) {
    gains.linear_stiffness = Vector3d::Constant(controller.linear.p);
    gains.linear_damping = Vector3d::Constant(controller.linear.d);
  }
  if (controller.angular_output == ControlOutput::Effort) {
    gains.angular_stiffness = Vector3d::Constant(controller.angular.p);
    gains.angular_damping = Vector3d::Constant(controller.angular.d);
  }
  return gains;
}

Binding binding_of(const ambf_adf::InputDevice & device)
{
  Binding binding;
  binding.device = ambf_adf::topic_token(device.header.name);
  binding.root_link = device.root_link;
  binding.cameras = device.pair_cameras;
  binding.mapping.workspace_scale = device.workspace_scaling;
  if (device.orientation_offset) {
    binding.mapping.proxy_tip =
      Eigen::Quaterniond(ambf_adf::Pose{Vector3d::Zero(), *device.orientation_offset}.rotation());
  }
  if (device.controller_gain) { binding.gains = gains_of(*device.controller_gain); }
  binding.drives_joints = device.enable_joint_control;
  const ambf_adf::ButtonMapping & buttons = device.buttons;
  binding.buttons = {buttons.a1, buttons.a2, buttons.g1, buttons.next_mode, buttons.prev_mode};
  return binding;
}

tl::expected<std::size_t, std::string> root_body(
  const ambf_adf::Model & model, const std::string & root_link)
{
  if (model.bodies.empty()) {
    return tl::unexpected("the multi-body '" + model.name + "' has no rigid body to hold");
  }
  if (root_link.empty()) {
    const auto lineage = ambf_adf::make_lineage(model);
    std::size_t best = 0;
    for (std::size_t i = 1; i < model.bodies.size(); ++i) {
      if (lineage.predecessors(i).size() < lineage.predecessors(best).size()) { best = i; }
    }
    return best;
  }
  std::vector<std::string> known;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const auto & header = model.bodies[i].header;
    const std::string plain = ambf_adf::published_name(root_link);
    if (
      header.identifier == root_link || header.name == plain ||
      header.identifier == "BODY " + root_link) {
      return i;
    }
    known.push_back(header.identifier);
  }
  return tl::unexpected(
    "root link: found '" + root_link + "', expected a body of '" + model.name +
    "'; nearest: " + nearest(root_link, known));
}

ProxyGains default_gains(double mass, const Vector3d & inertia)
{
  constexpr double rate = 2.0 * std::numbers::pi * 10.0;
  ProxyGains gains;
  gains.linear_stiffness.setConstant(mass * rate * rate);
  gains.linear_damping.setConstant(2.0 * mass * rate);
  // One value for all axes, so that the hold does not depend on how the body is turned.
  const double moment = smallest_moment(inertia);
  gains.angular_stiffness.setConstant(moment * rate * rate);
  gains.angular_damping.setConstant(2.0 * moment * rate);
  return gains;
}

void keep_stable_together(
  std::vector<HeldBy> & holders, double mass, const Vector3d & inertia, double step)
{
  std::string together;
  for (const HeldBy & one : holders) {
    together += (together.empty() ? " of '" : ", '") + one.device + "'";
  }
  together = holders.size() > 1 ? together + " together" : "";
  const auto bring_down = [&](
                            Vector3d ProxyGains::*stiffness, Vector3d ProxyGains::*damping,
                            bool scaled, double inertial, const char * what, const char * units) {
    std::vector<TooMuch> too_much(holders.size());
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<double> asked;
      double total = 0.0;
      double limit = 0.0;
      double p = 0.0;
      double d = 0.0;
      for (const HeldBy & one : holders) {
        const double k = (one.gains->*stiffness)[axis];
        const double b = (one.gains->*damping)[axis];
        const auto check = ambf_teleop::check_proxy_gains(
          Vector3d::Constant(k), Vector3d::Constant(b), inertial, scaled ? one.nominal_step : step,
          step);
        asked.push_back(check.asked);
        total += check.asked;
        limit = check.limit;
        p += k;
        d += b;
      }
      if (total < limit) { continue; }
      // Both gains enter the bound linearly; a margin keeps contact and joints from using it up.
      const double largest = largest_share(asked, 0.5 * limit);
      for (std::size_t i = 0; i < holders.size(); ++i) {
        if (asked[i] <= largest) { continue; }
        const double factor = largest / asked[i];
        (holders[i].gains->*stiffness)[axis] *= factor;
        (holders[i].gains->*damping)[axis] *= factor;
        too_much[i].add(
          axis, together + ", P " + number(p) + " and D " + number(d) + ", are unstable for " +
                  number(inertial) + units + " at a step of " + number(step) +
                  " s (K T^2 / m + 2 B T / m is " + number(total) + ", has to be below " +
                  number(limit) + "): made smaller by the factor " + number(factor));
      }
    }
    for (std::size_t i = 0; i < holders.size(); ++i) {
      too_much[i].tell(std::string(what) + " gains along ", holders[i].words);
    }
  };
  bring_down(
    &ProxyGains::linear_stiffness, &ProxyGains::linear_damping, true, mass, "linear", " kg");
  if (const double moment = smallest_moment(inertia); moment > 0.0) {
    // Eq. 3.7 has no t_s on the angular stiffness.
    bring_down(
      &ProxyGains::angular_stiffness, &ProxyGains::angular_damping, false, moment, "angular",
      " kg m^2");
  }
}

std::string keep_stable(
  ProxyGains & gains, double mass, const Vector3d & inertia, double nominal_step, double step)
{
  std::vector<HeldBy> alone{{"", &gains, nominal_step, ""}};
  keep_stable_together(alone, mass, inertia, step);
  return alone[0].words;
}

std::string problem_of(const Binding & binding)
{
  if (binding.device.empty()) { return "a device has no name"; }
  if (!binding.problem.empty()) { return binding.problem; }
  if (!binding.root_problem.empty()) { return binding.root_problem; }
  if (binding.root_link.empty()) {
    return "neither 'simulated multibody' nor 'root link' is given: at least one is needed";
  }
  if (!ambf_teleop::is_valid(binding.mapping)) {
    return "workspace scaling: found " + number(binding.mapping.workspace_scale) +
           ", expected a finite number above 0";
  }
  const PartialGains & g = binding.gains;
  for (const auto & gain :
       {g.linear_stiffness, g.linear_damping, g.angular_stiffness, g.angular_damping}) {
    if (gain && !(gain->allFinite() && gain->minCoeff() >= 0.0)) {
      return "controller gain: expected finite numbers that are not negative";
    }
  }
  if (!(binding.max_force >= 0.0) || !(binding.max_torque >= 0.0)) {
    return "max force and max torque: expected numbers that are not negative";
  }
  if (!(binding.nominal_step > 0.0) || !(binding.loss_timeout > 0.0)) {
    return "nominal step and loss timeout: expected times above 0 s";
  }
  return {};
}

}  // namespace ambf_proxies
