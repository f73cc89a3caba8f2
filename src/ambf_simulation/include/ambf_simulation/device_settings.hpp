// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ambf_adf/scene.hpp"
#include "ambf_adf/world.hpp"
#include "ambf_proxies/binding.hpp"

namespace ambf_simulation
{

/// What somebody who starts the simulator says about one device, beside or instead of its block in the
/// input-device file. What is absent is the file's, or the default.
struct DeviceSettings
{
  std::string device;
  std::optional<std::string> root_link;
  std::optional<std::vector<std::string>> cameras;
  std::optional<double> workspace_scale;
  std::optional<ambf_teleop::OrientationMapping> orientation;
  std::optional<ambf_teleop::Pose> base_offset;
  std::optional<ambf_teleop::Pose> tip_offset;
  /// x y z each.
  std::optional<Eigen::Vector3d> linear_stiffness, linear_damping, angular_stiffness,
    angular_damping;
  std::optional<double> max_force;
  std::optional<double> max_torque;
  std::optional<bool> drives_joints;
  std::optional<ambf_proxies::OnLoss> on_loss;
  std::optional<double> loss_timeout;
};

/// Everything that is said about devices beside the input-device file.
struct DeviceRules
{
  ambf_adf::Choice from_file;  ///< of the world's input-device file; by default none
  ambf_proxies::OnLoss on_loss =
    ambf_proxies::OnLoss::Hold;  ///< where a device's settings say nothing
  double loss_timeout = 0.1;
  std::vector<DeviceSettings> settings;
};

/// Lays settings over a binding.
void apply(const DeviceSettings & settings, ambf_proxies::Binding & binding);

/// All bindings of a world: those of the file, each with its settings, then the devices that only
/// the rules' settings name. Of two with one name the second is not usable and says so.
std::vector<ambf_proxies::Binding> all_bindings(
  std::vector<ambf_proxies::Binding> of_file, const DeviceRules & rules);

/// A device of an input-device file with the multi-body that it brings along.
struct DeviceModel
{
  ambf_proxies::Binding binding;
  std::optional<ambf_adf::Model> model;  ///< as its file has it
  std::size_t root = 0;                  ///< body of `model` that the hand holds
  std::optional<ambf_adf::Pose> pose;    ///< T_WM that puts the root link where the block wants it
};

/// Reads the multi-bodies. What is wrong with a block, its file or its root link makes that device
/// unusable and leaves the others alone.
std::vector<DeviceModel> read_device_models(
  const ambf_adf::InputDevices & devices, const ambf_adf::ParseOptions & options);

/// Warnings about keys of an input-device file that say nothing to this simulator as they stand there.
ambf_adf::Problems keys_without_effect(
  const ambf_adf::InputDevices & devices, const DeviceRules & rules);

/// The errors among `errors`, for a message of one line.
std::string in_one_line(const ambf_adf::Errors & errors);

}  // namespace ambf_simulation
