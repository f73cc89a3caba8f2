// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_arms/description.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>
#include <sstream>

#include "ambf_adf/object.hpp"
#include "ambf_arms/pose.hpp"
#include "yaml_block.hpp"

namespace ambf_arms
{
namespace
{

Eigen::Vector3d vector_of(Block & parent, const std::string & key, const char * const (&names)[3])
{
  Eigen::Vector3d out = Eigen::Vector3d::Zero();
  const auto node = parent.get(key);
  if (node) {
    Block block(*node, parent.key_path(key), parent.file(), parent.problems());
    for (int i = 0; i < 3; ++i) { out[i] = block.number(names[i]).value_or(0.0); }
    block.finish();
  }
  return out;
}

Eigen::Isometry3d matrix_pose(Block & block, const YAML::Node & node)
{
  Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity();
  bool right = node.IsSequence() && node.size() == 4;
  for (std::size_t i = 0; right && i < 4; ++i) {
    right = node[i].IsSequence() && node[i].size() == 4;
    for (std::size_t k = 0; right && k < 4; ++k) {
      const auto value = block.number_of(node[i][k], "matrix");
      matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = value.value_or(0.0);
      right = value.has_value();
    }
  }
  if (!right) {
    block.error(
      ProblemKind::WrongType, node, "matrix", describe(node), "four rows of four numbers",
      "or give `position` and `orientation`");
    return Eigen::Isometry3d::Identity();
  }
  const auto pose = make_pose(matrix);
  if (!pose) {
    block.error(
      ProblemKind::BadValue, node, "matrix", to_string(pose.error()),
      "a rotation in the upper left: orthonormal, determinant +1, last row 0 0 0 1",
      "give `position` and `orientation: {r, p, y}` instead");
    return Eigen::Isometry3d::Identity();
  }
  return *pose;
}

/// {position: {x, y, z}, orientation: {r, p, y} or {x, y, z, w}} or {matrix: 4 x 4}.
Eigen::Isometry3d read_pose(Block & block)
{
  if (const auto matrix = block.get("matrix")) { return matrix_pose(block, *matrix); }
  Eigen::Isometry3d out = Eigen::Isometry3d::Identity();
  out.translation() = vector_of(block, "position", {"x", "y", "z"});
  const auto orientation = block.get("orientation");
  if (orientation && orientation->IsMap() && (*orientation)["w"]) {
    Block q(*orientation, block.key_path("orientation"), block.file(), block.problems());
    const double x = q.number("x").value_or(0.0), y = q.number("y").value_or(0.0);
    const double z = q.number("z").value_or(0.0), w = q.number("w").value_or(0.0);
    q.finish();
    const auto pose = make_pose(out.translation(), Eigen::Quaterniond(w, x, y, z));
    if (pose) { return *pose; }
    block.error(
      ProblemKind::BadValue, *orientation, "orientation", to_string(pose.error()),
      "a quaternion of length 1", "no turn is {x: 0, y: 0, z: 0, w: 1}");
    return out;
  }
  out.linear() =
    ambf_adf::Pose{Eigen::Vector3d::Zero(), vector_of(block, "orientation", {"r", "p", "y"})}
      .rotation();
  return out;
}

void read_range(Block & block, std::optional<double> & low, std::optional<double> & high)
{
  low = block.number("low");
  high = block.number("high");
  if (low && high && *low > *high) {
    block.error(
      ProblemKind::BadValue, *block.get("low"), "low", std::to_string(*low),
      "not above `high`, " + std::to_string(*high), "exchange the two");
  }
}

std::vector<JointDescription> read_joints(Block & arm)
{
  std::vector<JointDescription> out;
  const auto list = arm.get("joints");
  if (!list) { return out; }
  if (!list->IsSequence()) {
    arm.error(
      ProblemKind::WrongType, *list, "joints", describe(*list), "a list",
      "leave the key out to take every driven joint between base and tip");
    return out;
  }
  for (const auto & item : *list) {
    JointDescription joint;
    if (item.IsScalar()) {
      joint.joint = item.Scalar();
    } else {
      Block block(item, arm.key_path("joints"), arm.file(), arm.problems());
      joint.joint = block.text("joint", "the joint's identifier in the model");
      joint.name = block.text("name");
      read_range(block, joint.low, joint.high);
      joint.velocity = block.positive("max velocity");
      joint.acceleration = block.positive("max acceleration");
      joint.jerk = block.positive("max jerk");
      joint.effort = block.positive("max effort");
      block.finish();
    }
    out.push_back(joint);
  }
  if (out.size() > static_cast<std::size_t>(max_joints)) {
    arm.error(
      ProblemKind::BadValue, *list, "joints", std::to_string(out.size()) + " joints",
      "at most " + std::to_string(max_joints), "make two arms of it");
  }
  return out;
}

std::optional<JawDescription> read_jaw(Block & arm, const std::string & key)
{
  const auto node = arm.get(key);
  if (!node) { return std::nullopt; }
  JawDescription jaw;
  Block block(*node, arm.key_path(key), arm.file(), arm.problems());
  jaw.joints = block.words("joints");
  jaw.ratio = block.number("ratio").value_or(0.5);
  if (jaw.ratio == 0.0) {
    block.error(
      ProblemKind::BadValue, *block.get("ratio"), "ratio", "0", "another number",
      "two fingers that turn by half of the angle between them have 0.5");
  }
  read_range(block, jaw.low, jaw.high);
  block.finish();
  return jaw;
}

/// {convention: modified | standard, rows: [{alpha, a, d, theta, slides}]}.
std::optional<DhDescription> read_dh(Block & arm)
{
  const auto node = arm.get("dh");
  if (!node) { return std::nullopt; }
  DhDescription dh;
  Block block(*node, arm.key_path("dh"), arm.file(), arm.problems());
  dh.convention = block.choice<DhConvention>(
    "convention", {{"modified", DhConvention::Modified}, {"standard", DhConvention::Standard}},
    DhConvention::Modified);
  const auto rows = block.get("rows");
  if (!rows || !rows->IsSequence() || rows->size() == 0) {
    block.error(
      rows ? ProblemKind::WrongType : ProblemKind::MissingKey, rows ? *rows : *node, "rows",
      rows ? describe(*rows) : "no such key", "a list of rows",
      "one per joint: `- {alpha: 1.5708, a: 0, d: 0, theta: 0}`");
  } else {
    for (const auto & item : *rows) {
      Block row(item, block.key_path("rows"), arm.file(), arm.problems());
      DhRow out;
      out.alpha = row.number("alpha").value_or(0.0);
      out.a = row.number("a").value_or(0.0);
      out.d = row.number("d").value_or(0.0);
      out.theta = row.number("theta").value_or(0.0);
      out.slides = row.choice<bool>("slides", {{"true", true}, {"false", false}}, false);
      row.finish();
      dh.rows.push_back(out);
    }
    if (dh.rows.size() > static_cast<std::size_t>(max_joints)) {
      block.error(
        ProblemKind::BadValue, *rows, "rows", std::to_string(dh.rows.size()) + " rows",
        "at most " + std::to_string(max_joints), "make two arms of it");
    }
  }
  block.finish();
  return dh;
}

void check_tool(Block & block, const ArmDescription & arm)
{
  if (!arm.tool.empty() && arm.kind != ArmKind::Psm) {
    block.error(
      ProblemKind::BadValue, *block.get("tool"), "tool", "'" + arm.tool + "'",
      "no tool for an arm of kind " + std::string(to_string(arm.kind)),
      "generic arms have `tip offset`, an ECM has `endoscope`");
  } else if (!arm.tool.empty() && find_tool(arm.tool, arm.generation) == nullptr) {
    block.error(
      ProblemKind::UnknownEnum, *block.get("tool"), "tool", "'" + arm.tool + "'", "a known tool",
      tool_advice(arm.tool));
  }
  if (!arm.endoscope.empty() && find_endoscope(arm.endoscope) == nullptr) {
    std::string names;
    for (const Endoscope & e : endoscopes()) {
      names += (names.empty() ? "" : ", ") + std::string(e.name);
    }
    block.error(
      ProblemKind::UnknownEnum, *block.get("endoscope"), "endoscope", "'" + arm.endoscope + "'",
      "one of " + names, "");
  }
}

bool is_name(const std::string & text)
{
  const auto legal = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  return std::all_of(text.begin(), text.end(), legal) &&
         (text.empty() || std::isdigit(static_cast<unsigned char>(text[0])) == 0);
}

/// Names with slashes between them.
std::string read_topic(Block & block)
{
  const std::string topic = block.text("topic");
  std::istringstream parts(topic);
  bool good = topic.empty() || (topic.front() != '/' && topic.back() != '/');
  for (std::string part; good && std::getline(parts, part, '/');) {
    good = !part.empty() && is_name(part);
  }
  if (!good) {
    block.error(
      ProblemKind::BadValue, *block.get("topic"), "topic", "'" + topic + "'",
      "names of letters, digits and _ with / between them", "for example SUJ/PSM1");
  }
  return topic;
}

void read_carried(Block & block, ArmDescription & arm)
{
  arm.carries = block.text("carries", "the arm whose base the tip is");
  arm.reference_arm = block.text("reference arm", "the arm in whose tip frame that base is given");
  for (const char * key : {"carries", "reference arm"}) {
    const std::string & name = std::string(key) == "carries" ? arm.carries : arm.reference_arm;
    if (!is_name(name)) {
      block.error(
        ProblemKind::BadValue, *block.get(key), key, "'" + name + "'", "the name of an arm",
        "letters, digits and _");
    }
  }
  if (!arm.reference_arm.empty() && arm.carries.empty()) {
    block.error(
      ProblemKind::BadValue, *block.get("reference arm"), "reference arm",
      "'" + arm.reference_arm + "' without `carries`", "both",
      "`carries` names the arm that stands on these joints");
  }
}

ArmDescription read_arm(
  const YAML::Node & node, const std::string & path, const std::string & file,
  const std::filesystem::path & folder, Problems & problems)
{
  ArmDescription arm;
  arm.source_file = file;
  arm.where = mark_of(node);
  Block block(node, path, file, problems);
  arm.name = block.text("name", "what clients call the arm, e.g. PSM1", true);
  if (!is_name(arm.name)) {
    block.error(
      ProblemKind::BadValue, *block.get("name"), "name", "'" + arm.name + "'",
      "letters, digits and _, not beginning with a digit", "it becomes part of topic names");
  }
  arm.topic = read_topic(block);
  arm.kind = block.choice<ArmKind>(
    "kind",
    {{"generic", ArmKind::Generic},
     {"PSM", ArmKind::Psm},
     {"ECM", ArmKind::Ecm},
     {"MTM", ArmKind::Mtm}},
    ArmKind::Generic);
  arm.generation = block.choice<Generation>(
    "generation", {{"Classic", Generation::Classic}, {"Si", Generation::Si}}, Generation::Classic);
  arm.side =
    block.choice<Side>("side", {{"left", Side::Left}, {"right", Side::Right}}, Side::Right);
  arm.tool = block.text("tool");
  arm.endoscope = block.text("endoscope");
  check_tool(block, arm);
  const std::string model = block.text("model");
  if (!model.empty()) {
    const std::filesystem::path path_of_model = folder / model;
    arm.model = path_of_model.lexically_normal().string();
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path_of_model, ignored)) {
      block.error(
        ProblemKind::MissingFile, *block.get("model"), "model", "'" + arm.model + "'",
        "an ADF file", "paths are relative to the folder of this file");
    }
  }
  arm.dh = read_dh(block);
  const bool needs_bodies = arm.kind == ArmKind::Generic && !arm.dh;
  arm.base = block.text("base", "the body that stands still, e.g. BODY base link", needs_bodies);
  arm.tip = block.text("tip", "the body that the last joint moves", needs_bodies);
  arm.joints = read_joints(block);
  arm.jaw = read_jaw(block, arm.kind == ArmKind::Mtm ? "gripper" : "jaw");
  if (const auto pose = block.get("tip offset")) {
    Block part(*pose, block.key_path("tip offset"), file, problems);
    arm.tip_offset = read_pose(part);
    part.finish();
  }
  if (const auto pose = block.get("base offset")) {
    Block part(*pose, block.key_path("base offset"), file, problems);
    arm.base_offset = read_pose(part);
    part.finish();
    if (arm.kind != ArmKind::Generic || arm.dh) {
      block.error(
        ProblemKind::BadValue, *pose, "base offset", "an offset",
        "none for an arm that has its base frame from its kind or its rows", "give `base frame`");
    }
  }
  if (const auto pose = block.get("base frame")) {
    Block part(*pose, block.key_path("base frame"), file, problems);
    arm.reference = part.text("reference");
    arm.base_frame = read_pose(part);
    part.finish();
  }
  arm.velocity = block.positive("max velocity");
  arm.acceleration = block.positive("max acceleration");
  arm.jerk = block.positive("max jerk");
  arm.home = block.numbers("home");
  read_carried(block, arm);
  block.finish();
  return arm;
}

}  // namespace

