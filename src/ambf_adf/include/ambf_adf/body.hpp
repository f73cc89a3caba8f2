// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ambf_adf/visual.hpp"

namespace ambf_adf
{

/// PID gains. Unit of P is output per error; what the output is, `ControlOutput` says.
struct Pid
{
  double p = 10.0;
  double i = 0.0;
  double d = 1.0;
  friend bool operator==(const Pid &, const Pid &) = default;
};

/// What a position controller commands: an effort (force, torque) or a velocity.
enum class ControlOutput
{
  Effort,
  Velocity
};

/// Cartesian controller of a body (position error in the world frame, orientation error as
/// axis-angle).
struct CartesianController
{
  Pid linear;   ///< default P 10, I 0, D 1
  Pid angular;  ///< default P 10, I 0, D 1
  ControlOutput linear_output =
    ControlOutput::Velocity;  ///< Effort when the file gives `linear` gains
  ControlOutput angular_output =
    ControlOutput::Velocity;  ///< Effort when the file gives `angular` gains
  friend bool operator==(const CartesianController &, const CartesianController &) = default;
};

/// Pose commands to the body hold it by a constraint (extension of ours: `pose hold`).
struct PoseHold
{
  double max_force = 0.0;   ///< [N]; 0: 50 N and 20 times the body's weight
  double max_torque = 0.0;  ///< [N m]; 0: in proportion to the force
  friend bool operator==(const PoseHold &, const PoseHold &) = default;
};

/// Bullet surface parameters.
struct Surface
{
  double friction = 0.5;           ///< `friction/static` [-]
  double rolling_friction = 0.01;  ///< `friction/rolling` [-]
  double restitution = 0.1;        ///< [-]
  friend bool operator==(const Surface &, const Surface &) = default;
};

/// Fraction of the velocity that is removed per second (Bullet damping).
struct BodyDamping
{
  double linear = 0.04;
  double angular = 0.1;
  friend bool operator==(const BodyDamping &, const BodyDamping &) = default;
};

/// A rigid body. Frames: W world, B body (= frame of the mesh and of `location`), I inertial
/// (centre of mass, principal axes), T_BI = `inertial_offset`.
struct RigidBody
{
  ObjectHeader header;
  Pose location;  ///< T_WB at load; identity if absent
  /// Mass [kg]; 0 = static or kinematic, moved by commands only. 1.0 if absent, and then inertia
  /// and inertial offset of the block are not used (AMBF's rule).
  double mass = 1.0;
  /// Principal moments at I [kg m^2]; a zero with mass > 0 locks that rotation. Absent: to be
  /// estimated from the collision shape.
  std::optional<Eigen::Vector3d> inertia;
  /// T_BI. Absent: the mean of the collision mesh's vertices, or identity for primitives.
  std::optional<Pose> inertial_offset;
  double scale = 1.0;  ///< factor on visual and collision meshes and on joint pivots, > 0
  Visual visual;
  /// Offsets of primitives are in B and resolved: a single shape without `collision offset` sits at
  /// the inertial offset.
  Collision collision;
  double collision_margin = 0.001;    ///< [m]
  std::vector<int> collision_groups;  ///< 0..999; empty: collides with everything
  Surface surface;
  BodyDamping damping;
  std::optional<Eigen::Vector3d> gravity;  ///< [m/s^2] in W; absent: the model's, then the world's
  std::optional<CartesianController> controller;  ///< absent: defaults of CartesianController
  std::optional<PoseHold> pose_hold;  ///< absent: pose commands act through the controller
  bool publish_children_names = false;
  bool publish_joint_names = true;
  bool publish_joint_positions = true;

  friend bool operator==(const RigidBody &, const RigidBody &) = default;
};

/// Parameters of Bullet's soft body (position-based links). Names are the file's; dimensionless
/// unless said otherwise; the defaults are Bullet's.
struct SoftBodyConfig
{
  double kLST = 1.0, kAST = 1.0, kVST = 1.0;  ///< linear, angular, volume stiffness 0..1
  double kVCF = 1.0;                          ///< velocity correction factor (Baumgarte)
  double kDP = 0.0, kDG = 0.0, kLF = 0.0;     ///< damping, drag, lift
  double kPR = 0.0, kVC = 0.0;                ///< pressure, volume conservation
  double kDF = 0.2;                           ///< dynamic friction
  std::optional<double> kMT;                  ///< pose matching; given: the rest pose is set
  double kCHR = 1.0, kKHR = 0.1, kSHR = 1.0, kAHR = 0.7;  ///< rigid, kinetic, soft, anchor hardness
  double kSRHR_CL = 0.1, kSKHR_CL = 1.0, kSSHR_CL = 0.5;  ///< cluster hardness
  double kSR_SPLT_CL = 0.5, kSK_SPLT_CL = 0.5, kSS_SPLT_CL = 0.5;  ///< cluster impulse split
  double maxvolume = 1.0, timescale = 1.0;
  int viterations = 0, piterations = 1, diterations = 0, citerations = 4;
  /// 1 SDF rigid-soft, 2 cluster rigid-soft, 16 vertex-face soft-soft, 32 cluster soft-soft,
  /// 64 cluster self.
  int flags = 1;
  std::optional<int> bending_constraint;  ///< distance in links
  std::optional<int> clusters;            ///< number of clusters
  /// Pinned nodes: indices of the mesh file's vertices before welding.
  std::vector<int> fixed_nodes;
  /// Pinned nodes by place in the body frame [m]; the nearest node is taken (extension of ours:
  /// `fixed node positions`).
  std::vector<Eigen::Vector3d> fixed_node_positions;
  friend bool operator==(const SoftBodyConfig &, const SoftBodyConfig &) = default;
};

/// Anchors faces of a soft body to a rigid body (extension of ours: `anchors`).
struct SoftAnchor
{
  std::string body;        ///< identifier; after `Scene::add` the qualified one
  std::vector<int> nodes;  ///< indices of the mesh file's vertices
  std::vector<int> faces;  ///< indices of the mesh file's faces; all their nodes are anchored
  friend bool operator==(const SoftAnchor &, const SoftAnchor &) = default;
};

/// A deformable body: nodes = welded vertices of the collision mesh, links = its edges.
struct SoftBody
{
  ObjectHeader header;  ///< passive by default true: AMBF gives soft bodies no topics
  Pose location;        ///< T_WB at load
  double mass = 1.0;    ///< total [kg], spread evenly over the nodes, > 0
  std::optional<Pose> inertial_offset;  ///< kept for writing; has no effect on a soft body
  double scale = 1.0;
  Visual visual;
  MeshFile collision_mesh;  ///< defaults to the visual mesh's file name in the low resolution path
  double collision_margin = 0.001;
  std::vector<int> collision_groups;
  std::optional<Eigen::Vector3d> gravity;
  SoftBodyConfig config;
  /// The file's `randomize constraints`; AMBF randomises when the key is present, whatever its
  /// value.
  bool randomize_constraints = false;
  std::vector<SoftAnchor> anchors;

  friend bool operator==(const SoftBody &, const SoftBody &) = default;
};

/// A volume without contact response that follows its parent and reports what is inside.
struct GhostObject
{
  ObjectHeader header;
  std::string parent;  ///< identifier; after `Scene::add` the qualified one; "" = world
  Pose location;       ///< in the parent's body frame (in W without a parent)
  double scale = 1.0;
  Visual visual;
  Collision collision;
  double collision_margin = 0.001;
  std::vector<int> collision_groups;
  friend bool operator==(const GhostObject &, const GhostObject &) = default;
};

}  // namespace ambf_adf
