// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <random>

#include "ambf_arms/arm.hpp"
#include "ambf_arms/pose.hpp"

namespace ambf_arms
{

using ambf_adf::Problem;
using ambf_adf::ProblemKind;
using ambf_adf::Problems;
using ambf_adf::Severity;

/// Fills an arm from its description and its model.
struct ArmMaker
{
  const ArmDescription & description;
  const ambf_adf::Model * model;
  Arm arm;
  Problems problems;

  void tell(
    Severity severity, ProblemKind kind, std::string key, std::string found, std::string expected,
    std::string hint)
  {
    problems.push_back(
      {severity, kind, description.source_file, description.where, description.name + "/" + key,
       std::move(found), std::move(expected), std::move(hint)});
  }

  void read_model();
  void known_kind();
  void generic_kind();
  void own_rows();
  void generic_rows();
  void home();
  void compare();
};

void ArmMaker::read_model()
{
  MechanismRequest request{description.base, description.tip, {}};
  for (const JointDescription & joint : description.joints) {
    if (!joint.joint.empty()) { request.joints.push_back(joint.joint); }
  }
  if (description.kind != ArmKind::Generic && request.base.empty()) { return; }
  auto mechanism = read_mechanism(*model, request);
  if (!mechanism) {
    problems.insert(problems.end(), mechanism.error().begin(), mechanism.error().end());
    return;
  }
  const Tool * const tool = description.kind == ArmKind::Psm && !description.tool.empty()
                              ? find_tool(description.tool, description.generation)
                              : nullptr;
  const bool fingers = tool == nullptr || tool->has_jaw();
  if (description.jaw && fingers) {
    for (const std::string & name : description.jaw->joints) {
      const bool found =
        std::any_of(model->joints.begin(), model->joints.end(), [&](const ambf_adf::Joint & joint) {
          return joint.header.identifier == name || joint.header.qualified == name ||
                 joint.header.name == name;
        });
      if (!found) {
        tell(
          Severity::Error, ProblemKind::UnresolvedReference, "jaw/joints", "'" + name + "'",
          "a joint of the model", "`adf check` lists the joints of a model");
      }
    }
  }
  arm.mechanism_ = std::move(*mechanism);
}

void ArmMaker::known_kind()
{
  if (arm.kind_ == ArmKind::Psm) {
    arm.set_joints(psm_joints(arm.generation_), 0);
    const char * const standard = arm.generation_ == Generation::Classic ? "400006" : "420006";
    const Tool * tool =
      find_tool(description.tool.empty() ? standard : description.tool, arm.generation_);
    if (tool == nullptr) {
      tell(
        Severity::Error, ProblemKind::UnknownEnum, "tool", "'" + description.tool + "'",
        "a known tool", tool_advice(description.tool));
      tool = find_tool(standard, arm.generation_);
    }
    arm.use_tool(*tool);
  } else if (arm.kind_ == ArmKind::Ecm) {
    arm.set_joints(ecm_joints(arm.generation_), 0);
    const Endoscope * scope =
      find_endoscope(description.endoscope.empty() ? "NONE" : description.endoscope);
    if (scope == nullptr) {
      tell(
        Severity::Error, ProblemKind::UnknownEnum, "endoscope", "'" + description.endoscope + "'",
        "a known endoscope", "for example Classic_HD_STRAIGHT");
      scope = find_endoscope("NONE");
    }
    arm.use_endoscope(*scope);
  } else {
    arm.set_joints(mtm_joints(description.side), 0);
    arm.chain_ = mtm_chain();
    arm.solver_ = MtmGeometry{};
    Jaw gripper;
    gripper.low = 0.0;
    gripper.high = std::numbers::pi / 3.0;
    if (description.jaw) {
      gripper.joints = description.jaw->joints;
      gripper.ratio = description.jaw->ratio;
      gripper.low = description.jaw->low.value_or(gripper.low);
      gripper.high = description.jaw->high.value_or(gripper.high);
    }
    arm.jaw_ = gripper;
  }
  const auto n = static_cast<std::size_t>(arm.chain_.joints);
  if (!description.joints.empty() && description.joints.size() != n) {
    tell(
      Severity::Error, ProblemKind::BadValue, "joints",
      std::to_string(description.joints.size()) + " joints",
      std::to_string(n) + " for an arm of kind " + to_string(arm.kind_),
      "in the order of the kind's joints; fingers go under `jaw` or `gripper`");
  }
  if (description.tip_offset && !description.dh) {
    tell(
      Severity::Error, ProblemKind::BadValue, "tip offset", "an offset",
      "none for an arm of kind " + std::string(to_string(arm.kind_)),
      "its tool or endoscope has the tip frame; with rows of your own, `dh`, you may give one");
  }
  if (description.dh) { own_rows(); }
  arm.model_joints_.assign(n, "");
  if (arm.mechanism_ && arm.mechanism_->joints.size() == n) {
    arm.model_joints_ = arm.mechanism_->joints;
  } else if (arm.mechanism_) {
    tell(
      Severity::Error, ProblemKind::BadValue, "joints",
      std::to_string(arm.mechanism_->joints.size()) + " driven joints between base and tip",
      std::to_string(n) + " for an arm of kind " + to_string(arm.kind_),
      "list them under `joints`, or choose base and tip so that there are as many");
  }
}

/// A chain of the description's own rows instead of the kind's; joints and ranges stay.
void ArmMaker::own_rows()
{
  const std::size_t n = static_cast<std::size_t>(arm.chain_.joints);
  const std::size_t rows = description.dh->rows.size();
  const bool snake = arm.chain_.steps.size() != n;
  const bool psm = arm.kind_ == ArmKind::Psm;
  if ((rows != n || snake) && !(psm && rows == 3)) {
    tell(
      Severity::Error, ProblemKind::BadValue, "dh/rows", std::to_string(rows) + " rows",
      (snake ? std::string("3 with this tool")
             : std::to_string(n) + (psm ? ", or 3 without those of the tool" : "")) +
        " for an arm of kind " + to_string(arm.kind_),
      "one per joint, from the base on");
    return;
  }
  for (std::size_t i = 0; i < rows; ++i) {
    const bool slides = description.dh->rows[i].slides;
    if (slides != arm.slides(static_cast<int>(i))) {
      tell(
        Severity::Error, ProblemKind::BadValue, "dh/rows",
        "row " + std::to_string(i + 1) + (slides ? " that slides" : " that turns"),
        std::string(slides ? "one that turns" : "one that slides") + " for an arm of kind " +
          to_string(arm.kind_),
        "`slides: true` for a joint that slides");
      return;
    }
  }
  if (rows == 3 && psm && description.tip_offset) {
    tell(
      Severity::Error, ProblemKind::BadValue, "tip offset", "an offset",
      "none with the rows of the arm alone", "the tool has the tip frame; give its rows, too");
    return;
  }
  arm.use_dh(*description.dh, description.tip_offset);
}

/// An arm that is its rows: no model, no kind.
void ArmMaker::generic_rows()
{
  const std::vector<DhRow> & rows = description.dh->rows;
  if (description.joints.size() != rows.size()) {
    tell(
      Severity::Error, ProblemKind::BadValue, "joints",
      std::to_string(description.joints.size()) + " joints",
      std::to_string(rows.size()) + ", one per row of `dh`",
      "give each a `name`, `low` and `high`");
    return;
  }
  std::vector<std::string> names;
  std::vector<JointData> joints;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    names.push_back("joint_" + std::to_string(i + 1));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const JointDescription & joint = description.joints[i];
    if (!joint.low || !joint.high) {
      tell(
        Severity::Error, ProblemKind::MissingKey, "joints", "a joint without `low` or `high`",
        "both", "an arm without a model has its ranges from here");
      return;
    }
    joints.push_back(
      {names[i].c_str(), *joint.low, *joint.high, rows[i].slides ? 0.1 : 1.0,
       rows[i].slides ? 0.5 : 4.0, 0.0});
  }
  arm.use_dh(*description.dh, description.tip_offset);
  arm.model_joints_.assign(rows.size(), "");
  arm.set_joints(joints, 0);
}

