// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include <ambf_msgs/msg/barrier_member.hpp>
#include <ambf_msgs/msg/step_done.hpp>
#include <ambf_msgs/msg/world_manifest.hpp>
#include <ambf_msgs/msg/world_snapshot.hpp>
#include <ambf_msgs/msg/world_state.hpp>
#include <rclcpp/rclcpp.hpp>

#include "ambf_msgs/srv/save_picture.hpp"
#include "ambf_msgs/srv/set_overlays.hpp"
#include "parameters.hpp"
#include "render_loop.hpp"

namespace ambf_render
{

/// Draws the newest snapshot of a world: windows, camera images, pictures. Wiring only; everything
/// that touches GL or X happens in RenderLoop, on one thread.
class RenderNode : public rclcpp::Node
{
public:
  explicit RenderNode(const rclcpp::NodeOptions & options);
  ~RenderNode() override;

private:
  void change_overlays(
    const ambf_msgs::srv::SetOverlays::Request & request,
    ambf_msgs::srv::SetOverlays::Response & response);

  Parameters parameters_;
  std::string base_;
  rclcpp::CallbackGroup::SharedPtr group_;
  std::unique_ptr<HandTopics> hands_;
  std::unique_ptr<CaptionTopic> captions_;
  std::unique_ptr<RenderLoop> loop_;
  rclcpp::Subscription<ambf_msgs::msg::WorldManifest>::SharedPtr manifest_;
  rclcpp::Subscription<ambf_msgs::msg::WorldSnapshot>::SharedPtr snapshot_;
  rclcpp::Subscription<ambf_msgs::msg::WorldState>::SharedPtr state_;
  rclcpp::Service<ambf_msgs::srv::SavePicture>::SharedPtr save_;
  rclcpp::Service<ambf_msgs::srv::SetOverlays>::SharedPtr set_overlays_;
  rclcpp::node_interfaces::OnSetParametersCallbackHandle::SharedPtr on_parameters_;
  rclcpp::TimerBase::SharedPtr hello_timer_;
};

}  // namespace ambf_render
