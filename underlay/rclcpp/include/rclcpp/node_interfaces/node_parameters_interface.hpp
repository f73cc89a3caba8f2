#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rcl_interfaces/msg/list_parameters_result.hpp"
#include "rcl_interfaces/msg/parameter_descriptor.hpp"
#include "rcl_interfaces/msg/set_parameters_result.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/detail/node_interfaces_helpers.hpp"
#include "rclcpp/parameter.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {
namespace node_interfaces {

/// Keeps a callback registered that may change the list of parameters about to be set.
struct PreSetParametersCallbackHandle {
  RCLCPP_SMART_PTR_DEFINITIONS(PreSetParametersCallbackHandle)

  using PreSetParametersCallbackType = std::function<void(std::vector<rclcpp::Parameter> &)>;

  PreSetParametersCallbackType callback;
};

/// Keeps a callback registered that may refuse the parameters about to be set.
struct OnSetParametersCallbackHandle {
  RCLCPP_SMART_PTR_DEFINITIONS(OnSetParametersCallbackHandle)

  using OnSetParametersCallbackType =
    std::function<rcl_interfaces::msg::SetParametersResult(const std::vector<rclcpp::Parameter> &)>;

  OnSetParametersCallbackType callback;
};

/// Keeps a callback registered that is told of parameters that have been set.
struct PostSetParametersCallbackHandle {
  RCLCPP_SMART_PTR_DEFINITIONS(PostSetParametersCallbackHandle)

  using PostSetParametersCallbackType = std::function<void(const std::vector<rclcpp::Parameter> &)>;

  PostSetParametersCallbackType callback;
};

/// The parameter part of a node.
class NodeParametersInterface {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeParametersInterface)

  using PreSetParametersCallbackType = PreSetParametersCallbackHandle::PreSetParametersCallbackType;
  using OnSetParametersCallbackType = OnSetParametersCallbackHandle::OnSetParametersCallbackType;
  using PostSetParametersCallbackType = PostSetParametersCallbackHandle::PostSetParametersCallbackType;

  virtual ~NodeParametersInterface() = default;

  virtual const rclcpp::ParameterValue & declare_parameter(const std::string & name,
    const rclcpp::ParameterValue & default_value,
    const rcl_interfaces::msg::ParameterDescriptor & parameter_descriptor = rcl_interfaces::msg::ParameterDescriptor(),
    bool ignore_override = false) = 0;

  virtual const rclcpp::ParameterValue & declare_parameter(const std::string & name, rclcpp::ParameterType type,
    const rcl_interfaces::msg::ParameterDescriptor & parameter_descriptor = rcl_interfaces::msg::ParameterDescriptor(),
    bool ignore_override = false) = 0;

  virtual void undeclare_parameter(const std::string & name) = 0;

  virtual bool has_parameter(const std::string & name) const = 0;

  virtual std::vector<rcl_interfaces::msg::SetParametersResult> set_parameters(
    const std::vector<rclcpp::Parameter> & parameters) = 0;

  virtual rcl_interfaces::msg::SetParametersResult set_parameters_atomically(
    const std::vector<rclcpp::Parameter> & parameters) = 0;

  virtual std::vector<rclcpp::Parameter> get_parameters(const std::vector<std::string> & names) const = 0;

  virtual rclcpp::Parameter get_parameter(const std::string & name) const = 0;

  virtual bool get_parameter(const std::string & name, rclcpp::Parameter & parameter) const = 0;

  virtual bool get_parameters_by_prefix(
    const std::string & prefix, std::map<std::string, rclcpp::Parameter> & parameters) const = 0;

  virtual std::vector<rcl_interfaces::msg::ParameterDescriptor> describe_parameters(
    const std::vector<std::string> & names) const = 0;

  virtual std::vector<uint8_t> get_parameter_types(const std::vector<std::string> & names) const = 0;

  virtual rcl_interfaces::msg::ListParametersResult list_parameters(
    const std::vector<std::string> & prefixes, uint64_t depth) const = 0;

  virtual PreSetParametersCallbackHandle::SharedPtr add_pre_set_parameters_callback(
    PreSetParametersCallbackType callback) = 0;

  virtual OnSetParametersCallbackHandle::SharedPtr add_on_set_parameters_callback(
    OnSetParametersCallbackType callback) = 0;

  virtual PostSetParametersCallbackHandle::SharedPtr add_post_set_parameters_callback(
    PostSetParametersCallbackType callback) = 0;

  virtual void remove_pre_set_parameters_callback(const PreSetParametersCallbackHandle * const handler) = 0;

  virtual void remove_on_set_parameters_callback(const OnSetParametersCallbackHandle * const handler) = 0;

  virtual void remove_post_set_parameters_callback(const PostSetParametersCallbackHandle * const handler) = 0;

  virtual const std::map<std::string, rclcpp::ParameterValue> & get_parameter_overrides() const = 0;
};

}  // namespace node_interfaces
}  // namespace rclcpp

RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(rclcpp::node_interfaces::NodeParametersInterface, parameters)
