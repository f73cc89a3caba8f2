// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <ambf_msgs/msg/world_manifest.hpp>

#include "ambf_simulation/simulation.hpp"
#include "ambf_simulation/urdf.hpp"
#include "short_names.hpp"

namespace ambf_physics
{

struct Parameters;

/// What the communication threads know about the world: an immutable picture of one revision, so that
/// commands and requests are checked without touching the world.
struct Roster
{
  struct Body
  {
    ambf_dynamics::BodyInfo info;
    std::vector<std::string> children_names;
    std::vector<std::string> joint_names;  ///< client order
    std::vector<ambf_dynamics::JointIndex> client_joints;
    std::vector<bool> client_commandable;
    ambf_adf::PublishFrequency rate;
    std::string frame;  ///< in tf
  };

  /// Anything that is no rigid body.
  struct Object
  {
    ambf_dynamics::ObjectNames names;
    ambf_adf::PublishFrequency rate;
    std::string kind;          ///< as in ObjectInfo
    std::string parent_name;   ///< published name of the body (or camera) that carries it
    std::string parent_frame;  ///< that one's in tf, or the root frame
    Eigen::Isometry3d location = Eigen::Isometry3d::Identity();  ///< in the parent's frame
    double mass = 0.0;
    std::uint32_t node_count = 0;  ///< of a soft body
  };

  struct Model
  {
    std::string name;
    std::string topic;  ///< what its topics are below
    ambf_dynamics::ModelHandle handle;
    std::uint32_t version = 0;                      ///< LoadedModel's
    std::vector<ambf_dynamics::JointIndex> joints;  ///< with one free axis, in manifest order
    Urdf urdf;
  };

  /// A hand, in the order of the simulation's.
  struct Device
  {
    std::string name;
    std::string topic;
    std::string trouble;  ///< what is wrong with it, or was limited
    ambf_dynamics::BodyIndex body = ambf_dynamics::no_index;
    double loss_timeout = 0.1;  ///< [s]
    std::shared_ptr<ambf_proxies::SampleBox> box;
  };

  std::uint32_t revision = 0;
  double step_size = 0.001;
  std::vector<Body> bodies;
  std::vector<ambf_dynamics::JointInfo> joints;
  std::vector<Object> soft_bodies, ghosts, sensors, actuators;  ///< in the world's order
  std::vector<Object> cameras, lights;
  std::vector<Device> devices;
  std::vector<Model> models;
  std::map<std::string, ambf_dynamics::BodyIndex>
    body_by_name;  ///< qualified, topic, and unique short names
  std::map<std::string, ambf_dynamics::JointIndex> joint_by_name;  ///< likewise
  std::vector<std::string>
    joint_places;  ///< namespaces with a closing slash, in the order of joints
  ambf_msgs::msg::WorldManifest manifest;
};

/// Takes the picture; the caller owns the world. `parameters` say which objects are published. Texts of models
/// that have not changed since are taken from `before`, the last picture, which may be null.
std::shared_ptr<const Roster> make_roster(
  const Simulation & simulation, const std::string & root_frame,
  const std::string & world_namespace, const Parameters & parameters, const Roster * before);

/// The nearest known names, for a message about an unknown one.
std::string nearest_names(const std::string & name, const std::vector<std::string> & known);
std::vector<std::string> body_names(const Roster & roster);
std::vector<std::string> joint_names(const Roster & roster);
std::vector<std::string> object_names(const std::vector<Roster::Object> & objects);
/// Index of what is meant by a name, as docs/concepts.md says; no_index: none, or several.
std::uint32_t find_body(const Roster & roster, const std::string & name);
std::uint32_t find_joint(const Roster & roster, const std::string & name);
std::uint32_t find_object(const std::vector<Roster::Object> & objects, const std::string & name);

}  // namespace ambf_physics
