// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <list>

#include "rcl_interfaces/msg/parameter_event.hpp"
#include "rclcpp/node_interfaces/node_clock_interface.hpp"
#include "rclcpp/node_interfaces/node_logging_interface.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"
#include "rclcpp/parameter_service.hpp"

namespace rclcpp::node_interfaces {

/// A declared parameter: its present value and how it may be changed.
struct ParameterInfo {
  ParameterValue value;
  rcl_interfaces::msg::ParameterDescriptor descriptor;
};

/// Implementation of the parameter part of a node.
class NodeParameters : public NodeParametersInterface {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeParameters)

  NodeParameters(const NodeBaseInterface::SharedPtr node_base, const NodeLoggingInterface::SharedPtr node_logging,
    const NodeTopicsInterface::SharedPtr node_topics, const NodeServicesInterface::SharedPtr node_services,
    const NodeClockInterface::SharedPtr node_clock, const std::vector<Parameter> & parameter_overrides,
    bool start_parameter_services, bool start_parameter_event_publisher, const QoS & parameter_event_qos,
    const PublisherOptionsBase & parameter_event_publisher_options, bool allow_undeclared_parameters,
    bool automatically_declare_parameters_from_overrides);

  const ParameterValue & declare_parameter(const std::string & name, const ParameterValue & default_value,
    const Descriptor & parameter_descriptor = Descriptor(), bool ignore_override = false) override {
    return declare(name, PARAMETER_NOT_SET, default_value, parameter_descriptor, ignore_override);
  }
  const ParameterValue & declare_parameter(const std::string & name, ParameterType type,
    const Descriptor & parameter_descriptor = Descriptor(), bool ignore_override = false) override;
  void undeclare_parameter(const std::string & name) override;
  bool has_parameter(const std::string & name) const override;
  std::vector<SetResult> set_parameters(const std::vector<Parameter> & parameters) override;
  SetResult set_parameters_atomically(const std::vector<Parameter> & parameters) override;
  std::vector<Parameter> get_parameters(const Names & names) const override {
    return for_each<Parameter>(names, [this](const std::string & name) { return get_parameter(name); });
  }
  Parameter get_parameter(const std::string & name) const override;
  bool get_parameter(const std::string & name, Parameter & parameter) const override;
  bool get_parameters_by_prefix(
    const std::string & prefix, std::map<std::string, Parameter> & parameters) const override;
  std::vector<Descriptor> describe_parameters(const Names & names) const override {
    return for_each<Descriptor>(names, [this](const std::string & name) { return find_or_unset(name).descriptor; });
  }
  std::vector<uint8_t> get_parameter_types(const Names & names) const override {
    return for_each<uint8_t>(names, [this](const std::string & name) { return find_or_unset(name).value.get_type(); });
  }
  ListResult list_parameters(const Names & prefixes, uint64_t depth) const override;

  using PreSetCallbacksHandleContainer = std::list<PreSetParametersCallbackHandle::WeakPtr>;
  using OnSetCallbacksHandleContainer = std::list<OnSetParametersCallbackHandle::WeakPtr>;
  using PostSetCallbacksHandleContainer = std::list<PostSetParametersCallbackHandle::WeakPtr>;

  PreSetParametersCallbackHandle::SharedPtr add_pre_set_parameters_callback(
    PreSetParametersCallbackType callback) override {
    return add_handle(pre_set_callbacks_, callback);
  }
  OnSetParametersCallbackHandle::SharedPtr add_on_set_parameters_callback(
    OnSetParametersCallbackType callback) override {
    return add_handle(on_set_callbacks_, callback);
  }
  PostSetParametersCallbackHandle::SharedPtr add_post_set_parameters_callback(
    PostSetParametersCallbackType callback) override {
    return add_handle(post_set_callbacks_, callback);
  }
  void remove_pre_set_parameters_callback(const PreSetParametersCallbackHandle * const handler) override {
    remove_handle(pre_set_callbacks_, handler, "Pre");
  }
  void remove_on_set_parameters_callback(const OnSetParametersCallbackHandle * const handler) override {
    remove_handle(on_set_callbacks_, handler, "On");
  }
  void remove_post_set_parameters_callback(const PostSetParametersCallbackHandle * const handler) override {
    remove_handle(post_set_callbacks_, handler, "Post");
  }
  const std::map<std::string, ParameterValue> & get_parameter_overrides() const override {
    return parameter_overrides_;
  }

protected:
  void perform_automatically_declare_parameters_from_overrides();

private:
  // Forbids changes of parameters and callbacks from within a callback.
  struct Mutation {
    explicit Mutation(NodeParameters & node);
    ~Mutation() { enabled_ = true; }

    std::lock_guard<std::recursive_mutex> lock_;
    bool & enabled_;
  };

  template <typename HandleT, typename CallbackT>
  std::shared_ptr<HandleT> add_handle(std::list<std::weak_ptr<HandleT>> & handles, CallbackT & callback) {
    Mutation mutation(*this);
    auto handle = std::make_shared<HandleT>();
    handle->callback = std::move(callback);
    // The callback registered last is called first.
    handles.emplace_front(handle);
    return handle;
  }

  template <typename HandleT>
  void remove_handle(std::list<std::weak_ptr<HandleT>> & handles, const HandleT * handle, const char * kind) {
    Mutation mutation(*this);
    const auto found =
      std::find_if(handles.begin(), handles.end(), [handle](const auto & weak) { return weak.lock().get() == handle; });
    if (found == handles.end()) {
      throw std::runtime_error(std::string(kind) + " set parameter callback doesn't exist");
    }
    handles.erase(found);
  }

  template <typename ResultT, typename FunctionT>
  std::vector<ResultT> for_each(const Names & names, FunctionT function) const {
    std::lock_guard lock(mutex_);
    std::vector<ResultT> results;
    std::transform(names.begin(), names.end(), std::back_inserter(results), function);
    return results;
  }

  const ParameterValue & declare(const std::string & name, ParameterType type, const ParameterValue & default_value,
    Descriptor descriptor, bool ignore_override);
  SetResult check_and_store(const std::vector<Parameter> & parameters, std::map<std::string, ParameterInfo> & declared);
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
  std::map<std::string, ParameterValue> parameter_overrides_;

  std::string combined_name_;
  NodeClockInterface::SharedPtr node_clock_;
  Publisher<rcl_interfaces::msg::ParameterEvent>::SharedPtr events_publisher_;
  std::shared_ptr<ParameterService> parameter_service_;
};

}  // namespace rclcpp::node_interfaces
