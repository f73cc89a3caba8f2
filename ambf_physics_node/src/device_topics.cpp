// SPDX-License-Identifier: BSD-3-Clause
#include "device_topics.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ambf_physics
{

using ambf_msgs::msg::DeviceSample;
using ambf_msgs::msg::ProxyState;
using ambf_proxies::HandState;
using diagnostic_msgs::msg::DiagnosticStatus;

namespace
{

/// The same trouble is told at most so often [ns].
constexpr std::int64_t kReportPeriod = 1'000'000'000;

Eigen::Vector3d to_eigen(const auto & v) { return {v.x, v.y, v.z}; }

void set(auto & message, const Eigen::Vector3d & v)
{
  message.x = v.x();
  message.y = v.y();
  message.z = v.z();
}

void set(geometry_msgs::msg::Pose & message, const ambf_teleop::Pose & pose)
{
  set(message.position, pose.position);
  message.orientation.x = pose.orientation.x();
  message.orientation.y = pose.orientation.y();
  message.orientation.z = pose.orientation.z();
  message.orientation.w = pose.orientation.w();
}

ambf_teleop::DeviceSample from_msg(const DeviceSample & message)
{
  const auto & q = message.pose.orientation;
  ambf_teleop::DeviceSample sample;
  sample.T_base_tip = {to_eigen(message.pose.position), Eigen::Quaterniond(q.w, q.x, q.y, q.z)};
  sample.twist = {to_eigen(message.twist.linear), to_eigen(message.twist.angular)};
  sample.gripper = message.gripper;
  sample.position_clutch = message.position_clutch;
  sample.camera_clutch = message.camera_clutch;
  sample.relocated = message.relocated;
  for (std::size_t i = 0; i < std::min<std::size_t>(message.actions.size(), 32); ++i) {
    sample.actions |= message.actions[i] ? 1u << i : 0u;
  }
  sample.sequence = message.sequence;
  return sample;
}

const char * problem_of(const ambf_teleop::DeviceSample & sample)
{
  if (!sample.twist.linear.allFinite() || !sample.twist.angular.allFinite()) {
    return "twist: found a number that is not finite";
  }
  return ambf_proxies::problem_of(sample);
}

void fill(
  ProxyState & message, const ambf_proxies::ProxyReading & reading,
  const ambf_dynamics::State & state)
{
  message.header.stamp = to_stamp(state.time);
  message.wall_time = wall_stamp();
  message.step = state.step;
  set(message.pose, reading.proxy.T_world_proxy);
  set(message.reference_pose, reading.proxy.T_world_reference);
  set(message.twist.linear, reading.twist.linear);
  set(message.twist.angular, reading.twist.angular);
  set(message.contact_wrench.force, reading.contact.force);
  set(message.contact_wrench.torque, reading.contact.torque);
  set(message.active_camera_pose, reading.T_world_camera);
  message.sequence = reading.proxy.device_sequence;
  message.clutch_actions = reading.proxy.clutch_actions;
  message.mode = static_cast<std::uint8_t>(reading.mode);
  message.haptic_linear_change = reading.proxy.haptic_linear_change;
  message.haptic_angular_change = reading.proxy.haptic_angular_change;
}

}  // namespace

DeviceTopics::DeviceTopics(const TopicWiring & wiring)
: wiring_(wiring),
  group_(wiring.node.create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive))
{
}

void DeviceTopics::rebuild(const std::shared_ptr<const Roster> & roster)
{
  std::vector<std::shared_ptr<Entry>> entries;
  const auto named = [](const auto & all, const std::string & name) {
    return std::find_if(
      all.begin(), all.end(), [&](const auto & one) { return one->name == name; });
  };
  for (const auto & device : roster->devices) {
    const auto before = named(entries_, device.name);
    const bool twice = named(entries, device.name) != entries.end();
    auto entry = twice                      ? std::make_shared<Entry>()
                 : before != entries_.end() ? *before
                                            : make_entry(device);
    entry->name = device.name;
    if (entry->trouble != device.trouble && !device.trouble.empty()) {
      RCLCPP_WARN(
        wiring_.node.get_logger(), "device '%s': %s", device.name.c_str(), device.trouble.c_str());
    }
    entry->trouble = device.trouble;
    entry->message.header.frame_id = roster->manifest.root_frame;
    std::lock_guard<std::mutex> lock(mutex_);
    entry->box = twice ? nullptr : device.box;
    entry->silence = static_cast<std::int64_t>(std::min(device.loss_timeout, 1e6) * 1e9);
    entries.push_back(std::move(entry));
  }
  {
    std::lock_guard<std::mutex> lock(mutex_);
    entries_ = std::move(entries);
  }
  roster_ = roster;
  refresh_watched();
}

