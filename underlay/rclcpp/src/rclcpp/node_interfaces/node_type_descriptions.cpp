#include "rclcpp/node_interfaces/node_type_descriptions.hpp"

#include <memory>
#include <string>

#include "rcl/node.h"
#include "rclcpp/any_service_callback.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/service.hpp"
#include "type_description_interfaces/srv/get_type_description.h"

namespace rclcpp
{
namespace detail
{

/// rcl answers the request in terms of C messages, so this is a service of C messages.
struct GetTypeDescriptionC
{
  using Request = type_description_interfaces__srv__GetTypeDescription_Request;
  using Response = type_description_interfaces__srv__GetTypeDescription_Response;
  using Event = type_description_interfaces__srv__GetTypeDescription_Event;
};

}  // namespace detail
}  // namespace rclcpp

namespace rosidl_typesupport_cpp
{

template<>
const rosidl_service_type_support_t *
get_service_type_support_handle<rclcpp::detail::GetTypeDescriptionC>()
{
  return ROSIDL_GET_SRV_TYPE_SUPPORT(type_description_interfaces, srv, GetTypeDescription);
}

}  // namespace rosidl_typesupport_cpp

namespace rclcpp
{
namespace node_interfaces
{

namespace
{

using ServiceT = rclcpp::detail::GetTypeDescriptionC;

/// A C message must be initialised before use and finalised after.
class TypeDescriptionService : public rclcpp::Service<ServiceT>
{
public:
  using rclcpp::Service<ServiceT>::Service;

  std::shared_ptr<void> create_request() override
  {
    return std::shared_ptr<ServiceT::Request>(
      type_description_interfaces__srv__GetTypeDescription_Request__create(),
      type_description_interfaces__srv__GetTypeDescription_Request__destroy);
  }

  void handle_request(
    std::shared_ptr<rmw_request_id_t> request_header, std::shared_ptr<void> request) override
  {
    // rcl initialises the response itself.
    ServiceT::Response response{};
    rcl_node_type_description_service_handle_request(
      get_rcl_node_handle(), request_header.get(),
      static_cast<ServiceT::Request *>(request.get()), &response);
    send_response(*request_header, response);
    type_description_interfaces__srv__GetTypeDescription_Response__fini(&response);
  }
};

bool declare_start_parameter(NodeParametersInterface & parameters)
{
  const std::string name = "start_type_description_service";
  if (!parameters.has_parameter(name)) {
    rcl_interfaces::msg::ParameterDescriptor descriptor;
    descriptor.name = name;
    descriptor.type = rclcpp::ParameterType::PARAMETER_BOOL;
    descriptor.description = "Start the ~/get_type_description service for this node.";
    descriptor.read_only = true;
    parameters.declare_parameter(name, rclcpp::ParameterValue(true), descriptor);
  }
  return parameters.get_parameter(name).get_value<bool>();
}

}  // namespace

class NodeTypeDescriptions::NodeTypeDescriptionsImpl
{
public:
  std::shared_ptr<TypeDescriptionService> service;
};

NodeTypeDescriptions::NodeTypeDescriptions(
  NodeBaseInterface::SharedPtr node_base, NodeLoggingInterface::SharedPtr node_logging,
  NodeParametersInterface::SharedPtr node_parameters,
  NodeServicesInterface::SharedPtr node_services)
: impl_(new NodeTypeDescriptionsImpl)
{
  try {
    if (!declare_start_parameter(*node_parameters)) {
      return;
    }
  } catch (const exceptions::InvalidParameterTypeException & exc) {
    RCLCPP_ERROR(node_logging->get_logger(), "%s", exc.what());
    throw;
  }
  auto node_handle = node_base->get_shared_rcl_node_handle();
  auto handle = std::make_unique<rcl_service_t>(rcl_get_zero_initialized_service());
  const rcl_ret_t ret = rcl_node_type_description_service_init(handle.get(), node_handle.get());
  if (ret != RCL_RET_OK) {
    RCLCPP_ERROR(
      node_logging->get_logger(), "Failed to initialize ~/get_type_description service: %s",
      rcl_get_error_string().str);
    exceptions::throw_from_rcl_error(
      ret, "Failed to initialize ~/get_type_description service");
  }
  std::shared_ptr<rcl_service_t> service_handle(
    handle.release(), [node_handle](rcl_service_t * service) {
      if (rcl_service_fini(service, node_handle.get()) != RCL_RET_OK) {
        RCUTILS_LOG_ERROR_NAMED(
          "rclcpp", "Error in destruction of rcl service handle: %s",
          rcl_get_error_string().str);
        rcl_reset_error();
      }
      delete service;
    });
  impl_->service = std::make_shared<TypeDescriptionService>(
    node_handle, service_handle, rclcpp::AnyServiceCallback<ServiceT>());
  node_services->add_service(impl_->service, nullptr);
}

NodeTypeDescriptions::~NodeTypeDescriptions() = default;

}  // namespace node_interfaces
}  // namespace rclcpp