const char * to_string(ArmKind kind) noexcept
{
  switch (kind) {
    case ArmKind::Generic:
      return "generic";
    case ArmKind::Psm:
      return "PSM";
    case ArmKind::Ecm:
      return "ECM";
    case ArmKind::Mtm:
      return "MTM";
  }
  return "generic";
}

ambf_adf::expected<ArmDescriptions, ambf_adf::Errors> parse_arms_text(
  std::string_view text, const std::string & name, const std::filesystem::path & folder)
{
  Problems problems;
  ArmDescriptions out;
  try {
    const YAML::Node root = YAML::Load(std::string(text));
    if (!root.IsMap() || (!root["arm"] && !root["arms"])) {
      problems.push_back(
        {Severity::Error, ProblemKind::MissingKey, name, mark_of(root), "arm", describe(root),
         "a map with the key `arm`, or `arms` with a list",
         "the smallest arm is `arm: {name: A, base: BODY base, tip: BODY hand}`"});
      return ambf_adf::unexpected(problems);
    }
    Block top(root, "", name, problems);
    if (const auto one = top.get("arm")) {
      out.arms.push_back(read_arm(*one, "arm", name, folder, problems));
    }
    if (const auto many = top.get("arms")) {
      if (!many->IsSequence()) {
        top.error(
          ProblemKind::WrongType, *many, "arms", describe(*many), "a list of arms",
          "begin each with '- name: ...'");
      } else {
        for (std::size_t i = 0; i < many->size(); ++i) {
          out.arms.push_back(
            read_arm((*many)[i], "arms/" + std::to_string(i), name, folder, problems));
        }
      }
    }
    top.finish();
    std::set<std::string> names;
    for (const ArmDescription & arm : out.arms) {
      if (!arm.name.empty() && !names.insert(arm.name).second) {
        problems.push_back(
          {Severity::Error, ProblemKind::DuplicateName, name, arm.where, "name",
           "'" + arm.name + "' twice", "a name of its own for every arm", ""});
      }
    }
  } catch (const YAML::Exception & e) {
    problems.push_back(
      {Severity::Error, ProblemKind::Syntax, name,
       e.mark.is_null() ? Mark{} : Mark{e.mark.line + 1, e.mark.column + 1}, "", e.msg,
       "valid YAML", "check the indentation and that brackets are closed"});
  }
  if (ambf_adf::has_errors(problems)) { return ambf_adf::unexpected(problems); }
  out.warnings = std::move(problems);
  return out;
}

ambf_adf::expected<ArmDescriptions, ambf_adf::Errors> parse_arms_file(
  const std::filesystem::path & file)
{
  std::ifstream stream(file);
  std::error_code ignored;
  if (!stream || std::filesystem::is_directory(file, ignored)) {
    return ambf_adf::unexpected(Problems{
      {Severity::Error,
       ProblemKind::Io,
       file.string(),
       {},
       "",
       "no file that can be read",
       "a YAML file that describes arms",
       "check the path and its permissions"}});
  }
  std::ostringstream text;
  text << stream.rdbuf();
  return parse_arms_text(text.str(), file.string(), file.parent_path());
}

}  // namespace ambf_arms
