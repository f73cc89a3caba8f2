// SPDX-License-Identifier: BSD-3-Clause
// Where an arm and its tool are in a manifest.

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "ambf_adf/parse.hpp"
#include "arm_place.hpp"

namespace ambf_arm_nodes
{
namespace
{

using ambf_arms::Arm;
using ambf_arms::ArmDescription;
using ambf_arms::ArmKind;
using ambf_arms::MovedJoints;
using ambf_arms::ToolBodies;
using ambf_arms::ToolRack;
using ambf_msgs::msg::ModelInfo;
using ambf_msgs::msg::WorldManifest;

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

std::optional<std::uint32_t> find(
  const auto & infos, const std::vector<std::string> & models, const std::string & name)
{
  for (const std::string & model : models) {
    if (const auto index = find(infos, model, name)) { return index; }
  }
  return {};
}

bool has_body(const ambf_adf::Model & model, const std::string & name)
{
  return std::any_of(model.bodies.begin(), model.bodies.end(), [&](const auto & body) {
    return means(body.header.identifier, name);
  });
}

bool has_tools(const ArmDescription & arm)
{
  return arm.kind == ArmKind::Psm || arm.kind == ArmKind::Ecm;
}

/// Has a tool that belongs to it, a model at the same place, the arm's tip?
bool tip_beside(const WorldManifest & manifest, const ModelInfo & model, const ArmDescription & arm)
{
  return std::any_of(manifest.models.begin(), manifest.models.end(), [&](const ModelInfo & other) {
    return other.ns == model.ns && find(manifest.bodies, other.name, arm.tip).has_value();
  });
}

/// Its tool is gone, and it has the carriage for one with the arm's tip.
bool takes_tools(
  const WorldManifest & manifest, const ModelInfo & model, const ArmDescription & arm,
  const ToolRack & rack)
{
  bool carriage = false;
  for (const ToolBodies & tool : rack.tools) {
    const bool ours = has_body(tool.model, arm.tip);
    carriage |= ours && find(manifest.bodies, model.name, tool.carriage).has_value();
    for (const auto & body : tool.model.bodies) {
      if (!ours && find(manifest.bodies, model.name, body.header.identifier)) { return false; }
    }
  }
  return has_tools(arm) && carriage;
}

/// The model that is meant: by its name or place, by the file that the arm names, or the only one that
/// has the arm's bodies.
ambf_adf::expected<const ModelInfo *, std::string> find_model(
  const WorldManifest & manifest, const ArmDescription & arm, const std::string & wanted,
  const ToolRack & rack)
{
  std::vector<const ModelInfo *> all, fitting, without_tip;
  for (const ModelInfo & model : manifest.models) {
    all.push_back(&model);
    if (!wanted.empty() && (model.name == wanted || last_token(model.ns) == wanted)) {
      return &model;
    }
    if (!find(manifest.bodies, model.name, arm.base)) { continue; }
    if (tip_beside(manifest, model, arm)) {
      fitting.push_back(&model);
    } else if (takes_tools(manifest, model, arm, rack)) {
      without_tip.push_back(&model);
    }
  }
  if (fitting.empty()) { fitting = without_tip; }
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

/// The models that make an arm: its own, then those that hang on it.
struct ArmModels
{
  std::vector<std::string> names;
  ambf_adf::Model merged;
  std::string adf;
};

ambf_adf::expected<ambf_adf::Model, std::string> parse(const ModelInfo & info)
{
  ambf_adf::ParseOptions options;
  options.check_files = false;
  auto model = ambf_adf::parse_text(info.adf, info.name, info.resource_base, options);
  if (!model) { return ambf_adf::unexpected(ambf_adf::to_string(model.error())); }
  return std::move(*model);
}

/// Has it a joint at a body of the other one?
bool hangs_on(const ambf_adf::Model & model, const ambf_adf::Model & other)
{
  const auto is_of_other = [&](const std::string & body) {
    return std::any_of(other.bodies.begin(), other.bodies.end(), [&](const auto & b) {
      return b.header.qualified == body;
    });
  };
  return std::any_of(model.joints.begin(), model.joints.end(), [&](const auto & joint) {
    return is_of_other(joint.parent) || is_of_other(joint.child);
  });
}

ambf_adf::expected<ArmModels, std::string> read_models(
  const WorldManifest & manifest, const ModelInfo & info, bool with_tools)
{
  auto own = parse(info);
  if (!own) { return ambf_adf::unexpected(own.error()); }
  ArmModels out{{info.name}, std::move(*own), info.adf};
  if (!with_tools) { return out; }
  // A tool is loaded at the place of its arm; other arms have places of their own.
  for (const ModelInfo & other : manifest.models) {
    if (other.name == info.name || other.ns != info.ns) { continue; }
    const auto part = parse(other);
    if (!part || !hangs_on(*part, out.merged)) { continue; }
    ambf_arms::merge(out.merged, *part);
    out.names.push_back(other.name);
    out.adf += other.adf;
  }
  return out;
}

/// "psm1" of "/ambf/env/psm1/", where "/ambf/env" is the world's namespace.
std::string place_below(const std::string & ns, const std::string & world)
{
  std::string out = ns.starts_with(world) ? ns.substr(world.size()) : ns;
  while (!out.empty() && out.back() == '/') { out.pop_back(); }
  return out.substr(std::min(out.find_first_not_of('/'), out.size()));
}

std::string carriage_of(const ToolRack & rack, const ambf_adf::Model & arm)
{
  for (const ToolBodies & tool : rack.tools) {
    if (has_body(arm, tool.carriage)) { return tool.carriage; }
  }
  return {};
}

ToolSituation look_at_tool(
  const WorldManifest & manifest, const WantedArm & wanted, const ModelInfo & info,
  const ArmModels & models)
{
  ToolSituation out;
  if (!has_tools(wanted.description) || wanted.description.base.empty()) { return out; }
  const auto carried = ambf_arms::find_tool_bodies(wanted.rack, models.merged);
  out.wanted = ambf_arms::choose_bodies(wanted.rack, wanted.description.kind, wanted.wanted);
  out.exchangeable = carried.exchangeable;
  out.carried = carried.tool;
  out.beside = models.names.size() > 1;
  out.place = place_below(info.ns, wanted.world);
  out.carriage_name = carriage_of(wanted.rack, models.merged);
  if (!carried.exchangeable) { return out; }
  if (wanted.wanted.empty()) {
    out.wanted = {};
    out.settled = carried.left_over.empty();
  } else if (out.wanted.bodies != nullptr) {
    out.settled = ambf_arms::carries(wanted.rack, models.merged, *out.wanted.bodies);
  } else if (carried.tool == nullptr) {
    // No bodies of its own: those that are there stay, and where none are any will do.
    const auto any = std::find_if(
      wanted.rack.tools.begin(), wanted.rack.tools.end(),
      [&](const ToolBodies & tool) { return has_body(tool.model, wanted.description.tip); });
    out.wanted.bodies = any == wanted.rack.tools.end() ? nullptr : &*any;
    out.settled = out.wanted.bodies == nullptr;
  }
  out.carriage = find(manifest.bodies, info.name, out.carriage_name);
  out.to_remove.assign(models.names.begin() + 1, models.names.end());
  if (out.to_remove.empty()) { out.to_remove = carried.left_over; }
  return out;
}

/// The arm as it moves with this tool, and the joints of the world that each of its joints moves.
struct MovingArm
{
  Arm arm;
  std::vector<MovedJoints> joints;
};

ambf_adf::expected<MovingArm, std::string> make_arm(
  ArmDescription description, const ambf_adf::Model & model, const ToolSituation & tool,
  const std::string & name)
{
  const bool with_tool = has_tools(description) && !name.empty();
  if (with_tool) {
    (description.kind == ArmKind::Psm ? description.tool : description.endoscope) = name;
  }
  const ToolBodies * const carried = tool.exchangeable ? tool.carried : nullptr;
  const auto behind =
    carried == nullptr ? std::vector<MovedJoints>() : moved_joints(*carried, description.tip);
  const bool wrist_of_snake = behind.size() == 3 && behind[1].joints.size() > 1;
  const bool whole = !tool.exchangeable || (tool.settled && carried != nullptr && !wrist_of_snake);
  auto arm = Arm::make(description, whole ? &model : nullptr);
  if (!arm) { return ambf_adf::unexpected(ambf_adf::to_string(arm.error())); }
  MovingArm out{std::move(*arm), {}};
  if (whole) {
    for (const std::string & joint : out.arm.model_joints()) {
      out.joints.push_back({{joint}, 1.0});
    }
    return out;
  }
  // The joints before the carriage, and those of the tool that is there.
  const ambf_arms::MechanismRequest request{description.base, tool.carriage_name, {}};
  const auto arm_alone = ambf_arms::read_mechanism(model, request);
  if (!arm_alone) { return ambf_adf::unexpected(ambf_adf::to_string(arm_alone.error())); }
  for (const std::string & joint : arm_alone->joints) { out.joints.push_back({{joint}, 1.0}); }
  out.joints.insert(out.joints.end(), behind.begin(), behind.end());
  out.joints.resize(static_cast<std::size_t>(out.arm.joints()));
  return out;
}

}  // namespace

ambf_adf::expected<FoundArm, std::string> find_arm(
  const WorldManifest & manifest, const WantedArm & wanted)
{
  const ArmDescription & description = wanted.description;
  const auto info = find_model(manifest, description, wanted.model, wanted.rack);
  if (!info) { return ambf_adf::unexpected(info.error()); }
  const std::string & name = (*info)->name;
  const auto models = read_models(manifest, **info, has_tools(description));
  if (!models) { return ambf_adf::unexpected(models.error()); }
  ToolSituation tool = look_at_tool(manifest, wanted, **info, *models);
  auto moving = make_arm(
    description, models->merged, tool,
    tool.settled && !wanted.wanted.empty() ? wanted.wanted : wanted.now);
  if (!moving) { return ambf_adf::unexpected(moving.error()); }
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
  place.model_index = static_cast<std::size_t>(*info - manifest.models.data());
  place.adf = models->adf;
  place.base = *base;
  place.base_name = manifest.bodies[*handle].topic;
  place.command_topic = manifest.bodies[*handle].topic + "/Command";
  place.gravity = gravity_of(manifest, models->merged);
  place.drives_jaw = moving->arm.kind() != ArmKind::Mtm;
  std::string missing;
  const auto put = [&](const MovedJoints & moved, bool commanded) {
    PlacedJoint out{{}, moved.ratio};
    for (const std::string & joint : moved.joints) {
      const auto index = find(manifest.joints, models->names, joint);
      if (!index) {
        missing = joint;
        continue;
      }
      out.indices.push_back(*index);
      if (!commanded) { continue; }
      // Copies of an arm share published names: one that is not below the commanded body is named in full.
      const auto & below = manifest.bodies[*handle].client_joints;
      const bool is_below = std::find(below.begin(), below.end(), *index) != below.end();
      const auto & joint_info = manifest.joints[*index];
      place.command_names.push_back(is_below ? joint_info.name : joint_info.identifier);
    }
    return out;
  };
  for (const MovedJoints & joint : moving->joints) { place.joints.push_back(put(joint, true)); }
  // A tool that is to go may have no fingers.
  const bool expects_fingers = !tool.exchangeable || (tool.settled && tool.carried != nullptr);
  if (moving->arm.jaw() && missing.empty() && expects_fingers) {
    place.jaw = put({moving->arm.jaw()->joints, moving->arm.jaw()->ratio}, place.drives_jaw);
  }
  if (!missing.empty()) {
    return ambf_adf::unexpected("model '" + name + "' has no joint '" + missing + "'");
  }
  return FoundArm{std::move(place), std::move(moving->arm), std::move(tool)};
}

}  // namespace ambf_arm_nodes
