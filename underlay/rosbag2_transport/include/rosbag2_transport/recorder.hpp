// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "rclcpp/rclcpp.hpp"

namespace rosbag2_transport {

namespace detail {
class Recording;
}  // namespace detail

/// A node that records topics to a bag from its construction on; what and where is said by its
/// parameters (`record.*` and `storage.*`). It takes part in any executor or component container.
class Recorder : public rclcpp::Node {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(Recorder)

  explicit Recorder(const rclcpp::NodeOptions & node_options);
  explicit Recorder(const std::string & node_name = "rosbag2_recorder",
    const rclcpp::NodeOptions & node_options = rclcpp::NodeOptions());
  ~Recorder() override;

  /// Closes the bag and logs what was lost; the destructor and the context's shutdown do so too.
  void stop();
  void pause();
  void resume();
  void toggle_paused();
  bool is_paused();

private:
  std::unique_ptr<detail::Recording> recording_;
};

}  // namespace rosbag2_transport
