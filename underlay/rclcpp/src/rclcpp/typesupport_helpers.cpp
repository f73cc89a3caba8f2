#include "rclcpp/typesupport_helpers.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>

#include "ament_index_cpp/get_package_prefix.hpp"
#include "rcpputils/find_library.hpp"
#include "rcpputils/shared_library.hpp"

namespace rclcpp
{

namespace
{

/// "std_msgs/msg/String" or "std_msgs/String" as package, middle module and name.
std::tuple<std::string, std::string, std::string> split_type(const std::string & full_type)
{
  const size_t first = full_type.find_first_of('/');
  const size_t last = full_type.find_last_of('/');
  if (first == std::string::npos || first == 0 || last + 1 == full_type.size()) {
    throw std::runtime_error(
            "Message type is not of the form package/type and cannot be processed");
  }
  return {
    full_type.substr(0, first),
    first == last ? "" : full_type.substr(first + 1, last - first - 1),
    full_type.substr(last + 1)};
}

std::string library_path(
  const std::string & package_name, const std::string & typesupport_identifier)
{
  std::string prefix;
  try {
    prefix = ament_index_cpp::get_package_prefix(package_name);
  } catch (const ament_index_cpp::PackageNotFoundError & exc) {
    throw std::runtime_error(exc.what());
  }
#ifdef _WIN32
  return prefix + "/bin/" + package_name + "__" + typesupport_identifier + ".dll";
#elif defined __APPLE__
  return prefix + "/lib/lib" + package_name + "__" + typesupport_identifier + ".dylib";
#else
  return prefix + "/lib/lib" + package_name + "__" + typesupport_identifier + ".so";
#endif
}

}  // namespace

std::shared_ptr<rcpputils::SharedLibrary> get_typesupport_library(
  const std::string & type, const std::string & typesupport_identifier)
{
  const std::string package_name = std::get<0>(split_type(type));
  return std::make_shared<rcpputils::SharedLibrary>(
    library_path(package_name, typesupport_identifier));
}

const rosidl_message_type_support_t * get_message_typesupport_handle(
  const std::string & type, const std::string & typesupport_identifier,
  rcpputils::SharedLibrary & library)
{
  const auto [package_name, middle_module, type_name] = split_type(type);
  const std::string symbol_name = typesupport_identifier +
    "__get_message_type_support_handle__" + package_name + "__" +
    (middle_module.empty() ? "msg" : middle_module) + "__" + type_name;
  if (!library.has_symbol(symbol_name)) {
    throw std::runtime_error(
            "Something went wrong loading the typesupport library for message type " +
            package_name + "/" + type_name + ". The symbol '" + symbol_name +
            "' is missing: does the package have a message of this name?");
  }
  using GetTypeSupport = const rosidl_message_type_support_t * (*)();
  auto get = reinterpret_cast<GetTypeSupport>(library.get_symbol(symbol_name));
  return get();
}

}  // namespace rclcpp
