// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_arms/arm.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>

#include "ambf_arms/pose.hpp"

namespace ambf_arms
{
namespace
{

/// Right angles are written with four digits in many files, and mean right angles.
DhRow exact(DhRow row)
{
  for (double * angle : {&row.alpha, &row.theta}) {
    constexpr double quarter = 0.5 * std::numbers::pi;
    const double nearest = quarter * std::round(*angle / quarter);
    if (std::abs(*angle - nearest) < 1e-4) { *angle = nearest; }
  }
  return row;
}

}  // namespace

bool Arm::slides(int joint) const noexcept
{
  for (const Step & step : chain_.steps) {
    if (step.n_follows > 0 && step.follows[0].joint == joint) { return step.slides; }
  }
  return false;
}

Result<void> Arm::set_base_frame(const Eigen::Isometry3d & frame, std::string reference)
{
  const auto checked = make_pose(frame.matrix());
  if (!checked) { return tl::unexpected(checked.error()); }
  base_frame_ = *checked;
  reference_ = reference.empty() ? name_ + "_base" : std::move(reference);
  return {};
}

Result<Eigen::Isometry3d> Arm::forward_local(const JointVector & q) const noexcept
{
  if (q.size() != chain_.joints) { return tl::unexpected(Refusal::WrongSize); }
  if (!q.allFinite()) { return tl::unexpected(Refusal::NotFinite); }
  return ambf_arms::forward(chain_, q);
}

Result<Eigen::Isometry3d> Arm::forward(const JointVector & q) const noexcept
{
  auto tip = forward_local(q);
  if (tip) { *tip = base_frame_ * *tip; }
  return tip;
}

Result<Solution> Arm::inverse_local(
  const Eigen::Isometry3d & goal, const JointVector & seed, int restarts) const noexcept
{
  if (const auto * psm = std::get_if<PsmGeometry>(&solver_)) {
    return ambf_arms::inverse(*psm, chain_, bounds_, goal, seed);
  }
  if (const auto * ecm = std::get_if<EcmGeometry>(&solver_)) {
    return ambf_arms::inverse(*ecm, chain_, bounds_, goal, seed);
  }
  if (const auto * mtm = std::get_if<MtmGeometry>(&solver_)) {
    return ambf_arms::inverse(*mtm, chain_, bounds_, goal, seed);
  }
  NumericOptions options;
  options.restarts = restarts;
  return inverse_numeric(chain_, bounds_, goal, seed, options);
}

Result<Solution> Arm::inverse(
  const Eigen::Isometry3d & goal, const JointVector & seed, int restarts) const noexcept
{
  return inverse_local(base_frame_.inverse() * goal, seed, restarts);
}

Result<void> Arm::motion(const JointVector & q, TipMotion & out) const noexcept
{
  if (q.size() != chain_.joints) { return tl::unexpected(Refusal::WrongSize); }
  if (!q.allFinite()) { return tl::unexpected(Refusal::NotFinite); }
  tip_motion(chain_, q, out);
  return {};
}

Result<std::uint32_t> Arm::clip_joints(JointVector & q) const noexcept
{
  if (q.size() != chain_.joints) { return tl::unexpected(Refusal::WrongSize); }
  if (!q.allFinite()) { return tl::unexpected(Refusal::NotFinite); }
  return clip(bounds_, q);
}

bool Arm::cartesian_ready(const JointVector & q) const noexcept
{
  if (kind_ != ArmKind::Psm || q.size() != chain_.joints) { return true; }
  // The dVRK asks for 43 mm and keeps to 45 mm from then on.
  constexpr double ready = 0.043;
  return ambf_arms::forward(chain_, q, 3).translation().norm() >= ready;
}

void Arm::set_joints(std::span<const JointData> joints, int first)
{
  const double infinite = std::numeric_limits<double>::infinity();
  const auto last = first + static_cast<Eigen::Index>(joints.size());
  for (JointVector * v :
       {&bounds_.low, &bounds_.high, &limits_.velocity, &limits_.acceleration, &limits_.jerk,
        &efforts_}) {
    v->conservativeResize(std::max<Eigen::Index>(v->size(), last));
  }
  names_.resize(std::max(names_.size(), static_cast<std::size_t>(last)));
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const auto i = static_cast<std::size_t>(first) + k;
    const auto row = static_cast<Eigen::Index>(i);
    const JointDescription none;
    const JointDescription & wish = i < overrides_.size() ? overrides_[i] : none;
    names_[i] = wish.name.empty() ? joints[k].name : wish.name;
    bounds_.low[row] = wish.low.value_or(joints[k].low);
    bounds_.high[row] = wish.high.value_or(joints[k].high);
    limits_.velocity[row] = wish.velocity.value_or(velocity_.value_or(joints[k].velocity));
    limits_.acceleration[row] =
      wish.acceleration.value_or(acceleration_.value_or(joints[k].acceleration));
    // The dVRK limits no jerk; full acceleration within a twentieth of a second feels the same.
    limits_.jerk[row] = wish.jerk.value_or(jerk_.value_or(20.0 * limits_.acceleration[row]));
    efforts_[row] = wish.effort.value_or(joints[k].effort > 0.0 ? joints[k].effort : infinite);
  }
}

