// SPDX-License-Identifier: BSD-3-Clause
// A client of a world in lockstep: commands one joint to a position, takes a second of steps and prints
// where the joint is then.
//   ros2 run drive_joint drive_joint JOINT POSITION

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

#include <ambf_msgs/msg/joint_mode.hpp>
#include <ambf_msgs/msg/world_manifest.hpp>
#include <ambf_msgs/srv/step_world.hpp>
#include <rclcpp/rclcpp.hpp>

using ambf_msgs::msg::JointMode;
using ambf_msgs::msg::WorldManifest;
using ambf_msgs::srv::StepWorld;
using namespace std::chrono_literals;

namespace
{

const std::string world = "/ambf/env/World";

/// The manifest says what there is. It is kept for clients that come later.
WorldManifest::ConstSharedPtr hear_manifest(const rclcpp::Node::SharedPtr & node)
{
  WorldManifest::ConstSharedPtr manifest;
  const auto topic = node->create_subscription<WorldManifest>(
    world + "/Manifest", rclcpp::QoS(1).reliable().transient_local(),
    [&](WorldManifest::ConstSharedPtr message) { manifest = std::move(message); });
  while (rclcpp::ok() && !manifest) {
    rclcpp::spin_some(node);
    std::this_thread::sleep_for(10ms);
  }
  return manifest;
}

/// The index of the joint of this name, or of this model and name (psm/baselink-yawlink); -1: there is none.
int index_of(const WorldManifest & manifest, const std::string & name)
{
  for (std::size_t i = 0; i < manifest.joints.size(); ++i) {
    const auto & joint = manifest.joints[i];
    if (name == joint.name || name == joint.model + "/" + joint.name) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

}  // namespace

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  if (argc < 3) {
    std::fprintf(stderr, "usage: drive_joint JOINT POSITION\n");
    return 2;
  }
  const auto node = std::make_shared<rclcpp::Node>("drive_joint");
  const auto manifest = hear_manifest(node);
  if (!manifest) { return 1; }
  const int joint = index_of(*manifest, argv[1]);
  if (joint < 0) {
    std::fprintf(stderr, "the world has no joint '%s'\n", argv[1]);
    return 1;
  }

  auto request = std::make_shared<StepWorld::Request>();
  request->agent = "drive_joint";
  request->manifest_revision = manifest->revision;
  request->joints = {static_cast<std::uint32_t>(joint)};
  request->joint_modes = {JointMode::POSITION};
  request->joint_values = {std::atof(argv[2])};
  request->steps = static_cast<std::uint32_t>(std::lround(1.0 / manifest->step_size));
  request->observe_joints = request->joints;

  const auto step = node->create_client<StepWorld>(world + "/step");
  step->wait_for_service();
  auto reply = step->async_send_request(request);
  rclcpp::spin_until_future_complete(node, reply);
  const auto response = reply.get();
  if (!response->ok) {
    std::fprintf(stderr, "refused: %s\n", response->message.c_str());
    return 1;
  }
  std::printf(
    "step %llu: joint %s is at %.3f\n", static_cast<unsigned long long>(response->step),
    manifest->joints[static_cast<std::size_t>(joint)].name.c_str(), response->joints[0]);
  rclcpp::shutdown();
  return 0;
}
