// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_arms/tool_rack.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <tuple>

#include "ambf_adf/names.hpp"
#include "ambf_adf/parse.hpp"
#include "ambf_adf/placement.hpp"

namespace ambf_arms
{
namespace
{

using ambf_adf::Model;
using ambf_adf::RigidBody;

bool names(const ambf_adf::ObjectHeader & header, const std::string & reference)
{
  return header.identifier == reference || header.qualified == reference;
}

const RigidBody * find_body(const Model & model, const std::string & reference)
{
  const auto found = std::find_if(model.bodies.begin(), model.bodies.end(), [&](const auto & body) {
    return names(body.header, reference);
  });
  return found == model.bodies.end() ? nullptr : &*found;
}

std::string drawn(const RigidBody & body)
{
  const auto * mesh = std::get_if<ambf_adf::MeshFile>(&body.visual.geometry);
  return mesh == nullptr ? "" : std::filesystem::path(mesh->file).filename().string();
}

/// The same part under the same name, wherever it is.
bool same_part(const RigidBody & a, const RigidBody & b)
{
  return a.header.identifier == b.header.identifier && a.mass == b.mass && drawn(a) == drawn(b);
}

bool is_tool_body(const ToolRack & rack, const std::string & identifier)
{
  return std::any_of(rack.tools.begin(), rack.tools.end(), [&](const ToolBodies & tool) {
    return std::any_of(tool.model.bodies.begin(), tool.model.bodies.end(), [&](const auto & body) {
      return body.header.identifier == identifier;
    });
  });
}

/// Tool bodies of a model, in its order.
std::vector<const RigidBody *> tool_bodies(const ToolRack & rack, const Model & arm)
{
  std::vector<const RigidBody *> out;
  for (const RigidBody & body : arm.bodies) {
    if (is_tool_body(rack, body.header.identifier)) { out.push_back(&body); }
  }
  return out;
}

bool part_of(const RigidBody & body, const ToolBodies & tool)
{
  return std::any_of(tool.model.bodies.begin(), tool.model.bodies.end(), [&](const auto & other) {
    return same_part(body, other);
  });
}

bool all_part_of(const std::vector<const RigidBody *> & bodies, const ToolBodies & tool)
{
  return std::all_of(
    bodies.begin(), bodies.end(), [&](const auto * body) { return part_of(*body, tool); });
}

const ToolBodies * with_number(const ToolRack & rack, const std::string & number)
{
  const auto found = std::find_if(
    rack.tools.begin(), rack.tools.end(),
    [&](const ToolBodies & tool) { return tool.name.ends_with("_" + number); });
  return found == rack.tools.end() ? nullptr : &*found;
}

ToolChoice choose_instrument(const ToolRack & rack, std::string_view name)
{
  const Tool * const wanted = find_tool(name, Generation::Classic);
  if (wanted == nullptr) { return {nullptr, "it is not known"}; }
  if (const ToolBodies * own = with_number(rack, wanted->model)) { return {own, ""}; }
  constexpr double most = 1.001e-3;  // m
  const ToolBodies * best = nullptr;
  const Tool * best_tool = nullptr;
  const auto badness = [&](const Tool & t) {
    return std::tuple(
      t.has_jaw() != wanted->has_jaw(), std::abs(t.wrist_length - wanted->wrist_length),
      ambf_adf::edit_distance(t.name, wanted->name));
  };
  for (const Tool & other : tools()) {
    const ToolBodies * const bodies = with_number(rack, other.model);
    const bool fits = bodies != nullptr && other.generation == wanted->generation &&
                      other.wrist == wanted->wrist &&
                      std::abs(other.shaft - wanted->shaft) < most &&
                      std::abs(other.wrist_length - wanted->wrist_length) < most;
    if (fits && (best_tool == nullptr || badness(other) < badness(*best_tool))) {
      best = bodies;
      best_tool = &other;
    }
  }
  if (best == nullptr) { return {nullptr, "nothing that looks like it is shipped"}; }
  return {
    best, "the bodies of " + best_tool->full_name() + " stand for it, its own are not shipped"};
}

ToolChoice choose_endoscope(const ToolRack & rack, const std::string & name)
{
  const auto mark = name.rfind('_');
  if (mark == std::string::npos) { return {}; }
  std::string view = name.substr(mark + 1);
  std::transform(view.begin(), view.end(), view.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  const std::string sort = name.substr(0, mark);
  const std::string file =
    std::string("endoscope_") + (sort.starts_with("Si") ? "si_" : "classic_") + view;
  const auto found = std::find_if(
    rack.tools.begin(), rack.tools.end(),
    [&](const ToolBodies & tool) { return tool.name == file; });
  if (found == rack.tools.end()) { return {nullptr, "there is no file " + file + ".yaml"}; }
  const bool own = sort == "Classic_HD" || sort == "Si_HD";
  return {&*found, own ? "" : "the bodies of " + file + " stand for it, its own are not shipped"};
}

}  // namespace

ToolRack read_tool_rack(const std::filesystem::path & folder)
{
  ToolRack rack;
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto & entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".yaml") { files.push_back(entry.path()); }
  }
  if (error) {
    rack.warnings.push_back(
      "tools: found '" + folder.string() + "', expected a folder that can be read");
  }
  std::sort(files.begin(), files.end());
  ambf_adf::ParseOptions options;
  options.check_files = false;
  for (const auto & file : files) {
    auto model = ambf_adf::parse_file(file, options);
    if (!model) {
      rack.warnings.push_back(ambf_adf::to_string(model.error()));
      continue;
    }
    ToolBodies tool{file.stem().string(), std::move(*model), ""};
    for (const ambf_adf::Joint & joint : tool.model.joints) {
      if (tool.carriage.empty() && find_body(tool.model, joint.parent) == nullptr) {
        tool.carriage = joint.parent;
      }
    }
    if (tool.carriage.empty()) {
      rack.warnings.push_back(
        file.string() + ": no joint hangs it on a body of an arm, it is passed over");
      continue;
    }
    rack.tools.push_back(std::move(tool));
  }
  return rack;
}