void Arm::use_tool(const Tool & tool)
{
  chain_ = psm_chain(generation_, tool);
  if (tool.wrist == Wrist::PitchYaw) {
    solver_ = psm_geometry(generation_, tool);
  } else {
    solver_ = Numeric{};
  }
  if (arm_dh_) {
    DhDescription whole = *arm_dh_;
    const std::vector<DhRow> known = psm_rows(generation_, tool);
    whole.rows.insert(whole.rows.end(), known.begin() + 3, known.end());
    chain_ = psm_chain(whole.rows, whole.convention, tool);
    solver_ = tool.wrist == Wrist::PitchYaw ? closed_form(whole, tool.tip()) : Solver{Numeric{}};
  }
  const std::vector<JointData> joints = tool_joints(tool);
  set_joints(std::span(joints).first(3), 3);
  tool_ = tool.full_name();
  jaw_.reset();
  if (tool.has_jaw()) {
    Jaw jaw;
    jaw.low = tool.jaw_low;
    jaw.high = tool.jaw_high;
    jaw.velocity = joints[3].velocity;
    jaw.acceleration = joints[3].acceleration;
    jaw.jerk = 20.0 * jaw.acceleration;
    jaw.effort = tool.jaw_effort;
    if (jaw_description_) {
      jaw.joints = jaw_description_->joints;
      jaw.ratio = jaw_description_->ratio;
      jaw.low = jaw_description_->low.value_or(jaw.low);
      jaw.high = jaw_description_->high.value_or(jaw.high);
    }
    jaw_ = jaw;
  }
}

