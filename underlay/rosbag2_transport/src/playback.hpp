// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "bag_reader.hpp"
#include "playback_clock.hpp"
#include "rclcpp/rclcpp.hpp"
#include "rosgraph_msgs/msg/clock.hpp"
#include "topic_filter.hpp"

namespace rosbag2_transport::detail {

/// The parameters of a player, with stock's names.
struct PlayOptions {
  std::string uri, storage_id;
  std::size_t read_ahead_queue_size = 1000;
  double rate = 1.0;
  TopicSelection selection;
  std::map<std::string, rmw_qos_profile_t> qos_overrides;
  bool loop = false, start_paused = false, disable_keyboard_controls = false;
  double clock_publish_frequency = 0.0;  // [Hz]; 0: no /clock
  bool clock_publish_on_topic_publish = false;
  std::set<std::string> clock_trigger_topics;  // empty: all
  std::chrono::nanoseconds delay{0}, start_offset{0};
  std::chrono::nanoseconds playback_duration{-1}, playback_until{-1}, wait_acked_timeout{-1};
};

/// Declares and reads the parameters; throws BagError where one makes no sense.
PlayOptions declare_play_options(rclcpp::Node & node);

/// A node's playing of a bag, in a thread of its own.
class Playback {
public:
  /// \param on_end called when the bag has been played
  Playback(rclcpp::Node & node, std::function<void()> on_end);
  ~Playback();

  void stop();
  void pause();
  void resume();
  void toggle_paused() { clock_.is_paused() ? resume() : pause(); }
  bool is_paused() const { return clock_.is_paused(); }
  void play_next() { clock_.release_one(); }
  bool set_rate(double rate);
  double rate() const { return clock_.rate(); }
  bool has_keyboard() const { return !options_.disable_keyboard_controls; }

private:
  void make_publishers();
  rclcpp::QoS choose_qos(const TopicMetadata & topic) const;
  void run();
  void play_once();
  void publish(const StoredMessage & message);
  void publish_clock();
  void wait_for_acknowledgement();

  rclcpp::Node & node_;
  const PlayOptions options_;
  const std::function<void()> on_end_;
  BagReader bag_;
  PlaybackClock clock_;
  std::vector<rclcpp::GenericPublisher::SharedPtr> publishers_;  // by topic; null: not played
  std::vector<bool> triggers_clock_;                             // by topic
  rclcpp::Publisher<rosgraph_msgs::msg::Clock>::SharedPtr clock_publisher_;
  rclcpp::TimerBase::SharedPtr clock_timer_;
  std::thread thread_;
};

}  // namespace rosbag2_transport::detail