void ArmMaker::generic_kind()
{
  if (description.dh) {
    if (model != nullptr) {
      tell(
        Severity::Error, ProblemKind::BadValue, "dh", "rows and a model", "one of the two",
        "a generic arm has the kinematics of its model");
      return;
    }
    generic_rows();
    return;
  }
  if (!arm.mechanism_) {
    if (model == nullptr) {
      tell(
        Severity::Error, ProblemKind::MissingKey, "model", "no model", "an ADF model",
        "a generic arm has no kinematics of its own; give `model`");
    }
    return;
  }
  const Mechanism & mechanism = *arm.mechanism_;
  arm.chain_ = mechanism.chain;
  if (!arm.chain_.steps.empty()) {
    Step & first = arm.chain_.steps.front();
    first.position = description.base_offset * first.position;
    first.rotation = description.base_offset.linear() * first.rotation;
  }
  append(arm.chain_, description.tip_offset.value_or(Eigen::Isometry3d::Identity()));
  arm.model_joints_ = mechanism.joints;
  std::vector<std::string> names;
  std::vector<JointData> joints;
  for (std::size_t i = 0; i < mechanism.joints.size(); ++i) {
    const auto at = std::find_if(
      model->joints.begin(), model->joints.end(),
      [&](const ambf_adf::Joint & j) { return j.header.identifier == mechanism.joints[i]; });
    const bool slides = at->type == ambf_adf::JointType::Prismatic;
    const auto row = static_cast<Eigen::Index>(i);
    // Slow enough for any arm that says nothing.
    joints.push_back(
      {at->header.name.c_str(), mechanism.bounds.low[row], mechanism.bounds.high[row],
       slides ? 0.1 : 1.0, slides ? 0.5 : 4.0, at->max_effort.value_or(0.0)});
  }
  arm.set_joints(joints, 0);
  if (description.jaw) {
    Jaw jaw;
    jaw.joints = description.jaw->joints;
    jaw.ratio = description.jaw->ratio;
    jaw.low = description.jaw->low.value_or(0.0);
    jaw.high = description.jaw->high.value_or(1.0);
    arm.jaw_ = jaw;
  }
}

