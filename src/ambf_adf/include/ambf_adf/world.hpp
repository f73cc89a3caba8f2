// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ambf_adf/choice.hpp"
#include "ambf_adf/model.hpp"

namespace ambf_adf
{

/// Cube map of six images; paths are resolved.
struct Skybox
{
  std::string path;
  std::string right, left, top, bottom, front, back;
  std::optional<Shaders> shaders;
  friend bool operator==(const Skybox &, const Skybox &) = default;
};

/// Content of a world file.
struct World
{
  std::string source_file;
  std::string resource_base;  ///< folder that relative paths refer to
  std::string ns = "/ambf/env/";
  Eigen::Vector3d gravity{0.0, 0.0, -9.8};  ///< [m/s^2] in the world frame; AMBF's default is 9.8
  /// `max iterations`: in spite of its name the most steps that one cycle in real time may take to
  /// catch up; absent: the simulator's.
  std::optional<int> max_steps_per_cycle;
  /// Extension of ours, `solver iterations`: iterations of the constraint solver; absent: the
  /// solver's.
  std::optional<int> solver_iterations;
  std::string environment;  ///< resolved path of the ADF file of the surroundings; "" if none
  /// `enclosure` or `enclosure size`: length, width, height [m]; no effect.
  std::optional<Eigen::Vector3d> enclosure;
  std::vector<Camera> cameras;
  std::vector<Light> lights;
  std::optional<Skybox> skybox;
  std::optional<Shaders> shaders;
  std::vector<Plugin> plugins;
  std::string extensions;
  Problems warnings;

  friend bool operator==(const World & a, const World & b);
};

/// Mapping of a haptic device's buttons; -1 = not mapped.
struct ButtonMapping
{
  int a1 = -1;
  int a2 = -1;
  int g1 = -1;
  int next_mode = -1;
  int prev_mode = -1;
  friend bool operator==(const ButtonMapping &, const ButtonMapping &) = default;
};

/// A block of an input-device file.
struct InputDevice
{
  ObjectHeader header;
  std::string hardware_name;
  double haptic_gain_linear = 10.0;   ///< [N/m]
  double haptic_gain_angular = 10.0;  ///< [N m/rad]
  double workspace_scaling = 1.0;
  std::string simulated_multibody;  ///< resolved path of an ADF file; "" if none
  std::string root_link;            ///< identifier; "" = root of the multi-body
  std::optional<Pose> location;     ///< start pose of the root link; absent: as in its file
  std::optional<Eigen::Vector3d> orientation_offset;   ///< roll, pitch, yaw [rad]
  std::optional<CartesianController> controller_gain;  ///< replaces the root link's controller
  bool enable_joint_control = true;
  double deadband = 0.0;            ///< [N] (uninitialised in AMBF)
  std::optional<double> max_force;  ///< [N]; absent: the device's
  std::optional<double> max_jerk;
  ButtonMapping buttons;
  std::vector<std::string>
    pair_cameras;  ///< the first is the frame of reference; empty: all cameras
  bool visible = false;
  double visible_size = 1.0;  ///< [m]
  friend bool operator==(const InputDevice &, const InputDevice &) = default;
};

/// A block of an input-device file with errors in it.
struct BrokenDevice
{
  InputDevice device;  ///< as far as it could be read
  Errors errors;
};

/// Content of an input-device file. A block with errors leaves the other devices alone.
struct InputDevices
{
  std::string source_file;
  std::vector<InputDevice> devices;
  std::vector<BrokenDevice> broken;
  Problems warnings;
};

/// Red, green, blue, alpha in 0..1.
using Rgba = Eigen::Vector4d;
/// Content of a colour file (0..255 in the file).
using ColorTable = std::map<std::string, Rgba>;

/// Extension of ours, an entry of `arm configs`: a robot arm of the world, for whoever serves arms.
struct ArmConfig
{
  std::string file;   ///< resolved path of the file that describes the arm
  std::string arm;    ///< which of that file; "": the only one, or all
  std::string name;   ///< what clients call it; "": as in that file
  std::string model;  ///< that it is; "": the one that fits
  friend bool operator==(const ArmConfig &, const ArmConfig &) = default;
};

/// Content of a launch file; paths are resolved against its folder.
struct Launch
{
  std::string source_file;
  std::string world;                     ///< "" if absent
  std::string input_devices;             ///< "" if absent
  std::string colors;                    ///< "" if absent
  std::vector<std::string> multibodies;  ///< a menu to choose from
  /// Extension of ours, `default multibodies`: which of them are loaded where nobody chooses.
  Choice default_models;
  std::vector<ArmConfig> arms;
  std::vector<Plugin> plugins;
  Problems warnings;
};

}  // namespace ambf_adf
