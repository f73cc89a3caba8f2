// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/node_interfaces/node_type_descriptions.hpp"

#include "../quiet_service.hpp"
#include "../rcl_check.hpp"
#include "type_description_interfaces/srv/get_type_description.h"

namespace rclcpp::detail {

/// rcl answers the request in terms of C messages, so this is a service of C messages.
struct GetTypeDescriptionC {
  using Request = type_description_interfaces__srv__GetTypeDescription_Request;
  using Response = type_description_interfaces__srv__GetTypeDescription_Response;
  using Event = type_description_interfaces__srv__GetTypeDescription_Event;
};

}  // namespace rclcpp::detail

namespace rosidl_typesupport_cpp {

template <>
const rosidl_service_type_support_t * get_service_type_support_handle<rclcpp::detail::GetTypeDescriptionC>() {
  return ROSIDL_GET_SRV_TYPE_SUPPORT(type_description_interfaces, srv, GetTypeDescription);
}

}  // namespace rosidl_typesupport_cpp

namespace rclcpp::node_interfaces {

namespace {

using ServiceT = rclcpp::detail::GetTypeDescriptionC;

/// A C message must be initialised before use and finalised after.
class TypeDescriptionService : public Service<ServiceT> {
public:
  using Service<ServiceT>::Service;

  std::shared_ptr<void> create_request() override {
    return std::shared_ptr<ServiceT::Request>(type_description_interfaces__srv__GetTypeDescription_Request__create(),
      type_description_interfaces__srv__GetTypeDescription_Request__destroy);
  }

  void handle_request(std::shared_ptr<rmw_request_id_t> request_header, std::shared_ptr<void> request) override {
    // rcl initialises the response itself.
    ServiceT::Response response{};
    rcl_node_type_description_service_handle_request(
      get_rcl_node_handle(), request_header.get(), static_cast<ServiceT::Request *>(request.get()), &response);
    send_response(*request_header, response);
    type_description_interfaces__srv__GetTypeDescription_Response__fini(&response);
  }
};

bool is_wanted(NodeParametersInterface & parameters) {
  const std::string name = "start_type_description_service";
  if (!parameters.has_parameter(name)) {
    rcl_interfaces::msg::ParameterDescriptor descriptor;
    descriptor.name = name;
    descriptor.type = ParameterType::PARAMETER_BOOL;
    descriptor.description = "Start the ~/get_type_description service for this node.";
    descriptor.read_only = true;
    parameters.declare_parameter(name, ParameterValue(true), descriptor);
  }
  return parameters.get_parameter(name).get_value<bool>();
}

}  // namespace

NodeTypeDescriptions::NodeTypeDescriptions(NodeBaseInterface::SharedPtr node_base, NodeLoggingInterface::SharedPtr,
  NodeParametersInterface::SharedPtr node_parameters, NodeServicesInterface::SharedPtr node_services) {
  if (!is_wanted(*node_parameters)) { return; }
  auto node_handle = node_base->get_shared_rcl_node_handle();
  auto handle = std::make_unique<rcl_service_t>(rcl_get_zero_initialized_service());
  rclcpp::detail::check(rcl_node_type_description_service_init(handle.get(), node_handle.get()),
    "Failed to initialize ~/get_type_description service");
  std::shared_ptr<rcl_service_t> service_handle(handle.release(), [node_handle](rcl_service_t * service) {
    rclcpp::detail::log_failure(
      rcl_service_fini(service, node_handle.get()), "Error in destruction of rcl service handle");
    delete service;
  });
  service_ = std::make_shared<TypeDescriptionService>(node_handle, service_handle, AnyServiceCallback<ServiceT>());
  rclcpp::detail::QuietService::quiet(*service_) = true;
  node_services->add_service(service_, nullptr);
}

}  // namespace rclcpp::node_interfaces
