// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ambf_planning/arm_bodies.hpp"

namespace ambf_planning
{

using ambf_dynamics::AllowedCollisions;
using ambf_dynamics::CollisionChecker;
using ambf_dynamics::Proximity;
using ambf_dynamics::Sweep;

/// Would an arm touch anything at given joint values? Never changes; any number of threads may ask.
class ArmChecker
{
public:
  ArmChecker(
    ArmBodies bodies, const CollisionScene & scene, const AllowedCollisions & allowed,
    const ambf_dynamics::CheckerOptions & options = {});

  const ArmBodies & bodies() const { return bodies_; }
  const CollisionChecker & checker() const { return *checker_; }
  const std::string & name_of(BodyIndex body) const;

  bool collides(const JointVector & q) const;
  /// Returns how many collide; `out` has one value per posture.
  std::size_t collides(std::span<const JointVector> postures, std::span<std::uint8_t> out) const;
  std::vector<Proximity> contacts(const JointVector & q) const;
  Proximity nearest(
    const JointVector & q, double limit = std::numeric_limits<double>::infinity()) const;
  /// The straight way in joint space, looked at as closely as it takes to miss nothing that is deeper
  /// than `tolerance` [m].
  Sweep sweep(const JointVector & from, const JointVector & to, double tolerance) const;

private:
  ArmBodies bodies_;
  std::vector<std::string> names_;
  std::shared_ptr<const CollisionChecker> checker_;
};

/// "'tool roll link' is 3.2 mm deep in 'peg board'"; with several contacts: "... and 2 more pairs touch".
std::string in_words(const ArmChecker & checker, std::span<const Proximity> contacts);

/// Pairs that need no look, found by `samples` random postures within the arm's limits: those that touch
/// at 95 of 100 postures or more, and those that touch at `home`. With `never`, also those that touched
/// at none; that is a guess, and off by default.
AllowedCollisions sample_allowed(
  const ArmBodies & bodies, const CollisionScene & scene, const AllowedCollisions & known,
  const JointVector & home, int samples = 500, std::uint64_t seed = 1, bool never = false);

}  // namespace ambf_planning
