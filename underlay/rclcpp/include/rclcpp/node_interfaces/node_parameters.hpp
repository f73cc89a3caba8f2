#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rcl_interfaces/msg/parameter_event.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_clock_interface.hpp"
#include "rclcpp/node_interfaces/node_logging_interface.hpp"
#include "rclcpp/node_interfaces/node_parameters_interface.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"
#include "rclcpp/parameter.hpp"
#include "rclcpp/parameter_service.hpp"
#include "rclcpp/publisher.hpp"
#include "rclcpp/publisher_options.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {
namespace node_interfaces {

/// A declared parameter: its present value and how it may be changed.
struct ParameterInfo {
  rclcpp::ParameterValue value;
  rcl_interfaces::msg::ParameterDescriptor descriptor;
};

/// Implementation of the parameter part of a node.
class NodeParameters : public NodeParametersInterface {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeParameters)

  NodeParameters(const node_interfaces::NodeBaseInterface::SharedPtr node_base,
    const node_interfaces::NodeLoggingInterface::SharedPtr node_logging,
    const node_interfaces::NodeTopicsInterface::SharedPtr node_topics,
    const node_interfaces::NodeServicesInterface::SharedPtr node_services,
    const node_interfaces::NodeClockInterface::SharedPtr node_clock, const std::vector<Parameter> & parameter_overrides,
    bool start_parameter_services, bool start_parameter_event_publisher, const rclcpp::QoS & parameter_event_qos,
    const rclcpp::PublisherOptionsBase & parameter_event_publisher_options, bool allow_undeclared_parameters,
    bool automatically_declare_parameters_from_overrides);

  virtual ~NodeParameters();

  const rclcpp::ParameterValue & declare_parameter(const std::string & name,
    const rclcpp::ParameterValue & default_value,
    const rcl_interfaces::msg::ParameterDescriptor & parameter_descriptor = rcl_interfaces::msg::ParameterDescriptor{},
    bool ignore_override = false) override;

  const rclcpp::ParameterValue & declare_parameter(const std::string & name, rclcpp::ParameterType type,
    const rcl_interfaces::msg::ParameterDescriptor & parameter_descriptor = rcl_interfaces::msg::ParameterDescriptor(),
    bool ignore_override = false) override;

  void undeclare_parameter(const std::string & name) override;

  bool has_parameter(const std::string & name) const override;

  std::vector<rcl_interfaces::msg::SetParametersResult> set_parameters(
    const std::vector<rclcpp::Parameter> & parameters) override;

  rcl_interfaces::msg::SetParametersResult set_parameters_atomically(
    const std::vector<rclcpp::Parameter> & parameters) override;

  std::vector<rclcpp::Parameter> get_parameters(const std::vector<std::string> & names) const override;

  rclcpp::Parameter get_parameter(const std::string & name) const override;

  bool get_parameter(const std::string & name, rclcpp::Parameter & parameter) const override;

  bool get_parameters_by_prefix(
    const std::string & prefix, std::map<std::string, rclcpp::Parameter> & parameters) const override;

  std::vector<rcl_interfaces::msg::ParameterDescriptor> describe_parameters(
    const std::vector<std::string> & names) const override;

  std::vector<uint8_t> get_parameter_types(const std::vector<std::string> & names) const override;

  rcl_interfaces::msg::ListParametersResult list_parameters(
    const std::vector<std::string> & prefixes, uint64_t depth) const override;

  PreSetParametersCallbackHandle::SharedPtr add_pre_set_parameters_callback(
    PreSetParametersCallbackType callback) override;

  OnSetParametersCallbackHandle::SharedPtr add_on_set_parameters_callback(
    OnSetParametersCallbackType callback) override;

  PostSetParametersCallbackHandle::SharedPtr add_post_set_parameters_callback(
    PostSetParametersCallbackType callback) override;

  void remove_pre_set_parameters_callback(const PreSetParametersCallbackHandle * const handler) override;

  void remove_on_set_parameters_callback(const OnSetParametersCallbackHandle * const handler) override;

  void remove_post_set_parameters_callback(const PostSetParametersCallbackHandle * const handler) override;

  const std::map<std::string, rclcpp::ParameterValue> & get_parameter_overrides() const override;

  using PreSetCallbacksHandleContainer = std::list<PreSetParametersCallbackHandle::WeakPtr>;
  using OnSetCallbacksHandleContainer = std::list<OnSetParametersCallbackHandle::WeakPtr>;
  using PostSetCallbacksHandleContainer = std::list<PostSetParametersCallbackHandle::WeakPtr>;
  using CallbacksContainerType [[deprecated("use OnSetCallbacksHandleContainer instead")]] =
    OnSetCallbacksHandleContainer;

protected:
  void perform_automatically_declare_parameters_from_overrides();

private:
  RCLCPP_DISABLE_COPY(NodeParameters)

  const rclcpp::ParameterValue & declare(const std::string & name, rclcpp::ParameterType type,
    const rclcpp::ParameterValue & default_value, rcl_interfaces::msg::ParameterDescriptor descriptor,
    bool ignore_override);

  rcl_interfaces::msg::SetParametersResult check_and_store(
    const std::vector<rclcpp::Parameter> & parameters, std::map<std::string, ParameterInfo> & infos);

  ParameterInfo find_or_unset(const std::string & name) const;

  void publish_event(rcl_interfaces::msg::ParameterEvent & event);

  // Recursive, since callbacks may read parameters while one is being set.
  mutable std::recursive_mutex mutex_;
  bool modification_enabled_{true};
  const bool allow_undeclared_;

  PreSetCallbacksHandleContainer pre_set_callbacks_;
  OnSetCallbacksHandleContainer on_set_callbacks_;
  PostSetCallbacksHandleContainer post_set_callbacks_;

  std::map<std::string, ParameterInfo> parameters_;
  std::map<std::string, rclcpp::ParameterValue> parameter_overrides_;

  std::string combined_name_;
  node_interfaces::NodeLoggingInterface::SharedPtr node_logging_;
  node_interfaces::NodeClockInterface::SharedPtr node_clock_;
  rclcpp::Publisher<rcl_interfaces::msg::ParameterEvent>::SharedPtr events_publisher_;
  std::shared_ptr<ParameterService> parameter_service_;
};

}  // namespace node_interfaces
}  // namespace rclcpp