Arm::Solver Arm::closed_form(const DhDescription & dh, const Eigen::Isometry3d & tip) const
{
  const auto same = [&](const std::vector<DhRow> & known, DhConvention convention) {
    return dh.convention == convention && std::equal(
                                            known.begin(), known.end(), dh.rows.begin(),
                                            dh.rows.end(), [](const DhRow & a, const DhRow & b) {
                                              return std::abs(a.alpha - b.alpha) +
                                                         std::abs(a.a - b.a) + std::abs(a.d - b.d) +
                                                         std::abs(a.theta - b.theta) <
                                                       1e-12 &&
                                                     a.slides == b.slides;
                                            });
  };
  const std::vector<DhRow> & rows = dh.rows;
  // Lengths may be others than the known ones; what the closed form takes for zero must be zero.
  if (kind_ == ArmKind::Psm && rows.size() == 6) {
    std::vector<DhRow> known = psm_rows(generation_, tools().front());
    known[2].d = rows[2].d;
    known[3].d = rows[3].d;
    known[3].theta = rows[3].theta;
    known[5].a = rows[5].a;
    if (same(known, DhConvention::Modified)) {
      PsmGeometry out;
      out.insertion_offset = rows[2].d;
      out.shaft = rows[3].d;
      out.roll_offset = rows[3].theta;
      out.wrist = rows[5].a;
      out.tip = tip;
      return out;
    }
  } else if (kind_ == ArmKind::Ecm && rows.size() == 4) {
    std::vector<DhRow> known = ecm_rows();
    known[2].d = rows[2].d;
    known[3].d = rows[3].d;
    if (same(known, DhConvention::Modified)) {
      EcmGeometry out;
      out.insertion_offset = rows[2].d;
      out.shaft = rows[3].d;
      out.tip = tip;
      return out;
    }
  } else if (kind_ == ArmKind::Mtm && rows.size() == 7) {
    std::vector<DhRow> known = mtm_rows();
    known[1].a = rows[1].a;
    known[2].a = rows[2].a;
    known[3].d = rows[3].d;
    if (same(known, DhConvention::Standard)) {
      MtmGeometry out;
      out.upper_arm = rows[1].a;
      out.forearm = rows[2].a;
      out.platform = rows[3].d;
      out.tip = tip;
      return out;
    }
  }
  return Numeric{};
}

void Arm::use_dh(const DhDescription & given, const std::optional<Eigen::Isometry3d> & tip)
{
  DhDescription dh = given;
  for (DhRow & row : dh.rows) { row = exact(row); }
  if (kind_ == ArmKind::Psm) {
    arm_dh_ = dh;
    arm_dh_->rows.resize(3);
    const Tool & tool = *find_tool(tool_, generation_);
    use_tool(tool);
    if (dh.rows.size() == 3) { return; }
  }
  const Eigen::Isometry3d standard = kind_ == ArmKind::Psm   ? find_tool(tool_, generation_)->tip()
                                     : kind_ == ArmKind::Ecm ? find_endoscope(tool_)->tip()
                                                             : Eigen::Isometry3d::Identity();
  chain_ = make_chain(dh.rows, dh.convention, tip.value_or(standard));
  solver_ = closed_form(dh, tip.value_or(standard));
}

void Arm::use_endoscope(const Endoscope & endoscope)
{
  chain_ = ecm_chain(endoscope.tip());
  EcmGeometry geometry;
  geometry.tip = endoscope.tip();
  solver_ = geometry;
  tool_ = endoscope.name;
}

ambf_adf::expected<void, std::string> Arm::set_tool(std::string_view name)
{
  if (kind_ == ArmKind::Psm) {
    const Tool * tool = find_tool(name, generation_);
    if (tool == nullptr) {
      return ambf_adf::unexpected(
        name_ + ": no tool \"" + std::string(name.substr(0, 64)) + "\"; " + tool_advice(name));
    }
    use_tool(*tool);
    return {};
  }
  if (kind_ == ArmKind::Ecm) {
    const Endoscope * endoscope = find_endoscope(name);
    if (endoscope == nullptr) {
      return ambf_adf::unexpected(
        name_ + ": no endoscope \"" + std::string(name.substr(0, 64)) +
        "\"; expected NONE or, for example, Classic_HD_STRAIGHT");
    }
    use_endoscope(*endoscope);
    return {};
  }
  return ambf_adf::unexpected(name_ + ": only a PSM has tools and only an ECM has endoscopes");
}

std::string how_far_off(const Arm & arm, const Solution & solution)
{
  const bool turns = arm.joints() >= 6 && solution.angle_error > 1e-6;
  if (solution.position_error <= 1e-6 && !turns) { return {}; }
  char text[80];
  std::snprintf(
    text, sizeof(text), "%.3g mm and %.3g degrees off", 1e3 * solution.position_error,
    solution.angle_error * 180.0 / std::numbers::pi);
  return text;
}

}  // namespace ambf_arms
