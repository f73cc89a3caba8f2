# SPDX-License-Identifier: BSD-3-Clause
# ambf_node_program(<executable> <library> <namespace::Class> [EVENTS])
# A program that is one component, whose source registers it with AMBF_NODE_COMPONENT. The program that
# rclcpp_components makes ends in a crash where a parameter is refused; this one ends with a line and exit code 1.
# EVENTS: its callbacks are called on events, for a node with many topics.
set(ambf_node_support_program "${ambf_node_support_DIR}/node_program.cpp.in")

function(ambf_node_program executable library node)
  cmake_parse_arguments(ARG "EVENTS" "" "" ${ARGN})
  string(REGEX REPLACE "::[^:]*$" "" program_namespace "${node}")
  string(REGEX REPLACE "^.*::" "" program_class "${node}")
  set(program_callbacks OnWaitSet)
  if(ARG_EVENTS)
    set(program_callbacks OnEvents)
  endif()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${executable}_main.cpp")
  configure_file("${ambf_node_support_program}" "${source}" @ONLY)
  add_executable(${executable} "${source}")
  target_link_libraries(${executable} ${library} ambf_node_support::ambf_node_support)
  install(TARGETS ${executable} DESTINATION lib/${PROJECT_NAME})
endfunction()
