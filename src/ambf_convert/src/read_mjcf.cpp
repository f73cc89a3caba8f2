// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "mjcf_constraints.hpp"
#include "mjcf_geoms.hpp"
#include "mjcf_views.hpp"
#include "outline.hpp"
#include "readers.hpp"

namespace ambf_convert
{
namespace
{

using ambf_adf::JointType;
using ambf_adf::ProblemKind;

/// A body with several joints becomes a chain; each link between them gets this part of its mass.
constexpr double part_of_mass = 0.01;

class MjcfReader
{
public:
  MjcfReader(XmlSource & source, const std::filesystem::path & file)
  : source_(source), file_(file.string()), views_(source, compiler_, defaults_)
  {
  }

  Assembly read()
  {
    source_.expand_includes(std::filesystem::path(file_).parent_path());
    const XMLElement & root = *source_.root();
    assembly_.file = file_;
    assembly_.name = source_.word(root, "model");
    if (assembly_.name.empty()) { assembly_.name = std::filesystem::path(file_).stem().string(); }
    source_.expect_children(
      root, {"compiler", "option", "size", "visual", "statistic", "default", "asset", "worldbody",
             "contact", "equality", "tendon", "actuator", "sensor", "keyframe", "custom",
             "extension", "deformable"});
    for (const auto * element : children(root, "compiler")) { compiler_.read(source_, *element); }
    for (const auto * element : children(root, "default")) { defaults_.read(*element, ""); }
    for (const auto * element : children(root, "option")) { read_option(*element); }
    for (const auto * element : children(root, "asset")) {
      assets_.read(source_, *element, defaults_, compiler_, file_);
    }
    for (const auto * element : children(root, "worldbody")) { read_world(*element); }
    MjcfConstraints(source_, assembly_, defaults_, ground_, joint_names_).read(root);
    for (const char * other :
         {"tendon", "sensor", "keyframe", "custom", "extension", "deformable"}) {
      for (const auto * element : children(root, other)) {
        for (auto * child = element->FirstChildElement(); child != nullptr;
             child = child->NextSiblingElement()) {
          source_.lost(*child, "a part of <" + std::string(other) + ">", "it is left out");
        }
      }
    }
    if (assembly_.links.empty()) {
      source_.error(root, ProblemKind::MissingKey, "no body", "a model of at least one body");
    }
    check_units(source_, assembly_);
    return std::move(assembly_);
  }

private:
  void read_option(const XMLElement & option)
  {
    assembly_.gravity = source_.vector(option, "gravity", Vector3d(0, 0, -9.81));
  }

  Link & link(int index) { return assembly_.links[static_cast<std::size_t>(index)]; }

  void read_world(const XMLElement & world)
  {
    Link ground;
    ground.body.header.name = "world";
    ground.body.header.where = source_.mark(world);
    ground.still = true;
    names_.insert("world");
    read_shapes(world, Isometry3d::Identity(), "", ground, nullptr);
    if (!ground.visuals.empty() || !ground.collisions.empty()) {
      ground_ = static_cast<int>(assembly_.links.size());
      assembly_.links.push_back(std::move(ground));
    }
    views_.read("", assembly_);
    read_bodies(world, ground_, Isometry3d::Identity(), Isometry3d::Identity(), "");
  }

  /// The class and the pose of what is in a <frame>.
  std::pair<Isometry3d, std::string> inside(
    const XMLElement & frame, const Isometry3d & t_body_outer, const std::string & outer_class)
  {
    const MjcfElement element(source_, frame, defaults_, outer_class, "frame");
    return {
      t_body_outer * element.pose(compiler_),
      source_.word(frame, "childclass", outer_class.c_str())};
  }

  /// Shapes of a body or the world for a link; cameras and lights are kept for later.
  void read_shapes(
    const XMLElement & element, const Isometry3d & t_body_frame, const std::string & child_class,
    Link & goal, MassSum * sum)
  {
    source_.expect_children(
      element, {"inertial", "joint", "freejoint", "geom", "site", "camera", "light", "body",
                "frame", "composite", "flexcomp", "plugin", "attach", "replicate"});
    for (auto * child = element.FirstChildElement(); child != nullptr;
         child = child->NextSiblingElement()) {
      const std::string kind = child->Name();
      if (kind == "geom") {
        const MjcfElement geom(source_, *child, defaults_, child_class, "geom");
        read_geom(geom, compiler_, assets_, t_body_frame, goal, sum);
      } else if (kind == "frame") {
        const auto [t, inner_class] = inside(*child, t_body_frame, child_class);
        read_shapes(*child, t, inner_class, goal, sum);
      } else if (kind == "camera" || kind == "light") {
        views_.add(*child, t_body_frame, child_class);
      } else if (
        kind == "composite" || kind == "flexcomp" || kind == "plugin" || kind == "attach" ||
        kind == "replicate") {
        source_.lost(*child, "<" + kind + ">", "it is left out");
      }
    }
  }

