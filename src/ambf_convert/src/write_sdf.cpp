// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "ambf_adf/view_pose.hpp"
#include "writers.hpp"
#include "xml.hpp"

namespace ambf_convert
{
namespace
{

using ambf_adf::JointType;

const std::string format_name = "SDF";

std::string pose_text(const Isometry3d & t)
{
  const auto pose = pose_of(t);
  return text_of(pose.position) + " " + text_of(pose.rpy);
}

/// The frame of a camera that looks along x, of one that looks along -x.
Isometry3d forward(const Isometry3d & t_parent_camera)
{
  Matrix3d turn;
  turn << -1, 0, 0, 0, -1, 0, 0, 0, 1;
  return t_parent_camera * isometry(Vector3d::Zero(), turn);
}

class SdfWriter
{
public:
  SdfWriter(const Model & model, const WriteOptions & options)
  : model_(model), options_(options), outline_(model, [](const ambf_adf::Joint &) { return 0; })
  {
  }

  Written write()
  {
    tinyxml2::XMLDocument document;
    Element sdf(document, "sdf");
    sdf.set("version", "1.9");
    const bool scene = model_.gravity || has_views_of_the_world();
    Element parent = sdf;
    if (scene) {
      parent = sdf.child("world");
      parent.set("name", model_.name + "_world");
      if (model_.gravity) { parent.put("gravity", text_of(*model_.gravity)); }
      for (const auto & light : model_.lights) {
        if (outline_.find(light.parent) == Outline::none) { add_light(parent, light); }
      }
    }
    Element element = parent.child("model");
    element.set("name", model_.name);
    if (all_still()) { element.put("static", "true"); }
    element.put("self_collide", model_.ignore_inter_collision ? "false" : "true");
    link_names_ = {"world"};  // SDF keeps this name for itself
    for (const auto & body : outline_.bodies()) {
      names_.push_back(unique_name(body.name, link_names_));
    }
    for (std::size_t i = 0; i < outline_.bodies().size(); ++i) { add_link(element, i); }
    for (const auto & joint : outline_.joints()) { add_joint(element, joint); }
    list_other_losses(model_, format_name, true, true, written_.lost);
    for (const auto & camera : model_.cameras) {
      if (outline_.find(camera.parent) == Outline::none) {
        lose(camera.header.identifier, "a camera of the world", "it is left out");
      }
    }
    written_.text = print(document);
    return std::move(written_);
  }

private:
  void lose(const std::string & object, const std::string & what, const std::string & instead)
  {
    written_.lost.push_back(loss(model_, object, what, format_name, instead));
  }

  bool has_views_of_the_world() const
  {
    return std::any_of(model_.lights.begin(), model_.lights.end(), [&](const auto & light) {
      return outline_.find(light.parent) == Outline::none;
    });
  }

  bool all_still() const
  {
    return std::all_of(outline_.bodies().begin(), outline_.bodies().end(), [](const auto & body) {
      return body.still;
    });
  }

  void add_light(const Element & parent, const ambf_adf::Light & light)
  {
    auto element = parent.child("light");
    element.set("name", light.header.name).set("type", "spot");
    element.put("pose", pose_text(isometry(light.location)));
    element.put("cast_shadows", light.shadow_quality > 0 ? "true" : "false");
    element.put("direction", text_of(Vector3d(light.direction)));
    auto attenuation = element.child("attenuation");
    attenuation.put("range", 100.0)
      .put("constant", light.attenuation_constant)
      .put("linear", light.attenuation_linear)
      .put("quadratic", light.attenuation_quadratic);
    element.child("spot")
      .put("inner_angle", 0.0)
      .put("outer_angle", 2.0 * light.cutoff_angle)
      .put("falloff", light.spot_exponent);
  }

  void add_camera(const Element & link, const ambf_adf::Camera & camera)
  {
    auto sensor = link.child("sensor");
    sensor.set("name", camera.header.name).set("type", "camera");
    sensor.put("pose", pose_text(forward(ambf_adf::camera_pose(camera))));
    const auto & size = camera.image.resolution;
    auto view = sensor.child("camera");
    view.put(
      "horizontal_fov",
      2.0 * std::atan(std::tan(0.5 * camera.field_view_angle) * size.width / size.height));
    view.child("image")
      .put("width", std::to_string(size.width))
      .put("height", std::to_string(size.height));
    view.child("clip").put("near", camera.near_plane).put("far", camera.far_plane);
    if (camera.stereo) { lose(camera.header.identifier, "two eyes", "one is written"); }
  }

