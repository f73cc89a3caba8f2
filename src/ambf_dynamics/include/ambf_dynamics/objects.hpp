// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a world holds besides rigid bodies and joints: sensors, actuators, ghosts, soft bodies.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "ambf_adf/sensor.hpp"
#include "ambf_dynamics/state.hpp"

namespace ambf_dynamics
{

/// Dense, in manifest order: the order of adding. Removing closes the gap and changes the revision.
using BodyIndex = std::uint32_t;
using JointIndex = std::uint32_t;
using SensorIndex = std::uint32_t;
using ActuatorIndex = std::uint32_t;
using GhostIndex = std::uint32_t;
using SoftBodyIndex = std::uint32_t;

/// Names a model for as long as it lives; never reused.
struct ModelHandle
{
  std::uint32_t id = 0;
  friend bool operator==(const ModelHandle &, const ModelHandle &) = default;
};

/// What every object carries.
struct ObjectNames
{
  std::string identifier;  ///< of the ADF block
  std::string name;        ///< published name
  std::string qualified;   ///< unique in the world
  std::string topic;
  ModelHandle model;
  bool passive = false;
};

struct SensorInfo : ObjectNames
{
  ambf_adf::SensorType type = ambf_adf::SensorType::Proximity;
  BodyIndex parent = no_index;
  Eigen::Isometry3d location =
    Eigen::Isometry3d::Identity();  ///< T_BS: sensor frame in the parent's frame
  double range = 0.0;               ///< [m]
  std::uint32_t ray_count = 0;      ///< 0 for contact sensors
  std::uint32_t first_ray = 0;      ///< in State::ray_flags and State::ray_hits
};

/// What a sensor found in the last step. Rays are cast at the start of a step, contacts come from its
/// end. Valid until the next call that steps or changes the world. All spans have `count` elements:
/// the rays, or for a contact sensor the bodies that touch.
struct SensorReading
{
  std::uint32_t count = 0;
  std::span<const std::uint8_t> triggered;
  std::span<const double> range;  ///< length of the ray [m]; 0 for contact sensors
  /// Rays: depth fraction 1 - hit distance / range, 0 = no hit. Contacts: normal force [N].
  std::span<const double> measurement;
  std::span<const BodyIndex> sensed;        ///< no_index: nothing, or a soft body
  std::span<const Eigen::Vector3d> points;  ///< where, world frame [m]
  /// On the sensed body, world axes [N]; the parent gets the opposite. Zero for proximity sensors.
  std::span<const Eigen::Vector3d> forces;
};

struct ActuatorInfo : ObjectNames
{
  BodyIndex parent = no_index;
  Eigen::Isometry3d location =
    Eigen::Isometry3d::Identity();  ///< T_BA: actuator frame in the parent's frame
};

/// Holds a body, given by its index or as the nearest one that a sensor senses; a sensor that senses
/// nothing yet is asked again every step. Stands until replaced.
struct ActuatorCommand
{
  bool actuate = false;
  BodyIndex body = no_index;
  SensorIndex sensor = no_index;  ///< used where `body` is no_index
  /// Frame of the held body in the actuator frame; absent: where it is when it is taken.
  std::optional<Eigen::Isometry3d> offset;
};

struct ActuatorState
{
  bool actuated = false;
  BodyIndex body = no_index;  ///< what it holds
};

struct GhostInfo : ObjectNames
{
  BodyIndex parent = no_index;                                 ///< no_index: the world
  Eigen::Isometry3d location = Eigen::Isometry3d::Identity();  ///< in the parent's frame
};

struct SoftBodyInfo : ObjectNames
{
  double mass = 0.0;  ///< [kg]
  std::uint32_t node_count =
    0;  ///< node i is vertex i of ambf_adf::Mesh::unified of the collision mesh
  std::vector<std::uint32_t> triangles;  ///< three nodes each
};

/// Forces on a soft body until replaced; a default one releases it.
struct SoftBodyCommand
{
  Eigen::Vector3d force = Eigen::Vector3d::Zero();  ///< shared evenly by all nodes [N], world axes
  std::vector<std::uint32_t> nodes;                 ///< nodes that are pushed singly
  std::vector<Eigen::Vector3d> node_forces;         ///< one per entry of `nodes` [N]
};

struct Wrench
{
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< [N]
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();  ///< [N m]
};

}  // namespace ambf_dynamics
