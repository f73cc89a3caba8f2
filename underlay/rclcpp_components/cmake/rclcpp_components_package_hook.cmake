# SPDX-License-Identifier: BSD-3-Clause
# Writes what the package registered into the resource index: "class;library" lines.
foreach(resource_index ${_RCLCPP_COMPONENTS_PACKAGE_RESOURCE_INDICES})
  ament_index_register_resource(
    ${resource_index} CONTENT "${_RCLCPP_COMPONENTS_${resource_index}__NODES}")
endforeach()
