// SPDX-License-Identifier: BSD-3-Clause
// A plugin with a topic: the newest number of <world>/Push is the effort of the first joint.

#include <memory>
#include <string>

#include <std_msgs/msg/float64.hpp>

#include "ambf_physics_node/topic_plugin.hpp"
#include "ambf_simulation/plugin.hpp"
#include "ambf_teleop/mailbox.hpp"

namespace
{

class Push : public ambf_simulation::Plugin, public ambf_physics::TopicPlugin
{
public:
  std::string bind(ambf_dynamics::World & world, const ambf_simulation::PluginPlace &) override
  {
    return world.joints().empty() ? "expected a world with a joint" : "";
  }
  void before_step(ambf_dynamics::World & world) override
  {
    double effort = 0.0;
    if (box_.take(effort)) { world.set_joint_command(0, ambf_dynamics::JointMode::Effort, effort); }
  }
  void start(rclcpp::Node & node, const std::string & world_namespace) override
  {
    pushes_ = node.create_subscription<std_msgs::msg::Float64>(
      world_namespace + "/Push", 1,
      [this](const std_msgs::msg::Float64 & push) { box_.post(push.data); });
  }

private:
  ambf_teleop::Mailbox<double> box_;
  rclcpp::Subscription<std_msgs::msg::Float64>::SharedPtr pushes_;
};

}  // namespace

AMBF_SIMULATION_PLUGIN(Push)
