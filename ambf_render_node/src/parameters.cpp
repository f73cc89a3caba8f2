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

/// One of a few words; throws where it is another.
template <class Value>
Value chosen(
  rclcpp::Node & node, const std::string & name, const std::map<std::string, Value> & values,
  const std::string & text)
{
  const auto word = node.declare_parameter<std::string>(name, "auto", described(text));
  const auto found = values.find(word);
  if (found != values.end()) { return found->second; }
  std::string all;
  for (const auto & [known, value] : values) { all += (all.empty() ? "" : ", ") + known; }
  throw std::invalid_argument(
    "parameter '" + name + "': found '" + word + "', expected one of " + all);
}

}  // namespace

Detail detail_of(const Parameters & parameters, bool in_software)
{
  Detail detail = detail_of(parameters.quality, in_software);
  if (parameters.samples >= 0) { detail.samples = detail.picture_samples = parameters.samples; }
  if (parameters.window_width > 0) { detail.window_width = parameters.window_width; }
  if (parameters.window_height > 0) { detail.window_height = parameters.window_height; }
  return detail;
}

Parameters declare_parameters(rclcpp::Node & node)
{
  Parameters p;
  p.world_namespace = node.declare_parameter<std::string>(
    "world_namespace", "/ambf/env", described("namespace of the world's topics and services"));
  p.rate = node.declare_parameter<double>(
    "rate", 30.0, real("largest rate of windows and camera images [Hz of wall time]", 0.1, 1000.0));
  p.headless = node.declare_parameter<bool>(
    "headless", false, described("open no windows; images and pictures are made all the same"));
  p.display = chosen<DisplayChoice>(
    node, "display",
    {{"auto", DisplayChoice::Auto},
     {"existing", DisplayChoice::Existing},
     {"private", DisplayChoice::Private}},
    "X display: existing (DISPLAY), private (an Xvfb of our own), auto (the first that works)");
  p.quality = chosen<Quality>(
    node, "quality", {{"auto", Quality::Auto}, {"low", Quality::Low}, {"high", Quality::High}},
    "high: 1280 x 720 and four samples per pixel; low: smaller, and one sample where the processor "
    "draws; auto: saved pictures and videos high, windows and camera images low");
  p.samples = static_cast<int>(node.declare_parameter<std::int64_t>(
    "samples", -1,
    whole("samples per pixel against jagged edges; 0: one; -1: as the quality says", -1, 16)));
  p.image_width = static_cast<int>(node.declare_parameter<std::int64_t>(
    "image_width", 0, whole("width of camera images; 0: as the description says", 0, 8192)));
  p.image_height = static_cast<int>(node.declare_parameter<std::int64_t>(
    "image_height", 0, whole("height of camera images; 0: as the description says", 0, 8192)));
  p.window_width = static_cast<int>(node.declare_parameter<std::int64_t>(
    "window_width", 0, whole("width of new windows; 0: as the quality says", 0, 8192)));
  p.window_height = static_cast<int>(node.declare_parameter<std::int64_t>(
    "window_height", 0, whole("height of new windows; 0: as the quality says", 0, 8192)));
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
