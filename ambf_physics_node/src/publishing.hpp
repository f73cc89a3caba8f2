// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <ambf_msgs/msg/world_manifest.hpp>
#include <ambf_msgs/msg/world_snapshot.hpp>
#include <ambf_msgs/msg/world_state.hpp>
#include <rclcpp/rclcpp.hpp>

#include "clock_topic.hpp"
#include "ambf_simulation/world_runner.hpp"
#include "device_topics.hpp"
#include "model_topics.hpp"
#include "object_topics.hpp"
#include "watch.hpp"
#include "short_names.hpp"

namespace ambf_physics
{

/// Everything that the world tells, on a thread of its own: the newest state is taken from the
/// readers' box and sent at each topic's rate. In lockstep the serving thread calls `publish_step`
/// before it replies.
class Publishing
{
public:
  Publishing(const TopicWiring & wiring, WorldRunner & runner, const std::string & world_namespace);
  ~Publishing();

  void start();
  void stop();

  /// The world's revision changed: new manifest, new topics. The caller owns the world.
  void rebuild(std::shared_ptr<const Roster> roster);
  /// After a reset of time the clock may go back.
  void time_was_reset();
  /// The world changed without a step, or stops where it is: everybody is told how it is now.
  void state_changed();

  /// Sends state, snapshot and clock of the newest step.
  void publish_step();
  /// The publishers of states and snapshot that somebody reads; what they sent is waited for by nobody
  /// who holds a lock. True: all readers have acknowledged the last messages.
  using Publishers = std::vector<rclcpp::PublisherBase::SharedPtr>;
  Publishers watched() const;
  static bool acknowledged(const Publishers & publishers, std::chrono::nanoseconds patience);

  /// Fields of World/State that others know.
  std::function<void(ambf_msgs::msg::WorldState &)> complete_world_state;

  std::shared_ptr<const Roster> roster() const;
  std::uint64_t late() const { return late_.load(); }
  /// The newest state that was shared.
  SharedState latest_shared();
  /// One status per hand.
  void add_device_status(
    const std::string & node, diagnostic_msgs::msg::DiagnosticArray & array) const;

private:
  void run();
  void share_if_stale();
  /// Everything that is due now; returns when to come back. The mutex is held.
  std::int64_t publish_due(std::int64_t now);
  void owe_everything();
  void publish_snapshot();
  void publish_clock();
  void publish_world_state();
  void refresh_watched();

  Simulation & simulation_;
  WorldRunner & runner_;
  const Parameters & parameters_;

  mutable std::mutex
    mutex_;  ///< one publisher at a time: this thread, or the one that serves a step
  std::shared_ptr<const Roster> roster_;
  ObjectTopics objects_;
  ModelTopics models_;
  DeviceTopics devices_;
  ClockTopic clock_;
  rclcpp::Publisher<ambf_msgs::msg::WorldManifest>::SharedPtr manifest_;
  rclcpp::Publisher<ambf_msgs::msg::WorldSnapshot>::SharedPtr snapshot_;
  rclcpp::Publisher<ambf_msgs::msg::WorldState>::SharedPtr world_state_;
  rclcpp::Event::SharedPtr graph_event_;
  Newcomers snapshot_newcomers_;
  std::atomic<bool> stale_{false};  ///< the newest state is of before somebody listened
  bool snapshot_watched_ = false;
  bool snapshot_owed_ = false;  ///< to a new reader, or after a change without a step
  bool clock_owed_ = false;
  bool world_state_watched_ = false;
  std::int64_t next_refresh_ = 0;
  std::int64_t next_snapshot_ = 0;
  std::int64_t next_clock_ = 0;
  std::int64_t next_world_state_ = 0;
  std::uint64_t snapshot_step_ = ~std::uint64_t{0};
  std::uint64_t sent_ = 0;
  std::uint64_t rate_sent_ = 0;
  std::int64_t rate_time_ = 0;
  double message_rate_ = 0.0;
  std::atomic<std::uint64_t> late_{0};

  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace ambf_physics