void ArmMaker::home()
{
  const Eigen::Index n = arm.chain_.joints;
  arm.home_ = zeros(n);
  if (!description.home.empty()) {
    if (static_cast<Eigen::Index>(description.home.size()) != n) {
      tell(
        Severity::Error, ProblemKind::BadValue, "home",
        std::to_string(description.home.size()) + " values", std::to_string(n) + ", one per joint",
        "");
      return;
    }
    std::copy(description.home.begin(), description.home.end(), arm.home_.data());
    JointVector clipped = arm.home_;
    if (clip(arm.bounds_, clipped) != 0) {
      tell(
        Severity::Error, ProblemKind::BadValue, "home", "a value beyond its joint's limits",
        "values within the limits", "");
    }
    return;
  }
  if (arm.kind_ == ArmKind::Psm || arm.kind_ == ArmKind::Ecm) {
    arm.home_[2] = 0.12;
  } else if (arm.kind_ == ArmKind::Generic) {
    clip(arm.bounds_, arm.home_);
  }
}

void ArmMaker::compare()
{
  if (arm.kind_ == ArmKind::Generic || !arm.mechanism_) { return; }
  // The tip body and the tool's tip may differ by a constant transform, nothing more.
  std::mt19937 random(1);
  Eigen::Isometry3d first = Eigen::Isometry3d::Identity();
  double distance = 0.0, angle = 0.0;
  for (int sample = 0; sample < 32; ++sample) {
    JointVector q(arm.chain_.joints);
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      q[i] =
        std::uniform_real_distribution<double>(arm.bounds_.low[i], arm.bounds_.high[i])(random);
    }
    const Eigen::Isometry3d between =
      ambf_arms::forward(arm.chain_, q).inverse() * ambf_arms::forward(arm.mechanism_->chain, q);
    if (sample == 0) { first = between; }
    distance = std::max(distance, (between.translation() - first.translation()).norm());
    angle = std::max(angle, angle_between(first.linear(), between.linear()));
  }
  if (distance > 1e-4 || angle > 1.7e-4) {
    char text[96];
    std::snprintf(
      text, sizeof(text), "a tip that is up to %.2f mm and %.2f degrees elsewhere", 1e3 * distance,
      angle * 180.0 / std::numbers::pi);
    tell(
      Severity::Warning, ProblemKind::BadValue, "model", text,
      std::string("the motion of a ") + to_string(arm.kind_) +
        (arm.tool_.empty() ? "" : " with " + arm.tool_),
      "base, tip, joints or tool are not those of the model, or its joints have another zero");
  }
}

ambf_adf::expected<Arm, ambf_adf::Errors> Arm::make(
  const ArmDescription & description, const ambf_adf::Model * model, Problems * warnings)
{
  ArmMaker maker{description, model, Arm{}, {}};
  Arm & arm = maker.arm;
  arm.name_ = description.name;
  arm.kind_ = description.kind;
  arm.generation_ = description.generation;
  arm.overrides_ = description.joints;
  arm.velocity_ = description.velocity;
  arm.acceleration_ = description.acceleration;
  arm.jerk_ = description.jerk;
  arm.jaw_description_ = description.jaw;
  if (model != nullptr) { maker.read_model(); }
  if (!ambf_adf::has_errors(maker.problems)) {
    arm.kind_ == ArmKind::Generic ? maker.generic_kind() : maker.known_kind();
  }
  if (!ambf_adf::has_errors(maker.problems)) {
    for (Eigen::Index i = 0; i < arm.bounds_.low.size(); ++i) {
      if (!(arm.bounds_.low[i] <= arm.bounds_.high[i])) {
        maker.tell(
          Severity::Error, ProblemKind::BadValue, arm.names_[static_cast<std::size_t>(i)],
          "low above high", "low below high", "give both `low` and `high`");
      }
    }
    maker.home();
  }
  if (!ambf_adf::has_errors(maker.problems)) {
    maker.compare();
    if (!arm.set_base_frame(description.base_frame, description.reference)) {
      maker.tell(
        Severity::Error, ProblemKind::BadValue, "base frame", "no rigid transform",
        "a rotation and a position", "");
    }
  }
  if (ambf_adf::has_errors(maker.problems)) { return ambf_adf::unexpected(maker.problems); }
  if (warnings != nullptr) {
    warnings->insert(warnings->end(), maker.problems.begin(), maker.problems.end());
  }
  return std::move(maker.arm);
}

}  // namespace ambf_arms
