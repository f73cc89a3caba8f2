// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <rclcpp/rclcpp.hpp>

#include "ambf_rendering/window.hpp"
#include "camera_topics.hpp"
#include "drawn_world.hpp"
#include "parameters.hpp"

namespace ambf_render
{

/// The cameras of the world: their lenses, images and windows.
class CameraSet
{
public:
  struct Camera
  {
    ambf_adf::Camera description;
    ambf_rendering::Lens lens;
    std::unique_ptr<ambf_rendering::View> view;
    std::unique_ptr<CameraTopics> topics;
    std::unique_ptr<ambf_rendering::Window> window;
  };

  CameraSet(
    rclcpp::Node & node, const Parameters & parameters, ambf_rendering::Engine & engine,
    DrawnWorld & world);

  /// True when the world's cameras are others than before.
  bool differ() const;
  /// Makes them anew. Impossible lenses are replaced, with a warning.
  void make();
  void follow_world();
  /// `every`: also those that the description skips.
  void publish(const builtin_interfaces::msg::Time & stamp, bool every);
  /// What people did in all windows; closes those that they closed.
  ambf_rendering::WindowInput handle_input(
    ambf_rendering::OverlaySettings & overlays, const std::string & selected);
  void draw_windows(const ambf_rendering::Annotations & words, bool changed);
  bool has_windows() const;

  const std::vector<Camera> & all() const { return cameras_; }
  std::vector<std::string> names() const;

private:
  Camera make_camera(const ambf_adf::Camera & description);
  std::unique_ptr<ambf_rendering::Window> open_window(const ambf_adf::Camera & description);

  rclcpp::Node & node_;
  const Parameters & parameters_;
  ambf_rendering::Engine & engine_;
  DrawnWorld & world_;
  rclcpp::Publisher<tf2_msgs::msg::TFMessage>::SharedPtr tf_;
  std::vector<Camera> cameras_;
  ambf_rendering::Detail detail_;
  std::uint64_t frame_ = 0;
};

}  // namespace ambf_render
