// SPDX-License-Identifier: BSD-3-Clause
#include <map>
#include <stdexcept>

#include "ambf_device_nodes/device_node.hpp"
#include "ambf_node_support/component.hpp"
#include "pose_driver.hpp"

namespace ambf_device_nodes
{
namespace
{

template <typename Value>
Value one_of(
  Declared & declared, const std::string & name, const std::string & fallback,
  const std::map<std::string, Value> & known, const std::string & text)
{
  std::string list;
  for (const auto & [word, value] : known) { list += (list.empty() ? "" : ", ") + word; }
  const std::string word = declared.word(name, fallback, text + ": " + list);
  const auto it = known.find(word);
  if (it == known.end()) {
    throw std::invalid_argument(
      "parameter '" + name + "': found '" + word + "', expected one of " + list);
  }
  return it->second;
}

void declare_pose(Declared & declared, PoseDriverParameters & p)
{
  p.pose_type = one_of<PoseType>(
    declared, "pose_type", "pose_stamped",
    {{"pose_stamped", PoseType::PoseStamped},
     {"pose", PoseType::Pose},
     {"transform_stamped", PoseType::TransformStamped},
     {"tf", PoseType::Tf},
     {"float32_array", PoseType::Numbers}},
    "message of the tracker's poses");
  p.pose_topic = declared.topic(
    "pose_topic", p.pose_type == PoseType::Tf ? "/tf" : "/tracker/pose", "of the tracker's poses");
  if (p.pose_topic.empty()) {
    throw std::invalid_argument("parameter 'pose_topic' must not be empty");
  }
  p.tf_parent = declared.word("tf_parent", "", "pose_type tf: frame that the tracker reports in");
  p.tf_child = declared.word("tf_child", "", "pose_type tf: frame of the hand");
  if (p.pose_type == PoseType::Tf && (p.tf_parent.empty() || p.tf_child.empty())) {
    throw std::invalid_argument(
      "parameters 'tf_parent' and 'tf_child': expected the two frames of the tracker's transform");
  }
  p.twist_topic = declared.topic(
    "twist_topic", "", "of the tracker's velocities; empty: differences of its poses");
  p.twist_is_stamped = one_of<bool>(
    declared, "twist_type", "twist_stamped", {{"twist_stamped", true}, {"twist", false}},
    "message of these velocities");
  p.orientation = declared.flag("has_orientation", true, "false: only positions are read") &&
                  p.pose_type != PoseType::Numbers;
  const auto axes = ambf_devices::parse_axes(declared.words(
    "axes", {"x", "y", "z"},
    "which axis of the tracker points towards the person, to the right, and up, like "
    "['z', 'x', 'y']"));
  if (!axes) { throw std::invalid_argument("parameter 'axes': " + axes.error()); }
  p.tracker.R_base_tracker = *axes;
  p.tracker.scale =
    declared.real("scale", 1.0, 1e-6, 1e3, "metres per unit of the tracker; 0.001 for millimetres");
  p.tracker.twist_cutoff = declared.real(
    "twist_cutoff", p.tracker.twist_cutoff, 0.1, 1e3,
    "of the low pass on velocities that are differences of poses [Hz]");
  p.lost_after =
    declared.real("lost_after", 1.0, 0.05, 60.0, "the tracker is lost after this silence [s]");
}

void declare_buttons(Declared & declared, PoseDriverParameters & p)
{
  p.joy_topic = declared.topic("joy_topic", "", "sensor_msgs/Joy with its buttons; empty: none");
  const auto button = [&declared](const std::string & name, const std::string & text) {
    return declared.whole(
      "button_" + name, -1, -1, 31, "number of the Joy's button: " + text + "; -1: none");
  };
  p.button_position_clutch = button("position_clutch", "position clutch, while held");
  p.button_camera_clutch = button("camera_clutch", "camera clutch, while held");
  p.button_close_gripper = button("close_gripper", "closes the gripper, while held");
  p.button_actions = declared.numbers(
    "button_actions", {}, 0, 31, "numbers of the Joy's buttons that are actions, first to last");
  p.gripper_axis = declared.whole("gripper_axis", -1, -1, 31, "axis of the Joy; -1: none");
  p.clutch_topic =
    declared.topic("clutch_topic", "", "std_msgs/Bool of the position clutch; empty: none");
  p.camera_topic =
    declared.topic("camera_topic", "", "std_msgs/Bool of the camera clutch; empty: none");
  p.action_topics =
    declared.topics("action_topics", {}, "std_msgs/Bool of the action buttons, first to last");
  p.gripper_topic = declared.topic("gripper_topic", "", "of the gripper; empty: none");
  p.gripper_type = one_of<std::string>(
    declared, "gripper_type", "float64",
    {{"float64", "float64"}, {"float32", "float32"}, {"joint_state", "joint_state"}},
    "message of the gripper");
  p.gripper_closed = declared.real(
    "gripper_closed", 1.0, -1e3, 1e3, "value of the gripper's topic or axis when closed");
  p.gripper_open =
    declared.real("gripper_open", 0.0, -1e3, 1e3, "value of the gripper's topic or axis when open");
  if (p.gripper_open == p.gripper_closed) {
    throw std::invalid_argument("parameters 'gripper_open' and 'gripper_closed' must differ");
  }
}

void declare_force(Declared & declared, PoseDriverParameters & p, const DeviceParameters & device)
{
  p.force_topic = declared.topic(
    "force_topic", "", "where a device behind the tracker takes forces; empty: it gives none");
  const auto type = one_of<ForceType>(
    declared, "force_type", "wrench_stamped",
    {{"wrench_stamped", ForceType::WrenchStamped},
     {"wrench", ForceType::Wrench},
     {"float32_array", ForceType::Numbers}},
    "message of the forces, in the tracker's axes");
  p.force = p.force_topic.empty() ? ForceType::None : type;
  p.torque = declared.flag("gives_torque", false, "the device takes torques, too") &&
             type != ForceType::Numbers;
  p.max_force = device.loop.cycle.limits.max_force;
  p.max_torque = device.loop.cycle.limits.max_torque;
  p.rate = device.loop.rate;
}

PoseDriverParameters pose_parameters(rclcpp::Node & node, const DeviceParameters & device)
{
  Declared declared(node);
  PoseDriverParameters p;
  declare_pose(declared, p);
  declare_buttons(declared, p);
  declare_force(declared, p, device);
  return p;
}

}  // namespace

/// Any tracker that publishes a pose: motion capture, headsets, magnetic trackers.
class PoseDevice : public DeviceNode
{
public:
  explicit PoseDevice(const rclcpp::NodeOptions & options)
  : DeviceNode("pose_device", options, {.device = "tracker", .rate = 200.0})
  {
    start(std::make_unique<PoseDriver>(*this, pose_parameters(*this, parameters())));
  }
};

}  // namespace ambf_device_nodes

AMBF_NODE_COMPONENT(ambf_device_nodes, PoseDevice)
