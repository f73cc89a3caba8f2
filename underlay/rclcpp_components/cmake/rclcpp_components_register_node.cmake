# SPDX-License-Identifier: BSD-3-Clause
# Registers a class of a library as a component and makes an executable that runs it alone.
#
# rclcpp_components_register_node(
#   target PLUGIN class EXECUTABLE name [EXECUTOR executor] [RESOURCE_INDEX index])
#
# :param target: the shared library that holds the class
# :param PLUGIN: the class, with its namespaces
# :param EXECUTABLE: the name of the executable
# :param EXECUTOR: its executor, with or without its namespace, by default SingleThreadedExecutor
# :param RESOURCE_INDEX: the index to write to, by default rclcpp_components
macro(rclcpp_components_register_node target)
  cmake_parse_arguments(ARGS "" "PLUGIN;EXECUTABLE;EXECUTOR;RESOURCE_INDEX" "" ${ARGN})
  if(ARGS_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
      "rclcpp_components_register_node() called with unused arguments: ${ARGS_UNPARSED_ARGUMENTS}")
  endif()
  if("${ARGS_PLUGIN}" STREQUAL "")
    message(FATAL_ERROR
      "rclcpp_components_register_node macro requires a PLUGIN argument for target ${target}")
  endif()
  if("${ARGS_EXECUTABLE}" STREQUAL "")
    message(FATAL_ERROR
      "rclcpp_components_register_node macro requires a EXECUTABLE argument for target ${target}")
  endif()
  # The generated file uses these names.
  set(component ${ARGS_PLUGIN})
  set(node ${ARGS_EXECUTABLE})
  set(library_name "$<TARGET_FILE_NAME:${target}>")
  set(executor "SingleThreadedExecutor")
  if(NOT "${ARGS_EXECUTOR}" STREQUAL "")
    set(executor "${ARGS_EXECUTOR}")
  endif()
  if("${ARGS_RESOURCE_INDEX}" STREQUAL "")
    rclcpp_components_register_nodes(${target} ${component})
  else()
    rclcpp_components_register_nodes(
      ${target} ${component} RESOURCE_INDEX ${ARGS_RESOURCE_INDEX})
  endif()

  configure_file(
    ${rclcpp_components_NODE_TEMPLATE}
    ${PROJECT_BINARY_DIR}/rclcpp_components/node_main_configured_${node}.cpp.in @ONLY)
  file(GENERATE
    OUTPUT ${PROJECT_BINARY_DIR}/rclcpp_components/node_main_${node}.cpp
    INPUT ${PROJECT_BINARY_DIR}/rclcpp_components/node_main_configured_${node}.cpp.in)
  add_executable(${node} ${PROJECT_BINARY_DIR}/rclcpp_components/node_main_${node}.cpp)
  target_link_libraries(${node}
    rclcpp::rclcpp rclcpp_components::component rclcpp_components::component_manager)
  install(TARGETS ${node} DESTINATION lib/${PROJECT_NAME})
endmacro()
