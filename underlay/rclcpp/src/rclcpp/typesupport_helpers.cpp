// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/typesupport_helpers.hpp"

#include "ament_index_cpp/get_package_prefix.hpp"

namespace rclcpp {

namespace {

struct TypeName {
  std::string package, middle, name;

  /// Of "std_msgs/msg/String" or "std_msgs/String".
  explicit TypeName(const std::string & full) {
    const size_t first = full.find_first_of('/');
    const size_t last = full.find_last_of('/');
    if (first == std::string::npos || first == 0 || last + 1 == full.size()) {
      throw std::runtime_error("Message type is not of the form package/type and cannot be processed");
    }
    package = full.substr(0, first);
    middle = first == last ? "msg" : full.substr(first + 1, last - first - 1);
    name = full.substr(last + 1);
  }
};

}  // namespace

std::shared_ptr<rcpputils::SharedLibrary> get_typesupport_library(
  const std::string & type, const std::string & typesupport_identifier) {
  const std::string package = TypeName(type).package;
  try {
    return std::make_shared<rcpputils::SharedLibrary>(
      ament_index_cpp::get_package_prefix(package) + "/lib/lib" + package + "__" + typesupport_identifier + ".so");
  } catch (const ament_index_cpp::PackageNotFoundError & exc) { throw std::runtime_error(exc.what()); }
}

const rosidl_message_type_support_t * get_message_typesupport_handle(
  const std::string & type, const std::string & typesupport_identifier, rcpputils::SharedLibrary & library) {
  const TypeName parts(type);
  const std::string symbol_name = typesupport_identifier + "__get_message_type_support_handle__" + parts.package +
                                  "__" + parts.middle + "__" + parts.name;
  if (!library.has_symbol(symbol_name)) {
    throw std::runtime_error("Something went wrong loading the typesupport library for message type " + type +
                             ": does package " + parts.package + " have a message of this name?");
  }
  using GetTypeSupport = const rosidl_message_type_support_t * (*)();
  return reinterpret_cast<GetTypeSupport>(library.get_symbol(symbol_name))();
}

}  // namespace rclcpp
