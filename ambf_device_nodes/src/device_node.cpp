// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_device_nodes/device_node.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "ambf_node_support/time.hpp"
#include "convert.hpp"

namespace ambf_device_nodes
{
namespace
{

using ambf_devices::LoopCounts;
using ambf_devices::LoopEvent;
using ambf_node_support::steady_seconds;
using diagnostic_msgs::msg::DiagnosticStatus;

bool is_good_news(LoopEvent event)
{
  return event == LoopEvent::Opened || event == LoopEvent::ReadingsGood ||
         event == LoopEvent::ProxyBack || event == LoopEvent::Guided ||
         event == LoopEvent::GuidanceEnded;
}

void add(DiagnosticStatus & status, const std::string & key, const std::string & value)
{
  diagnostic_msgs::msg::KeyValue entry;
  entry.key = key;
  entry.value = value;
  status.values.push_back(std::move(entry));
}

/// Level and message from what happened since the last report.
void judge(
  DiagnosticStatus & status, const LoopCounts & now, const LoopCounts & before, double rate)
{
  status.level = DiagnosticStatus::WARN;
  if (!now.open) {
    status.message = "the device is not there";
  } else if (now.refused > before.refused) {
    status.message = "readings were refused";
  } else if (rate < 0.9 * now.rate) {
    status.message = "the loop is slower than asked for";
  } else if (now.proxies == before.proxies) {
    status.message = "no proxy states: no force";
  } else {
    status.level = DiagnosticStatus::OK;
    status.message = "running";
  }
}

}  // namespace

DeviceNode::DeviceNode(
  const std::string & node_name, const rclcpp::NodeOptions & options, const KindDefaults & defaults)
: rclcpp::Node(node_name, options), parameters_(declare_device_parameters(*this, defaults))
{
  if (!parameters_.warning.empty()) {
    RCLCPP_WARN(get_logger(), "%s", parameters_.warning.c_str());
  }
  const std::string ns = get_namespace();
  const std::string topic =
    (ns == "/" ? "" : ns) + parameters_.world_namespace + "/" + parameters_.device;
  sample_.header.frame_id = parameters_.frame_id;
  sample_.actions.resize(static_cast<std::size_t>(parameters_.actions));
  force_.header.frame_id = parameters_.frame_id;

  samples_ = create_publisher<ambf_msgs::msg::DeviceSample>(topic + "/Sample", newest_value());
  if (parameters_.publish_force) {
    forces_ = create_publisher<geometry_msgs::msg::WrenchStamped>(topic + "/Force", rclcpp::QoS(1));
  }
  diagnostics_ =
    create_publisher<diagnostic_msgs::msg::DiagnosticArray>("/diagnostics", rclcpp::QoS(10));
  proxies_ = create_subscription<ambf_msgs::msg::ProxyState>(
    topic + "/Proxy", newest_value(), [this](ambf_msgs::msg::ProxyState::ConstSharedPtr state) {
      if (!loop_) { return; }
      world_time_.store(rclcpp::Time(state->header.stamp).nanoseconds(), std::memory_order_relaxed);
      if (on_world_time_) {
        on_world_time_(state->header.stamp.sec + 1e-9 * state->header.stamp.nanosec);
      }
      loop_->post_proxy(from_msg(*state));
    });
  const auto & cycle = parameters_.loop.cycle;
  commands_ = std::make_unique<CommandListener>(
    *this, topic + "/Command",
    CommandListener::Rules{parameters_.device, cycle.bounds, cycle.timeout},
    [this](const ambf_devices::GuidanceCommand & command) {
      if (loop_) { loop_->post_guidance(command); }
    });
  events_timer_ = create_wall_timer(std::chrono::milliseconds(100), [this] { tell_events(); });
  diagnostics_timer_ = create_wall_timer(std::chrono::seconds(1), [this] { report_diagnostics(); });
}

DeviceNode::~DeviceNode()
{
  if (before_shutdown_) {
    get_node_base_interface()->get_context()->remove_pre_shutdown_callback(*before_shutdown_);
  }
  // Nothing of the executor after this; what it runs just now it has taken hold of.
  proxies_.reset();
  commands_->close();
  events_timer_.reset();
  diagnostics_timer_.reset();
  stop();
}

void DeviceNode::stop()
{
  if (loop_) { loop_->stop(); }
}

void DeviceNode::start(std::unique_ptr<ambf_devices::Driver> driver)
{
  ambf_devices::LoopCallbacks callbacks;
  callbacks.on_sample = [this](const ambf_devices::DeviceSample & sample) {
    publish_sample(sample);
  };
  if (forces_) {
    callbacks.on_wrench = [this](const ambf_teleop::Wrench & wrench) { publish_force(wrench); };
  }
  callbacks.on_round_trip = on_round_trip_;
  callbacks.on_event = [this](LoopEvent event, const std::string & words) {
    events_.note(event, words);
  };
  loop_ = std::make_unique<ambf_devices::DeviceLoop>(
    std::move(driver), parameters_.loop, std::move(callbacks));
  // A driver that speaks over topics can still send its last zero then, and not later.
  before_shutdown_ = std::make_unique<rclcpp::PreShutdownCallbackHandle>(
    get_node_base_interface()->get_context()->add_pre_shutdown_callback([this] { loop_->stop(); }));
  reported_at_ = steady_seconds();
  loop_->start();
}

void DeviceNode::publish_sample(const ambf_devices::DeviceSample & sample)
{
  fill(sample_, sample);
  if (sample.guided) {
    commands_->copy_sender(sample_.commanded_by);
  } else {
    sample_.commanded_by.clear();
  }
  sample_.header.stamp = rclcpp::Time(world_time_.load(std::memory_order_relaxed));
  sample_.wall_time = ambf_node_support::wall_stamp();
  samples_->publish(sample_);
}

void DeviceNode::publish_force(const ambf_teleop::Wrench & wrench)
{
  if (forces_->get_subscription_count() == 0) { return; }
  fill(force_.wrench, wrench);
  force_.header.stamp = now();
  forces_->publish(force_);
}

void DeviceNode::tell_events()
{
  for (const EventLog::Line & line : events_.take(steady_seconds())) {
    const std::string times = line.times > 1 ? " (" + std::to_string(line.times) + " times)" : "";
    const std::string what = line.event == LoopEvent::Opened           ? "opened: "
                             : line.event == LoopEvent::OpenFailed     ? "cannot be opened: "
                             : line.event == LoopEvent::ReadingRefused ? "reading refused: "
                                                                       : "";
    const std::string text = "device '" + parameters_.device + "' " + what + line.words + times;
    if (is_good_news(line.event)) {
      RCLCPP_INFO(get_logger(), "%s", text.c_str());
    } else {
      RCLCPP_WARN(get_logger(), "%s", text.c_str());
    }
  }
}

void DeviceNode::report_diagnostics()
{
  if (!loop_) { return; }
  const LoopCounts counts = loop_->counts();
  const double time = steady_seconds();
  const double elapsed = std::max(time - reported_at_, 1e-3);
  const auto per_second = [&](std::uint64_t after, std::uint64_t before) {
    return static_cast<double>(after - before) / elapsed;
  };
  const double rate = per_second(counts.ticks, reported_.ticks);

  diagnostic_msgs::msg::DiagnosticArray array;
  // As everybody's; the node's own clock may be the world's, which stops.
  array.header.stamp = ambf_node_support::wall_stamp();
  DiagnosticStatus & status = array.status.emplace_back();
  status.name = std::string(get_fully_qualified_name()) + ": device";
  status.hardware_id = parameters_.device;
  judge(status, counts, reported_, rate);
  add(status, "rate asked for [Hz]", std::to_string(counts.rate));
  add(status, "rate [Hz]", std::to_string(rate));
  add(status, "samples per second", std::to_string(per_second(counts.samples, reported_.samples)));
  add(
    status, "proxy states per second",
    std::to_string(per_second(counts.proxies, reported_.proxies)));
  add(status, "late ticks", std::to_string(counts.late));
  add(
    status, "time in the driver [share]",
    std::to_string((counts.driver_time - reported_.driver_time) / elapsed));
  add(status, "longest call of the driver [s]", std::to_string(loop_->take_longest_call()));
  add(status, "sample to force [s]", std::to_string(counts.round_trip));
  add(status, "readings refused", std::to_string(counts.refused));
  add(status, "proxy states refused", std::to_string(counts.proxies_refused));
  add(status, "commands taken", std::to_string(counts.guidances));
  add(status, "commands refused", std::to_string(commands_->refused()));
  add(status, "commands of others left out", std::to_string(commands_->foreign()));
  add(status, "last force [N]", std::to_string(counts.last_force));
  add(status, "largest force [N]", std::to_string(counts.largest_force));
  add(status, "events", std::to_string(events_.total()));
  add(status, "last event", events_.last());
  reported_ = counts;
  reported_at_ = time;
  diagnostics_->publish(array);
  warn_of_a_second_publisher();
}

void DeviceNode::warn_of_a_second_publisher()
{
  const bool second = count_publishers(samples_->get_topic_name()) > 1;
  if (second && !second_reported_) {
    RCLCPP_WARN(
      get_logger(),
      "another node publishes %s, too: two devices have the name '%s', and the proxy would follow "
      "both. "
      "Give one of them another name with the parameter 'device'",
      samples_->get_topic_name(), parameters_.device.c_str());
  }
  second_reported_ = second;
}

}  // namespace ambf_device_nodes
