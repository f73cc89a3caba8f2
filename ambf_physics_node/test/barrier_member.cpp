// SPDX-License-Identifier: BSD-3-Clause
// A barrier member in a process of its own.
#include "barrier_member.hpp"

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  rclcpp::spin(std::make_shared<ambf_physics_test::Member>(argc > 1 ? argv[1] : "member"));
  rclcpp::shutdown();
  return 0;
}