ToolChoice choose_bodies(const ToolRack & rack, ArmKind kind, std::string_view tool)
{
  if (kind == ArmKind::Psm) { return choose_instrument(rack, tool); }
  if (kind == ArmKind::Ecm) { return choose_endoscope(rack, std::string(tool)); }
  return {};
}

std::vector<MovedJoints> moved_joints(const ToolBodies & tool, const std::string & tip)
{
  std::vector<std::string> way;
  std::string at = tip;
  for (std::size_t i = 0; i <= tool.model.joints.size(); ++i) {
    const RigidBody * const body = find_body(tool.model, at);
    if (body == nullptr) { break; }
    const auto joint = std::find_if(
      tool.model.joints.begin(), tool.model.joints.end(),
      [&](const auto & j) { return names(body->header, j.child); });
    if (joint == tool.model.joints.end()) { return {}; }
    way.insert(way.begin(), joint->header.identifier);
    at = joint->parent;
  }
  if (at != tool.carriage) { return {}; }
  switch (way.size()) {
    case 1:
      return {{{way[0]}, 1.0}};
    case 3:
      return {{{way[0]}, 1.0}, {{way[1]}, 1.0}, {{way[2]}, 1.0}};
    case 5:
      return {{{way[0]}, 1.0}, {{way[1], way[4]}, 0.5}, {{way[2], way[3]}, 0.5}};
    default:
      return {};
  }
}

Model posed(
  const ToolBodies & tool, const std::vector<MovedJoints> & moved, const JointVector & values,
  const std::vector<std::string> & fingers, double finger)
{
  std::map<std::string, double> value_of;
  for (std::size_t i = 0; i < moved.size() && static_cast<Eigen::Index>(i) < values.size(); ++i) {
    for (const std::string & joint : moved[i].joints) {
      value_of[joint] = moved[i].ratio * values[static_cast<Eigen::Index>(i)];
    }
  }
  for (const std::string & joint : fingers) { value_of[joint] = finger; }
  Model out = tool.model;
  std::map<std::string, Eigen::Isometry3d> placed{{tool.carriage, Eigen::Isometry3d::Identity()}};
  // Bodies follow in any order; each round places those whose parent has its place.
  for (bool more = true; more;) {
    more = false;
    for (const ambf_adf::Joint & joint : tool.model.joints) {
      const RigidBody * const child = find_body(tool.model, joint.child);
      const RigidBody * const parent = find_body(tool.model, joint.parent);
      const auto from = placed.find(parent == nullptr ? joint.parent : parent->header.identifier);
      if (child == nullptr || from == placed.end() || placed.contains(child->header.identifier)) {
        continue;
      }
      const auto given = value_of.find(joint.header.identifier);
      double q = given == value_of.end() ? 0.0 : given->second;
      if (joint.limits) { q = std::clamp(q, joint.limits->low, joint.limits->high); }
      placed[child->header.identifier] =
        from->second *
        ambf_adf::child_in_parent(joint, q, parent == nullptr ? 1.0 : parent->scale, child->scale);
      more = true;
    }
  }
  for (RigidBody & body : out.bodies) {
    const auto at = placed.find(body.header.identifier);
    if (at != placed.end()) { body.location = ambf_adf::Pose::from(at->second); }
  }
  return out;
}

CarriedTool find_tool_bodies(const ToolRack & rack, const Model & arm)
{
  CarriedTool out;
  const auto has_carriage = std::any_of(
    rack.tools.begin(), rack.tools.end(),
    [&](const ToolBodies & tool) { return find_body(arm, tool.carriage) != nullptr; });
  if (!has_carriage) { return out; }
  const auto bodies = tool_bodies(rack, arm);
  const auto known = std::find_if(rack.tools.begin(), rack.tools.end(), [&](const auto & tool) {
    return all_part_of(bodies, tool);
  });
  // Somebody's own tool, whose bodies only have the names of ours.
  if (known == rack.tools.end()) { return out; }
  out.exchangeable = true;
  for (const ToolBodies & tool : rack.tools) {
    if (out.tool == nullptr && carries(rack, arm, tool)) { out.tool = &tool; }
  }
  for (const auto * body : bodies) {
    out.left_over.insert(out.left_over.begin(), body->header.qualified);
  }
  return out;
}

bool carries(const ToolRack & rack, const Model & arm, const ToolBodies & tool)
{
  const auto bodies = tool_bodies(rack, arm);
  return bodies.size() == tool.model.bodies.size() && all_part_of(bodies, tool);
}

void merge(Model & arm, const Model & part)
{
  arm.bodies.insert(arm.bodies.end(), part.bodies.begin(), part.bodies.end());
  arm.joints.insert(arm.joints.end(), part.joints.begin(), part.joints.end());
}

}  // namespace ambf_arms
