// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <map>

#include "rcl_interfaces/msg/list_parameters_result.hpp"
#include "rcl_interfaces/msg/parameter_descriptor.hpp"
#include "rcl_interfaces/msg/set_parameters_result.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/detail/node_interfaces_helpers.hpp"
#include "rclcpp/parameter.hpp"

namespace rclcpp::node_interfaces {

/// Keeps a callback registered that may change the list of parameters about to be set.
struct PreSetParametersCallbackHandle {
  RCLCPP_SMART_PTR_DEFINITIONS(PreSetParametersCallbackHandle)
  using PreSetParametersCallbackType = std::function<void(std::vector<Parameter> &)>;
  PreSetParametersCallbackType callback;
};

/// Keeps a callback registered that may refuse the parameters about to be set.
struct OnSetParametersCallbackHandle {
  RCLCPP_SMART_PTR_DEFINITIONS(OnSetParametersCallbackHandle)
  using OnSetParametersCallbackType =
    std::function<rcl_interfaces::msg::SetParametersResult(const std::vector<Parameter> &)>;
  OnSetParametersCallbackType callback;
};

/// Keeps a callback registered that is told of parameters that have been set.
struct PostSetParametersCallbackHandle {
  RCLCPP_SMART_PTR_DEFINITIONS(PostSetParametersCallbackHandle)
  using PostSetParametersCallbackType = std::function<void(const std::vector<Parameter> &)>;
  PostSetParametersCallbackType callback;
};

/// The parameter part of a node.
class NodeParametersInterface {
protected:
  using Names = std::vector<std::string>;
  using Descriptor = rcl_interfaces::msg::ParameterDescriptor;
  using SetResult = rcl_interfaces::msg::SetParametersResult;
  using ListResult = rcl_interfaces::msg::ListParametersResult;

public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeParametersInterface)

  using PreSetParametersCallbackType = PreSetParametersCallbackHandle::PreSetParametersCallbackType;
  using OnSetParametersCallbackType = OnSetParametersCallbackHandle::OnSetParametersCallbackType;
  using PostSetParametersCallbackType = PostSetParametersCallbackHandle::PostSetParametersCallbackType;

  virtual ~NodeParametersInterface() = default;

  virtual const ParameterValue & declare_parameter(const std::string & name, const ParameterValue & default_value,
    const Descriptor & parameter_descriptor = Descriptor(), bool ignore_override = false) = 0;
  virtual const ParameterValue & declare_parameter(const std::string & name, ParameterType type,
    const Descriptor & parameter_descriptor = Descriptor(), bool ignore_override = false) = 0;
  virtual void undeclare_parameter(const std::string & name) = 0;
  virtual bool has_parameter(const std::string & name) const = 0;
  virtual std::vector<SetResult> set_parameters(const std::vector<Parameter> & parameters) = 0;
  virtual SetResult set_parameters_atomically(const std::vector<Parameter> & parameters) = 0;
  virtual std::vector<Parameter> get_parameters(const Names & names) const = 0;
  virtual Parameter get_parameter(const std::string & name) const = 0;
  virtual bool get_parameter(const std::string & name, Parameter & parameter) const = 0;
  virtual bool get_parameters_by_prefix(
    const std::string & prefix, std::map<std::string, Parameter> & parameters) const = 0;
  virtual std::vector<Descriptor> describe_parameters(const Names & names) const = 0;
  virtual std::vector<uint8_t> get_parameter_types(const Names & names) const = 0;
  virtual ListResult list_parameters(const Names & prefixes, uint64_t depth) const = 0;
  virtual PreSetParametersCallbackHandle::SharedPtr add_pre_set_parameters_callback(
    PreSetParametersCallbackType callback) = 0;
  virtual OnSetParametersCallbackHandle::SharedPtr add_on_set_parameters_callback(
    OnSetParametersCallbackType callback) = 0;
  virtual PostSetParametersCallbackHandle::SharedPtr add_post_set_parameters_callback(
    PostSetParametersCallbackType callback) = 0;
  virtual void remove_pre_set_parameters_callback(const PreSetParametersCallbackHandle * const handler) = 0;
  virtual void remove_on_set_parameters_callback(const OnSetParametersCallbackHandle * const handler) = 0;
  virtual void remove_post_set_parameters_callback(const PostSetParametersCallbackHandle * const handler) = 0;
  virtual const std::map<std::string, ParameterValue> & get_parameter_overrides() const = 0;
};

}  // namespace rclcpp::node_interfaces

RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(rclcpp::node_interfaces::NodeParametersInterface, parameters)
