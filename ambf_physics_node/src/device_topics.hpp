// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include <ambf_msgs/msg/device_sample.hpp>
#include <ambf_msgs/msg/proxy_state.hpp>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <rclcpp/rclcpp.hpp>

#include "ambf_simulation/one_sender.hpp"
#include "topic_set.hpp"
#include "short_names.hpp"

namespace ambf_physics
{

/// The topics of the hands: <device>/Sample in, <device>/Proxy out. `rebuild` is called when the world
/// changed; publishing is for one thread at a time.
class DeviceTopics
{
public:
  explicit DeviceTopics(const TopicWiring & wiring);

  void rebuild(const std::shared_ptr<const Roster> & roster);
  void refresh_watched();
  bool anybody_watching() const { return watched_; }
  bool empty() const { return entries_.empty(); }

  /// Tells the devices about a step that they have not heard of, and people about hands that came or went.
  void publish_due(const SharedState & shared, std::int64_t now);
  /// The end of a lock-step call.
  void publish_all(const SharedState & shared);
  std::uint64_t published() const { return published_; }

  /// One status per hand.
  void add_status(
    const SharedState & shared, const std::string & node,
    diagnostic_msgs::msg::DiagnosticArray & array) const;

private:
  struct Entry
  {
    std::string name;
    std::string topic;
    std::string trouble;
    rclcpp::Subscription<ambf_msgs::msg::DeviceSample>::SharedPtr samples;
    rclcpp::Publisher<ambf_msgs::msg::ProxyState>::SharedPtr proxies;
    ambf_msgs::msg::ProxyState message;
    bool watched = false;
    ambf_proxies::HandState told =
      ambf_proxies::HandState::Waiting;  ///< of what people were told last
    ambf_proxies::HandMode mode_told = ambf_proxies::HandMode::Clutch;
    bool camera_told = false;
    std::uint64_t jumps_told = 0;
    std::int64_t next_jump_report = 0;

    // Shared with the callbacks.
    std::shared_ptr<ambf_proxies::SampleBox> box;
    std::int64_t silence = 100'000'000;
    OneSender one_sender;
    std::uint64_t refused = 0;  ///< samples that mean nothing
    std::uint64_t foreign = 0;  ///< samples of a second sender
    std::int64_t next_report = 0;
  };

  std::shared_ptr<Entry> make_entry(const Roster::Device & device);
  void receive(
    Entry & entry, const ambf_msgs::msg::DeviceSample & sample, const rclcpp::MessageInfo & info);
  void report_foreign(Entry & entry, std::span<const std::uint8_t> other);
  std::string node_of(const Entry & entry, std::span<const std::uint8_t> gid) const;
  void tell_changes(const SharedState & shared, std::int64_t now);
  void tell_overridden(const SharedState & shared, std::int64_t now);
  bool current(const SharedState & shared) const;

  TopicWiring wiring_;
  rclcpp::CallbackGroup::SharedPtr group_;  ///< a look-up of names for commands delays no hand
  std::shared_ptr<const Roster> roster_;
  mutable std::mutex mutex_;  ///< entries against the callbacks
  std::vector<std::shared_ptr<Entry>> entries_;
  bool watched_ = false;
  std::uint64_t told_step_ = ~std::uint64_t{0};
  std::int64_t next_ = 0;
  std::uint64_t published_ = 0;
  std::uint64_t overridden_told_ = 0;
  std::int64_t next_overridden_report_ = 0;
};

}  // namespace ambf_physics
