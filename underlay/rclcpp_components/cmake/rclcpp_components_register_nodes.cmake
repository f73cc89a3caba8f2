# SPDX-License-Identifier: BSD-3-Clause
# Registers classes of a library as components, for containers to load.
#
# rclcpp_components_register_nodes(target [RESOURCE_INDEX index] class [class...])
#
# :param target: the shared library that holds the classes
# :param RESOURCE_INDEX: the index to write to, by default rclcpp_components
macro(rclcpp_components_register_nodes target)
  cmake_parse_arguments(ARGS "" "RESOURCE_INDEX" "" ${ARGN})
  if(NOT TARGET ${target})
    message(FATAL_ERROR "rclcpp_components_register_nodes() first argument '${target}' is not a target")
  endif()
  get_target_property(_component_target_type ${target} TYPE)
  if(NOT _component_target_type STREQUAL "SHARED_LIBRARY")
    message(FATAL_ERROR
      "rclcpp_components_register_nodes() first argument '${target}' is not a shared library target")
  endif()

  set(_component_index rclcpp_components)
  if(NOT "${ARGS_RESOURCE_INDEX}" STREQUAL "")
    set(_component_index ${ARGS_RESOURCE_INDEX})
  endif()
  if(${ARGC} GREATER 0)
    foreach(_component_class ${ARGS_UNPARSED_ARGUMENTS})
      string(APPEND _RCLCPP_COMPONENTS_${_component_index}__NODES
        "${_component_class};lib/$<TARGET_FILE_NAME:${target}>\n")
    endforeach()
  endif()
  list(APPEND _RCLCPP_COMPONENTS_PACKAGE_RESOURCE_INDICES ${_component_index})
  list(REMOVE_DUPLICATES _RCLCPP_COMPONENTS_PACKAGE_RESOURCE_INDICES)
endmacro()
