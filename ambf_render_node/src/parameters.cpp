// SPDX-License-Identifier: BSD-3-Clause
#include "parameters.hpp"

#include <map>
#include <stdexcept>

#include "core/overlays.hpp"

namespace ambf_render
{

namespace
{

using Descriptor = rcl_interfaces::msg::ParameterDescriptor;

Descriptor described(const std::string & text, bool read_only = true)
{
  Descriptor descriptor;
  descriptor.description = text;
  descriptor.read_only = read_only;
  return descriptor;
}

Descriptor whole(const std::string & text, std::int64_t low, std::int64_t high)
{
  Descriptor descriptor = described(text);
  descriptor.integer_range.resize(1);
  descriptor.integer_range[0].from_value = low;
  descriptor.integer_range[0].to_value = high;
  return descriptor;
}

Descriptor real(const std::string & text, double low, double high)
{
  Descriptor descriptor = described(text);
  descriptor.floating_point_range.resize(1);
  descriptor.floating_point_range[0].from_value = low;
  descriptor.floating_point_range[0].to_value = high;
  return descriptor;
}

}  // namespace

Parameters declare_parameters(rclcpp::Node & node)
{
  Parameters p;
  p.world_namespace = node.declare_parameter<std::string>(
    "world_namespace", "/ambf/env", described("namespace of the world's topics and services"));
  p.rate = node.declare_parameter<double>(
    "rate", 30.0, real("largest rate of windows and camera images [Hz of wall time]", 0.1, 1000.0));
  p.headless = node.declare_parameter<bool>(
    "headless", false, described("open no windows; images and pictures are made all the same"));
  const std::map<std::string, DisplayChoice> displays{
    {"auto", DisplayChoice::Auto},
    {"existing", DisplayChoice::Existing},
    {"private", DisplayChoice::Private}};
  const auto display = node.declare_parameter<std::string>(
    "display", "auto",
    described(
      "X display: existing (DISPLAY), private (an Xvfb of our own), auto (the first that works)"));
  if (displays.count(display) == 0) {
    throw std::invalid_argument(
      "parameter 'display': found '" + display + "', expected auto, existing or private");
  }
  p.display = displays.at(display);
  p.samples = static_cast<int>(node.declare_parameter<std::int64_t>(
    "samples", -1,
    whole(
      "samples per pixel against jagged edges; 0: one; -1: 4, or one where the processor draws", -1,
      16)));
  p.image_width = static_cast<int>(node.declare_parameter<std::int64_t>(
    "image_width", 0, whole("width of camera images; 0: as the description says", 0, 8192)));
  p.image_height = static_cast<int>(node.declare_parameter<std::int64_t>(
    "image_height", 0, whole("height of camera images; 0: as the description says", 0, 8192)));
  p.window_width = static_cast<int>(node.declare_parameter<std::int64_t>(
    "window_width", 0,
    whole("width of new windows; 0: 960, or 640 where the processor draws", 0, 8192)));
  p.window_height = static_cast<int>(node.declare_parameter<std::int64_t>(
    "window_height", 0,
    whole("height of new windows; 0: 720, or 480 where the processor draws", 0, 8192)));
  p.grid = node.declare_parameter<bool>(
    "grid", true,
    described(
      "draw a grid of 0.1 m on z = 0 in windows and saved pictures of worlds without a floor"));
  p.grid_in_images = node.declare_parameter<bool>(
    "grid_in_images", false, described("draw it in camera images, too"));
  p.captions = node.declare_parameter<bool>(
    "captions", true,
    described("write what comes on World/Caption into windows and saved pictures"));
  p.barrier = node.declare_parameter<bool>(
    "barrier", false,
    described("take part in the world clock's barrier, under the node's name and each camera's"));
  p.render_core = static_cast<int>(node.declare_parameter<std::int64_t>(
    "render_core", -1, whole("processor core of the render thread; -1: any", -1, 1023)));
  p.overlays = node.declare_parameter<std::vector<std::string>>(
    "overlays", std::vector<std::string>{"hands"},
    described(
      "what is drawn on top in windows and saved pictures: " + OverlaySettings::names_of_all(),
      false));
  p.selection = node.declare_parameter<std::string>(
    "selection", "",
    described(
      "identifier (or name, if only one body has it) of what windows and saved pictures mark",
      false));
  return p;
}

}  // namespace ambf_render