  void read_bodies(
    const XMLElement & element, int parent, const Isometry3d & t_world_body,
    const Isometry3d & t_body_frame, const std::string & child_class)
  {
    for (auto * child = element.FirstChildElement(); child != nullptr;
         child = child->NextSiblingElement()) {
      const std::string_view kind = child->Name();
      if (kind == "body") {
        read_body(*child, parent, t_world_body, t_body_frame, child_class);
      } else if (kind == "frame") {
        const auto [t, inner_class] = inside(*child, t_body_frame, child_class);
        read_bodies(*child, parent, t_world_body, t, inner_class);
      }
    }
  }

  struct JointElement
  {
    const XMLElement * element;
    Isometry3d t_body_frame;
    std::string child_class;
  };

  void collect_joints(
    const XMLElement & element, const Isometry3d & t_body_frame, const std::string & child_class,
    std::vector<JointElement> & joints)
  {
    for (auto * child = element.FirstChildElement(); child != nullptr;
         child = child->NextSiblingElement()) {
      const std::string_view kind = child->Name();
      if (kind == "joint" || kind == "freejoint") {
        joints.push_back({child, t_body_frame, child_class});
      } else if (kind == "frame") {
        const auto [t, inner_class] = inside(*child, t_body_frame, child_class);
        collect_joints(*child, t, inner_class, joints);
      }
    }
  }

  void read_body(
    const XMLElement & element, int parent, const Isometry3d & t_world_parent,
    const Isometry3d & t_parent_frame, const std::string & outer_class)
  {
    const std::string child_class = source_.word(element, "childclass", outer_class.c_str());
    const MjcfElement body(source_, element, defaults_, outer_class, "body");
    const Isometry3d t_parent_body = t_parent_frame * body.pose(compiler_);
    const Isometry3d t_world_body = t_world_parent * t_parent_body;

    Link made;
    const std::string wanted = source_.word(element, "name");
    if (!wanted.empty() && names_.count(wanted) != 0) {
      source_.error(
        element, ProblemKind::DuplicateName, "a second body of this name", "different names");
    }
    made.body.header.where = source_.mark(element);
    made.body.damping = {0.0, 0.0};
    MassSum sum;
    const bool weighed =
      element.FirstChildElement("inertial") != nullptr && compiler_.inertia_from_geoms != "true";
    read_shapes(element, Isometry3d::Identity(), child_class, made, weighed ? nullptr : &sum);
    made.body.header.name = unique_name(wanted.empty() ? "body" : wanted, names_);
    made.t_world_link = t_world_body;
    made.still = source_.flag(element, "mocap", false);
    read_mass(element, child_class, sum, made);
    if (element.FindAttribute("gravcomp") != nullptr) {
      source_.lost(element, "gravity compensation", "it is left out");
    }

    std::vector<JointElement> joints;
    collect_joints(element, Isometry3d::Identity(), child_class, joints);
    const int index = add_joints(std::move(made), joints, parent, t_parent_body);
    views_.read(link(index).body.header.name, assembly_);
    read_bodies(element, index, t_world_body, Isometry3d::Identity(), child_class);
  }

  void read_mass(
    const XMLElement & element, const std::string & child_class, const MassSum & sum, Link & made)
  {
    const auto * inertial = element.FirstChildElement("inertial");
    if (inertial != nullptr && compiler_.inertia_from_geoms != "true") {
      const MjcfElement own(source_, *inertial, defaults_, child_class, "inertial");
      Matrix3d tensor = Matrix3d::Zero();
      if (const auto full = own.numbers("fullinertia"); full && full->size() == 6) {
        const auto & i = *full;
        tensor << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
      } else {
        tensor = own.vector("diaginertia", Vector3d::Zero()).asDiagonal();
      }
      if (!own.has("mass")) {
        source_.error(*inertial, ProblemKind::MissingKey, "no mass", "mass=\"...\" [kg]");
      }
      set_inertial(source_, *inertial, made, own.number("mass", 0.0), own.pose(compiler_), tensor);
    } else if (sum.mass > 0.0 && compiler_.inertia_from_geoms != "false") {
      set_inertial(
        source_, element, made, sum.mass, isometry(sum.center()), symmetric(sum.about_center()));
    }
  }

