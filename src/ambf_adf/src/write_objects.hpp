// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ambf_adf/world.hpp"
#include "emit.hpp"

namespace ambf_adf
{

/// What the writer must know about the file it writes.
struct WriteContext
{
  std::string ns;             ///< namespace that objects inherit
  std::string resource_base;  ///< folder that relative paths refer to when read again
  std::string high_resolution_path;
  std::string low_resolution_path;
  std::optional<Eigen::Vector3d> gravity;
};

/// A resolved path as it must be written to be resolved to the same again.
std::string unresolve(const WriteContext & file, const std::string & path);

/// Writes a folder of its own where the file's folder does not lead to the mesh.
void put_mesh_folder(
  AdfEmitter & out, const char * key, const MeshFile & mesh, const std::string & file_folder,
  const WriteContext & file);

void put_header(
  AdfEmitter & out, const ObjectHeader & header, const WriteContext & file,
  bool usually_passive = false);
void put_shaders(
  AdfEmitter & out, const char * key, const std::optional<Shaders> & shaders,
  const WriteContext & file);
void put_material(AdfEmitter & out, const std::optional<Material> & material);

void put_object(AdfEmitter & out, const RigidBody & body, const WriteContext & file);
void put_object(AdfEmitter & out, const SoftBody & body, const WriteContext & file);
void put_object(AdfEmitter & out, const GhostObject & ghost, const WriteContext & file);
void put_object(AdfEmitter & out, const Joint & joint, const WriteContext & file);
void put_object(AdfEmitter & out, const Sensor & sensor, const WriteContext & file);
void put_object(AdfEmitter & out, const Actuator & actuator, const WriteContext & file);
void put_object(AdfEmitter & out, const Vehicle & vehicle, const WriteContext & file);
void put_object(AdfEmitter & out, const Volume & volume, const WriteContext & file);
void put_object(AdfEmitter & out, const Camera & camera, const WriteContext & file);
void put_object(AdfEmitter & out, const Light & light, const WriteContext & file);

}  // namespace ambf_adf
