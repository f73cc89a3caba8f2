// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <map>
#include <set>

#include "ambf_adf/names.hpp"
#include "readers.hpp"
#include "side_file.hpp"
#include "urdf_shapes.hpp"

namespace ambf_convert
{
namespace
{

using ambf_adf::JointType;
using ambf_adf::ProblemKind;

/// Files that must name a limit name this where they mean none.
constexpr double endless = 1e8;

class UrdfReader
{
public:
  UrdfReader(XmlSource & source, const std::filesystem::path & file)
  : source_(source), file_(file.string()), shapes_(source, file_)
  {
  }

  Assembly read()
  {
    const XMLElement & robot = *source_.root();
    assembly_.name = source_.word(robot, "name");
    if (assembly_.name.empty()) {
      assembly_.name = std::filesystem::path(file_).stem().string();
      source_.warn(
        robot, ProblemKind::MissingKey, "a robot without a name", "a name",
        "'" + assembly_.name + "' is taken");
    }
    assembly_.file = file_;
    // Neighbours collide in most URDF files, and simulators of URDF leave a robot's own links alone.
    assembly_.ignore_inter_collision = true;
    source_.expect_children(
      robot, {"link", "joint", "material", "transmission", "gazebo", "sensor", "ros2_control"});
    shapes_.define_materials(robot);
    for (const auto * link : children(robot, "link")) { read_link(*link); }
    for (const auto * joint : children(robot, "joint")) { read_joint(*joint); }
    for (const char * other : {"transmission", "gazebo", "sensor", "ros2_control"}) {
      for (const auto * element : children(robot, other)) {
        source_.lost(*element, "an element for other programs", "it is left out");
      }
    }
    if (assembly_.links.empty()) {
      source_.error(robot, ProblemKind::MissingKey, "no link", "a robot of at least one link");
    }
    check_tree(robot);
    check_units(source_, assembly_);
    return std::move(assembly_);
  }

private:
  void read_inertial(const XMLElement & element, Link & link)
  {
    source_.expect_children(element, {"origin", "mass", "inertia"});
    const auto * mass = element.FirstChildElement("mass");
    if (mass == nullptr) {
      source_.error(element, ProblemKind::MissingKey, "no mass", "<mass value=\"...\"/> [kg]");
      return;
    }
    Matrix3d tensor = Matrix3d::Zero();
    if (const auto * inertia = element.FirstChildElement("inertia")) {
      const auto part = [&](const char * name) { return source_.number(*inertia, name, 0.0); };
      const double xx = part("ixx"), yy = part("iyy"), zz = part("izz");
      const double xy = part("ixy"), xz = part("ixz"), yz = part("iyz");
      tensor << xx, xy, xz, xy, yy, yz, xz, yz, zz;
    }
    set_inertial(
      source_, element, link, source_.number(*mass, "value", 0.0),
      urdf_origin(source_, element).isometry(), tensor);
  }

  void read_link(const XMLElement & element)
  {
    source_.expect_children(element, {"inertial", "visual", "collision", "material"});
    Link link;
    link.body.header.name = source_.required_word(element, "name");
    link.body.header.where = source_.mark(element);
    link.body.damping = {0.0, 0.0};
    if (const auto * inertial = element.FirstChildElement("inertial")) {
      read_inertial(*inertial, link);
    }
    shapes_.read(element, "visual", link.visuals);
    shapes_.read(element, "collision", link.collisions);
    const auto [known, fresh] =
      links_.try_emplace(link.body.header.name, static_cast<int>(assembly_.links.size()));
    if (!fresh) {
      source_.error(
        element, ProblemKind::DuplicateName, "a second link of this name", "different names");
      return;
    }
    assembly_.links.push_back(std::move(link));
  }

  int link_of(const XMLElement & joint, const char * which)
  {
    const auto * element = joint.FirstChildElement(which);
    const std::string name = element == nullptr ? "" : source_.word(*element, "link");
    const auto found = links_.find(name);
    if (found != links_.end()) { return found->second; }
    source_.error(
      element == nullptr ? joint : *element, ProblemKind::UnresolvedReference,
      name.empty() ? "no " + std::string(which) : "'" + name + "', which is no link",
      "a link of this robot", nearest_link(name));
    return -2;
  }

