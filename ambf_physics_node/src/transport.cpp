// SPDX-License-Identifier: BSD-3-Clause
#include "transport.hpp"

#include <cstdlib>
#include <string>

#include <ament_index_cpp/get_package_share_directory.hpp>
#include <rmw/rmw.h>

namespace ambf_physics
{
namespace
{

std::string variable(const char * name)
{
  const char * value = std::getenv(name);
  return value == nullptr ? std::string{} : value;
}

}  // namespace

// transport.py has the same rule for launch files and for clients in Python.
void choose_transport()
{
  const char * middleware = rmw_get_implementation_identifier();
  if (middleware == nullptr || std::string(middleware).find("fastrtps") == std::string::npos) {
    return;
  }
  for (const char * chosen :
       {"FASTRTPS_DEFAULT_PROFILES_FILE", "FASTDDS_BUILTIN_TRANSPORTS", "ROS_DISCOVERY_SERVER"}) {
    if (!variable(chosen).empty()) { return; }
  }
  if (variable("ROS_LOCALHOST_ONLY") == "1") {
    return;
  }  // the old word for it: it overrules the range
  const std::string range = variable("ROS_AUTOMATIC_DISCOVERY_RANGE");
  const bool local = range == "LOCALHOST" && variable("ROS_STATIC_PEERS").empty();
  if (!local && !range.empty() && range != "SUBNET") { return; }
  const std::string folder =
    ament_index_cpp::get_package_share_directory("ambf_physics_node") + "/config/";
  const std::string profile = folder + (local ? "fastdds_localhost.xml" : "fastdds_subnet.xml");
  setenv("FASTRTPS_DEFAULT_PROFILES_FILE", profile.c_str(), 1);
  // With LOCALHOST rmw_fastrtps would add shared memory; the profile says the rest of what LOCALHOST means.
  if (local) { setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "SYSTEM_DEFAULT", 1); }
}

}  // namespace ambf_physics
