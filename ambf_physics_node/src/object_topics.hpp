#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ambf_msgs/msg/rigid_body_cmd.hpp>
#include <ambf_msgs/msg/rigid_body_state.hpp>
#include <rclcpp/rclcpp.hpp>

#include "core/simulation.hpp"
#include "parameters.hpp"
#include "roster.hpp"
#include "source_names.hpp"

namespace ambf_physics
{

/// The State and Command topics of the rigid bodies. `rebuild` is called when the world's revision
/// changed; publishing is for one thread at a time.
class ObjectTopics
{
public:
  ObjectTopics(
    rclcpp::Node & node, Simulation & simulation, const Parameters & parameters, SourceNames & sources,
    rclcpp::CallbackGroup::SharedPtr command_group, std::atomic<std::uint64_t> & rejected);

  void rebuild(std::shared_ptr<const Roster> roster);

  /// Asks every publisher whether somebody listens; after a change of the graph.
  void refresh_watched();
  bool anybody_watching() const {return !watched_.empty();}

  /// Publishes what is due; returns when the next is [steady ns].
  std::int64_t publish_due(
    const SharedState & shared, std::int64_t now);
  /// Publishes every watched object once: the end of a lock-step call.
  void publish_all(
    const SharedState & shared, std::int64_t now);
  /// Waits until the readers have acknowledged the last messages.
  bool wait_for_acked(std::chrono::nanoseconds timeout);

  std::uint64_t published() const {return published_;}
  std::uint64_t late() const {return late_;}  ///< messages that fell more than a period behind

private:
  struct Entry
  {
    std::string topic;
    ambf_dynamics::BodyIndex index = 0;
    std::int64_t low_period = 20'000'000;
    std::int64_t high_period = 1'000'000;
    std::int64_t due = 0;
    ambf_msgs::msg::RigidBodyState message;
    rclcpp::Publisher<ambf_msgs::msg::RigidBodyState>::SharedPtr publisher;
    rclcpp::Subscription<ambf_msgs::msg::RigidBodyCmd>::SharedPtr subscription;
    std::shared_ptr<LatestBox<BodyOrder>> box;
    std::array<std::uint8_t, RMW_GID_STORAGE_SIZE> last_gid{};
    std::uint32_t source = 0;
  };

  bool selected(const Roster::Body & body) const;
  std::shared_ptr<Entry> make_entry(const std::string & topic);
  void receive(
    Entry & entry, const ambf_msgs::msg::RigidBodyCmd & command, const rclcpp::MessageInfo & info);
  std::uint32_t sender(Entry & entry, const rclcpp::MessageInfo & info);
  void publish(
    Entry & entry, const SharedState & shared);

  rclcpp::Node & node_;
  Simulation & simulation_;
  const Parameters & parameters_;
  SourceNames & sources_;
  rclcpp::CallbackGroup::SharedPtr command_group_;
  std::atomic<std::uint64_t> & rejected_;

  std::mutex mutex_;  ///< entries against the command callbacks
  std::shared_ptr<const Roster> roster_;
  std::vector<std::shared_ptr<Entry>> entries_;
  std::vector<Entry *> watched_;
  std::uint64_t published_ = 0;
  std::uint64_t late_ = 0;
};

}  // namespace ambf_physics