std::shared_ptr<DeviceTopics::Entry> DeviceTopics::make_entry(const Roster::Device & device)
{
  auto entry = std::make_shared<Entry>();
  entry->topic = device.topic;
  entry->proxies =
    wiring_.node.create_publisher<ProxyState>(device.topic + "/Proxy", qos::newest());
  rclcpp::SubscriptionOptions options;
  options.callback_group = group_;
  entry->samples = wiring_.node.create_subscription<DeviceSample>(
    device.topic + "/Sample", qos::newest(),
    [this, weak = std::weak_ptr<Entry>(entry)](
      const DeviceSample & sample, const rclcpp::MessageInfo & info) {
      if (const auto held = weak.lock()) { receive(*held, sample, info); }
    },
    options);
  return entry;
}

void DeviceTopics::receive(
  Entry & entry, const DeviceSample & message, const rclcpp::MessageInfo & info)
{
  const std::span<const std::uint8_t> gid(info.get_rmw_message_info().publisher_gid.data);
  const auto sample = from_msg(message);
  std::lock_guard<std::mutex> lock(mutex_);
  if (!entry.box) { return; }
  const std::int64_t now = steady_now();
  if (const char * problem = problem_of(sample)) {
    ++entry.refused;
    wiring_.rejected.fetch_add(1);
    if (now >= entry.next_report) {
      entry.next_report = now + kReportPeriod;
      RCLCPP_WARN(
        wiring_.node.get_logger(), "%s/Sample from %s rejected: %s (%lu so far)",
        entry.topic.c_str(), node_of(entry, gid).c_str(), problem,
        static_cast<unsigned long>(entry.refused));
    }
    return;
  }
  if (
    entry.one_sender.judge(gid, sample.sequence, now, entry.silence) ==
    OneSender::Verdict::Foreign) {
    ++entry.foreign;
    wiring_.rejected.fetch_add(1);
    if (now >= entry.next_report) {
      entry.next_report = now + kReportPeriod;
      report_foreign(entry, gid);
    }
    return;
  }
  entry.box->post(sample);
}

void DeviceTopics::report_foreign(Entry & entry, std::span<const std::uint8_t> other)
{
  RCLCPP_WARN(
    wiring_.node.get_logger(),
    "%s/Sample has two senders: %s keeps the hand until it falls silent, %s is left out (%lu "
    "samples so far); "
    "give each device a name of its own",
    entry.topic.c_str(), node_of(entry, entry.one_sender.sender()).c_str(),
    node_of(entry, other).c_str(), static_cast<unsigned long>(entry.foreign));
}

std::string DeviceTopics::node_of(const Entry & entry, std::span<const std::uint8_t> gid) const
{
  for (const auto & endpoint : publishers_of(wiring_.node, entry.topic + "/Sample")) {
    if (std::equal(gid.begin(), gid.end(), endpoint.endpoint_gid().begin())) {
      return ambf_physics::node_of(endpoint);
    }
  }
  return "a node of this process";
}

void DeviceTopics::refresh_watched()
{
  watched_ = false;
  for (auto & entry : entries_) {
    entry->watched = entry->proxies && has_readers(*entry->proxies);
    watched_ = watched_ || entry->watched;
  }
}

bool DeviceTopics::current(const SharedState & shared) const
{
  return roster_ && shared.state.revision == roster_->revision &&
         shared.hands.size() == entries_.size();
}

void DeviceTopics::publish_due(const SharedState & shared, std::int64_t now)
{
  if (entries_.empty() || !current(shared)) { return; }
  tell_changes(shared, now);
  tell_overridden(shared, now);
  // A world that runs as fast as it can must not flood the devices.
  if (shared.state.step == told_step_ || now < next_) { return; }
  next_ = now + static_cast<std::int64_t>(roster_->step_size * 0.5e9);
  publish_all(shared);
}

void DeviceTopics::publish_all(const SharedState & shared)
{
  if (!watched_ || !current(shared)) { return; }
  told_step_ = shared.state.step;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Entry & entry = *entries_[i];
    if (!entry.watched || shared.hands[i].state == HandState::Unbound) { continue; }
    entry.message.header.frame_id = roster_->manifest.root_frame;
    fill(entry.message, shared.hands[i], shared.state);
    entry.proxies->publish(entry.message);
    ++published_;
  }
}

