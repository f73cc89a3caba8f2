// SPDX-License-Identifier: BSD-3-Clause
#include "camera_set.hpp"

#include <algorithm>

namespace ambf_render
{

namespace
{

/// The camera's name, and of which devices its description says that they control it.
std::string title_of(const ambf_adf::Camera & description)
{
  std::string devices;
  for (const auto & device : description.controlling_devices) {
    devices += (devices.empty() ? "" : ", ") + device;
  }
  return description.header.name + (devices.empty() ? "" : " [" + devices + "]");
}

}  // namespace

CameraSet::CameraSet(
  rclcpp::Node & node, const Parameters & parameters, ambf_rendering::Engine & engine,
  DrawnWorld & world)
: node_(node),
  parameters_(parameters),
  engine_(engine),
  world_(world),
  detail_(detail_of(parameters, engine.draws_in_software()))
{
  tf_ = node.create_publisher<tf2_msgs::msg::TFMessage>("/tf", rclcpp::QoS(100));
}

bool CameraSet::differ() const
{
  return !std::equal(
    world_.cameras().begin(), world_.cameras().end(), cameras_.begin(), cameras_.end(),
    [](const ambf_adf::Camera & a, const Camera & b) { return a == b.description; });
}

void CameraSet::make()
{
  cameras_.clear();
  for (const auto & description : world_.cameras()) {
    cameras_.push_back(make_camera(description));
  }
  follow_world();
}

CameraSet::Camera CameraSet::make_camera(const ambf_adf::Camera & description)
{
  Camera camera;
  camera.description = description;
  auto able = description;
  const auto warn = [&](const std::string & text) {
    RCLCPP_WARN(node_.get_logger(), "%s", text.c_str());
  };
  if (const auto lens = ambf_rendering::to_lens(description)) {
    camera.lens = *lens;
  } else {
    warn(lens.error() + "; a lens of 0.8 rad, 0.01 to 20 m is used instead");
    camera.lens = {0.01, 20.0, 0.8, {}};
  }
  if (const auto wrong = ambf_rendering::stereo_problem(description); !wrong.empty()) {
    warn(wrong + "; it is drawn with one eye");
    able.stereo.reset();
  }
  const auto & size = description.image.resolution;
  const int width = parameters_.image_width > 0 ? parameters_.image_width : size.width;
  const int height = parameters_.image_height > 0 ? parameters_.image_height : size.height;
  if (std::clamp(width, 1, 8192) != width || std::clamp(height, 1, 8192) != height) {
    warn(
      "camera '" + description.header.name + "': publish image resolution: found " +
      std::to_string(width) + " x " + std::to_string(height) +
      ", expected 1 to 8192; the nearest is used instead");
  }
  camera.view = std::make_unique<ambf_rendering::View>(
    world_.scene(), camera.lens, std::clamp(width, 1, 8192), std::clamp(height, 1, 8192),
    static_cast<unsigned>(detail_.samples));
  camera.view->show_grid(parameters_.grid_in_images);
  camera.topics = std::make_unique<CameraTopics>(node_, able, world_.root_frame(), tf_);
  if (!parameters_.headless && description.visible && !engine_.display().is_private()) {
    camera.window = open_window(able);
  }
  return camera;
}

std::unique_ptr<ambf_rendering::Window> CameraSet::open_window(const ambf_adf::Camera & description)
{
  try {
    // Side by side, as far as the window manager agrees. A pair of eyes gets two pictures.
    const int width = (description.stereo ? 2 : 1) * detail_.window_width;
    const int left = static_cast<int>(cameras_.size()) * detail_.window_width;
    return std::make_unique<ambf_rendering::Window>(
      world_.scene(), title_of(description),
      ambf_rendering::Window::Place{left, 0, width, detail_.window_height}, detail_.samples,
      description.stereo);
  } catch (const std::exception & error) {
    RCLCPP_WARN(
      node_.get_logger(), "no window for camera '%s': %s; its images go on",
      description.header.name.c_str(), error.what());
    return nullptr;
  }
}

void CameraSet::follow_world()
{
  for (std::size_t i = 0; i < cameras_.size(); ++i) {
    cameras_[i].view->place(world_.camera_poses()[i]);
  }
}

void CameraSet::publish(const builtin_interfaces::msg::Time & stamp, bool every)
{
  for (auto & camera : cameras_) { camera.topics->publish(*camera.view, stamp, frame_, every); }
  ++frame_;
}

ambf_rendering::WindowInput CameraSet::handle_input(
  ambf_rendering::OverlaySettings & overlays, const std::string & selected)
{
  ambf_rendering::WindowInput all;
  for (auto & camera : cameras_) {
    if (!camera.window) { continue; }
    camera.window->follow(camera.view->pose(), camera.lens);
    const ambf_rendering::WindowInput one = camera.window->handle_input(overlays, selected);
    all.overlays_changed = all.overlays_changed || one.overlays_changed;
    if (one.picked) { all.picked = one.picked; }
    if (camera.window->closed()) {
      RCLCPP_INFO(
        node_.get_logger(), "the window of '%s' was closed; its images go on",
        camera.description.header.name.c_str());
      camera.window.reset();
    }
  }
  return all;
}

void CameraSet::draw_windows(const ambf_rendering::Annotations & words, bool changed)
{
  for (auto & camera : cameras_) {
    if (camera.window && !engine_.lost()) { camera.window->draw(words, changed); }
  }
}

bool CameraSet::has_windows() const
{
  return std::any_of(cameras_.begin(), cameras_.end(), [](const Camera & camera) {
    return camera.window != nullptr;
  });
}

std::vector<std::string> CameraSet::names() const
{
  std::vector<std::string> result;
  for (const auto & camera : cameras_) { result.push_back(camera.description.header.name); }
  return result;
}

}  // namespace ambf_render
