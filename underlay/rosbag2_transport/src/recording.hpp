// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "bag_writer.hpp"
#include "loss_ledger.hpp"
#include "rclcpp/rclcpp.hpp"
#include "topic_filter.hpp"

namespace rosbag2_transport::detail {

/// The parameters of a recorder, with stock's names.
struct RecordOptions {
  TopicSelection selection;
  std::map<std::string, rmw_qos_profile_t> qos_overrides;
  bool is_discovery_disabled = false, include_unpublished_topics = false;
  bool ignore_leaf_topics = false, start_paused = false, disable_keyboard_controls = false;
  std::chrono::nanoseconds polling_interval{100'000'000};
  BagOptions bag;
};

/// Declares and reads the parameters; throws BagError where one makes no sense.
RecordOptions declare_record_options(rclcpp::Node & node);

/// A node's recording: finds topics, subscribes to them, hands their messages to a BagWriter and
/// keeps account of what was lost.
class Recording {
public:
  /// \param on_failure called once when the bag can be written no more
  Recording(rclcpp::Node & node, std::function<void()> on_failure);
  ~Recording();

  /// Takes what the middleware still holds, closes the bag and logs what was lost. True: nothing
  /// went wrong with the bag.
  bool stop();

  void pause();
  void resume();
  void toggle_paused() { paused_ ? resume() : pause(); }
  bool is_paused() const { return paused_; }
  bool has_keyboard() const { return !options_.disable_keyboard_controls; }

private:
  struct Subscribed {
    std::string name;
    std::size_t index = 0;
    std::mutex mutex;  // the executor's thread and stop() may meet
    LossLedger losses;
    rclcpp::GenericSubscription::SharedPtr subscription;
    bool warned = false;
  };

  void discover();
  void subscribe(
    const std::string & name, const std::string & type, const std::vector<rclcpp::TopicEndpointInfo> & publishers);
  rclcpp::QoS choose_qos(const std::string & name, const std::vector<rclcpp::TopicEndpointInfo> & publishers) const;
  void warn_of_incompatible(Subscribed & topic, const std::vector<rclcpp::TopicEndpointInfo> & publishers) const;
  void record(
    Subscribed & topic, std::shared_ptr<const rclcpp::SerializedMessage> message, const rmw_message_info_t & info);
  void drain();
  void log_losses(const WriteReport & report) const;

  rclcpp::Node & node_;
  const RecordOptions options_;
  const TopicFilter filter_;
  const std::function<void()> on_failure_;
  BagWriter writer_;
  bool use_sim_time_ = false;
  std::atomic<bool> paused_{false};
  std::mutex topics_mutex_;
  std::map<std::string, std::unique_ptr<Subscribed>> topics_;
  std::set<std::string> refused_;  // topics of unknown or several types, named once
  rclcpp::Event::SharedPtr graph_event_;
  rclcpp::TimerBase::SharedPtr discovery_timer_, failure_timer_;
  std::once_flag stopped_;
  bool stop_result_ = true;
  rclcpp::PreShutdownCallbackHandle shutdown_callback_;
};

}  // namespace rosbag2_transport::detail