  std::string nearest_link(const std::string & name) const
  {
    for (const auto & [link, index] : links_) {
      if (!name.empty() && ambf_adf::edit_distance(name, link) <= 2) {
        return "did you mean '" + link + "'?";
      }
    }
    return {};
  }

  void read_limit(const XMLElement & joint, const std::string & type, ambf_adf::Joint & result)
  {
    const auto * limit = joint.FirstChildElement("limit");
    const bool needed = type == "revolute" || type == "prismatic";
    if (limit == nullptr) {
      if (needed) {
        source_.error(
          joint, ProblemKind::MissingKey, "no limit", "<limit lower upper effort velocity/>",
          "'continuous' turns without limits");
      }
      return;
    }
    if (needed) {
      const double low = source_.number(*limit, "lower", 0.0);
      const double high = source_.number(*limit, "upper", 0.0);
      if (low > high) {
        source_.warn(
          *limit, ProblemKind::BadValue, "lower above upper", "lower <= upper",
          "the joint has no limits, as in Bullet");
      } else {
        result.limits = ambf_adf::JointLimits{low, high};
      }
    }
    const double effort = source_.number(*limit, "effort", 0.0);
    if (effort > 0.0 && effort < endless) {
      result.max_effort = effort;
      result.max_motor_impulse = effort * 0.001;  // ADF counts it for a step of 1 ms
    }
    if (source_.number(*limit, "velocity", endless) < endless) {
      source_.lost(*limit, "a limit of velocity", "it is left out");
    }
  }

  void read_extras(const XMLElement & element, ambf_adf::Joint & joint)
  {
    if (const auto * dynamics = element.FirstChildElement("dynamics")) {
      joint.damping = source_.number(*dynamics, "damping", 0.0);
      if (joint.damping < 0.0) {
        source_.error(
          *dynamics, ProblemKind::BadValue, "damping below 0", "0 or more", "", "damping");
      }
      if (source_.number(*dynamics, "friction", 0.0) != 0.0) {
        source_.lost(*dynamics, "friction of a joint", "it is left out");
      }
    }
    if (const auto * mimic = element.FirstChildElement("mimic")) {
      joint.mimic = ambf_adf::Mimic{
        source_.required_word(*mimic, "joint"), source_.number(*mimic, "multiplier", 1.0),
        source_.number(*mimic, "offset", 0.0)};
    }
    for (const char * other : {"safety_controller", "calibration"}) {
      if (const auto * found = element.FirstChildElement(other)) {
        source_.lost(*found, "settings of a controller", "they are left out");
      }
    }
  }

  void read_joint(const XMLElement & element)
  {
    source_.expect_children(
      element, {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic",
                "safety_controller", "calibration"});
    static const std::map<std::string, JointType> types{
      {"revolute", JointType::Revolute},     {"continuous", JointType::Continuous},
      {"prismatic", JointType::Prismatic},   {"fixed", JointType::Fixed},
      {"planar", JointType::SixDof},         {"floating", JointType::SixDof},
      {"spherical", JointType::PointToPoint}};  // Bullet's word; URDF itself has none
    Tie tie;
    tie.joint.header.name = source_.required_word(element, "name");
    tie.joint.header.where = source_.mark(element);
    const std::string type = source_.word(element, "type");
    const auto known = types.find(type);
    if (known == types.end()) {
      source_.error(
        element, ProblemKind::UnknownEnum, "the type '" + type + "'",
        "revolute, continuous, prismatic, fixed, planar or floating", "", "type");
    } else {
      tie.joint.type = known->second;
    }
    if (!joints_.emplace(tie.joint.header.name).second) {
      source_.error(
        element, ProblemKind::DuplicateName, "a second joint of this name", "different names");
    }
    tie.parent = link_of(element, "parent");
    tie.child = link_of(element, "child");
    tie.t_parent_joint = urdf_origin(source_, element).isometry();
    const auto * axis = element.FirstChildElement("axis");
    // Exporters write the axis 0 0 0 for joints that have none.
    if (axis != nullptr && type != "fixed" && type != "floating") {
      tie.axis = unit_axis(source_, *axis, "xyz", source_.vector(*axis, "xyz", Vector3d::UnitX()));
    } else {
      tie.axis = Vector3d::UnitX();
    }
    read_limit(element, type, tie.joint);
    read_extras(element, tie.joint);
    if (type == "planar") { make_planar(tie); }
    if (tie.parent >= 0 && tie.child >= 0) {
      floating_.push_back(type == "floating");
      assembly_.ties.push_back(std::move(tie));
    }
  }