  /// False: SDF has no such shape.
  bool add_geometry(
    const Element & owner, const ambf_adf::Primitive & primitive, const std::string & name)
  {
    auto geometry = owner.child("geometry");
    std::visit(
      [&](const auto & shape) {
        using T = std::decay_t<decltype(shape)>;
        if constexpr (std::is_same_v<T, ambf_adf::Box>) {
          geometry.child("box").put("size", text_of(shape.size));
        } else if constexpr (std::is_same_v<T, ambf_adf::Sphere>) {
          geometry.child("sphere").put("radius", shape.radius);
        } else if constexpr (std::is_same_v<T, ambf_adf::MeshPart>) {
          auto mesh = geometry.child("mesh");
          mesh.put("uri", mesh_name(shape.mesh, model_.resource_base, options_.file.parent_path()));
          if (shape.scale != Vector3d::Ones()) { mesh.put("scale", text_of(shape.scale)); }
        } else if constexpr (std::is_same_v<T, ambf_adf::Plane>) {
          geometry.child("plane").put("normal", text_of(shape.normal)).put("size", "20 20");
        } else {
          double length = shape.height;
          if constexpr (std::is_same_v<T, ambf_adf::Capsule>) { length -= 2.0 * shape.radius; }
          if constexpr (std::is_same_v<T, ambf_adf::Cone>) {
            lose(name, "a cone", "a cylinder is written");
          }
          const bool capsule = std::is_same_v<T, ambf_adf::Capsule> && length > 0.0;
          geometry.child(capsule ? "capsule" : "cylinder")
            .put("radius", shape.radius)
            .put("length", length > 0.0 ? length : 2.0 * shape.radius);
        }
      },
      primitive);
    return true;
  }

  /// Round shapes stand along z in SDF; a plane goes through its origin.
  static Isometry3d shape_pose(const ambf_adf::PlacedShape & placed)
  {
    return placed.offset.isometry() *
           std::visit(
             [](const auto & shape) {
               if constexpr (requires { shape.axis; }) { return turn_to(shape.axis); }
               if constexpr (std::is_same_v<std::decay_t<decltype(shape)>, ambf_adf::Plane>) {
                 return isometry(shape.offset * shape.normal);
               }
               return Isometry3d(Isometry3d::Identity());
             },
             placed.shape);
  }

  void add_shapes(const Element & link, const ambf_adf::RigidBody & body)
  {
    std::set<std::string> names;
    for (const auto & shape : visuals_of(body)) {
      auto visual = link.child("visual");
      visual.set("name", unique_name(shape.name.empty() ? "visual" : shape.name, names));
      visual.put("pose", pose_text(shape_pose(shape)));
      add_geometry(visual, shape.shape, body.header.identifier);
      if (!shape.material) { continue; }
      const auto rgba = [&](const ambf_adf::Rgb & c) {
        return text_of(c) + " " + text_of(shape.material->alpha);
      };
      visual.child("material")
        .put("ambient", rgba(shape.material->ambient()))
        .put("diffuse", rgba(shape.material->diffuse))
        .put("specular", rgba(shape.material->specular))
        .put("emissive", rgba(shape.material->emission));
    }
    names.clear();
    for (const auto & shape : collisions_of(body)) {
      auto collision = link.child("collision");
      collision.set("name", unique_name(shape.name.empty() ? "collision" : shape.name, names));
      collision.put("pose", pose_text(shape_pose(shape)));
      add_geometry(collision, shape.shape, body.header.identifier);
      auto surface = collision.child("surface");
      surface.child("friction")
        .child("ode")
        .put("mu", body.surface.friction)
        .put("mu2", body.surface.friction);
      surface.child("bounce").put("restitution_coefficient", body.surface.restitution);
    }
  }

  void add_link(const Element & model, std::size_t index)
  {
    const auto & body = outline_.bodies()[index];
    const auto & source = *body.source;
    auto link = model.child("link");
    const std::string & name = names_[index];
    link.set("name", name);
    link.put("pose", pose_text(body.t_world_body));
    if (source.mass > 0.0) {
      const Principal own = inertial_of(source);
      auto inertial = link.child("inertial");
      inertial.put("pose", pose_text(own.t_link_principal));
      inertial.put("mass", source.mass);
      inertial.child("inertia")
        .put("ixx", own.moments.x())
        .put("ixy", 0.0)
        .put("ixz", 0.0)
        .put("iyy", own.moments.y())
        .put("iyz", 0.0)
        .put("izz", own.moments.z());
      if (source.damping.linear != 0.0 || source.damping.angular != 0.0) {
        link.child("velocity_decay")
          .put("linear", source.damping.linear)
          .put("angular", source.damping.angular);
      }
    } else if (!all_still()) {
      auto joint = model.child("joint");
      joint.set("name", unique_name("world_to_" + name, joint_names_)).set("type", "fixed");
      joint.put("parent", "world").put("child", name);
    }
    if (source.gravity && source.gravity->isZero()) { link.put("gravity", "false"); }
    add_shapes(link, source);
    const auto here = [&](const std::string & parent) {
      return outline_.find(parent) == static_cast<int>(index);
    };
    for (const auto & camera : model_.cameras) {
      if (here(camera.parent)) { add_camera(link, camera); }
    }
    for (const auto & light : model_.lights) {
      if (here(light.parent)) { add_light(link, light); }
    }
  }

