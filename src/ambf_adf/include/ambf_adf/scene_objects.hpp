// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ambf_adf/visual.hpp"

namespace ambf_adf
{

struct Resolution
{
  int width = 640;   ///< [px]
  int height = 480;  ///< [px]
  friend bool operator==(const Resolution &, const Resolution &) = default;
};

struct ImagePublishing
{
  bool enabled = false;
  int interval = 1;  ///< every n-th frame
  Resolution resolution;
  friend bool operator==(const ImagePublishing &, const ImagePublishing &) = default;
};

/// Gaussian noise on depth [m].
struct DepthNoise
{
  double mean = 0.1;
  double standard_deviation = 0.001;
  double bias = 0.0;
  friend bool operator==(const DepthNoise &, const DepthNoise &) = default;
};

struct Stereo
{
  std::string mode = "Passive";
  double eye_separation = 0.02;  ///< [m]
  double focal_length = 1.0;     ///< [m]
  friend bool operator==(const Stereo &, const Stereo &) = default;
};

/// Factors on the mouse gains of a view.
struct MouseMultipliers
{
  double pan = 1.0;
  double rotate = 1.0;
  double scroll = 1.0;
  double arcball = 1.0;
  friend bool operator==(const MouseMultipliers &, const MouseMultipliers &) = default;
};

/// A camera. AMBF's camera frame looks along -x with y to the right and z up.
struct Camera
{
  ObjectHeader header;
  std::string parent;  ///< body or camera; "" = world; after `Scene::add` qualified or as written
  Eigen::Vector3d location = Eigen::Vector3d::Zero();  ///< in the parent frame [m]
  /// Target point in the parent frame [m]. The default differs from `location` in AMBF only by
  /// luck: where both coincide the camera looks along -x.
  Eigen::Vector3d look_at = Eigen::Vector3d::Zero();
  Eigen::Vector3d up = Eigen::Vector3d::UnitZ();  ///< in the parent frame
  double near_plane = 0.1;                        ///< [m]
  double far_plane = 10.0;                        ///< [m]
  double field_view_angle = 0.7;                  ///< vertical [rad]
  std::optional<double> orthographic_view_width;  ///< [m]; absent: perspective
  std::optional<Stereo> stereo;
  int monitor = 0;
  std::vector<std::string> controlling_devices;
  bool visible = true;  ///< false: no window, still drawn for its topics
  ImagePublishing image;
  ImagePublishing depth{false, 10, {}};
  std::optional<DepthNoise> depth_noise;
  std::optional<Shaders> preprocessing_shaders;
  std::optional<Shaders> depth_compute_shaders;
  bool multipass = false;
  MouseMultipliers mouse;
  friend bool operator==(const Camera &, const Camera &) = default;
};

/// A spot light.
struct Light
{
  ObjectHeader header;
  std::string parent;                                     ///< body or camera; "" = world
  Eigen::Vector3d location = Eigen::Vector3d::Zero();     ///< in the parent frame [m]
  Eigen::Vector3d direction = -Eigen::Vector3d::UnitZ();  ///< in the parent frame
  double spot_exponent = 0.7;
  double cutoff_angle = 0.7;  ///< half opening [rad]
  int shadow_quality = 0;     ///< 0 none .. 5 very high (uninitialised in AMBF when absent)
  double attenuation_constant = 1.0;
  double attenuation_linear = 0.0;
  double attenuation_quadratic = 0.0;
  friend bool operator==(const Light &, const Light &) = default;
};

/// Slices of a volume: files <path>/<prefix><i>.<format>, i = 0 .. count-1.
struct VolumeImages
{
  std::string path;  ///< resolved like a mesh path
  std::string prefix;
  std::string format;
  int count = 0;
  friend bool operator==(const VolumeImages &, const VolumeImages &) = default;
};

/// A voxel volume centred on its frame.
struct Volume
{
  ObjectHeader header;
  std::string parent;
  Pose location;
  double scale = 1.0;
  Eigen::Vector3d dimensions = Eigen::Vector3d::Ones();  ///< [m]
  double iso_surface_value = 0.5;
  double optical_density = 1.0;
  double quality = 0.5;
  std::optional<VolumeImages> images;
  std::optional<Shaders> shaders;
  std::optional<Material> material;
  friend bool operator==(const Volume &, const Volume &) = default;
};

/// A wheel of a ray-cast vehicle. AMBF leaves absent numbers uninitialised; the defaults are ours.
struct Wheel
{
  std::string body;  ///< identifier of the wheel's body; "" if it has only a mesh
  MeshFile mesh;
  double width = 0.1;   ///< [m]
  double radius = 0.1;  ///< [m]
  double friction = 1.0;
  double suspension_stiffness = 20.0;
  double suspension_damping = 1.0;
  double suspension_compression = 0.5;
  double suspension_rest_length = 0.1;  ///< [m]
  double roll_influence = 0.1;
  Eigen::Vector3d down_direction = -Eigen::Vector3d::UnitZ();  ///< in the chassis frame
  Eigen::Vector3d axle_direction = Eigen::Vector3d::UnitY();   ///< in the chassis frame
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();            ///< in the chassis frame [m]
  bool front = false;
  double steering_low = 0.0;      ///< [rad]
  double steering_high = 0.0;     ///< [rad]
  double max_engine_power = 0.0;  ///< [N]
  double max_brake_power = 0.0;   ///< [N]
  friend bool operator==(const Wheel &, const Wheel &) = default;
};

struct Vehicle
{
  ObjectHeader header;
  std::string chassis;  ///< identifier of a body; after `Scene::add` the qualified one
  std::vector<Wheel> wheels;
  friend bool operator==(const Vehicle &, const Vehicle &) = default;
};

}  // namespace ambf_adf