  /// Slides in the plane across the axis and turns about it.
  static void make_planar(Tie & tie)
  {
    // The joint frame's z is the axis; where its x and y point is of no matter.
    const Eigen::Quaterniond upright =
      Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), tie.axis);
    tie.t_parent_joint =
      tie.t_parent_joint * isometry(Vector3d::Zero(), upright.toRotationMatrix());
    tie.t_child_joint = isometry(Vector3d::Zero(), upright.toRotationMatrix());
    tie.axis = Vector3d::UnitZ();
    tie.joint.limits.reset();
    tie.joint.six_dof.emplace();
    tie.joint.six_dof->low = {{1, 1, 0}, {0, 0, 1}};  // low above high: free
    tie.joint.six_dof->high = {{-1, -1, 0}, {0, 0, -1}};
  }

  /// One parent for each link, and no circle.
  void check_tree(const XMLElement & robot)
  {
    std::map<int, int> parent;
    for (std::size_t i = 0; i < assembly_.ties.size(); ++i) {
      const Tie & tie = assembly_.ties[i];
      if (!parent.emplace(tie.child, tie.parent).second) {
        source_.problems().push_back(
          {ambf_adf::Severity::Error, ProblemKind::BadValue, file_, tie.joint.header.where,
           "joint '" + tie.joint.header.name + "'",
           "a second joint with the child '" + name(tie.child) + "'", "one parent for each link",
           "URDF is a tree; use SDF, MJCF or ADF for closed loops"});
      }
    }
    for (const auto & tie : assembly_.ties) {
      int at = tie.child;
      for (std::size_t steps = 0; parent.count(at) != 0; ++steps) {
        at = parent[at];
        if (at == tie.child || steps > assembly_.links.size()) {
          source_.error(
            robot, ProblemKind::BadValue, "a circle of joints through '" + name(tie.child) + "'",
            "a tree", "URDF is a tree; use SDF, MJCF or ADF for closed loops");
          return;
        }
      }
    }
  }

  const std::string & name(int link) const
  {
    return assembly_.links[static_cast<std::size_t>(link)].body.header.name;
  }

  XmlSource & source_;
  std::string file_;
  UrdfShapes shapes_;
  Assembly assembly_;
  std::map<std::string, int> links_;
  std::set<std::string> joints_;

public:
  std::vector<bool> floating_;  ///< by tie: leaves its child free
};

/// What floats is placed where its joint says and is then free.
void free_floating(Assembly & assembly, const std::vector<bool> & floating)
{
  std::size_t index = 0;
  std::erase_if(assembly.ties, [&](const Tie &) { return floating[index++]; });
}

}  // namespace

expected<Model, Errors> read_urdf(
  std::unique_ptr<XmlSource> source, const std::filesystem::path & file,
  const ReadOptions & options)
{
  UrdfReader reader(*source, file);
  Assembly assembly = reader.read();
  if (source->failed()) { return ambf_adf::unexpected(std::move(source->problems())); }
  const auto side = read_side_file(*source, file);
  if (!side) { return ambf_adf::unexpected(side.error()); }
  place_links(assembly, side->start);
  for (const auto & tie : assembly.ties) {
    const bool floats = reader.floating_[static_cast<std::size_t>(&tie - assembly.ties.data())];
    // A floating child without a mass is a body all the same, not a frame.
    if (floats && !assembly.links[static_cast<std::size_t>(tie.child)].has_mass) {
      assembly.links[static_cast<std::size_t>(tie.child)].still = true;
    }
  }
  free_floating(assembly, reader.floating_);
  assembly.problems = std::move(source->problems());
  Model model = assemble(std::move(assembly), options);
  add_side_joints(model, *side);
  return model;
}

}  // namespace ambf_convert
