// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_planning/arm_checker.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <random>

namespace ambf_planning
{
namespace
{

/// For questions that ask nothing back.
std::vector<Eigen::Isometry3d> & scratch(std::size_t size)
{
  thread_local std::vector<Eigen::Isometry3d> poses;
  poses.resize(size);
  return poses;
}

/// Bodies of one arm are near each other all the time and travel together: how far each of them travels says
/// nothing about how far they are from touching. On a sweep pairs of them are looked at in steps of their own.
class SplitChecker final : public CollisionChecker
{
public:
  using Poses = std::span<const Eigen::Isometry3d>;

  SplitChecker(
    std::span<const BodyIndex> moving, const CollisionScene & scene,
    const AllowedCollisions & allowed, const ambf_dynamics::CheckerOptions & options)
  {
    AllowedCollisions without_own = allowed;
    AllowedCollisions without_others = allowed;
    const auto bodies = scene.bodies();
    std::vector<bool> moves(bodies.size(), false);
    for (const BodyIndex body : moving) { moves[body] = true; }
    for (const BodyIndex a : moving) {
      for (BodyIndex b = 0; b < bodies.size(); ++b) {
        (moves[b] ? without_own : without_others).allow(bodies[a].qualified, bodies[b].qualified);
      }
    }
    all_ = scene.make_checker(moving, allowed, options);
    others_ = scene.make_checker(moving, without_own, options);
    own_ = scene.make_checker(moving, without_others, options);
  }
  std::span<const BodyIndex> moving() const override { return all_->moving(); }
  std::size_t pairs() const override { return all_->pairs(); }
  bool collides(Poses poses) const override { return all_->collides(poses); }
  std::size_t collides(Poses poses, std::span<std::uint8_t> out) const override
  {
    return all_->collides(poses, out);
  }
  std::vector<Proximity> contacts(Poses poses) const override { return all_->contacts(poses); }
  Proximity nearest(Poses poses, double limit) const override
  {
    return all_->nearest(poses, limit);
  }
  Sweep sweep(const Place & place, std::span<const double> reach, double tolerance) const override
  {
    Sweep out = others_->sweep(place, reach, tolerance);
    if (!out.free) { return out; }
    std::vector<Eigen::Isometry3d> poses(moving().size(), Eigen::Isometry3d::Identity());
    const auto farthest = std::max_element(reach.begin(), reach.end());
    const double way = farthest == reach.end() ? 0.0 : *farthest;
    const int steps = std::max(1, static_cast<int>(std::ceil(way / own_step)));
    for (int k = 0; k <= steps; ++k) {
      const double share = static_cast<double>(k) / steps;
      place(share, poses);
      ++out.looks;
      if (!own_->collides(poses)) { continue; }
      const auto contacts = own_->contacts(poses);
      out.free = false;
      out.reached = static_cast<double>(std::max(0, k - 1)) / steps;
      if (!contacts.empty()) { out.contact = contacts.front(); }
      return out;
    }
    return out;
  }
  Sweep sweep(Poses from, Poses to, double tolerance) const override
  {
    return all_->sweep(from, to, tolerance);
  }

private:
  static constexpr double own_step = 0.005;  // [m] of the body that travels farthest
  std::unique_ptr<CollisionChecker> all_, others_, own_;
};

std::string short_name(const std::string & qualified)
{
  const std::string own = qualified.substr(qualified.rfind('/') + 1);
  return own.starts_with("BODY ") ? own.substr(5) : own;
}

std::string millimetres(double metres)
{
  char text[32];
  std::snprintf(text, sizeof text, "%.3g mm", 1e3 * metres);
  return text;
}

}  // namespace

ArmChecker::ArmChecker(
  ArmBodies bodies, const CollisionScene & scene, const AllowedCollisions & allowed,
  const ambf_dynamics::CheckerOptions & options)
: bodies_(std::move(bodies)),
  checker_(std::make_shared<const SplitChecker>(bodies_.bodies(), scene, allowed, options))
{
  for (const auto & body : scene.bodies()) { names_.push_back(body.qualified); }
}

const std::string & ArmChecker::name_of(BodyIndex body) const
{
  static const std::string none = "(not a posture)";
  return body < names_.size() ? names_[body] : none;
}

bool ArmChecker::collides(const JointVector & q) const
{
  auto & poses = scratch(bodies_.bodies().size());
  bodies_.place(q, poses);
  return checker_->collides(poses);
}

std::size_t ArmChecker::collides(
  std::span<const JointVector> postures, std::span<std::uint8_t> out) const
{
  std::size_t count = 0;
  for (std::size_t i = 0; i < std::min(postures.size(), out.size()); ++i) {
    out[i] = collides(postures[i]);
    count += out[i];
  }
  return count;
}

std::vector<Proximity> ArmChecker::contacts(const JointVector & q) const
{
  auto & poses = scratch(bodies_.bodies().size());
  bodies_.place(q, poses);
  return checker_->contacts(poses);
}

Proximity ArmChecker::nearest(const JointVector & q, double limit) const
{
  auto & poses = scratch(bodies_.bodies().size());
  bodies_.place(q, poses);
  return checker_->nearest(poses, limit);
}

Sweep ArmChecker::sweep(const JointVector & from, const JointVector & to, double tolerance) const
{
  std::vector<double> reach(bodies_.bodies().size());
  bodies_.reach(from, to, reach);
  return checker_->sweep(
    [&](double share, std::span<Eigen::Isometry3d> poses) {
      bodies_.place((1.0 - share) * from + share * to, poses);
    },
    reach, tolerance);
}

std::string in_words(const ArmChecker & checker, std::span<const Proximity> contacts)
{
  if (contacts.empty()) { return "nothing touches"; }
  const Proximity & first = contacts.front();
  const std::string a = "'" + short_name(checker.name_of(first.a)) + "'";
  const std::string b = "'" + short_name(checker.name_of(first.b)) + "'";
  std::string text = first.touches()
                       ? a + " is " + millimetres(-first.distance) + " deep in " + b
                       : a + " is only " + millimetres(first.distance) + " away from " + b;
  if (contacts.size() > 1) {
    text += contacts.size() == 2
              ? ", and one more pair touches"
              : ", and " + std::to_string(contacts.size() - 1) + " more pairs touch";
  }
  return text;
}

AllowedCollisions sample_allowed(
  const ArmBodies & bodies, const CollisionScene & scene, const AllowedCollisions & known,
  const JointVector & home, int samples, std::uint64_t seed, bool never)
{
  using ambf_dynamics::AllowedBecause;
  constexpr double always_share = 0.95;
  const ArmChecker checker(bodies, scene, known);
  std::map<std::pair<BodyIndex, BodyIndex>, int> touched;
  const auto count = [&](const JointVector & q) {
    for (const Proximity & contact : checker.contacts(q)) {
      ++touched[std::minmax(contact.a, contact.b)];
    }
  };
  std::mt19937_64 random(seed);
  const auto & bounds = bodies.arm().bounds();
  JointVector q = home;
  for (int k = 0; k < samples; ++k) {
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      // A joint without limits: a turn either way.
      const double low = std::max(bounds.low[i], -3.14159265358979);
      const double high = std::min(bounds.high[i], 3.14159265358979);
      q[i] =
        std::uniform_real_distribution<double>(std::min(low, high), std::max(low, high))(random);
    }
    count(q);
  }
  AllowedCollisions out;
  const auto is_arm = [&](BodyIndex body) {
    const auto all = bodies.bodies();
    return std::find(all.begin(), all.end(), body) != all.end();
  };
  const auto own = [&](BodyIndex a, BodyIndex b) {
    const auto & info = scene.bodies();
    return is_arm(a) && (is_arm(b) || info[a].model == info[b].model);
  };
  const auto name = [&](BodyIndex body) { return scene.bodies()[body].qualified; };
  for (const auto & [pair, times] : touched) {
    const bool of_arm = own(pair.first, pair.second) || own(pair.second, pair.first);
    if (of_arm && times >= always_share * samples) {
      out.allow(name(pair.first), name(pair.second), AllowedBecause::Always);
    }
  }
  for (const Proximity & contact : checker.contacts(home)) {
    const bool of_arm = own(contact.a, contact.b) || own(contact.b, contact.a);
    if (of_arm && !out.contains(name(contact.a), name(contact.b))) {
      out.allow(name(contact.a), name(contact.b), AllowedBecause::Default);
    }
  }
  if (!never) { return out; }
  for (std::size_t i = 0; i < bodies.bodies().size(); ++i) {
    for (std::size_t j = i + 1; j < bodies.bodies().size(); ++j) {
      const BodyIndex a = bodies.bodies()[i];
      const BodyIndex b = bodies.bodies()[j];
      if (touched.count(std::minmax(a, b)) || known.contains(name(a), name(b))) { continue; }
      if (!out.contains(name(a), name(b))) { out.allow(name(a), name(b), AllowedBecause::Never); }
    }
  }
  return out;
}

}  // namespace ambf_planning
