// SPDX-License-Identifier: BSD-3-Clause
#include "arm_space.hpp"

#include <algorithm>
#include <cmath>

namespace ambf_planning
{
namespace
{

namespace ob = ompl::base;

/// Steps of a way that constraints bend, in weighted joint space.
constexpr double constrained_step = 0.05;
/// A joint without a limit may turn this far [rad].
constexpr double no_limit = 6.283185307179586;

/// Uniform over the range, then onto the constraints. Draws from a seed of the request.
class ArmSampler : public ob::RealVectorStateSampler
{
public:
  explicit ArmSampler(const ArmSpace * space)
  : ob::RealVectorStateSampler(space), arm_(*space), random_(space->context().seed)
  {
  }
  void sampleUniform(ob::State * state) override
  {
    const auto & bounds = arm_.getBounds();
    auto * values = state->as<ob::RealVectorStateSpace::StateType>()->values;
    for (int attempt = 0; attempt < 20; ++attempt) {
      for (unsigned i = 0; i < arm_.getDimension(); ++i) {
        values[i] = std::uniform_real_distribution<double>(bounds.low[i], bounds.high[i])(random_);
      }
      if (project(state)) { return; }
    }
  }
  void sampleUniformNear(ob::State * state, const ob::State * near, double distance) override
  {
    ob::RealVectorStateSampler::sampleUniformNear(state, near, distance);
    project(state);
  }
  void sampleGaussian(ob::State * state, const ob::State * mean, double deviation) override
  {
    ob::RealVectorStateSampler::sampleGaussian(state, mean, deviation);
    project(state);
  }

private:
  bool project(ob::State * state) const
  {
    const SearchContext & context = arm_.context();
    if (context.constraints.empty()) { return true; }
    JointVector q = arm_.to_joints(state);
    const bool good = ambf_planning::project(context.constraints, context.checker->bodies(), q);
    arm_.to_state(q, state);
    return good;
  }
  const ArmSpace & arm_;
  std::mt19937_64 random_;
};

}  // namespace

bool SearchContext::valid(const JointVector & q) const
{
  ++state_checks;
  const auto & bounds = checker->bodies().arm().bounds();
  constexpr double rounding = 1e-9;
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    if (!(q[i] >= bounds.low[i] - rounding && q[i] <= bounds.high[i] + rounding)) { return false; }
  }
  return keeps(constraints, checker->bodies(), q) && !checker->collides(q);
}

JointVector SearchContext::between(
  const JointVector & from, const JointVector & to, double share) const
{
  JointVector q = (1.0 - share) * from + share * to;
  if (!constraints.empty()) { project(constraints, checker->bodies(), q); }
  return q;
}

bool SearchContext::way_is_free(
  const JointVector & from, const JointVector & to, double * reached) const
{
  ++motion_checks;
  if (constraints.empty()) {
    const Sweep sweep = checker->sweep(from, to, tolerance);
    if (reached) { *reached = sweep.reached; }
    return sweep.free;
  }
  const double length = weights.cwiseProduct(to - from).norm();
  const int steps = std::max(1, static_cast<int>(std::ceil(length / constrained_step)));
  JointVector here = from;
  for (int k = 1; k <= steps; ++k) {
    const JointVector next = k == steps ? to : between(from, to, static_cast<double>(k) / steps);
    // A projection that jumps is no way.
    const bool jumps = weights.cwiseProduct(next - here).norm() > 4.0 * length / steps + 1e-6;
    const auto & arm = checker->bodies();
    if (
      jumps || !keeps(constraints, arm, next) || !keeps(constraints, arm, 0.5 * (here + next)) ||
      !checker->sweep(here, next, tolerance).free) {
      if (reached) { *reached = static_cast<double>(k - 1) / steps; }
      return false;
    }
    here = next;
  }
  return true;
}

ArmSpace::ArmSpace(std::shared_ptr<const SearchContext> context)
: ob::RealVectorStateSpace(static_cast<unsigned>(context->weights.size())),
  context_(std::move(context))
{
  setName("arm");
  const auto & limits = context_->checker->bodies().arm().bounds();
  ob::RealVectorBounds bounds(dimension_);
  for (unsigned i = 0; i < dimension_; ++i) {
    const double w = context_->weights[i];
    bounds.setLow(i, w * std::max(limits.low[i], -no_limit));
    bounds.setHigh(i, w * std::min(limits.high[i], no_limit));
  }
  setBounds(bounds);
}

JointVector ArmSpace::to_joints(const ob::State * state) const
{
  const double * values = state->as<StateType>()->values;
  JointVector q(static_cast<Eigen::Index>(dimension_));
  for (Eigen::Index i = 0; i < q.size(); ++i) { q[i] = values[i] / context_->weights[i]; }
  return q;
}

void ArmSpace::to_state(const JointVector & q, ob::State * state) const
{
  double * values = state->as<StateType>()->values;
  for (Eigen::Index i = 0; i < q.size(); ++i) { values[i] = q[i] * context_->weights[i]; }
}

void ArmSpace::interpolate(
  const ob::State * from, const ob::State * to, double share, ob::State * out) const
{
  ob::RealVectorStateSpace::interpolate(from, to, share, out);
  if (context_->constraints.empty() || share <= 0.0 || share >= 1.0) { return; }
  JointVector q = to_joints(out);
  project(context_->constraints, context_->checker->bodies(), q);
  to_state(q, out);
}

ob::StateSamplerPtr ArmSpace::allocDefaultStateSampler() const
{
  return std::make_shared<ArmSampler>(this);
}

ArmValidity::ArmValidity(const ob::SpaceInformationPtr & si)
: ob::StateValidityChecker(si), space_(*si->getStateSpace()->as<ArmSpace>())
{
  specs_.clearanceComputationType = ob::StateValidityCheckerSpecs::EXACT;
}

bool ArmValidity::isValid(const ob::State * state) const
{
  return space_.context().valid(space_.to_joints(state));
}

double ArmValidity::clearance(const ob::State * state) const
{
  return space_.context().checker->nearest(space_.to_joints(state)).distance;
}

ArmMotions::ArmMotions(const ob::SpaceInformationPtr & si)
: ob::MotionValidator(si), space_(*si->getStateSpace()->as<ArmSpace>())
{
}

bool ArmMotions::checkMotion(const ob::State * from, const ob::State * to) const
{
  const bool free =
    space_.context().way_is_free(space_.to_joints(from), space_.to_joints(to), nullptr);
  ++(free ? valid_ : invalid_);
  return free;
}

bool ArmMotions::checkMotion(
  const ob::State * from, const ob::State * to, std::pair<ob::State *, double> & last) const
{
  double reached = 1.0;
  const bool free =
    space_.context().way_is_free(space_.to_joints(from), space_.to_joints(to), &reached);
  ++(free ? valid_ : invalid_);
  if (!free) {
    last.second = 0.99 * reached;
    if (last.first) { space_.interpolate(from, to, last.second, last.first); }
  }
  return free;
}

}  // namespace ambf_planning
