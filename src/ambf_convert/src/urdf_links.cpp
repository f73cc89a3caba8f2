// SPDX-License-Identifier: BSD-3-Clause
#include "urdf_links.hpp"

#include "xml.hpp"

namespace ambf_convert
{

void add_urdf_origin(const Element & element, const Isometry3d & t)
{
  const auto pose = pose_of(t);
  if (pose == ambf_adf::Pose{}) { return; }
  element.child("origin").set("xyz", pose.position).set("rpy", pose.rpy);
}

void UrdfLinks::add_shape(
  const Element & link, const char * kind, const ambf_adf::PlacedShape & placed,
  const ambf_adf::RigidBody & body, const Isometry3d & t_link_body)
{
  const Isometry3d t_link_shape = t_link_body * placed.offset.isometry();
  const auto begin = [&](const Isometry3d & t) {
    auto element = link.child(kind);
    if (!placed.name.empty()) { element.set("name", placed.name); }
    add_urdf_origin(element, t);
    if (placed.material) {
      auto material = element.child("material");
      material.set("name", unique_name(body.header.name + "_colour", colour_names_));
      material.child("color").set(
        "rgba", text_of(placed.material->diffuse) + " " + text_of(placed.material->alpha));
    }
    return element.child("geometry");
  };
  std::visit(
    [&](const auto & shape) {
      using T = std::decay_t<decltype(shape)>;
      if constexpr (std::is_same_v<T, ambf_adf::Box>) {
        begin(t_link_shape).child("box").set("size", shape.size);
      } else if constexpr (std::is_same_v<T, ambf_adf::Sphere>) {
        begin(t_link_shape).child("sphere").set("radius", shape.radius);
      } else if constexpr (std::is_same_v<T, ambf_adf::MeshPart>) {
        auto mesh = begin(t_link_shape).child("mesh");
        mesh.set("filename", mesh_address(shape.mesh, model_.resource_base));
        if (shape.scale != Vector3d::Ones()) { mesh.set("scale", shape.scale); }
      } else if constexpr (std::is_same_v<T, ambf_adf::Plane>) {
        lost_.push_back(loss(
          model_, body.header.identifier, "a plane", "URDF", "a box of 20 m and 1 mm is written"));
        const Isometry3d t = isometry(
          (shape.offset - 0.0005) * shape.normal,
          Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), shape.normal).toRotationMatrix());
        begin(t_link_shape * t).child("box").set("size", Vector3d(20, 20, 0.001));
      } else {
        const Isometry3d t = t_link_shape * turn_to(shape.axis);
        double length = shape.height;
        if constexpr (std::is_same_v<T, ambf_adf::Capsule>) {
          length -= 2.0 * shape.radius;
          for (const double side : {-0.5, 0.5}) {
            begin(t * isometry({0, 0, side * length})).child("sphere").set("radius", shape.radius);
          }
          if (length <= 0.0) { return; }
        }
        if constexpr (std::is_same_v<T, ambf_adf::Cone>) {
          lost_.push_back(
            loss(model_, body.header.identifier, "a cone", "URDF", "a cylinder is written"));
        }
        begin(t).child("cylinder").set("radius", shape.radius).set("length", length);
      }
    },
    placed.shape);
}

void UrdfLinks::add(
  const Element & robot, const ambf_adf::RigidBody & body, const std::string & name,
  const Isometry3d & t_link_body)
{
  auto link = robot.child("link");
  link.set("name", name);
  if (body.mass > 0.0) {
    const Principal own = inertial_of(body);
    auto inertial = link.child("inertial");
    add_urdf_origin(inertial, t_link_body * own.t_link_principal);
    inertial.child("mass").set("value", body.mass);
    inertial.child("inertia")
      .set("ixx", own.moments.x())
      .set("ixy", 0.0)
      .set("ixz", 0.0)
      .set("iyy", own.moments.y())
      .set("iyz", 0.0)
      .set("izz", own.moments.z());
  }
  for (const auto & shape : visuals_of(body)) {
    add_shape(link, "visual", shape, body, t_link_body);
  }
  for (auto shape : collisions_of(body)) {
    shape.material.reset();
    add_shape(link, "collision", shape, body, t_link_body);
  }
}

std::string urdf_link(
  const Model & model, const ambf_adf::RigidBody & body, const std::string & name)
{
  tinyxml2::XMLDocument document;
  Problems lost;
  const Element robot(document, "robot");
  UrdfLinks(model, lost).add(robot, body, name, Isometry3d::Identity());
  tinyxml2::XMLPrinter printer;
  document.RootElement()->FirstChildElement()->Accept(&printer);
  return printer.CStr();
}

}  // namespace ambf_convert
