// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

namespace ambf_dynamics
{

inline constexpr std::uint32_t no_index = 0xffffffffu;

/// Doubles per body: position (3), quaternion x y z w (4), linear velocity of the origin (3), angular
/// velocity (3); all of the body frame, in world axes.
inline constexpr std::size_t body_stride = 13;
/// Doubles per joint: position, velocity, effort. The position of a `revolute` joint without limits is within
/// -pi and pi; that of a `continuous` one counts full turns.
inline constexpr std::size_t joint_stride = 3;

/// One contact point. Bodies are dense indices; `no_index` stands for something that is no rigid body.
struct Contact
{
  std::uint32_t body_a = no_index;
  std::uint32_t body_b = no_index;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< on b, world frame [m]
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();    ///< from b towards a, world frame
  double distance = 0.0;                               ///< negative = penetration [m]
  Eigen::Vector3d force = Eigen::Vector3d::Zero();     ///< on a: normal and friction [N]
};

/// What a world looks like after a step. Indices follow the manifest of `revision`. Buffers keep
/// their capacity: reading into the same State again does not allocate unless the world grew.
struct State
{
  std::uint32_t revision = 0;  ///< changes when bodies or joints are added or removed
  std::uint64_t step = 0;
  double time = 0.0;           ///< step * step_size since the last reset of time [s]
  std::uint64_t hash = 0;      ///< covers everything that the next step reads
  std::vector<double> bodies;  ///< body_stride each
  std::vector<double> joints;  ///< joint_stride each
  std::vector<std::uint8_t>
    weightless;                   ///< one per model, in order of adding: 1 = gravity is cancelled
  std::vector<Contact> contacts;  ///< ordered by body indices
  std::vector<std::uint32_t> soft_offsets;  ///< first node of each soft body, then the total
  std::vector<float> soft_nodes;            ///< x y z of each node, world frame [m]
  std::vector<std::uint32_t> ray_flags;     ///< one per ray of every sensor: 1 = hit
  std::vector<float> ray_hits;              ///< depth of each ray: 1 - hit fraction, 0 = no hit
};

}  // namespace ambf_dynamics