  /// Rounding leaves products of inertia behind where there are none.
  static Matrix3d symmetric(Matrix3d tensor)
  {
    tensor = 0.5 * (tensor + tensor.transpose().eval());
    const double least = 1e-15 * tensor.trace();
    return tensor.unaryExpr([&](double v) { return std::abs(v) < least ? 0.0 : v; });
  }

  /// The link's number; with several joints there are links between.
  int add_joints(
    Link made, const std::vector<JointElement> & joints, int parent,
    const Isometry3d & t_parent_body)
  {
    const auto add = [&](Link link_to_add) {
      assembly_.links.push_back(std::move(link_to_add));
      return static_cast<int>(assembly_.links.size()) - 1;
    };
    if (joints.empty()) {
      Tie tie;
      tie.joint.type = JointType::Fixed;
      tie.joint.header.name = unique_name(made.body.header.name + "_fixed", joint_names_);
      tie.parent = parent;
      tie.t_parent_joint = t_parent_body;
      if (parent < 0 || parent == ground_) {
        made.still = true;
        return add(std::move(made));
      }
      tie.child = add(std::move(made));
      assembly_.ties.push_back(std::move(tie));
      return tie.child;
    }
    if (is_free(*joints.front().element, joints.front().child_class)) {
      if (joints.size() > 1) {
        source_.error(
          *joints[1].element, ProblemKind::BadValue, "a joint beside a free one",
          "a free joint alone");
      }
      return add(std::move(made));
    }
    // All but the last joint lead to links between, which take a small part of the mass with them.
    std::vector<Link> between;
    for (std::size_t i = 0; i + 1 < joints.size(); ++i) { between.push_back(split(made, i)); }
    int at = parent;
    Isometry3d t_above_body = t_parent_body;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const bool last = i + 1 == joints.size();
      const int child = last ? add(made) : add(between[i]);
      auto tie = read_joint(joints[i], made.body.header.name);
      tie.parent = at;
      tie.child = child;
      // In the file the joint stands at its `ref`; ADF's frames are those at 0.
      tie.t_parent_joint = t_above_body * tie.t_child_joint * back_from(tie);
      assembly_.ties.push_back(std::move(tie));
      at = child;
      t_above_body = Isometry3d::Identity();
    }
    if (joints.size() > 1) {
      source_.lost(
        *joints[1].element, "several joints of one body",
        "links between them have 1 % of its mass each");
    }
    return at;
  }

  Link split(Link & made, std::size_t index)
  {
    Link part;
    part.body.header.name =
      unique_name(made.body.header.name + "_between_" + std::to_string(index + 1), names_);
    part.body.header.where = made.body.header.where;
    part.body.damping = {0.0, 0.0};
    part.t_world_link = made.t_world_link;
    part.has_mass = made.has_mass;
    part.body.inertial_offset = made.body.inertial_offset;
    part.body.mass = part_of_mass * made.body.mass;
    made.body.mass -= part.body.mass;
    if (made.body.inertia) {
      part.body.inertia = Vector3d(part_of_mass * *made.body.inertia);
      *made.body.inertia -= *part.body.inertia;
    }
    return part;
  }

  bool is_free(const XMLElement & element, const std::string & child_class)
  {
    return std::string_view(element.Name()) == "freejoint" ||
           MjcfElement(source_, element, defaults_, child_class, "joint").word("type") == "free";
  }

  Isometry3d back_from(const Tie & tie)
  {
    const auto found = start_.find(tie.joint.header.name);
    const double q = found == start_.end() ? 0.0 : -found->second;
    Isometry3d t = Isometry3d::Identity();
    if (turns(tie.joint.type)) { t.linear() = Eigen::AngleAxisd(q, tie.axis).toRotationMatrix(); }
    if (slides(tie.joint.type)) { t.translation() = q * tie.axis; }
    return t;
  }

