// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ambf_adf/body.hpp"

namespace ambf_adf
{

enum class SensorType
{
  Proximity,   ///< rays that report how deep something stands in them
  Resistance,  ///< rays that push and rub (resistive sensor)
  Contact,     ///< contacts of the parent body with their forces (newer than AMBF 2.0)
};

/// A ray in the sensor frame. Its length is range * |direction|: directions are not normalised
/// (AMBF).
struct Ray
{
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();  ///< start [m]
  Eigen::Vector3d direction = Eigen::Vector3d::UnitX();
  friend bool operator==(const Ray &, const Ray &) = default;
};

struct RayArray
{
  std::vector<Ray> rays;
  friend bool operator==(const RayArray &, const RayArray &) = default;
};

/// One ray per triangle of the mesh: from the centroid along the normal.
struct RayMesh
{
  MeshFile mesh;  ///< relative to the ADF file, not to the resolution paths
  friend bool operator==(const RayMesh &, const RayMesh &) = default;
};

/// resolution^2 rays fanned about +x of the sensor frame.
struct RayFan
{
  int resolution = 2;             ///< per direction, >= 2
  double horizontal_angle = 0.0;  ///< whole opening about z [rad]
  double vertical_angle = 0.0;    ///< whole opening about y [rad]
  double start_offset = 0.0;      ///< distance of the rays' starts from the origin [m]
  friend bool operator==(const RayFan &, const RayFan &) = default;
};

using RayLayout = std::variant<RayArray, RayMesh, RayFan>;

/// Parameters of a resistive sensor (spec/papers III).
struct Resistance
{
  double static_friction = 0.0;  ///< `friction/static`: stiffness of the stick spring [N/m]
  double static_damping = 0.1;   ///< `friction/damping`: damping of the stick spring [N s/m]
  double dynamic_friction =
    0.0;  ///< `friction/dynamic`: viscous coefficient while slipping [N s/m]
  bool variable_friction = false;  ///< `friction/variable`: scale friction by the normal force
  double contact_area = 0.1;       ///< largest stretch of the stick spring before it slips [m]
  double contact_stiffness = 0.0;  ///< normal force at full depth [N]
  double contact_damping = 0.0;    ///< normal damping [N s]
  friend bool operator==(const Resistance &, const Resistance &) = default;
};

struct Sensor
{
  ObjectHeader header;
  SensorType type = SensorType::Proximity;
  std::string parent;  ///< rigid body; identifier, after `Scene::add` the qualified one
  Pose location;       ///< sensor frame in the parent's body frame
  double range = 0.5;  ///< [m], >= 0
  bool visible = false;
  double visible_size = 0.02;       ///< [m]
  RayLayout rays;                   ///< no rays for Contact
  Resistance resistance;            ///< for Resistance only
  double distance_threshold = 0.0;  ///< Contact: contacts closer than this count [m]
  friend bool operator==(const Sensor &, const Sensor &) = default;
};

/// A jaw that makes an actuator take and let go by itself. The mean of its joints' positions counts: at `close` and beyond,
/// away from `open`, the jaw is closed; at `open` and beyond it is open; between them it stays what it was.
struct Grasp
{
  std::string sensor;               ///< identifier, after `Scene::add` the qualified one
  std::vector<std::string> joints;  ///< likewise
  double close = 0.0;               ///< [m, rad]
  double open = 0.0;                ///< [m, rad]; not the same as `close`
  friend bool operator==(const Grasp &, const Grasp &) = default;
};

/// Holds a body by a rigid constraint while it is commanded to (`type: Constraint`), or by its jaw.
struct Actuator
{
  ObjectHeader header;
  std::string parent;  ///< rigid body; identifier, after `Scene::add` the qualified one
  Pose location;       ///< actuator frame in the parent's body frame
  bool visible = false;
  double visible_size = 0.02;  ///< [m]
  double max_impulse = 10.0;   ///< AMBF stores it without use
  double tau = 1.0;            ///< AMBF stores it without use
  std::optional<Grasp> grasp;  ///< newer than AMBF
  friend bool operator==(const Actuator &, const Actuator &) = default;
};

}  // namespace ambf_adf
