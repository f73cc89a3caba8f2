// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ambf_adf/model.hpp"
#include "ambf_convert/convert.hpp"
#include "geometry.hpp"

namespace ambf_convert
{

/// What tree formats call a link or a body: shapes anywhere in it, and perhaps no mass.
struct Link
{
  ambf_adf::RigidBody
    body;  ///< name, surface, damping; mass and inertial are set by `set_inertial`
  Isometry3d t_world_link = Isometry3d::Identity();  ///< at the start
  bool has_mass = false;
  bool still = false;  ///< stands still whatever its mass
  std::vector<ambf_adf::PlacedShape> visuals;
  std::vector<ambf_adf::PlacedShape> collisions;

  void set_inertial(double mass, const Isometry3d & t_link_center, const Matrix3d & tensor);
};

/// A joint between links by number; -1 is the world.
struct Tie
{
  ambf_adf::Joint joint;  ///< type, name, limits and the like; its places are set by `assemble`
  int parent = -1;
  int child = -1;
  Isometry3d t_parent_joint = Isometry3d::Identity();
  Isometry3d t_child_joint = Isometry3d::Identity();  ///< at joint value 0
  Vector3d axis = Vector3d::UnitZ();                  ///< in the joint frame, unit
};

/// What readers of other formats collect before it becomes an ADF model.
struct Assembly
{
  std::string name;
  std::string file;
  std::vector<Link> links;
  std::vector<Tie> ties;
  std::vector<ambf_adf::Camera> cameras;  ///< their parents are names of links, "" for the world
  std::vector<ambf_adf::Light> lights;
  std::vector<ambf_adf::Sensor> sensors;
  std::optional<Vector3d> gravity;
  bool ignore_inter_collision = false;
  Problems problems;
};

/// The ADF model: links without a mass that are fixed to others become part of them, those at the root stand
/// still; blocks get their names. Appends to Model::warnings.
Model assemble(Assembly assembly, const ReadOptions & options);

/// T of a link in the world by its ties at joint value 0, or at the values that `start` has by the joint's
/// name; links that no tie places stay where they are.
void place_links(Assembly & assembly, const std::map<std::string, double> & start = {});

std::string body_identifier(const std::string & name);
std::string joint_identifier(const std::string & name);

/// Places a camera or light: what looks along x of a frame with z up.
void look_along_x(ambf_adf::Camera & camera, const Isometry3d & t_parent_view);

/// Looks for a mesh (or another file) as descriptions name it: relative to the file, an address, or below a
/// folder above the file that has the name of the package or model.
ambf_adf::MeshFile find_mesh(const std::string & name, const std::string & description_file);

/// Warns about meshes that are not there, or (`look_inside`) of impossible size.
void check_meshes(Model & model, bool look_inside);

}  // namespace ambf_convert