  Tie read_joint(const JointElement & given, const std::string & body)
  {
    const XMLElement & element = *given.element;
    const MjcfElement joint(source_, element, defaults_, given.child_class, "joint");
    static const std::map<std::string, JointType> types{
      {"hinge", JointType::Revolute},
      {"slide", JointType::Prismatic},
      {"ball", JointType::PointToPoint},
      {"free", JointType::SixDof}};
    Tie tie;
    const std::string wanted = source_.word(element, "name");
    if (!wanted.empty() && joint_names_.count(wanted) != 0) {
      source_.error(
        element, ProblemKind::DuplicateName, "a second joint of this name", "different names");
    }
    tie.joint.header.name = unique_name(wanted.empty() ? body + "_joint" : wanted, joint_names_);
    tie.joint.header.where = source_.mark(element);
    const std::string type = joint.word("type", "hinge");
    const auto known = types.find(type);
    if (known == types.end()) {
      source_.error(
        element, ProblemKind::UnknownEnum, "the type '" + type + "'", "hinge, slide, ball or free",
        "", "type");
    } else if (type == "free") {
      source_.error(
        element, ProblemKind::BadValue, "a free joint beside others", "a free joint alone");
    } else {
      tie.joint.type = known->second;
    }
    tie.t_child_joint = isometry(
      given.t_body_frame * joint.vector("pos", Vector3d::Zero()), given.t_body_frame.linear());
    tie.axis = unit_axis(source_, element, "axis", joint.vector("axis", Vector3d::UnitZ()));
    const double unit = turns(tie.joint.type) ? compiler_.angle : 1.0;
    const double ref = unit * joint.number("ref", 0.0);
    if (ref != 0.0) { start_[tie.joint.header.name] = ref; }
    read_range(joint, unit, tie.joint);
    if (tie.joint.type == JointType::Revolute && !tie.joint.limits) {
      tie.joint.type = JointType::Continuous;
    }
    tie.joint.damping = joint.number("damping", 0.0);
    const double stiffness = joint.number("stiffness", 0.0);
    if (stiffness > 0.0 && tie.joint.type != JointType::PointToPoint) {
      tie.joint.stiffness = stiffness;
      tie.joint.equilibrium = unit * joint.number("springref", 0.0);
      tie.joint.type = slides(tie.joint.type) ? JointType::LinearSpring : JointType::TorsionSpring;
    }
    for (const char * other : {"armature", "frictionloss"}) {
      if (joint.number(other, 0.0) != 0.0) {
        source_.lost(element, "'" + std::string(other) + "' of a joint", "it is left out");
      }
    }
    return tie;
  }

  void read_range(const MjcfElement & joint, double unit, ambf_adf::Joint & result)
  {
    const auto range = joint.numbers("range");
    const std::string word = joint.word("limited", "auto");
    const bool limited = word == "true" || (word == "auto" && compiler_.auto_limits && range);
    if (!limited) { return; }
    if (!range || range->size() != 2 || (*range)[0] > (*range)[1]) {
      source_.error(
        joint.xml(), ProblemKind::BadValue, "a joint that is limited without a range",
        "range=\"low high\"", "", range ? "range" : nullptr);
      return;
    }
    if (result.type == JointType::PointToPoint) {
      const double most = compiler_.angle * (*range)[1];
      result.type = JointType::ConeTwist;
      result.cone_twist = ambf_adf::ConeTwistLimits{Vector3d::Constant(most)};
      return;
    }
    result.limits = ambf_adf::JointLimits{unit * (*range)[0], unit * (*range)[1]};
  }

  XmlSource & source_;
  std::string file_;
  Assembly assembly_;
  MjcfCompiler compiler_;
  MjcfDefaults defaults_;
  MjcfAssets assets_;
  int ground_ = -1;  ///< link of the world, where it has shapes
  MjcfViews views_;
  std::map<std::string, double> start_;
  std::set<std::string> names_, joint_names_;
};

}  // namespace

expected<Model, Errors> read_mjcf(
  std::unique_ptr<XmlSource> source, const std::filesystem::path & file,
  const ReadOptions & options)
{
  Assembly assembly = MjcfReader(*source, file).read();
  if (source->failed()) { return ambf_adf::unexpected(std::move(source->problems())); }
  assembly.problems = std::move(source->problems());
  return assemble(std::move(assembly), options);
}

}  // namespace ambf_convert
