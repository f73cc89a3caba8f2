// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/time_source.hpp"

#include <thread>

#include "rcl_check.hpp"
#include "rcl_interfaces/msg/parameter_event.hpp"
#include "rclcpp/executors/single_threaded_executor.hpp"
#include "rclcpp/node.hpp"
#include "rosgraph_msgs/msg/clock.hpp"

namespace rclcpp {

namespace {

constexpr char kParameterName[] = "use_sim_time";

void set_override(Clock & clock, rcl_time_point_value_t time, bool enabled) {
  std::lock_guard<std::mutex> clock_guard(clock.get_clock_mutex());
  if (clock.get_clock_type() != RCL_ROS_TIME) { return; }
  auto * rcl_clock = clock.get_clock_handle();
  rcl_ret_t ret = RCL_RET_OK;
  if (!enabled) {
    ret = rcl_disable_ros_time_override(rcl_clock);
  } else {
    if (!clock.ros_time_is_active()) { ret = rcl_enable_ros_time_override(rcl_clock); }
    if (ret == RCL_RET_OK) { ret = rcl_set_ros_time_override(rcl_clock, time); }
  }
  detail::check(ret, "Failed to set ros_time_override_status");
}

}  // namespace

class TimeSource::NodeState : public std::enable_shared_from_this<NodeState> {
public:
  NodeState(const QoS & qos, bool use_clock_thread) : use_clock_thread_(use_clock_thread), qos_(qos) {}
  ~NodeState() { detach_node(); }

  void attach_clock(const Clock::SharedPtr & clock) {
    std::lock_guard<std::mutex> guard(clocks_mutex_);
    if (clock->get_clock_type() != RCL_ROS_TIME && simulated_) {
      throw std::invalid_argument("ROS time cannot be active while a clock of another type is attached");
    }
    clocks_.push_back(clock);
    set_override(*clock, last_time_, simulated_);
  }

  void detach_clock(const Clock::SharedPtr & clock) {
    std::lock_guard<std::mutex> guard(clocks_mutex_);
    clocks_.erase(std::remove(clocks_.begin(), clocks_.end(), clock), clocks_.end());
  }

  bool clock_thread_is_joinable() {
    std::lock_guard<std::mutex> guard(subscription_mutex_);
    return clock_thread_.joinable();
  }

  void attach_node(node_interfaces::NodeBaseInterface::SharedPtr node_base,
    node_interfaces::NodeTopicsInterface::SharedPtr node_topics, const Logger & logger,
    node_interfaces::NodeParametersInterface::SharedPtr node_parameters) {
    node_base_ = std::move(node_base);
    node_topics_ = std::move(node_topics);
    node_parameters_ = std::move(node_parameters);
    logger_ = logger;

    const ParameterValue value = node_parameters_->has_parameter(kParameterName)
                                   ? node_parameters_->get_parameter(kParameterName).get_parameter_value()
                                   : node_parameters_->declare_parameter(kParameterName, ParameterValue(false));
    if (value.get_type() != PARAMETER_BOOL) {
      RCLCPP_ERROR(logger_, "Invalid type '%s' for parameter '%s', should be 'bool'",
        to_string(value.get_type()).c_str(), kParameterName);
      throw std::invalid_argument(std::string("Invalid type for parameter '") + kParameterName + "', should be 'bool'");
    }
    if (value.get<bool>()) { simulate(true); }

    std::weak_ptr<NodeState> weak_this = weak_from_this();
    on_set_handle_ = node_parameters_->add_on_set_parameters_callback([weak_this](const auto & parameters) {
      rcl_interfaces::msg::SetParametersResult result;
      auto self = weak_this.lock();
      for (const auto & parameter : parameters) {
        if (parameter.get_name() != kParameterName) { continue; }
        if (parameter.get_type() != PARAMETER_BOOL) {
          result.reason = std::string("'") + kParameterName + "' must be a bool";
        } else if (self && parameter.as_bool() && !self->has_only_ros_clocks()) {
          result.reason = std::string("'") + kParameterName + "' can't be set while a clock is not of RCL_ROS_TIME";
        }
      }
      result.successful = result.reason.empty();
      return result;
    });

    parameter_subscription_ =
      create_subscription<rcl_interfaces::msg::ParameterEvent>(node_parameters_, node_topics_, "/parameter_events",
        ParameterEventsQoS(), [weak_this](const std::shared_ptr<const rcl_interfaces::msg::ParameterEvent> event) {
          if (auto self = weak_this.lock()) { self->on_parameter_event(*event); }
        });
  }

