// SPDX-License-Identifier: BSD-3-Clause
#include <cctype>
#include <cmath>
#include <map>

#include "ambf_adf/view_pose.hpp"
#include "writers.hpp"
#include "xml.hpp"

namespace ambf_convert
{
namespace
{

using ambf_adf::JointType;

const std::string format_name = "MJCF";

/// Two points of a hinge that closes a loop are this far apart.
constexpr double hinge_points = 0.1;  // [m]

/// A loop is closed best by what MuJoCo has a constraint for: sliding joints belong into the tree.
int cost_of(const ambf_adf::Joint & joint)
{
  switch (joint.type) {
    case JointType::Prismatic:
    case JointType::LinearSpring:
    case JointType::SixDof:
    case JointType::SixDofSpring:
    case JointType::ConeTwist:
      return 0;
    case JointType::TorsionSpring:
      return 1;
    default:
      // What the author of the file took for closing a loop closes it here as well.
      return joint.redundant ? 4 : joint.header.passive ? 3 : 2;
  }
}

std::string quat_text(const Matrix3d & rotation)
{
  const Eigen::Quaterniond q(rotation);
  return text_of(q.w()) + " " + text_of(Vector3d(q.vec()));
}

void set_pose(Element & element, const Isometry3d & t)
{
  if (!t.translation().isZero(0.0)) { element.set("pos", Vector3d(t.translation())); }
  if (t.linear() != Matrix3d::Identity()) { element.set("quat", quat_text(t.linear())); }
}

class MjcfWriter
{
public:
  MjcfWriter(const Model & model, const WriteOptions & options)
  : model_(model), options_(options), outline_(model, cost_of), mujoco_(document_, "mujoco")
  {
    body_names_.insert("world");
    for (const auto & body : outline_.bodies()) {
      names_.push_back(is_ground(body) ? "world" : unique_name(body.name, body_names_));
    }
  }

  Written write()
  {
    mujoco_.set("model", model_.name);
    mujoco_.child("compiler").set("angle", "radian").set("autolimits", "true");
    auto option = mujoco_.child("option");
    option.set("timestep", 0.001);
    if (model_.gravity) { option.set("gravity", *model_.gravity); }
    auto asset = mujoco_.child("asset");
    asset_ = &asset;
    auto world = mujoco_.child("worldbody");
    add_views(world, Outline::none);
    for (const int root : outline_.roots()) { add_body(world, root); }
    add_equalities();
    add_motors();
    list_other_losses(model_, format_name, true, true, written_.lost);
    for (const auto & body : model_.bodies) {
      if (body.mass > 0.0 && (body.damping.linear != 0.0 || body.damping.angular != 0.0)) {
        lose(body.header.identifier, "damping of the body", "it is left out");
      }
    }
    written_.text = print(document_);
    return std::move(written_);
  }

private:
  void lose(const std::string & object, const std::string & what, const std::string & instead)
  {
    written_.lost.push_back(loss(model_, object, what, format_name, instead));
  }

  const Outline::Body & body(int index) const
  {
    return outline_.bodies()[static_cast<std::size_t>(index)];
  }
  const std::string & name(int index) const { return names_[static_cast<std::size_t>(index)]; }

  /// The world itself, as reading MJCF makes it.
  static bool is_ground(const Outline::Body & body)
  {
    return body.still && body.name == "world" &&
           body.t_world_body.matrix() == Isometry3d::Identity().matrix();
  }

  void add_views(Element & element, int at)
  {
    for (const auto & camera : model_.cameras) {
      if (outline_.find(camera.parent) != at) { continue; }
      const Isometry3d t = ambf_adf::camera_pose(camera);
      Matrix3d r;
      // ADF's camera has back, right and up as x, y and z; MuJoCo's has right, up and back.
      r << t.linear().col(1), t.linear().col(2), t.linear().col(0);
      auto view = element.child("camera");
      view.set("name", unique_name(camera.header.name, view_names_));
      set_pose(view, isometry(t.translation(), r));
      view.set("fovy", camera.field_view_angle * 180.0 / M_PI);
      if (camera.stereo) { lose(camera.header.identifier, "two eyes", "one is written"); }
    }
    for (const auto & light : model_.lights) {
      if (outline_.find(light.parent) != at) { continue; }
      element.child("light")
        .set("name", unique_name(light.header.name, view_names_))
        .set("pos", light.location)
        .set("dir", light.direction)
        .set("cutoff", light.cutoff_angle * 180.0 / M_PI)
        .set("exponent", light.spot_exponent)
        .set(
          "attenuation",
          Vector3d(
            light.attenuation_constant, light.attenuation_linear, light.attenuation_quadratic))
        .set("castshadow", light.shadow_quality > 0 ? "true" : "false");
    }
  }

