#include "rclcpp/qos_overriding_options.hpp"

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "rmw/qos_string_conversions.h"

namespace rclcpp
{

const char * qos_policy_kind_to_cstr(const QosPolicyKind & qpk)
{
  const char * name = rmw_qos_policy_kind_to_str(static_cast<rmw_qos_policy_kind_t>(qpk));
  if (!name) {
    throw std::invalid_argument("unknown QoS policy kind");
  }
  return name;
}

std::ostream & operator<<(std::ostream & os, const QosPolicyKind & qpk)
{
  return os << qos_policy_kind_to_cstr(qpk);
}

QosOverridingOptions::QosOverridingOptions(
  std::initializer_list<QosPolicyKind> policy_kinds, QosCallback validation_callback,
  std::string id)
: id_(std::move(id)), policy_kinds_(policy_kinds),
  validation_callback_(std::move(validation_callback))
{}

QosOverridingOptions QosOverridingOptions::with_default_policies(
  QosCallback validation_callback, std::string id)
{
  return QosOverridingOptions{
    {QosPolicyKind::History, QosPolicyKind::Depth, QosPolicyKind::Reliability},
    std::move(validation_callback), std::move(id)};
}

const std::string & QosOverridingOptions::get_id() const
{
  return id_;
}

const std::vector<QosPolicyKind> & QosOverridingOptions::get_policy_kinds() const
{
  return policy_kinds_;
}

const QosCallback & QosOverridingOptions::get_validation_callback() const
{
  return validation_callback_;
}

}  // namespace rclcpp
