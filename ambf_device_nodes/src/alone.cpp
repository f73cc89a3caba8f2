// SPDX-License-Identifier: BSD-3-Clause
// The program of one kind of device; RUN_DEVICE is defined by the build, see run_alone.hpp.
namespace ambf_device_nodes
{
int RUN_DEVICE(int argc, char ** argv);
}

int main(int argc, char ** argv) { return ambf_device_nodes::RUN_DEVICE(argc, argv); }