  /// Name of the asset; "": MuJoCo does not read such files.
  std::string mesh_asset(const ambf_adf::MeshPart & part, const std::string & owner)
  {
    const std::string file =
      mesh_name(part.mesh, model_.resource_base, options_.file.parent_path());
    const std::string key = file + " " + text_of(part.scale);
    const auto known = meshes_.find(key);
    if (known != meshes_.end()) { return known->second; }
    std::string ending = std::filesystem::path(file).extension().string();
    for (char & c : ending) { c = static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
    if (
      (ending != ".stl" && ending != ".obj" && ending != ".msh") ||
      file.find("://") != std::string::npos) {
      lose(owner, "the mesh '" + file + "'", "MuJoCo reads .stl and .obj files by their path");
      return meshes_[key] = "";
    }
    const std::string asset = unique_name(std::filesystem::path(file).stem().string(), mesh_names_);
    auto element = asset_->child("mesh");
    element.set("name", asset).set("file", file);
    if (part.scale != Vector3d::Ones()) { element.set("scale", part.scale); }
    return meshes_[key] = asset;
  }

  void add_geom(
    Element & parent, const ambf_adf::PlacedShape & placed, const ambf_adf::RigidBody & source,
    bool collides)
  {
    Isometry3d t = placed.offset.isometry();
    std::string type, size, mesh;
    std::visit(
      [&](const auto & shape) {
        using T = std::decay_t<decltype(shape)>;
        if constexpr (std::is_same_v<T, ambf_adf::Box>) {
          type = "box";
          size = text_of(Vector3d(0.5 * shape.size));
        } else if constexpr (std::is_same_v<T, ambf_adf::Sphere>) {
          type = "sphere";
          size = text_of(shape.radius);
        } else if constexpr (std::is_same_v<T, ambf_adf::MeshPart>) {
          type = "mesh";
          mesh = mesh_asset(shape, source.header.identifier);
        } else if constexpr (std::is_same_v<T, ambf_adf::Plane>) {
          type = "plane";
          size = "0 0 1";
          t = t * isometry(
                    shape.offset * shape.normal,
                    Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), shape.normal)
                      .toRotationMatrix());
        } else {
          double half = 0.5 * shape.height;
          type = "cylinder";
          if constexpr (std::is_same_v<T, ambf_adf::Capsule>) {
            type = "capsule";
            half -= shape.radius;
            if (half <= 0.0) { type = "sphere"; }
          }
          if constexpr (std::is_same_v<T, ambf_adf::Cone>) {
            lose(source.header.identifier, "a cone", "a cylinder is written");
          }
          t = t * turn_to(shape.axis);
          size = text_of(shape.radius) + (type == "sphere" ? "" : " " + text_of(half));
        }
      },
      placed.shape);
    if (type == "mesh" && mesh.empty()) { return; }
    if (type == "plane" && source.mass > 0.0) {
      lose(source.header.identifier, "a plane that moves", "it is left out");
      return;
    }
    auto geom = parent.child("geom");
    geom.set("type", type);
    if (!size.empty()) { geom.set("size", size); }
    if (!mesh.empty()) { geom.set("mesh", mesh); }
    set_pose(geom, t);
    geom.set("mass", 0.0);
    if (collides) {
      geom.set("group", "3").set("friction", text_of(source.surface.friction));
      // What does not collide with its own kind still does with what is put beside it.
      if (model_.ignore_inter_collision) { geom.set("contype", "0"); }
    } else {
      geom.set("group", "2").set("contype", "0").set("conaffinity", "0");
      const auto material = placed.material.value_or(ambf_adf::Material{});
      geom.set("rgba", text_of(material.diffuse) + " " + text_of(material.alpha));
    }
  }

