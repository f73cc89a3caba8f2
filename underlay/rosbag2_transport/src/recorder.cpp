// SPDX-License-Identifier: BSD-3-Clause
#include "rosbag2_transport/recorder.hpp"

#include "rclcpp_components/register_node_macro.hpp"
#include "recording.hpp"

namespace rosbag2_transport {

Recorder::Recorder(const rclcpp::NodeOptions & node_options) : Recorder("rosbag2_recorder", node_options) {}

Recorder::Recorder(const std::string & node_name, const rclcpp::NodeOptions & node_options)
: rclcpp::Node(node_name, node_options), recording_(std::make_unique<detail::Recording>(*this, nullptr)) {}

Recorder::~Recorder() = default;

void Recorder::stop() { recording_->stop(); }
void Recorder::pause() { recording_->pause(); }
void Recorder::resume() { recording_->resume(); }
void Recorder::toggle_paused() { recording_->toggle_paused(); }
bool Recorder::is_paused() { return recording_->is_paused(); }

}  // namespace rosbag2_transport

RCLCPP_COMPONENTS_REGISTER_NODE(rosbag2_transport::Recorder)
