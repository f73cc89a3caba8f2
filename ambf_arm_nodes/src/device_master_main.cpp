// SPDX-License-Identifier: BSD-3-Clause
#include "make_teleop.hpp"
#include "run_alone.hpp"

int main(int argc, char ** argv)
{
  return ambf_arm_nodes::run_alone(argc, argv, "device_master", ambf_arm_nodes::make_device_master);
}
