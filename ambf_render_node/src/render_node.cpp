// SPDX-License-Identifier: BSD-3-Clause
#include "render_node.hpp"

#include <chrono>

#include "ambf_node_support/component.hpp"

namespace ambf_render
{

using namespace std::chrono_literals;

RenderNode::RenderNode(const rclcpp::NodeOptions & options)
: rclcpp::Node("render", options), parameters_(ambf_render::declare_parameters(*this))
{
  const std::string ns = get_namespace();
  base_ = (ns == "/" ? "" : ns) + parameters_.world_namespace + "/World";
  group_ = create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive);
  hands_ = std::make_unique<HandTopics>(*this, group_);
  if (parameters_.captions) {
    captions_ = std::make_unique<CaptionTopic>(*this, base_ + "/Caption", group_);
  }
  loop_ = std::make_unique<RenderLoop>(*this, parameters_, base_, *hands_, captions_.get());
  rclcpp::SubscriptionOptions subscription;
  subscription.callback_group = group_;
  manifest_ = create_subscription<ambf_msgs::msg::WorldManifest>(
    base_ + "/Manifest", rclcpp::QoS(1).reliable().transient_local(),
    [this](ambf_msgs::msg::WorldManifest::ConstSharedPtr message) {
      try {
        hands_->follow(*message);
      } catch (const rclcpp::exceptions::RCLErrorBase &) {
        // Ctrl-C since the message came: there is nothing left to listen to.
        if (get_node_base_interface()->get_context()->is_valid()) { throw; }
        return;
      }
      loop_->take(std::move(message));
    },
    subscription);
  snapshot_ = create_subscription<ambf_msgs::msg::WorldSnapshot>(
    base_ + "/Snapshot", rclcpp::QoS(1).best_effort(),
    [this](ambf_msgs::msg::WorldSnapshot::ConstSharedPtr message) {
      loop_->take(std::move(message));
    },
    subscription);
  state_ = create_subscription<ambf_msgs::msg::WorldState>(
    base_ + "/State", rclcpp::QoS(1).best_effort(),
    [this](ambf_msgs::msg::WorldState::ConstSharedPtr message) { loop_->take(std::move(message)); },
    subscription);
  save_ = create_service<ambf_msgs::srv::SavePicture>(
    "~/save_picture",
    [this](
      std::shared_ptr<rclcpp::Service<ambf_msgs::srv::SavePicture>> service,
      std::shared_ptr<rmw_request_id_t> header,
      ambf_msgs::srv::SavePicture::Request::SharedPtr request) {
      loop_->take(PictureRequest{
        *request, [service, header](ambf_msgs::srv::SavePicture::Response & response) {
          service->send_response(*header, response);
        }});
    },
    rclcpp::ServicesQoS(), group_);
  set_overlays_ = create_service<ambf_msgs::srv::SetOverlays>(
    "~/set_overlays",
    [this](
      const ambf_msgs::srv::SetOverlays::Request::SharedPtr request,
      ambf_msgs::srv::SetOverlays::Response::SharedPtr response) {
      change_overlays(*request, *response);
    },
    rclcpp::ServicesQoS(), group_);
  on_parameters_ =
    add_on_set_parameters_callback([this](const std::vector<rclcpp::Parameter> & changed) {
      rcl_interfaces::msg::SetParametersResult result;
      result.successful = true;
      for (const auto & parameter : changed) {
        if (parameter.get_name() == "selection") {
          result.reason = loop_->select(parameter.as_string());
        }
        if (parameter.get_name() == "overlays") {
          result.reason = loop_->set_overlays(parameter.as_string_array());
        }
        result.successful = result.reason.empty();
        if (!result.successful) { break; }
      }
      return result;
    });
  if (parameters_.barrier) {
    // Said again and again: a simulator that starts later hears it, too.
    hello_timer_ = create_wall_timer(500ms, [this] { loop_->announce(); }, group_);
  }
  loop_->start();
}

void RenderNode::change_overlays(
  const ambf_msgs::srv::SetOverlays::Request & request,
  ambf_msgs::srv::SetOverlays::Response & response)
{
  ambf_rendering::OverlaySettings settings = loop_->overlays();
  response.shown = settings.shown();
  for (const bool on : {true, false}) {
    for (const auto & name : on ? request.show : request.hide) {
      if (!settings.set(name, on)) {
        response.message = "found '" + name + "', expected some of " +
                           ambf_rendering::OverlaySettings::names_of_all();
        return;
      }
    }
  }
  response.shown = settings.shown();
  response.ok = set_parameter(rclcpp::Parameter("overlays", response.shown)).successful;
}

RenderNode::~RenderNode() { loop_->stop(); }

}  // namespace ambf_render

AMBF_NODE_COMPONENT(ambf_render, RenderNode)
