# SPDX-License-Identifier: BSD-3-Clause
find_package(ament_cmake_test REQUIRED)
include("${launch_testing_ament_cmake_DIR}/add_launch_test.cmake")
