// SPDX-License-Identifier: BSD-3-Clause
#include "make_arm_server.hpp"
#include "run_alone.hpp"

int main(int argc, char ** argv)
{
  return ambf_arm_nodes::run_alone(argc, argv, "arm_server", ambf_arm_nodes::make_arm_server);
}
