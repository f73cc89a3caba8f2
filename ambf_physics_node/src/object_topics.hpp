// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <tuple>

#include "topic_set.hpp"

namespace ambf_physics
{

/// The State and Command topics of every object. `rebuild` is called when the world's revision changed;
/// publishing is for one thread at a time.
class ObjectTopics
{
public:
  explicit ObjectTopics(const TopicWiring & wiring);

  void rebuild(const std::shared_ptr<const Roster> & roster);
  /// Asks every publisher whether somebody listens, and tells the simulation what is wanted. True: more
  /// than before.
  bool refresh_watched();
  bool anybody_watching() const;

  std::int64_t publish_due(const SharedState & shared, std::int64_t now);
  void publish_all(const SharedState & shared, std::int64_t now);
  void add_watched(std::vector<rclcpp::PublisherBase::SharedPtr> & out) const;

  std::uint64_t published() const;
  std::uint64_t late() const;

private:
  Simulation & simulation_;
  bool wrenches_;
  std::tuple<
    TopicSet<kinds::RigidBodies>, TopicSet<kinds::SoftBodies>, TopicSet<kinds::Cameras>,
    TopicSet<kinds::Lights>, TopicSet<kinds::Sensors>, TopicSet<kinds::Actuators>,
    TopicSet<kinds::Ghosts>>
    sets_;
};

}  // namespace ambf_physics
