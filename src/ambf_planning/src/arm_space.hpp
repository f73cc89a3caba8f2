// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <memory>
#include <random>

#include <ompl/base/MotionValidator.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/StateValidityChecker.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>

#include "ambf_planning/plan.hpp"

namespace ambf_planning
{

/// What one search counts and looks at; OMPL's objects refer to it.
struct SearchContext
{
  std::shared_ptr<const ArmChecker> checker;
  Constraints constraints;
  double tolerance = 2e-4;
  JointVector weights;
  std::uint64_t seed = 1;
  mutable std::atomic<std::size_t> state_checks{0};
  mutable std::atomic<std::size_t> motion_checks{0};

  bool valid(const JointVector & q) const;
  /// Is the way between two postures free, and does it keep the constraints? The share that is, if wanted.
  bool way_is_free(const JointVector & from, const JointVector & to, double * reached) const;
  /// The posture at a share of the way; with constraints beside the straight line.
  JointVector between(const JointVector & from, const JointVector & to, double share) const;
};

/// Joint values times their weights. With constraints the states between two are moved onto them.
class ArmSpace : public ompl::base::RealVectorStateSpace
{
public:
  explicit ArmSpace(std::shared_ptr<const SearchContext> context);

  JointVector to_joints(const ompl::base::State * state) const;
  void to_state(const JointVector & q, ompl::base::State * state) const;

  void interpolate(
    const ompl::base::State * from, const ompl::base::State * to, double share,
    ompl::base::State * out) const override;
  ompl::base::StateSamplerPtr allocDefaultStateSampler() const override;

  const SearchContext & context() const { return *context_; }

private:
  std::shared_ptr<const SearchContext> context_;
};

class ArmValidity : public ompl::base::StateValidityChecker
{
public:
  explicit ArmValidity(const ompl::base::SpaceInformationPtr & si);
  bool isValid(const ompl::base::State * state) const override;
  double clearance(const ompl::base::State * state) const override;

private:
  const ArmSpace & space_;
};

class ArmMotions : public ompl::base::MotionValidator
{
public:
  explicit ArmMotions(const ompl::base::SpaceInformationPtr & si);
  bool checkMotion(const ompl::base::State * from, const ompl::base::State * to) const override;
  bool checkMotion(
    const ompl::base::State * from, const ompl::base::State * to,
    std::pair<ompl::base::State *, double> & last) const override;

private:
  const ArmSpace & space_;
};

}  // namespace ambf_planning