  void add_body(Element & parent, int index)
  {
    const auto & own = body(index);
    const auto & source = *own.source;
    const bool ground = is_ground(own);
    Element element = ground ? parent : parent.child("body");
    if (!ground) {
      element.set("name", name(index));
      set_pose(
        element, own.parent < 0
                   ? own.t_world_body
                   : Isometry3d(body(own.parent).t_world_body.inverse() * own.t_world_body));
      if (source.mass > 0.0) {
        if (own.parent < 0) {
          element.child("freejoint").set("name", unique_name(own.name + "_free", joint_names_));
        }
        const Principal inertial = inertial_of(source);
        auto part = element.child("inertial");
        part.set("pos", Vector3d(inertial.t_link_principal.translation()));
        if (inertial.t_link_principal.linear() != Matrix3d::Identity()) {
          part.set("quat", quat_text(inertial.t_link_principal.linear()));
        }
        part.set("mass", source.mass).set("diaginertia", inertial.moments);
      }
      if (own.joint >= 0) { add_joint(element, own.joint); }
      add_views(element, index);
    }
    for (const auto & shape : visuals_of(source)) { add_geom(element, shape, source, false); }
    for (const auto & shape : collisions_of(source)) { add_geom(element, shape, source, true); }
    for (const int child : own.below) { add_body(element, child); }
  }

  void add_axis_joint(Element & parent, const Outline::Joint & joint)
  {
    const auto & source = joint.joint;
    const std::string own = unique_name(joint.name, joint_names_);
    written_names_[joint.source->header.identifier] = own;
    written_names_[joint.source->header.qualified] = own;
    auto element = parent.child("joint");
    element.set("name", own)
      .set("type", turns(source.type) ? "hinge" : "slide")
      .set("pos", source.child_pivot)
      .set("axis", source.child_axis);
    if (joint.start != 0.0) { element.set("ref", joint.start); }
    if (source.limits) {
      element.set("range", text_of(source.limits->low) + " " + text_of(source.limits->high));
    }
    if (source.damping != 0.0) { element.set("damping", source.damping); }
    if (source.type == JointType::TorsionSpring || source.type == JointType::LinearSpring) {
      const double middle = source.limits ? 0.5 * (source.limits->low + source.limits->high) : 0.0;
      element.set("stiffness", source.stiffness)
        .set("springref", source.equilibrium.value_or(middle));
    }
    if (source.enable_motor && !source.header.passive) {
      motors_.push_back({own, source.max_effort});
    }
  }

  void add_joint(Element & parent, int index)
  {
    const auto & joint = outline_.joints()[static_cast<std::size_t>(index)];
    const auto & source = joint.joint;
    if (source.type == JointType::Fixed) { return; }
    if (turns(source.type) || slides(source.type)) {
      add_axis_joint(parent, joint);
      return;
    }
    if (source.six_dof) {
      add_freedoms(parent, joint, *source.six_dof);
      return;
    }
    auto element = parent.child("joint");
    element.set("name", unique_name(joint.name, joint_names_))
      .set("type", "ball")
      .set("pos", source.child_pivot);
    if (source.damping != 0.0) { element.set("damping", source.damping); }
    if (source.cone_twist) {
      lose(
        source.header.identifier, "limits of a cone twist", "the largest holds in all directions");
      element.set("range", "0 " + text_of(source.cone_twist->swing_swing_twist.maxCoeff()));
    }
  }

  /// A joint for each free direction: slides, then turns.
  void add_freedoms(
    Element & parent, const Outline::Joint & joint, const ambf_adf::SixDofParameters & p)
  {
    const auto & source = joint.joint;
    const Isometry3d frame = frame_at_child(source, 1.0);
    int turning = 0;
    for (const bool turn : {false, true}) {
      for (int i = 0; i < 3; ++i) {
        const double low = turn ? p.low.angular[i] : p.low.linear[i];
        const double high = turn ? p.high.angular[i] : p.high.linear[i];
        if (low == high) { continue; }
        auto element = parent.child("joint");
        element.set("name", unique_name(joint.name + (turn ? "_r" : "_t") + "xyz"[i], joint_names_))
          .set("type", turn ? "hinge" : "slide")
          .set("pos", Vector3d(frame.translation()))
          .set("axis", Vector3d(frame.linear().col(i)));
        if (low < high) { element.set("range", text_of(low) + " " + text_of(high)); }
        if (source.type == JointType::SixDofSpring) {
          element.set("stiffness", turn ? p.stiffness.angular[i] : p.stiffness.linear[i])
            .set("damping", turn ? p.damping.angular[i] : p.damping.linear[i])
            .set("springref", turn ? p.equilibrium.angular[i] : p.equilibrium.linear[i]);
        }
        turning += turn ? 1 : 0;
      }
    }
    lose(
      source.header.identifier, "a joint with six freedoms",
      turning > 1 ? "joints one after the other, counted from where it starts"
                  : "joints of one axis, counted from where it starts");
  }

