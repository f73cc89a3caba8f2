// SPDX-License-Identifier: BSD-3-Clause
#include <stdexcept>
#include <utility>

#include <ambf_msgs/msg/world_state.hpp>

#include "ambf_device_nodes/device_node.hpp"
#include "ambf_devices/mock_driver.hpp"
#include "ambf_devices/mock_script.hpp"
#include "ambf_node_support/component.hpp"

namespace ambf_device_nodes
{
namespace
{

/// The value, or the reason as an exception that names the parameter.
template <typename T>
T required(const std::string & parameter, tl::expected<T, std::string> value)
{
  if (!value) { throw std::invalid_argument("parameter '" + parameter + "': " + value.error()); }
  return std::move(*value);
}

/// None: the hand moves by its own time.
std::shared_ptr<ambf_devices::WorldClock> declare_clock(Declared & declared)
{
  const auto clock = declared.word(
    "clock", "own",
    "time of trajectory, recording and script: own, or world (of the proxy states; stands with "
    "it)");
  const double start_at = declared.real(
    "start_at", -1.0, -1.0, 1e9,
    "clock world: they begin at this time of the world [s]; -1: at the first proxy state");
  if (clock == "world") { return std::make_shared<ambf_devices::WorldClock>(start_at); }
  if (clock == "own") { return nullptr; }
  throw std::invalid_argument("parameter 'clock': found '" + clock + "', expected own or world");
}

ambf_devices::MockParameters mock_parameters(
  rclcpp::Node & node, double rate, std::shared_ptr<ambf_devices::WorldClock> & clock)
{
  Declared declared(node);
  ambf_devices::MockParameters p;
  p.rate = rate;
  p.force = declared.flag("gives_force", true, "false: a tracker without motors");
  p.trajectory.offset = declared.axes(
    "trajectory_offset", p.trajectory.offset, -10.0, 10.0, "centre of the motion [m]");
  p.trajectory.amplitude = declared.axes(
    "trajectory_amplitude", p.trajectory.amplitude, -100.0, 100.0,
    "of sine, cosine and sine along x, y, z");
  p.trajectory.angular_rate = declared.real(
    "trajectory_rate", p.trajectory.angular_rate, 0.0, 1000.0, "of the motion [rad/s]");
  p.trajectory.scale = declared.real(
    "trajectory_scale", p.trajectory.scale, 0.0, 10.0,
    "metres per unit of the amplitude; 0: at rest");
  p.wobble =
    declared.axes("wobble", p.wobble, -4.0, 4.0, "largest turn, as a rotation vector [rad]");
  const auto recording = declared.word(
    "recording", "", "CSV file of a person's motion to replay, instead of trajectory and script");
  if (!recording.empty()) {
    p.recording = required("recording", ambf_devices::read_recording(recording));
  }
  p.repeat =
    declared.flag("repeat", true, "a recording starts again at its end; false: its end stands");
  p.script = required(
    "script",
    ambf_devices::parse_script(declared.words(
      "script", {}, "lines like 't=2 gripper=0 position_clutch=1 camera_clutch=0 actions=3'")));
  p.faults = required(
    "faults", ambf_devices::parse_faults(declared.words(
                "faults", {},
                "lines like 'jump 1.5 2.0': not_finite, not_unit, jump, nothing_new, lost or "
                "blocked, from, until [s]")));
  p.clock = clock = declare_clock(declared);
  p.hand_compliance =
    declared.real("hand_compliance", 0.0, 0.0, 1.0, "how far a force pushes the hand aside [m/N]");
  p.blocking_read = declared.real("blocking_read", 0.0, 0.0, 1.0, "each read sleeps that long [s]");
  p.blocking_write =
    declared.real("blocking_write", 0.0, 0.0, 1.0, "each force write sleeps that long [s]");
  p.jitter =
    declared.real("jitter", 0.0, 0.0, 1.0, "each read sleeps up to that long, at random [s]");
  p.dropout = declared.real("dropout", 0.0, 0.0, 1.0, "share of reads that bring nothing");
  p.seed =
    static_cast<std::uint64_t>(declared.whole("seed", 1, 0, 1'000'000, "of jitter and dropout"));
  return p;
}

}  // namespace

/// A device that is not there: test trajectory, recording, script, faults.
class MockDevice : public DeviceNode
{
public:
  explicit MockDevice(const rclcpp::NodeOptions & options)
  : DeviceNode("mock_device", options, {.device = "mock", .linear_stiffness = 100.0})
  {
    std::shared_ptr<ambf_devices::WorldClock> clock;
    auto mock = mock_parameters(*this, parameters().loop.rate, clock);
    const auto hands = static_cast<std::uint32_t>(Declared(*this).whole(
      "wait_for_hands", 0, 0, 1000,
      "the motion begins when so many hands are live in the world; 0: at once"));
    mock.waits = hands > 0;
    auto driver = std::make_unique<ambf_devices::MockDriver>(std::move(mock));
    if (clock) {
      on_world_time_ = [clock](double time) { clock->set(time); };
    }
    if (hands > 0) {
      const std::string ns = get_namespace();
      world_ = create_subscription<ambf_msgs::msg::WorldState>(
        (ns == "/" ? "" : ns) + parameters().world_namespace + "/World/State",
        rclcpp::QoS(1).best_effort(),
        [hands, mock_driver = driver.get()](ambf_msgs::msg::WorldState::ConstSharedPtr world) {
          if (world->n_devices >= hands) { mock_driver->begin(); }
        });
    }
    start(std::move(driver));
  }

private:
  rclcpp::Subscription<ambf_msgs::msg::WorldState>::SharedPtr world_;
};

}  // namespace ambf_device_nodes

AMBF_NODE_COMPONENT(ambf_device_nodes, MockDevice)
