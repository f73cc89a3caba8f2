// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "rclcpp/rclcpp.hpp"

namespace rosbag2_transport {

namespace detail {
class Playback;
}  // namespace detail

/// A node that plays a bag from its construction on; which and how is said by its parameters
/// (`play.*` and `storage.*`).
class Player : public rclcpp::Node {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(Player)

  explicit Player(const rclcpp::NodeOptions & node_options);
  explicit Player(
    const std::string & name = "rosbag2_player", const rclcpp::NodeOptions & node_options = rclcpp::NodeOptions());
  ~Player() override;

  void stop();
  void pause();
  void resume();
  void toggle_paused();
  bool is_paused() const;
  double get_rate() const;
  /// False: the rate is not positive and was not taken.
  bool set_rate(double rate);

private:
  std::unique_ptr<detail::Playback> playback_;
};

}  // namespace rosbag2_transport