  const char * type_of(const ambf_adf::Joint & joint, const std::string & identifier)
  {
    switch (joint.type) {
      case JointType::Revolute:
      case JointType::TorsionSpring:
        return "revolute";
      case JointType::Continuous:
        return joint.limits ? "revolute" : "continuous";
      case JointType::Prismatic:
      case JointType::LinearSpring:
        return "prismatic";
      case JointType::Fixed:
        return "fixed";
      case JointType::ConeTwist:
        lose(identifier, "limits of a cone twist", "a ball joint is written");
        return "ball";
      case JointType::PointToPoint:
        return "ball";
      case JointType::SixDof:
      case JointType::SixDofSpring:
        break;
    }
    if (is_universal(*joint.six_dof)) { return "universal"; }
    lose(identifier, "a joint with six freedoms", "it is left out");
    return nullptr;
  }

  static bool is_universal(const ambf_adf::SixDofParameters & p)
  {
    return (p.low.linear.array() == p.high.linear.array()).all() &&
           p.low.angular.z() == p.high.angular.z() && p.low.angular.x() != p.high.angular.x() &&
           p.low.angular.y() != p.high.angular.y();
  }

  void add_axis(
    const Element & joint, const char * name, const Vector3d & axis,
    const std::optional<ambf_adf::JointLimits> & limits, const ambf_adf::Joint & source,
    double start)
  {
    auto element = joint.child(name);
    element.put("xyz", text_of(axis));
    auto limit = element.child("limit");
    limit.put("lower", limits ? limits->low - start : -1e16);
    limit.put("upper", limits ? limits->high - start : 1e16);
    if (source.max_effort) { limit.put("effort", *source.max_effort); }
    const bool spring =
      source.type == JointType::TorsionSpring || source.type == JointType::LinearSpring;
    if (source.damping == 0.0 && !spring) { return; }
    auto dynamics = element.child("dynamics");
    dynamics.put("damping", source.damping);
    if (!spring) { return; }
    const double middle = source.limits ? 0.5 * (source.limits->low + source.limits->high) : 0.0;
    dynamics.put("spring_reference", source.equilibrium.value_or(middle) - start);
    dynamics.put("spring_stiffness", source.stiffness);
  }

  void add_joint(const Element & model, const Outline::Joint & joint)
  {
    const auto & source = joint.joint;
    const std::string & identifier = source.header.identifier;
    const char * type = type_of(source, identifier);
    if (type == nullptr) { return; }
    auto element = model.child("joint");
    // A link and a joint of one name would be two frames of one name.
    std::string name = unique_name(joint.name, joint_names_);
    if (link_names_.count(name) != 0) { name = unique_name(joint.name + "_joint", joint_names_); }
    element.set("name", name).set("type", type);
    element.put("parent", names_[static_cast<std::size_t>(joint.parent)]);
    element.put("child", names_[static_cast<std::size_t>(joint.child)]);
    // In the frame of the child, as it stands in the file; joint values count from there.
    if (std::string(type) == "universal") {
      const auto & p = *source.six_dof;
      element.put("pose", pose_text(frame_at_child(source, 1.0)));
      const auto range = [](double low, double high) {
        return low < high ? std::optional(ambf_adf::JointLimits{low, high}) : std::nullopt;
      };
      add_axis(
        element, "axis", Vector3d::UnitX(), range(p.low.angular.x(), p.high.angular.x()), source,
        0.0);
      add_axis(
        element, "axis2", Vector3d::UnitY(), range(p.low.angular.y(), p.high.angular.y()), source,
        0.0);
      return;
    }
    element.put("pose", pose_text(isometry(source.child_pivot)));
    if (!turns(source.type) && !slides(source.type)) { return; }
    if (joint.start != 0.0) {
      lose(
        identifier, "a joint that starts at " + text_of(joint.start),
        "its values count from where it starts");
    }
    if (source.mimic) { lose(identifier, "a joint that follows another", "it is left out"); }
    add_axis(element, "axis", source.child_axis, source.limits, source, joint.start);
  }

  const Model & model_;
  const WriteOptions & options_;
  Outline outline_;
  std::vector<std::string> names_;  ///< of the links, by body
  std::set<std::string> link_names_, joint_names_;
  Written written_;
};

}  // namespace

Written write_sdf(const Model & model, const WriteOptions & options)
{
  return SdfWriter(model, options).write();
}

}  // namespace ambf_convert
