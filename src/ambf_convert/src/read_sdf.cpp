// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <map>

#include "readers.hpp"
#include "sdf_parts.hpp"

namespace ambf_convert
{
namespace
{

namespace fs = std::filesystem;
using ambf_adf::JointType;
using ambf_adf::PlacedShape;
using ambf_adf::ProblemKind;
using ambf_adf::Severity;

/// SDF writes 1e16 where it means no limit.
constexpr double endless = 1e15;
class SdfReader
{
public:
  SdfReader(XmlSource & source, const fs::path & file)
  : source_(source),
    file_(file.string()),
    parts_(
      file_, [this](const auto & kind, const auto & name, const auto & found, const auto & hint) {
        warn(kind, name, found, hint);
      })
  {
  }

  Assembly read()
  {
    assembly_.file = file_;
    sdf::Root root;
    load(root);
    if (source_.failed()) { return {}; }
    if (const auto * model = root.Model()) {
      assembly_.name = model->Name();
      assembly_.ignore_inter_collision = !model->SelfCollide();
      // Of a model that stands for itself only the pose as written means anything.
      read_model(*model, "", to_eigen(model->RawPose()), false);
    }
    if (root.WorldCount() > 0) { read_world(*root.WorldByIndex(0)); }
    if (root.WorldCount() > 1) { warn("", "", "several worlds", "the first is taken"); }
    if (assembly_.links.empty() && assembly_.lights.empty()) {
      source_.error(
        *source_.root(), ProblemKind::MissingKey, "no link", "a model of at least one link");
    }
    check_units(source_, assembly_);
    return std::move(assembly_);
  }

private:
  void load(sdf::Root & root)
  {
    sdf::Console::Instance()->SetQuiet(true);
    sdf::ParserConfig config;
    config.SetWarningsPolicy(sdf::EnforcementPolicy::LOG);
    config.SetUnrecognizedElementsPolicy(sdf::EnforcementPolicy::ERR);
    config.SetDeprecatedElementsPolicy(sdf::EnforcementPolicy::LOG);
    config.SetFindCallback([this](const std::string & name) { return find_model(name); });
    // The text that was looked through is what is read; where it includes others stands in their addresses.
    for (const auto & error : root.LoadSdfString(source_.text(), config)) {
      const bool unknown = error.Message().find("not defined in SDF") != std::string::npos;
      ambf_adf::Problem problem;
      problem.severity = unknown ? Severity::Warning : Severity::Error;
      problem.kind = unknown ? ProblemKind::UnknownKey : ProblemKind::BadValue;
      const std::string from = error.FilePath().value_or("");
      problem.file = is_path(from) ? from : file_;
      problem.where = {error.LineNumber().value_or(0), 1};
      if (problem.where.line == 0) { problem.where = mark_of(name_in(error.Message())); }
      problem.key = error.XmlPath().value_or("");
      problem.found = error.Message();
      problem.hint = unknown ? "it is left out" : "the words are libsdformat's";
      source_.problems().push_back(std::move(problem));
    }
  }

  /// The folder of an included model.
  std::string find_model(const std::string & name) const
  {
    for (const char * inside : {"", "/model.config", "/model.sdf"}) {
      const auto found = find_mesh(name + inside, file_);
      if (found.exists) {
        return std::string(inside).empty() ? found.path
                                           : fs::path(found.path).parent_path().string();
      }
    }
    return {};
  }

  /// Where an element stands, by its name and, if that is given, its kind.
  ambf_adf::Mark mark_of(const std::string & name, const std::string & kind = {}) const
  {
    const auto find = [&](const auto & self, const XMLElement & element) -> const XMLElement * {
      for (auto * child = element.FirstChildElement(); child != nullptr;
           child = child->NextSiblingElement()) {
        const char * own = child->Attribute("name");
        if (own != nullptr && name == own && (kind.empty() || kind == child->Name())) {
          return child;
        }
        if (const auto * inside = self(self, *child)) { return inside; }
      }
      return nullptr;
    };
    const auto * found = name.empty() ? nullptr : find(find, *source_.root());
    return found == nullptr ? ambf_adf::Mark{} : source_.mark(*found);
  }

