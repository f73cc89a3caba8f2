// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <simulation_interfaces/msg/resource.hpp>

// What differs between simulation_interfaces 1 (ROS 2 Jazzy) and 2. The fields of a message say which it is.
namespace ambf_simulation_interfaces
{

/// The resource of a request or a spawnable. Generation 2 has it as one message, generation 1 as two texts.
template <typename Message>
simulation_interfaces::msg::Resource resource_of(const Message & message)
{
  if constexpr (requires { message.entity_resource; }) {
    return message.entity_resource;
  } else if constexpr (requires { message.world_resource; }) {
    return message.world_resource;
  } else {
    simulation_interfaces::msg::Resource resource;
    resource.uri = message.uri;
    resource.resource_string = message.resource_string;
    return resource;
  }
}

template <typename Spawnable>
void set_uri(Spawnable & spawnable, const std::string & uri)
{
  if constexpr (requires { spawnable.entity_resource; }) {
    spawnable.entity_resource.uri = uri;
  } else {
    spawnable.uri = uri;
  }
}

/// Which parts of the state a request sets. Generation 1 always sets all of them.
struct Parts
{
  bool pose = true, twist = true, acceleration = true;
};

template <typename Request>
Parts parts_of(const Request & request)
{
  if constexpr (requires { request.set_pose; }) {
    return {request.set_pose, request.set_twist, request.set_acceleration};
  } else {
    return {};
  }
}

}  // namespace ambf_simulation_interfaces
