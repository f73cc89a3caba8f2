// SPDX-License-Identifier: BSD-3-Clause
#include "object_topics.hpp"

#include <algorithm>

namespace ambf_physics
{

ObjectTopics::ObjectTopics(const TopicWiring & w)
: simulation_(w.simulation), wrenches_(w.parameters.report_wrenches), sets_(w, w, w, w, w, w, w)
{
}

void ObjectTopics::rebuild(const std::shared_ptr<const Roster> & roster)
{
  std::apply([&](auto &... set) { (set.rebuild(roster), ...); }, sets_);
}

bool ObjectTopics::refresh_watched()
{
  std::apply([&](auto &... set) { (set.refresh_watched(), ...); }, sets_);
  const auto want = [](std::atomic<bool> & what, bool wanted) {
    return !what.exchange(wanted, std::memory_order_relaxed) && wanted;
  };
  const auto watching = [this](auto kind) {
    return std::get<TopicSet<decltype(kind)>>(sets_).anybody_watching();
  };
  const bool wrenches =
    want(simulation_.wanted().wrenches, wrenches_ && watching(kinds::RigidBodies{}));
  const bool readings = want(
    simulation_.wanted().readings,
    watching(kinds::Sensors{}) || watching(kinds::Actuators{}) || watching(kinds::Ghosts{}));
  return wrenches || readings;
}

bool ObjectTopics::anybody_watching() const
{
  return std::apply([](const auto &... set) { return (set.anybody_watching() || ...); }, sets_);
}

std::int64_t ObjectTopics::publish_due(const SharedState & shared, std::int64_t now)
{
  return std::apply(
    [&](auto &... set) { return std::min({set.publish_due(shared, now)...}); }, sets_);
}

void ObjectTopics::publish_all(const SharedState & shared, std::int64_t now)
{
  std::apply([&](auto &... set) { (set.publish_all(shared, now), ...); }, sets_);
}

void ObjectTopics::add_watched(std::vector<rclcpp::PublisherBase::SharedPtr> & out) const
{
  std::apply([&](const auto &... set) { (set.add_watched(out), ...); }, sets_);
}

std::uint64_t ObjectTopics::published() const
{
  return std::apply([](const auto &... set) { return (set.published() + ...); }, sets_);
}

std::uint64_t ObjectTopics::late() const
{
  return std::apply([](const auto &... set) { return (set.late() + ...); }, sets_);
}

}  // namespace ambf_physics