  /// The library puts names in brackets.
  static std::string name_in(const std::string & message)
  {
    const auto open = message.find('[');
    const auto close = message.find(']', open == std::string::npos ? 0 : open);
    return open == std::string::npos || close == std::string::npos
             ? ""
             : message.substr(open + 1, close - open - 1);
  }

  void warn(
    const std::string & kind, const std::string & name, const std::string & found,
    const std::string & hint)
  {
    source_.problems().push_back(
      {Severity::Warning, ProblemKind::Unsupported, file_, mark_of(name, kind),
       kind.empty() ? "" : kind + " '" + name + "'", found, "something that ADF can say", hint});
  }

  template <class Object>
  Isometry3d pose_in(const Object & object, const std::string & frame)
  {
    SdfPose pose;
    const auto errors = object.SemanticPose().Resolve(pose, frame);
    if (errors.empty()) { return to_eigen(pose); }
    source_.problems().push_back(
      {Severity::Error,
       ProblemKind::UnresolvedReference,
       file_,
       {},
       object.Name(),
       errors.front().Message(),
       "a pose that can be found",
       ""});
    return Isometry3d::Identity();
  }

  void read_world(const sdf::World & world)
  {
    assembly_.name = world.Name();
    assembly_.gravity = to_eigen(world.Gravity());
    bool alone = world.ModelCount() > 0;
    for (std::uint64_t i = 0; i < world.ModelCount(); ++i) {
      const auto & model = *world.ModelByIndex(i);
      alone = alone && !model.SelfCollide() && (world.ModelCount() == 1 || model.LinkCount() == 1);
      read_model(
        model, world.ModelCount() == 1 ? "" : model.Name() + "::", pose_in(model, "world"), false);
    }
    assembly_.ignore_inter_collision = alone && world.ModelCount() == 1;
    for (std::uint64_t i = 0; i < world.LightCount(); ++i) {
      parts_.read_light(
        assembly_, *world.LightByIndex(i), "", pose_in(*world.LightByIndex(i), "world"));
    }
    if (world.ActorCount() > 0) { warn("world", world.Name(), "actors", "they are left out"); }
  }

  void read_model(
    const sdf::Model & model, const std::string & prefix, const Isometry3d & t_world_model,
    bool still)
  {
    still = still || model.Static();
    for (std::uint64_t i = 0; i < model.LinkCount(); ++i) {
      const auto & link = *model.LinkByIndex(i);
      read_link(link, prefix, t_world_model * pose_in(link, "__model__"), still);
    }
    for (std::uint64_t i = 0; i < model.ModelCount(); ++i) {
      const auto & inner = *model.ModelByIndex(i);
      read_model(
        inner, prefix + inner.Name() + "::", t_world_model * pose_in(inner, "__model__"), still);
    }
    for (std::uint64_t i = 0; i < model.JointCount(); ++i) {
      read_joint(*model.JointByIndex(i), prefix, t_world_model);
    }
    if (model.Element() && model.Element()->HasElement("plugin")) {
      warn("model", model.Name(), "plugins", "they are left out");
    }
  }

  void read_link(
    const sdf::Link & source, const std::string & prefix, const Isometry3d & t_world_link,
    bool still)
  {
    Link link;
    link.body.header.name = prefix + source.Name();
    link.body.header.where = mark_of(source.Name(), "link");
    link.body.damping = {0.0, 0.0};
    link.body.surface.friction = 1.0;
    link.body.surface.rolling_friction = 0.0;
    link.body.surface.restitution = 0.0;
    link.t_world_link = t_world_link;
    link.still = still;
    const auto & inertial = source.Inertial();
    const auto & m = inertial.MassMatrix();
    Matrix3d tensor;
    tensor << m.Ixx(), m.Ixy(), m.Ixz(), m.Ixy(), m.Iyy(), m.Iyz(), m.Ixz(), m.Iyz(), m.Izz();
    if (!still) { link.set_inertial(m.Mass(), to_eigen(inertial.Pose()), tensor); }
    for (std::uint64_t i = 0; i < source.VisualCount(); ++i) {
      const auto & visual = *source.VisualByIndex(i);
      if (auto shape = parts_.shape_of(*visual.Geom(), "visual", visual.Name())) {
        link.visuals.push_back(
          {*shape, pose_of(pose_in(visual, source.Name())), visual.Name(),
           parts_.material_of(visual)});
      }
    }
    for (std::uint64_t i = 0; i < source.CollisionCount(); ++i) {
      const auto & collision = *source.CollisionByIndex(i);
      if (auto shape = parts_.shape_of(*collision.Geom(), "collision", collision.Name())) {
        link.collisions.push_back(
          {*shape, pose_of(pose_in(collision, source.Name())), collision.Name(), {}});
      }
      if (i == 0) { read_surface(collision, link.body.surface); }
    }
    read_link_elements(source, link.body);
    const auto [known, fresh] =
      links_.try_emplace(link.body.header.name, static_cast<int>(assembly_.links.size()));
    if (fresh) { assembly_.links.push_back(std::move(link)); }
    for (std::uint64_t i = 0; i < source.SensorCount(); ++i) {
      const auto & sensor = *source.SensorByIndex(i);
      parts_.read_sensor(assembly_, sensor, prefix + source.Name(), pose_in(sensor, source.Name()));
    }
    for (std::uint64_t i = 0; i < source.LightCount(); ++i) {
      const auto & light = *source.LightByIndex(i);
      parts_.read_light(assembly_, light, prefix + source.Name(), pose_in(light, source.Name()));
    }
  }

