// SPDX-License-Identifier: BSD-3-Clause
#include "parameters.hpp"

#include "ambf_node_support/declared.hpp"
#include "ambf_rendering/overlays.hpp"

namespace ambf_render
{

ambf_rendering::Detail detail_of(const Parameters & parameters, bool in_software)
{
  ambf_rendering::Detail detail = detail_of(parameters.quality, in_software);
  if (parameters.samples >= 0) { detail.samples = detail.picture_samples = parameters.samples; }
  if (parameters.window_width > 0) { detail.window_width = parameters.window_width; }
  if (parameters.window_height > 0) { detail.window_height = parameters.window_height; }
  return detail;
}

Parameters declare_parameters(rclcpp::Node & node)
{
  using ambf_rendering::DisplayChoice;
  using ambf_rendering::Quality;
  ambf_node_support::Declared declared(node);
  Parameters p;
  p.world_namespace =
    declared.word("world_namespace", "/ambf/env", "namespace of the world's topics and services");
  p.rate = declared.real(
    "rate", 30.0, 0.1, 1000.0, "largest rate of windows and camera images [Hz of wall time]");
  p.headless =
    declared.flag("headless", false, "open no windows; images and pictures are made all the same");
  p.display = declared.choice<DisplayChoice>(
    "display", "auto",
    {{"auto", DisplayChoice::Auto},
     {"existing", DisplayChoice::Existing},
     {"private", DisplayChoice::Private}},
    "X display, that of DISPLAY (existing), an Xvfb of our own (private), or the first of these "
    "that works (auto)");
  p.quality = declared.choice<Quality>(
    "quality", "auto", {{"auto", Quality::Auto}, {"low", Quality::Low}, {"high", Quality::High}},
    "high is 1280 x 720 and four samples per pixel, low is smaller, with one sample where the "
    "processor draws, auto is high for saved pictures and videos and low for the rest");
  p.samples = declared.whole(
    "samples", -1, -1, 16,
    "samples per pixel against jagged edges; 0: one; -1: as the quality says");
  p.image_width =
    declared.whole("image_width", 0, 0, 8192, "width of camera images; 0: as the description says");
  p.image_height = declared.whole(
    "image_height", 0, 0, 8192, "height of camera images; 0: as the description says");
  p.window_width =
    declared.whole("window_width", 0, 0, 8192, "width of new windows; 0: as the quality says");
  p.window_height =
    declared.whole("window_height", 0, 0, 8192, "height of new windows; 0: as the quality says");
  p.grid = declared.flag(
    "grid", true,
    "draw a grid of 0.1 m on z = 0 in windows and saved pictures of worlds without a floor");
  p.grid_in_images = declared.flag("grid_in_images", false, "draw it in camera images, too");
  p.captions = declared.flag(
    "captions", true, "write what comes on World/Caption into windows and saved pictures");
  p.barrier = declared.flag(
    "barrier", false,
    "take part in the world clock's barrier, under the node's name and each camera's");
  p.render_core =
    declared.whole("render_core", -1, -1, 1023, "processor core of the render thread; -1: any");
  ambf_node_support::Declared changeable(node, false);
  p.overlays = changeable.words(
    "overlays", {"hands"},
    "what is drawn on top in windows and saved pictures: " +
      ambf_rendering::OverlaySettings::names_of_all());
  p.selection = changeable.word(
    "selection", "",
    "identifier (or name, if only one body has it) of what windows and saved pictures mark");
  return p;
}

}  // namespace ambf_render
