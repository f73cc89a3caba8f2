#pragma once

namespace rclcpp {
namespace parameter_service_names {

// Appended to the name of the node.
inline constexpr const char * get_parameters = "get_parameters";
inline constexpr const char * get_parameter_types = "get_parameter_types";
inline constexpr const char * set_parameters = "set_parameters";
inline constexpr const char * set_parameters_atomically = "set_parameters_atomically";
inline constexpr const char * describe_parameters = "describe_parameters";
inline constexpr const char * list_parameters = "list_parameters";

}  // namespace parameter_service_names
}  // namespace rclcpp