  static void read_link_elements(const sdf::Link & source, ambf_adf::RigidBody & body)
  {
    const auto element = source.Element();
    if (!element) { return; }
    if (element->HasElement("velocity_decay")) {
      const auto decay = element->GetElement("velocity_decay");
      body.damping = {decay->Get<double>("linear"), decay->Get<double>("angular")};
    }
    if (element->HasElement("gravity") && !element->Get<bool>("gravity")) {
      body.gravity = Vector3d::Zero();
    }
  }

  static void read_surface(const sdf::Collision & collision, ambf_adf::Surface & surface)
  {
    const auto element = collision.Element();
    if (!element || !element->HasElement("surface")) { return; }
    const auto all = element->GetElement("surface");
    if (all->HasElement("friction") && all->GetElement("friction")->HasElement("ode")) {
      surface.friction = all->GetElement("friction")->GetElement("ode")->Get<double>("mu");
    }
    if (all->HasElement("bounce")) {
      surface.restitution = all->GetElement("bounce")->Get<double>("restitution_coefficient");
    }
  }

  int link_named(const std::string & prefix, const std::string & name, const sdf::Joint & joint)
  {
    if (name == "world") { return -1; }
    const auto found = links_.find(prefix + name);
    if (found != links_.end()) { return found->second; }
    source_.problems().push_back(
      {Severity::Error, ProblemKind::UnresolvedReference, file_, mark_of(joint.Name(), "joint"),
       "joint '" + joint.Name() + "'", "'" + name + "', which is no link", "a link of the model",
       ""});
    return -2;
  }

  void read_joint(
    const sdf::Joint & source, const std::string & prefix, const Isometry3d & t_world_model)
  {
    Tie tie;
    tie.joint.header.name = prefix + source.Name();
    tie.joint.header.where = mark_of(source.Name(), "joint");
    std::string parent, child;
    if (!source.ResolveParentLink(parent).empty() || !source.ResolveChildLink(child).empty()) {
      parent = source.ParentLinkName();
      child = source.ChildLinkName();
    }
    tie.parent = link_named(prefix, parent, source);
    tie.child = link_named(prefix, child, source);
    if (tie.parent == -2 || tie.child < 0) { return; }
    const Isometry3d t_world_joint = t_world_model * pose_in(source, "__model__");
    const auto in_link = [&](int link) {
      return link < 0 ? t_world_joint
                      : Isometry3d(
                          assembly_.links[static_cast<std::size_t>(link)].t_world_link.inverse() *
                          t_world_joint);
    };
    tie.t_parent_joint = in_link(tie.parent);
    tie.t_child_joint = in_link(tie.child);
    if (set_type(source, tie)) { assembly_.ties.push_back(std::move(tie)); }
  }

  Vector3d axis_of(const sdf::Joint & joint, unsigned index)
  {
    SdfVector axis;
    const auto * source = joint.Axis(index);
    if (source == nullptr || !source->ResolveXyz(axis).empty()) { return Vector3d::UnitZ(); }
    return to_eigen(axis).normalized();
  }

