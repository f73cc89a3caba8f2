// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ambf_adf/body.hpp"
#include "ambf_adf/joint.hpp"
#include "ambf_adf/scene_objects.hpp"
#include "ambf_adf/sensor.hpp"

namespace ambf_adf
{

/// The content of one multi-body file: what its header lists name, in the order of the lists.
/// Units are m, kg, s, rad, N, N m; frames are right-handed with z up.
struct Model
{
  std::string name;         ///< file name without folder and ending
  std::string source_file;  ///< where it was read; "" for text
  /// Folder that relative paths refer to; mesh paths are stored joined with it.
  std::string resource_base;
  std::string ns;  ///< resolved namespace of the model, "/ambf/env/" if none is given
  std::string high_resolution_path;     ///< visual meshes, as written
  std::string low_resolution_path;      ///< collision meshes, as written
  bool ignore_inter_collision = false;  ///< true: no two bodies of this model collide
  std::optional<Eigen::Vector3d>
    gravity;  ///< [m/s^2]; bodies without their own have it already copied
  std::optional<Shaders> shaders;
  std::vector<Plugin> plugins;
  /// Top-level keys that are neither known nor blocks of the lists, as YAML text.
  std::string extensions;

  std::vector<RigidBody> bodies;
  std::vector<SoftBody> soft_bodies;
  std::vector<GhostObject> ghost_objects;
  std::vector<Joint> joints;
  std::vector<Sensor> sensors;
  std::vector<Actuator> actuators;
  std::vector<Vehicle> vehicles;
  std::vector<Volume> volumes;
  std::vector<Camera> cameras;
  std::vector<Light> lights;

  /// What was noticed while reading; no part of the value.
  Problems warnings;

  /// Same content: source_file, resource_base and warnings do not count.
  friend bool operator==(const Model & a, const Model & b);
};

/// Gives every object of a model that was made and not read the namespace, qualified identifier, name and
/// topic that reading its file would give. An absent name is the identifier.
void complete_headers(Model & model);

}  // namespace ambf_adf