  void detach_node() {
    destroy_clock_subscription();
    if (on_set_handle_) { node_parameters_->remove_on_set_parameters_callback(on_set_handle_.get()); }
    on_set_handle_.reset();
    parameter_subscription_.reset();
    node_base_.reset();
    node_topics_.reset();
    node_parameters_.reset();
    override_clocks(false);
  }

  bool use_clock_thread_;

private:
  bool has_only_ros_clocks() {
    std::lock_guard<std::mutex> guard(clocks_mutex_);
    return std::all_of(
      clocks_.begin(), clocks_.end(), [](const auto & clock) { return clock->get_clock_type() == RCL_ROS_TIME; });
  }

  /// Change between system time and the time of the last message.
  void override_clocks(bool simulated) {
    std::lock_guard<std::mutex> guard(clocks_mutex_);
    if (std::exchange(simulated_, simulated) == simulated) { return; }
    for (const auto & clock : clocks_) { set_override(*clock, last_time_, simulated_); }
  }

  void simulate(bool simulated) {
    override_clocks(simulated);
    simulated ? create_clock_subscription() : destroy_clock_subscription();
  }

  void on_parameter_event(const rcl_interfaces::msg::ParameterEvent & event) {
    if (event.node != node_base_->get_fully_qualified_name()) { return; }
    for (const auto * list : {&event.new_parameters, &event.changed_parameters}) {
      for (const auto & parameter : *list) {
        if (parameter.name != kParameterName) { continue; }
        if (parameter.value.type == ParameterType::PARAMETER_BOOL) {
          simulate(parameter.value.bool_value);
        } else {
          RCLCPP_ERROR(logger_, "%s parameter cannot be set to anything but a bool", kParameterName);
        }
      }
    }
    for (const auto & parameter : event.deleted_parameters) {
      if (parameter.name == kParameterName) { simulate(false); }
    }
  }

  void on_clock(const builtin_interfaces::msg::Time & time) {
    if (time.sec < 0) {
      RCLCPP_ERROR_ONCE(logger_, "ignoring messages on /clock with negative time");
      return;
    }
    std::lock_guard<std::mutex> guard(clocks_mutex_);
    last_time_ = Time(time).nanoseconds();
    if (!simulated_) { return; }
    for (const auto & clock : clocks_) { set_override(*clock, last_time_, true); }
  }

  void create_clock_subscription() {
    std::lock_guard<std::mutex> guard(subscription_mutex_);
    if (clock_subscription_) { return; }
    SubscriptionOptions options;
    options.qos_overriding_options = QosOverridingOptions(
      {QosPolicyKind::Depth, QosPolicyKind::Durability, QosPolicyKind::History, QosPolicyKind::Reliability});
    if (use_clock_thread_) {
      clock_group_ = node_base_->create_callback_group(CallbackGroupType::MutuallyExclusive, false);
      options.callback_group = clock_group_;
    }
    clock_subscription_ = create_subscription<rosgraph_msgs::msg::Clock>(
      node_parameters_, node_topics_, "/clock", qos_,
      [weak_this = weak_from_this()](const std::shared_ptr<const rosgraph_msgs::msg::Clock> message) {
        // The state outlives its thread, so that it can be reached as long as messages come.
        if (auto self = weak_this.lock()) { self->on_clock(message->clock); }
      },
      options);
    if (!use_clock_thread_) { return; }
    ExecutorOptions executor_options;
    executor_options.context = node_base_->get_context();
    clock_executor_ = std::make_shared<executors::SingleThreadedExecutor>(executor_options);
    clock_executor_->add_callback_group(clock_group_, node_base_);
    stop_clock_thread_ = std::promise<void>{};
    clock_thread_ = std::thread([executor = clock_executor_, stop = stop_clock_thread_.get_future().share()]() {
      executor->spin_until_future_complete(stop);
    });
  }

