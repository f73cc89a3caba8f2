// SPDX-License-Identifier: BSD-3-Clause
#include "message_definition.hpp"

#include <cstring>

#include "rcutils/allocator.h"
#include "rosidl_runtime_c/type_description/type_source__struct.h"
#include "rosidl_runtime_c/type_hash.h"

namespace rosbag2_transport::detail {

namespace {

/// The generated sources count their terminating zero.
std::string text(const rosidl_runtime_c__String & string) { return {string.data, ::strnlen(string.data, string.size)}; }

/// "std_msgs/Header" of "std_msgs/msg/Header".
std::string short_name(const std::string & type) {
  const auto first = type.find('/'), last = type.rfind('/');
  return first == std::string::npos ? type : type.substr(0, first) + type.substr(last);
}

}  // namespace

MessageDefinition message_definition(const rosidl_message_type_support_t & type) {
  const auto * sources =
    type.get_type_description_sources_func ? type.get_type_description_sources_func(&type) : nullptr;
  if (!sources || sources->size == 0) { return {"unknown", ""}; }
  MessageDefinition definition{"ros2msg", ""};
  // The type itself is the first of its sources.
  for (std::size_t i = 0; i < sources->size; ++i) {
    const auto & source = sources->data[i];
    if (text(source.encoding) != "msg") { return {"unknown", ""}; }
    if (i > 0) {
      definition.text += "\n" + std::string(80, '=') + "\nMSG: " + short_name(text(source.type_name)) + "\n";
    }
    definition.text += text(source.raw_file_contents);
  }
  return definition;
}

std::string type_hash(const rosidl_type_hash_t & hash) {
  if (hash.version == 0) { return ""; }
  char * string = nullptr;
  const rcutils_allocator_t allocator = rcutils_get_default_allocator();
  if (rosidl_stringify_type_hash(&hash, allocator, &string) != RCUTILS_RET_OK) { return ""; }
  std::string result(string);
  allocator.deallocate(string, allocator.state);
  return result;
}

std::string type_hash(const rosidl_message_type_support_t & type) {
  const auto * hash = type.get_type_hash_func ? type.get_type_hash_func(&type) : nullptr;
  return hash ? type_hash(*hash) : "";
}

}  // namespace rosbag2_transport::detail
