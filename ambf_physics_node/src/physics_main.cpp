// SPDX-License-Identifier: BSD-3-Clause
// The simulator alone in its process.

#include <cstdio>
#include <exception>
#include <memory>

#include "ambf_node_support/run_alone.hpp"
#include "physics_node.hpp"
#include "transport.hpp"

int main(int argc, char ** argv)
{
  try {
    ambf_physics::choose_transport();
  } catch (const std::exception & error) {
    std::fprintf(stderr, "physics_node: %s\n", error.what());
    return ambf_node_support::refused;
  }
  const auto make = [](const rclcpp::NodeOptions & options) {
    return std::make_shared<ambf_physics::PhysicsNode>(options);
  };
  // Hundreds of Command topics in a wait set would cost every call of the world clock: events do not.
  return ambf_node_support::run_alone(argc, argv, make, ambf_node_support::Callbacks::OnEvents);
}
