// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <ambf_msgs/msg/device_sample.hpp>
#include <ambf_msgs/msg/proxy_state.hpp>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <geometry_msgs/msg/wrench_stamped.hpp>
#include <rclcpp/rclcpp.hpp>

#include "ambf_device_nodes/command_listener.hpp"
#include "ambf_device_nodes/device_parameters.hpp"
#include "ambf_device_nodes/event_log.hpp"
#include "ambf_devices/device_loop.hpp"

namespace ambf_device_nodes
{

/// A device as a node: its loop in a thread of its own, <device>/Sample out, <device>/Proxy
/// and <device>/Command in, <device>/Force and /diagnostics for people. Wiring only; a kind of device is a class below this
/// one that declares its parameters and hands over its driver:
///
///   MyDevice(const rclcpp::NodeOptions & options)
///   : DeviceNode("my_device", options, {.device = "mine", .rate = 500.0})
///   {
///     start(std::make_unique<MyDriver>(...));
///   }
class DeviceNode : public rclcpp::Node
{
public:
  /// Throws std::invalid_argument with words for parameters that mean nothing or are not safe.
  DeviceNode(
    const std::string & node_name, const rclcpp::NodeOptions & options,
    const KindDefaults & defaults);
  ~DeviceNode() override;

protected:
  void start(std::unique_ptr<ambf_devices::Driver> driver);
  /// Ends the loop: the driver is not called any more. A class whose driver uses members of it calls
  /// this in its destructor, since these members are gone before the node's own destructor runs.
  void stop();

  const DeviceParameters & parameters() const { return parameters_; }

  /// To be set before `start`: added to every force of the loop; what `hook` points to outlives it.
  void hold_gravity(const ambf_teleop::GravityHook & hook)
  {
    parameters_.loop.cycle.gravity = hook;
  }

  /// To be set before `start`: the world's time [s] with every proxy state, from the executor; the
  /// round trip [s] of a sample that came back as a proxy state, from the loop.
  std::function<void(double)> on_world_time_, on_round_trip_;

private:
  void publish_sample(const ambf_devices::DeviceSample & sample);
  void publish_force(const ambf_teleop::Wrench & wrench);
  void tell_events();
  void report_diagnostics();
  void warn_of_a_second_publisher();

  DeviceParameters parameters_;
  EventLog events_;
  ambf_msgs::msg::DeviceSample sample_;  // of the loop's thread, as is force_
  geometry_msgs::msg::WrenchStamped force_;
  rclcpp::Publisher<ambf_msgs::msg::DeviceSample>::SharedPtr samples_;
  rclcpp::Publisher<geometry_msgs::msg::WrenchStamped>::SharedPtr forces_;
  rclcpp::Publisher<diagnostic_msgs::msg::DiagnosticArray>::SharedPtr diagnostics_;
  rclcpp::Subscription<ambf_msgs::msg::ProxyState>::SharedPtr proxies_;
  std::unique_ptr<CommandListener> commands_;
  rclcpp::TimerBase::SharedPtr events_timer_, diagnostics_timer_;
  std::unique_ptr<ambf_devices::DeviceLoop> loop_;
  std::unique_ptr<rclcpp::PreShutdownCallbackHandle> before_shutdown_;
  ambf_devices::LoopCounts reported_;
  double reported_at_ = 0.0;
  std::atomic<std::int64_t> world_time_{0};  ///< simulation time of the newest ProxyState [ns]
  bool second_reported_ = false;
};

/// Newest value, lost ones are not missed: samples and proxy states.
inline rclcpp::QoS newest_value() { return rclcpp::QoS(1).best_effort(); }

}  // namespace ambf_device_nodes
