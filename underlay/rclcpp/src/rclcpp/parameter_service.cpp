// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/parameter_service.hpp"

#include "quiet_service.hpp"
#include "rclcpp/create_service.hpp"
#include "rclcpp/parameter_client.hpp"

namespace rclcpp {

namespace {

namespace srv = rcl_interfaces::srv;

// Runs a request; what a remote caller asked wrongly is logged and answered, not thrown.
template <typename WorkT> std::string serve(const char * what, WorkT && work) {
  const Logger logger = get_logger("rclcpp");
  const auto refuse = [&](const std::exception & ex, bool expected) -> std::string {
    RCLCPP_DEBUG_EXPRESSION(logger, expected, "Failed to %s: %s", what, ex.what());
    RCLCPP_WARN_EXPRESSION(logger, !expected, "Failed to %s: %s", what, ex.what());
    return ex.what();
  };
  try {
    work();
    return "";
  } catch (const exceptions::ParameterNotDeclaredException & ex) {
    return refuse(ex, true);
  } catch (const exceptions::ParameterUninitializedException & ex) {
    return refuse(ex, true);
  } catch (const exceptions::InvalidParametersException & ex) {
    return refuse(ex, false);
  } catch (const exceptions::UnknownTypeError & ex) { return refuse(ex, false); }
}

}  // namespace

ParameterService::ParameterService(const std::shared_ptr<node_interfaces::NodeBaseInterface> node_base,
  const std::shared_ptr<node_interfaces::NodeServicesInterface> node_services,
  node_interfaces::NodeParametersInterface * node_params, const QoS & qos_profile) {
  // `type` only carries the type of the service.
  const auto add = [&](auto type, const char * name, auto answer) {
    using ServiceT = typename decltype(type)::element_type;
    const auto callback = [answer](const std::shared_ptr<typename ServiceT::Request> request,
                            std::shared_ptr<typename ServiceT::Response> response) { answer(*request, *response); };
    services_.push_back(create_service<ServiceT>(
      node_base, node_services, std::string(node_base->get_name()) + "/" + name, callback, qos_profile, nullptr));
    detail::QuietService::quiet(*services_.back()) = true;
  };

  add(std::shared_ptr<srv::GetParameters>(), "get_parameters", [node_params](const auto & request, auto & response) {
    serve("get parameters", [&]() {
      for (const Parameter & parameter : node_params->get_parameters(request.names)) {
        response.values.push_back(parameter.get_value_message());
      }
    });
  });
  add(std::shared_ptr<srv::GetParameterTypes>(), "get_parameter_types",
    [node_params](const auto & request, auto & response) {
      serve("get parameter types", [&]() { response.types = node_params->get_parameter_types(request.names); });
    });
  add(std::shared_ptr<srv::SetParameters>(), "set_parameters", [node_params](const auto & request, auto & response) {
    // One by one, so that one refused parameter does not keep the others from being set.
    for (const auto & parameter : request.parameters) {
      rcl_interfaces::msg::SetParametersResult result;
      const std::string failure = serve("set parameter",
        [&]() { result = node_params->set_parameters_atomically({Parameter::from_parameter_msg(parameter)}); });
      if (!failure.empty()) { result.reason = failure; }
      response.results.push_back(std::move(result));
    }
  });
  add(std::shared_ptr<srv::SetParametersAtomically>(), "set_parameters_atomically",
    [node_params](const auto & request, auto & response) {
      const std::string failure = serve("set parameters atomically", [&]() {
        std::vector<Parameter> parameters;
        for (const auto & parameter : request.parameters) {
          parameters.push_back(Parameter::from_parameter_msg(parameter));
        }
        response.result = node_params->set_parameters_atomically(parameters);
      });
      if (!failure.empty()) { response.result.reason = "One or more parameters were not declared before setting"; }
    });
  add(std::shared_ptr<srv::DescribeParameters>(), "describe_parameters",
    [node_params](const auto & request, auto & response) {
      serve("describe parameters", [&]() { response.descriptors = node_params->describe_parameters(request.names); });
    });
  add(std::shared_ptr<srv::ListParameters>(), "list_parameters", [node_params](const auto & request, auto & response) {
    response.result = node_params->list_parameters(request.prefixes, request.depth);
  });
}

}  // namespace rclcpp
