// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include <rclcpp/rclcpp.hpp>

#include "ambf_rendering/display.hpp"
#include "ambf_rendering/quality.hpp"

namespace ambf_render
{

struct Parameters
{
  std::string world_namespace;
  double rate;
  bool headless;
  ambf_rendering::DisplayChoice display;
  ambf_rendering::Quality quality;
  int samples;
  int image_width, image_height;
  int window_width, window_height;
  bool grid, grid_in_images;
  bool captions;
  bool barrier;
  int render_core;
  std::vector<std::string> overlays;
  std::string selection;
};

/// What the parameters say, and where they leave it open, what the quality says.
ambf_rendering::Detail detail_of(const Parameters & parameters, bool in_software);

/// Declares every parameter of the node with its range and explanation.
Parameters declare_parameters(rclcpp::Node & node);

}  // namespace ambf_render
