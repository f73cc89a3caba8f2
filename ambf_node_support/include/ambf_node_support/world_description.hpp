// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <ambf_msgs/msg/world_manifest.hpp>

#include "ambf_adf/model.hpp"

namespace ambf_node_support
{

/// What a manifest describes, through ambf_adf. Cameras and lights are in the manifest's order.
struct WorldDescription
{
  std::vector<ambf_adf::Model> models;
  std::vector<ambf_adf::Camera> cameras;
  std::vector<ambf_adf::Light> lights;
  std::vector<std::string> warnings;
};

/// Reads the manifests of a world one after the other. A model whose text is what it was is not parsed again.
class DescriptionReader
{
public:
  WorldDescription read(const ambf_msgs::msg::WorldManifest & manifest);
  /// How many texts of models were parsed so far.
  std::size_t parsed() const { return parsed_; }

private:
  struct Known
  {
    std::string text, resource_base;
    ambf_adf::Model model;
  };
  std::map<std::string, Known> models_;  ///< by name
  std::size_t parsed_ = 0;
};

}  // namespace ambf_node_support
