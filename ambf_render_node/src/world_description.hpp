// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include <ambf_msgs/msg/world_manifest.hpp>

#include "ambf_adf/model.hpp"

namespace ambf_render
{

/// What a manifest describes, through ambf_adf. Cameras and lights are in the manifest's order.
struct WorldDescription
{
  std::vector<ambf_adf::Model> models;
  std::vector<ambf_adf::Camera> cameras;
  std::vector<ambf_adf::Light> lights;
  std::vector<std::string> warnings;
};

WorldDescription describe(const ambf_msgs::msg::WorldManifest & manifest);

/// A path of a plain path, file:// or package:// address; empty if the package is not there.
std::string to_path(const std::string & uri);

}  // namespace ambf_render
