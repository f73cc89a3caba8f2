// SPDX-License-Identifier: BSD-3-Clause
#include "arm_place.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <ambf_msgs/msg/joint_mode.hpp>

#include "ambf_adf/parse.hpp"

namespace ambf_arm_nodes
{
namespace
{

using ambf_arms::Arm;
using ambf_arms::ArmDescription;
using ambf_msgs::msg::JointMode;
using ambf_msgs::msg::ModelInfo;
using ambf_msgs::msg::RigidBodyCmd;
using ambf_msgs::msg::WorldManifest;
using ambf_msgs::msg::WorldSnapshot;

constexpr std::size_t body_stride = 13;
constexpr std::size_t joint_stride = 3;

/// Is `name` the identifier, with or without the place before it and the sort of block?
bool means(const std::string & qualified, const std::string & name)
{
  const std::string_view own = std::string_view(qualified).substr(qualified.rfind('/') + 1);
  if (own == name || qualified == name) { return true; }
  const auto blank = own.find(' ');
  return blank != std::string_view::npos && own.substr(blank + 1) == name;
}

template <class Infos>
std::optional<std::uint32_t> find(
  const Infos & infos, const std::string & model, const std::string & name)
{
  for (std::size_t i = 0; i < infos.size(); ++i) {
    if (infos[i].model == model && (means(infos[i].identifier, name) || infos[i].name == name)) {
      return static_cast<std::uint32_t>(i);
    }
  }
  return {};
}

std::string last_token(std::string name)
{
  while (!name.empty() && name.back() == '/') { name.pop_back(); }
  return name.substr(name.rfind('/') + 1);
}

std::string names_of(const std::vector<const ModelInfo *> & models)
{
  std::string text;
  for (const ModelInfo * model : models) { text += (text.empty() ? "" : ", ") + model->name; }
  return text.empty() ? "none" : text;
}

/// The model that is meant: by its name or place, by the file that the arm names, or the only one that
/// has the arm's bodies.
ambf_adf::expected<const ModelInfo *, std::string> find_model(
  const WorldManifest & manifest, const ArmDescription & arm, const std::string & wanted)
{
  std::vector<const ModelInfo *> all, fitting;
  for (const ModelInfo & model : manifest.models) {
    all.push_back(&model);
    if (!wanted.empty() && (model.name == wanted || last_token(model.ns) == wanted)) {
      return &model;
    }
    const bool fits = find(manifest.bodies, model.name, arm.base).has_value() &&
                      find(manifest.bodies, model.name, arm.tip).has_value();
    if (fits) { fitting.push_back(&model); }
  }
  if (!wanted.empty()) {
    return ambf_adf::unexpected(
      "the world has no model '" + wanted + "'; there are: " + names_of(all));
  }
  const std::string stem = std::filesystem::path(arm.model).stem().string();
  const auto named = std::find_if(
    fitting.begin(), fitting.end(), [&](const ModelInfo * model) { return model->name == stem; });
  if (named != fitting.end()) { return *named; }
  if (fitting.size() == 1) { return fitting[0]; }
  if (fitting.empty()) {
    return ambf_adf::unexpected(
      "no model of the world has the bodies '" + arm.base + "' and '" + arm.tip +
      "'; there are: " + names_of(all));
  }
  return ambf_adf::unexpected(
    "several models of the world could be this arm: " + names_of(fitting) +
    "; the parameter 'model' says which");
}

Eigen::Vector3d gravity_of(const WorldManifest & manifest, const ambf_adf::Model & model)
{
  if (model.gravity) { return *model.gravity; }
  if (manifest.world_adf.empty()) { return {0.0, 0.0, -9.81}; }
  ambf_adf::ParseOptions options;
  options.check_files = false;
  const auto world = ambf_adf::parse_world_text(manifest.world_adf, "the world file", {}, options);
  return world ? world->gravity : Eigen::Vector3d(0.0, 0.0, -9.81);
}

/// A body of the model by which joints can be commanded: the base, or another one with topics.
std::optional<std::uint32_t> commanded_body(
  const WorldManifest & manifest, const std::string & model, std::uint32_t base)
{
  if (!manifest.bodies[base].without_topics) { return base; }
  for (std::size_t i = 0; i < manifest.bodies.size(); ++i) {
    if (manifest.bodies[i].model == model && !manifest.bodies[i].without_topics) {
      return static_cast<std::uint32_t>(i);
    }
  }
  return {};
}

}  // namespace

ArmDescription choose_arm(const Parameters & parameters)
{
  auto described = ambf_arms::parse_arms_file(parameters.arms_file);
  if (!described) { throw std::invalid_argument(ambf_adf::to_string(described.error())); }
  std::string names;
  for (ArmDescription & arm : described->arms) {
    if (arm.name == parameters.arm || (parameters.arm.empty() && described->arms.size() == 1)) {
      if (!parameters.name.empty()) { arm.name = parameters.name; }
      return std::move(arm);
    }
    names += (names.empty() ? "" : ", ") + arm.name;
  }
  throw std::invalid_argument(
    "parameter 'arm': found '" + parameters.arm + "', expected one of " + parameters.arms_file +
    ": " + names);
}

std::optional<Arm> arm_without_world(const ArmDescription & description)
{
  if (description.kind != ambf_arms::ArmKind::Generic) {
    const auto arm = Arm::make(description, nullptr);
    return arm ? std::optional<Arm>(*arm) : std::nullopt;
  }
  ambf_adf::ParseOptions options;
  options.check_files = false;
  if (description.model.empty() || !std::filesystem::is_regular_file(description.model)) {
    return {};
  }
  const auto model = ambf_adf::parse_file(description.model, options);
  const auto arm =
    model ? Arm::make(description, &*model)
          : ambf_adf::expected<Arm, ambf_adf::Errors>(ambf_adf::unexpected(model.error()));
  return arm ? std::optional<Arm>(*arm) : std::nullopt;
}

ambf_adf::expected<FoundArm, std::string> find_arm(
  const WorldManifest & manifest, const ArmDescription & description, const std::string & wanted)
{
  const auto info = find_model(manifest, description, wanted);
  if (!info) { return ambf_adf::unexpected(info.error()); }
  const std::string & name = (*info)->name;
  ambf_adf::ParseOptions options;
  options.check_files = false;
  const auto model = ambf_adf::parse_text((*info)->adf, name, (*info)->resource_base, options);
  if (!model) { return ambf_adf::unexpected(ambf_adf::to_string(model.error())); }
  auto arm = Arm::make(description, &*model);
  if (!arm) { return ambf_adf::unexpected(ambf_adf::to_string(arm.error())); }
  const auto base = find(manifest.bodies, name, description.base);
  if (!base) {
    return ambf_adf::unexpected("model '" + name + "' has no body '" + description.base + "'");
  }
  const auto handle = commanded_body(manifest, name, *base);
  if (!handle) {
    return ambf_adf::unexpected(
      "no body of model '" + name + "' has topics, so that its joints cannot be commanded");
  }
  ArmPlace place;
  place.revision = manifest.revision;
  place.model = name;
  place.adf = (*info)->adf;
  place.base = *base;
  place.base_name = manifest.bodies[*handle].topic;
  place.command_topic = manifest.bodies[*handle].topic + "/Command";
  place.gravity = gravity_of(manifest, *model);
  std::vector<std::string> wanted_joints = arm->model_joints();
  const bool master = arm->kind() == ambf_arms::ArmKind::Mtm;
  if (arm->jaw()) {
    place.jaw_ratio = arm->jaw()->ratio;
    wanted_joints.insert(wanted_joints.end(), arm->jaw()->joints.begin(), arm->jaw()->joints.end());
  }
  for (std::size_t i = 0; i < wanted_joints.size(); ++i) {
    const auto joint = find(manifest.joints, name, wanted_joints[i]);
    if (!joint) {
      return ambf_adf::unexpected("model '" + name + "' has no joint '" + wanted_joints[i] + "'");
    }
    const bool finger = i >= arm->model_joints().size();
    (finger ? place.fingers : place.joints).push_back(*joint);
    // Fingers of a master are moved by people.
    if (!finger || !master) { place.command_names.push_back(manifest.joints[*joint].name); }
  }
  return FoundArm{std::move(place), std::move(*arm)};
}

bool measure(const ArmPlace & place, const WorldSnapshot & snapshot, ambf_arms::MeasuredArm & out)
{
  if (snapshot.manifest_revision != place.revision) { return false; }
  const auto n = static_cast<Eigen::Index>(place.joints.size());
  out.position.resize(n);
  out.velocity.resize(n);
  out.effort.resize(n);
  const auto at = [&](std::uint32_t joint) -> const double * {
    const std::size_t first = joint * joint_stride;
    return first + joint_stride <= snapshot.joints.size() ? snapshot.joints.data() + first
                                                          : nullptr;
  };
  for (Eigen::Index i = 0; i < n; ++i) {
    const double * joint = at(place.joints[static_cast<std::size_t>(i)]);
    if (joint == nullptr) { return false; }
    out.position[i] = joint[0];
    out.velocity[i] = joint[1];
    out.effort[i] = joint[2];
  }
  out.jaw_position = out.jaw_velocity = out.jaw_effort = 0.0;
  // Virtual work: what all fingers do together is what the angle between them does.
  const double share = 1.0 / (static_cast<double>(place.fingers.size()) * place.jaw_ratio);
  for (const std::uint32_t finger : place.fingers) {
    const double * joint = at(finger);
    if (joint == nullptr) { return false; }
    out.jaw_position += share * joint[0];
    out.jaw_velocity += share * joint[1];
    out.jaw_effort += place.jaw_ratio * joint[2];
  }
  return true;
}

Eigen::Isometry3d base_in_world(const ArmPlace & place, const WorldSnapshot & snapshot)
{
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  const std::size_t first = place.base * body_stride;
  if (first + body_stride > snapshot.bodies.size()) { return pose; }
  const double * b = snapshot.bodies.data() + first;
  pose.translation() = Eigen::Vector3d(b[0], b[1], b[2]);
  pose.linear() = Eigen::Quaterniond(b[6], b[3], b[4], b[5]).normalized().toRotationMatrix();
  return pose;
}

void fill(RigidBodyCmd & out, const ArmPlace & place, const ambf_arms::ArmDrives & drives)
{
  using ambf_arms::Drive;
  const auto mode_of = [](Drive drive) -> std::uint8_t {
    switch (drive) {
      case Drive::Position:
        return JointMode::POSITION;
      case Drive::Effort:
        return JointMode::EFFORT;
      case Drive::Off:
        break;
    }
    return JointMode::RELEASE;
  };
  const std::size_t n = place.joints.size();
  const std::size_t all = place.command_names.size();
  out.name = place.base_name;
  out.cartesian_cmd_type = RigidBodyCmd::TYPE_NONE;
  if (out.joint_names != place.command_names) { out.joint_names = place.command_names; }
  out.joint_modes.resize(all);
  out.joint_cmds.resize(all);
  for (std::size_t i = 0; i < n; ++i) {
    out.joint_modes[i] = mode_of(drives.modes[i]);
    out.joint_cmds[i] = drives.values[static_cast<Eigen::Index>(i)];
  }
  const double share = static_cast<double>(all - n) * place.jaw_ratio;
  for (std::size_t i = n; i < all; ++i) {
    out.joint_modes[i] = mode_of(drives.jaw_mode);
    out.joint_cmds[i] =
      drives.jaw_mode == Drive::Effort ? drives.jaw / share : place.jaw_ratio * drives.jaw;
  }
}

bool was_put_elsewhere(
  const Arm & arm, const ambf_arms::ArmDrives & asked, const ambf_arms::MeasuredArm & before,
  const ambf_arms::MeasuredArm & after, double dt)
{
  if (before.position.size() != after.position.size()) { return false; }
  for (int i = 0; i < arm.joints(); ++i) {
    const double way = after.position[i] - before.position[i];
    if (dt <= 0.0) {
      if (std::abs(way) > 1e-6) { return true; }
      continue;
    }
    // By its speed at either end, or to where it is asked to be: simulated motors are there within a
    // few steps, and stand still again before the next snapshot.
    const bool goes = asked.modes[static_cast<std::size_t>(i)] == ambf_arms::Drive::Position &&
                      i < asked.values.size();
    const auto [back, forth] = std::minmax(
      {0.0, before.velocity[i] * dt, after.velocity[i] * dt,
       goes ? asked.values[i] - before.position[i] : 0.0});
    // What is left may be due to an acceleration, far beyond that of any motor.
    const double slack = arm.slides(i) ? 0.002 + 50.0 * dt * dt : 0.02 + 500.0 * dt * dt;
    if (way > forth + slack || way < back - slack) { return true; }
  }
  return false;
}

}  // namespace ambf_arm_nodes