  void add_equalities()
  {
    auto equality = mujoco_.child("equality");
    auto contact = mujoco_.child("contact");
    for (const auto & joint : outline_.joints()) {
      if (joint.in_tree) { continue; }
      // Both stand still: there is nothing to tie.
      if (body(joint.parent).still && body(joint.child).still) { continue; }
      add_loop(equality, joint);
      if (joint.joint.ignore_inter_collision && name(joint.parent) != name(joint.child)) {
        contact.child("exclude").set("body1", name(joint.parent)).set("body2", name(joint.child));
      }
    }
    for (const auto & joint : outline_.joints()) {
      const auto & mimic = joint.source->mimic;
      const auto follower = written_names_.find(joint.source->header.identifier);
      if (!mimic || follower == written_names_.end()) { continue; }
      const auto leader = written_names_.find(mimic->joint);
      if (leader == written_names_.end()) { continue; }
      equality.child("joint")
        .set("joint1", follower->second)
        .set("joint2", leader->second)
        .set("polycoef", text_of(mimic->offset) + " " + text_of(mimic->multiplier) + " 0 0 0");
    }
  }

  /// As stiff as the step allows: a loop of steel, not of rubber.
  static void stiffen(Element & element)
  {
    element.set("solref", "0.002 1").set("solimp", "0.99 0.9999 0.0001");
  }

  void add_loop(const Element & equality, const Outline::Joint & joint)
  {
    const auto & source = joint.joint;
    const auto connect = [&](const Vector3d & anchor) {
      auto element = equality.child("connect");
      element.set("name", unique_name(joint.name, equality_names_))
        .set("body1", name(joint.child))
        .set("body2", name(joint.parent))
        .set("anchor", anchor);
      stiffen(element);
    };
    switch (source.type) {
      case JointType::Fixed: {
        auto element = equality.child("weld");
        element.set("name", unique_name(joint.name, equality_names_))
          .set("body1", name(joint.child))
          .set("body2", name(joint.parent));
        stiffen(element);
        return;
      }
      case JointType::Revolute:
      case JointType::Continuous:
      case JointType::TorsionSpring:
        connect(source.child_pivot);
        connect(source.child_pivot + hinge_points * source.child_axis);
        if (source.limits || source.damping != 0.0 || source.stiffness != 0.0) {
          lose(
            source.header.identifier, "limits, damping or spring of a joint that closes a loop",
            "it turns freely");
        }
        return;
      case JointType::PointToPoint:
        connect(source.child_pivot);
        return;
      default:
        lose(
          source.header.identifier,
          std::string("a joint of the type '") + to_string(source.type) + "' that closes a loop",
          "the loop is open");
    }
  }

  void add_motors()
  {
    auto actuator = mujoco_.child("actuator");
    for (const auto & [joint, effort] : motors_) {
      auto motor = actuator.child("motor");
      motor.set("name", joint).set("joint", joint);
      if (effort) { motor.set("ctrlrange", text_of(-*effort) + " " + text_of(*effort)); }
    }
  }

  const Model & model_;
  const WriteOptions & options_;
  Outline outline_;
  tinyxml2::XMLDocument document_;
  Element mujoco_;
  Element * asset_ = nullptr;
  std::vector<std::string> names_;
  std::set<std::string> body_names_, joint_names_, view_names_, mesh_names_, equality_names_;
  std::map<std::string, std::string> meshes_;
  std::map<std::string, std::string> written_names_;
  std::vector<std::pair<std::string, std::optional<double>>> motors_;
  Written written_;
};

}  // namespace

Written write_mjcf(const Model & model, const WriteOptions & options)
{
  return MjcfWriter(model, options).write();
}

}  // namespace ambf_convert
