#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <typeinfo>

#include "rcl/wait.h"
#include "rclcpp/guard_condition.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/visibility_control.hpp"
#include "rclcpp/waitable.hpp"

namespace rclcpp
{
namespace experimental
{

/// The receiving end of intra-process communication, as executors and the manager see it.
class SubscriptionIntraProcessBase : public rclcpp::Waitable
{
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(SubscriptionIntraProcessBase)

  enum class EntityType : std::size_t
  {
    Subscription,
  };

  RCLCPP_PUBLIC
  SubscriptionIntraProcessBase(
    rclcpp::Context::SharedPtr context, const std::string & topic_name,
    const rclcpp::QoS & qos_profile);
  RCLCPP_PUBLIC
  ~SubscriptionIntraProcessBase() override;

  RCLCPP_PUBLIC
  size_t get_number_of_ready_guard_conditions() override {return 1;}
  RCLCPP_PUBLIC
  void add_to_wait_set(rcl_wait_set_t & wait_set) override;

  /// True: readers share one message. False: each owner gets a message of its own.
  virtual bool use_take_shared_method() const = 0;
  virtual size_t available_capacity() const = 0;

  RCLCPP_PUBLIC
  bool is_durability_transient_local() const;
  RCLCPP_PUBLIC
  const char * get_topic_name() const;
  RCLCPP_PUBLIC
  rclcpp::QoS get_actual_qos() const;

  RCLCPP_PUBLIC
  void set_on_ready_callback(std::function<void(size_t, int)> callback) override;
  RCLCPP_PUBLIC
  void clear_on_ready_callback() override;

protected:
  friend class IntraProcessManager;

  /// The type that hands over messages; equal types may be cast without a dynamic_cast.
  virtual const std::type_info & buffer_type() const = 0;
  virtual bool has_data() const = 0;

  /// After a message was put into the buffer: wake whoever serves this subscription.
  RCLCPP_PUBLIC
  void notify();

private:
  std::string topic_name_;
  rclcpp::QoS qos_profile_;
  rclcpp::GuardCondition gc_;
  std::recursive_mutex callback_mutex_;
  std::function<void(size_t)> on_new_message_callback_{nullptr};
};

}  // namespace experimental
}  // namespace rclcpp