  void destroy_clock_subscription() {
    std::lock_guard<std::mutex> guard(subscription_mutex_);
    if (clock_thread_.joinable()) {
      stop_clock_thread_.set_value();
      clock_executor_->cancel();
      const bool in_own_thread = clock_thread_.get_id() == std::this_thread::get_id();
      in_own_thread ? clock_thread_.detach() : clock_thread_.join();
      clock_executor_->remove_callback_group(clock_group_);
    }
    clock_executor_.reset();
    clock_subscription_.reset();
    clock_group_.reset();
  }

  const QoS qos_;
  Logger logger_{get_logger("rclcpp")};

  std::mutex clocks_mutex_;
  std::vector<Clock::SharedPtr> clocks_;
  bool simulated_{false};
  rcl_time_point_value_t last_time_{0};

  node_interfaces::NodeBaseInterface::SharedPtr node_base_;
  node_interfaces::NodeTopicsInterface::SharedPtr node_topics_;
  node_interfaces::NodeParametersInterface::SharedPtr node_parameters_;
  node_interfaces::OnSetParametersCallbackHandle::SharedPtr on_set_handle_;
  std::shared_ptr<SubscriptionBase> parameter_subscription_;

  std::mutex subscription_mutex_;
  std::shared_ptr<SubscriptionBase> clock_subscription_;
  CallbackGroup::SharedPtr clock_group_;
  executors::SingleThreadedExecutor::SharedPtr clock_executor_;
  std::promise<void> stop_clock_thread_;
  std::thread clock_thread_;
};

TimeSource::TimeSource(std::shared_ptr<Node> node, const QoS & qos, bool use_clock_thread)
: TimeSource(qos, use_clock_thread) {
  attachNode(std::move(node));
}

TimeSource::TimeSource(const QoS & qos, bool use_clock_thread)
: node_state_(std::make_shared<NodeState>(qos, use_clock_thread)),
  constructed_use_clock_thread_(use_clock_thread),
  constructed_qos_(qos) {}

TimeSource::~TimeSource() {
  if (node_state_) { node_state_->detach_node(); }
}

void TimeSource::attachNode(std::shared_ptr<Node> node) {
  set_use_clock_thread(node->get_node_options().use_clock_thread());
  attachNode(node->get_node_base_interface(), node->get_node_topics_interface(), nullptr, nullptr,
    node->get_node_logging_interface(), nullptr, node->get_node_parameters_interface());
}

void TimeSource::attachNode(node_interfaces::NodeBaseInterface::SharedPtr node_base,
  node_interfaces::NodeTopicsInterface::SharedPtr node_topics, node_interfaces::NodeGraphInterface::SharedPtr,
  node_interfaces::NodeServicesInterface::SharedPtr, node_interfaces::NodeLoggingInterface::SharedPtr node_logging,
  node_interfaces::NodeClockInterface::SharedPtr, node_interfaces::NodeParametersInterface::SharedPtr node_parameters) {
  node_state_->attach_node(node_base, node_topics, node_logging->get_logger(), node_parameters);
}

void TimeSource::detachNode() {
  node_state_->detach_node();
  node_state_ = std::make_shared<NodeState>(constructed_qos_, constructed_use_clock_thread_);
}

void TimeSource::attachClock(std::shared_ptr<Clock> clock) { node_state_->attach_clock(clock); }

void TimeSource::detachClock(std::shared_ptr<Clock> clock) { node_state_->detach_clock(clock); }

bool TimeSource::get_use_clock_thread() { return node_state_->use_clock_thread_; }

void TimeSource::set_use_clock_thread(bool use_clock_thread) { node_state_->use_clock_thread_ = use_clock_thread; }

bool TimeSource::clock_thread_is_joinable() { return node_state_->clock_thread_is_joinable(); }

}  // namespace rclcpp
