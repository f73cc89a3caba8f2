// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <typeinfo>

#include "rclcpp/guard_condition.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/waitable.hpp"

namespace rclcpp::experimental {

/// The receiving end of intra-process communication, as executors and the manager see it.
class SubscriptionIntraProcessBase : public Waitable {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(SubscriptionIntraProcessBase)

  enum class EntityType : std::size_t { Subscription };

  SubscriptionIntraProcessBase(Context::SharedPtr context, const std::string & topic_name, const QoS & qos_profile)
  : topic_name_(topic_name), qos_profile_(qos_profile), gc_(context) {}

  size_t get_number_of_ready_guard_conditions() override { return 1; }
  void add_to_wait_set(rcl_wait_set_t & wait_set) override;

  /// True: readers share one message. False: each owner gets a message of its own.
  virtual bool use_take_shared_method() const = 0;
  virtual size_t available_capacity() const = 0;

  bool is_durability_transient_local() const { return qos_profile_.durability() == DurabilityPolicy::TransientLocal; }
  const char * get_topic_name() const { return topic_name_.c_str(); }
  QoS get_actual_qos() const { return qos_profile_; }

  void set_on_ready_callback(std::function<void(size_t, int)> callback) override;
  void clear_on_ready_callback() override;

protected:
  friend class IntraProcessManager;

  /// The type that hands over messages; equal types may be cast without a dynamic_cast.
  virtual const std::type_info & buffer_type() const = 0;

  /// After a message was put into the buffer: wake whoever serves this subscription.
  void notify();

private:
  std::string topic_name_;
  QoS qos_profile_;
  GuardCondition gc_;
  std::recursive_mutex callback_mutex_;
  std::function<void(size_t)> on_new_message_callback_{nullptr};
};

}  // namespace rclcpp::experimental