void DeviceTopics::tell_changes(const SharedState & shared, std::int64_t now)
{
  const auto logger = wiring_.node.get_logger();
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Entry & entry = *entries_[i];
    const auto & reading = shared.hands[i];
    if (reading.state != entry.told) {
      entry.told = reading.state;
      if (reading.state == HandState::Lost) {
        RCLCPP_WARN(
          logger, "device '%s' is lost: no sample for %.3g s", entry.name.c_str(),
          static_cast<double>(entry.silence) * 1e-9);
      } else if (reading.state == HandState::Live) {
        RCLCPP_INFO(logger, "device '%s' is live", entry.name.c_str());
      }
    }
    if (reading.mode != entry.mode_told) {
      entry.mode_told = reading.mode;
      RCLCPP_INFO(
        logger, "device '%s': its action buttons are for: %s", entry.name.c_str(),
        to_string(reading.mode));
    }
    const bool kept_off = reading.camera_held_by != ambf_teleop::nobody;
    if (kept_off && !entry.camera_told && reading.camera_held_by < entries_.size()) {
      RCLCPP_WARN(
        logger, "device '%s' cannot move a camera: '%s' holds it", entry.name.c_str(),
        entries_[reading.camera_held_by]->name.c_str());
    }
    entry.camera_told = kept_off;
    entry.jumps_told = std::min(entry.jumps_told, reading.jumps);  // it was bound anew
    if (reading.jumps > entry.jumps_told && now >= entry.next_jump_report) {
      entry.jumps_told = reading.jumps;
      entry.next_jump_report = now + kReportPeriod;
      RCLCPP_WARN(
        logger,
        "device '%s' jumped further than a hand moves between two samples: taken where it is now, "
        "its proxy "
        "stays (%lu so far)",
        entry.name.c_str(), static_cast<unsigned long>(reading.jumps));
    }
  }
}

void DeviceTopics::tell_overridden(const SharedState & shared, std::int64_t now)
{
  const auto & last = shared.overridden;
  if (last.count == overridden_told_ || now < next_overridden_report_) { return; }
  overridden_told_ = last.count;
  next_overridden_report_ = now + kReportPeriod;
  if (last.camera >= roster_->manifest.cameras.size() || last.device >= entries_.size()) { return; }
  RCLCPP_WARN(
    wiring_.node.get_logger(),
    "camera '%s' is held by device '%s': commands of %s have no effect meanwhile (%lu so far)",
    roster_->manifest.cameras[last.camera].name.c_str(), entries_[last.device]->name.c_str(),
    wiring_.sources.name(last.source).c_str(), static_cast<unsigned long>(last.count));
}

void DeviceTopics::add_status(
  const SharedState & shared, const std::string & node,
  diagnostic_msgs::msg::DiagnosticArray & array) const
{
  if (!current(shared)) { return; }
  std::lock_guard<std::mutex> lock(mutex_);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry & entry = *entries_[i];
    const auto & reading = shared.hands[i];
    DiagnosticStatus & status = array.status.emplace_back();
    status.name = node + ": hand " + entry.name;
    status.hardware_id = entry.name;
    const auto add = [&](const std::string & key, const std::string & value) {
      auto & pair = status.values.emplace_back();
      pair.key = key;
      pair.value = value;
    };
    const bool good = reading.state == HandState::Live || reading.state == HandState::Waiting;
    status.level = good && entry.trouble.empty() ? DiagnosticStatus::OK : DiagnosticStatus::WARN;
    status.message =
      std::string(to_string(reading.state)) + (entry.trouble.empty() ? "" : ": ") + entry.trouble;
    add("state", to_string(reading.state));
    const auto body = roster_->devices[i].body;
    add("body", body == ambf_dynamics::no_index ? "" : roster_->bodies[body].info.qualified);
    add("samples", std::to_string(reading.samples));
    add("jumps", std::to_string(reading.jumps));
    add("samples refused", std::to_string(entry.refused));
    add("samples of a second sender", std::to_string(entry.foreign));
    add(
      "camera held by",
      reading.camera_held_by < entries_.size() ? entries_[reading.camera_held_by]->name : "");
  }
}

}  // namespace ambf_physics
