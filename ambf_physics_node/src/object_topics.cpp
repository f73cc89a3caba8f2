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
  std::apply([&](auto &... set) {(set.rebuild(roster), ...);}, sets_);
}

void ObjectTopics::refresh_watched()
{
  std::apply([&](auto &... set) {(set.refresh_watched(), ...);}, sets_);
  simulation_.wrenches_wanted.store(
    wrenches_ && std::get<TopicSet<kinds::RigidBodies>>(sets_).anybody_watching(), std::memory_order_relaxed);
  simulation_.readings_wanted.store(
    std::get<TopicSet<kinds::Sensors>>(sets_).anybody_watching() ||
    std::get<TopicSet<kinds::Actuators>>(sets_).anybody_watching() ||
    std::get<TopicSet<kinds::Ghosts>>(sets_).anybody_watching(), std::memory_order_relaxed);
}

bool ObjectTopics::anybody_watching() const
{
  return std::apply([](const auto &... set) {return (set.anybody_watching() || ...);}, sets_);
}

std::int64_t ObjectTopics::publish_due(const SharedState & shared, std::int64_t now)
{
  return std::apply([&](auto &... set) {return std::min({set.publish_due(shared, now)...});}, sets_);
}

void ObjectTopics::publish_all(const SharedState & shared, std::int64_t now)
{
  std::apply([&](auto &... set) {(set.publish_all(shared, now), ...);}, sets_);
}

bool ObjectTopics::wait_for_acked(std::chrono::steady_clock::time_point end)
{
  return std::apply([&](auto &... set) {return (set.wait_for_acked(end) && ...);}, sets_);
}

std::uint64_t ObjectTopics::published() const
{
  return std::apply([](const auto &... set) {return (set.published() + ...);}, sets_);
}

std::uint64_t ObjectTopics::late() const
{
  return std::apply([](const auto &... set) {return (set.late() + ...);}, sets_);
}

}  // namespace ambf_physics