  /// False: ADF has no such joint.
  bool set_type(const sdf::Joint & source, Tie & tie)
  {
    switch (source.Type()) {
      case sdf::JointType::FIXED:
        tie.joint.type = JointType::Fixed;
        return true;
      case sdf::JointType::BALL:
        tie.joint.type = JointType::PointToPoint;
        return true;
      case sdf::JointType::CONTINUOUS:
        tie.joint.type = JointType::Continuous;
        break;
      case sdf::JointType::PRISMATIC:
        tie.joint.type = JointType::Prismatic;
        break;
      case sdf::JointType::SCREW:
        warn("joint", source.Name(), "a screw", "it turns and does not travel");
        [[fallthrough]];
      case sdf::JointType::REVOLUTE:
        tie.joint.type = JointType::Revolute;
        break;
      case sdf::JointType::UNIVERSAL:
        make_universal(source, tie);
        return true;
      default:
        warn("joint", source.Name(), "a joint of a kind that ADF does not have", "it is left out");
        return false;
    }
    tie.axis = axis_of(source, 0);
    if (const auto * axis = source.Axis(0)) { read_axis(source, *axis, tie.joint); }
    return true;
  }

  void read_axis(const sdf::Joint & source, const sdf::JointAxis & axis, ambf_adf::Joint & joint)
  {
    joint.damping = axis.Damping();
    if (axis.Friction() != 0.0) {
      warn("joint", source.Name(), "friction of a joint", "it is left out");
    }
    if (std::abs(axis.Lower()) < endless && std::abs(axis.Upper()) < endless) {
      joint.limits = ambf_adf::JointLimits{axis.Lower(), axis.Upper()};
    } else if (std::abs(axis.Lower()) < endless || std::abs(axis.Upper()) < endless) {
      warn("joint", source.Name(), "a limit on one side", "it is left out");
    }
    if (axis.Effort() >= 0.0 && axis.Effort() < endless) {
      joint.max_effort = axis.Effort();
      joint.max_motor_impulse = axis.Effort() * 0.001;
    }
    if (axis.MaxVelocity() >= 0.0 && axis.MaxVelocity() < endless) {
      warn("joint", source.Name(), "a limit of velocity", "it is left out");
    }
    if (axis.SpringStiffness() != 0.0) {
      joint.type = slides(joint.type) ? JointType::LinearSpring : JointType::TorsionSpring;
      joint.stiffness = axis.SpringStiffness();
      joint.equilibrium = axis.SpringReference();
    }
  }

  /// Two axes at right angles are x and y of a joint with six freedoms, the others locked.
  void make_universal(const sdf::Joint & source, Tie & tie)
  {
    const Vector3d x = axis_of(source, 0);
    Vector3d y = axis_of(source, 1);
    if (std::abs(x.dot(y)) > 1e-6) {
      warn("joint", source.Name(), "axes that are not at right angles", "the second is turned");
    }
    y = (y - x.dot(y) * x).normalized();
    Matrix3d frame;
    frame << x, y, x.cross(y);
    const Isometry3d turn = isometry(Vector3d::Zero(), frame);
    tie.t_parent_joint = tie.t_parent_joint * turn;
    tie.t_child_joint = tie.t_child_joint * turn;
    tie.axis = Vector3d::UnitZ();
    tie.joint.type = JointType::SixDof;
    tie.joint.six_dof.emplace();
    auto & p = *tie.joint.six_dof;
    p.low = {};
    p.high = {};
    for (unsigned i = 0; i < 2; ++i) {
      const auto * axis = source.Axis(i);
      const bool limited = axis != nullptr && std::abs(axis->Lower()) < endless;
      p.low.angular[i] = limited ? axis->Lower() : 1.0;
      p.high.angular[i] = limited ? axis->Upper() : -1.0;
    }
  }

  XmlSource & source_;
  std::string file_;
  SdfParts parts_;
  Assembly assembly_;
  std::map<std::string, int> links_;
};

}  // namespace

expected<Model, Errors> read_sdf(
  std::unique_ptr<XmlSource> source, const fs::path & file, const ReadOptions & options)
{
  Assembly assembly = SdfReader(*source, file).read();
  if (source->failed()) { return ambf_adf::unexpected(std::move(source->problems())); }
  assembly.problems = std::move(source->problems());
  return assemble(std::move(assembly), options);
}

}  // namespace ambf_convert
