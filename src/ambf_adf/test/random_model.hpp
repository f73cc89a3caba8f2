// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <random>
#include <set>
#include <string>

#include "ambf_adf/model.hpp"
#include "ambf_adf/names.hpp"

namespace test
{

/// Makes models of every kind of object with random values that a file can express.
class RandomModel
{
public:
  explicit RandomModel(unsigned seed) : random_(seed) {}

  ambf_adf::Model make()
  {
    using namespace ambf_adf;
    Model m;
    m.name = "m";
    m.ns = "/ambf/env/" + word() + "/";
    m.high_resolution_path = flag() ? "./high_res/" : "";
    m.low_resolution_path = flag() ? "../low res/" : "";
    m.ignore_inter_collision = flag();
    fill(m.bodies, 6, [&](RigidBody & b) { body(b, m); });
    fill(m.soft_bodies, 2, [&](SoftBody & b) { soft(b, m); });
    fill(m.ghost_objects, 2, [&](GhostObject & g) { ghost(g); });
    fill(m.joints, 6, [&](Joint & j) { joint(j); });
    fill(m.sensors, 3, [&](Sensor & s) { sensor(s); });
    fill(m.actuators, 2, [&](Actuator & a) {
      a.parent = word(), a.location = pose(), a.visible = flag();
      if (flag()) { a.grasp = Grasp{word(), {word(), word()}, number(), number()}; }
    });
    fill(m.cameras, 2, [&](Camera & c) { camera(c); });
    fill(m.lights, 2, [&](Light & l) {
      l.location = vector(), l.direction = axis(), l.cutoff_angle = number();
    });
    fill(m.volumes, 2, [&](Volume & v) {
      v.dimensions = {positive(), positive(), positive()},
      v.images = VolumeImages{"img", word(), "png", 5};
    });
    name(m);
    return m;
  }

private:
  using Vector3d = Eigen::Vector3d;

  double number() { return std::normal_distribution<double>(0, 3)(random_); }
  double positive() { return std::abs(number()) + 1e-6; }
  double fraction() { return std::uniform_real_distribution<double>()(random_); }
  bool flag() { return random_() % 2 == 0; }
  Vector3d vector() { return {number(), number(), number()}; }
  Vector3d axis() { return vector().normalized(); }
  ambf_adf::Pose pose() { return {vector(), vector()}; }

  std::string word()
  {
    static const char * const words[] = {"base link", "Tip-1", "a.b",  "x", "null", "true",
                                         "12",        "p: q",  "#tag", "é", "'q'",  "[l]"};
    return words[random_() % std::size(words)];
  }

  template <class Object, class Make>
  void fill(std::vector<Object> & objects, unsigned most, Make make)
  {
    objects.resize(random_() % (most + 1));
    for (auto & object : objects) {
      make(object);
      object.header.name = ambf_adf::published_name(word());
      if (flag()) { object.header.publish_frequency = {positive(), positive()}; }
      if (random_() % 4 == 0) {
        object.header.plugins.push_back({word(), "lib.so", "some/where"});
        object.header.extensions = "my key:\n  - 1\n  - \"two words\"";
      }
    }
  }

  ambf_adf::Primitive primitive()
  {
    using namespace ambf_adf;
    const auto a = static_cast<Axis>(random_() % 3);
    const double r = positive();
    switch (random_() % 7) {
      case 0:
        return Box{Vector3d(positive(), positive(), positive())};
      case 1:
        return Sphere{r};
      case 2:
        return Cylinder{r, positive(), a};
      case 3:
        return Capsule{r, 2 * r + positive(), a};
      case 4:
        return Cone{r, positive(), a};
      case 5:
        return MeshPart{
          {"part.STL", "part.STL", false},
          Vector3d(positive(), -positive(), positive()),
          static_cast<MeshCollisionType>(random_() % 4)};
      default:
        return Plane{axis(), number()};
    }
  }

  ambf_adf::Collision collision(const std::string & folder)
  {
    using namespace ambf_adf;
    switch (random_() % 4) {
      case 0:
        return NoShape{};
      case 1:
        return ShapeList{{{primitive(), pose(), ""}}, false};
      case 2:
        return ShapeList{{{primitive(), pose(), "a"}, {primitive(), pose(), word()}}, true};
      default:
        return CollisionMesh{mesh(folder), static_cast<MeshCollisionType>(random_() % 4)};
    }
  }

  ambf_adf::MeshFile mesh(const std::string & folder)
  {
    const std::string own = flag() ? folder : "own/folder/";
    return {
      "part.STL", (std::filesystem::path(own) / "part.STL").lexically_normal().string(), false};
  }

  ambf_adf::Visual visual(const std::string & folder)
  {
    using namespace ambf_adf;
    Visual v;
    if (flag()) {
      v.geometry = mesh(folder);
    } else if (flag()) {
      v.geometry = ShapeList{{{primitive(), Pose{}, ""}}, false};
    } else if (flag()) {
      Material blue;
      blue.diffuse = {0, 0, fraction()};
      v.geometry = ShapeList{{{primitive(), pose(), "a", blue}, {primitive(), pose(), "b"}}, true};
    }
    v.visible = flag();
    if (flag()) {
      v.material.emplace();
      v.material->diffuse = {fraction(), fraction(), fraction()};
      v.material->shininess = static_cast<unsigned>(random_() % 200);
      if (flag()) { v.material->ambient_level = number(); }
    }
    return v;
  }

  void body(ambf_adf::RigidBody & b, const ambf_adf::Model & m)
  {
    using namespace ambf_adf;
    b.location = pose();
    b.mass = flag() ? positive() : 0.0;
    if (flag()) { b.inertia = vector().cwiseAbs(); }
    if (flag()) { b.inertial_offset = pose(); }
    b.scale = positive();
    b.visual = visual(m.high_resolution_path);
    b.collision = collision(m.low_resolution_path);
    b.collision_groups = {0, static_cast<int>(1 + random_() % 900)};
    b.surface = {positive(), positive(), positive()};
    if (flag()) { b.gravity = vector(); }
    if (flag()) {
      const auto output = flag() ? ControlOutput::Effort : ControlOutput::Velocity;
      b.controller = CartesianController{{positive(), 0, 1}, {positive(), 2, 3}, output, output};
    }
    if (flag()) { b.pose_hold = PoseHold{positive(), positive()}; }
    b.header.passive = flag();
  }

  void soft(ambf_adf::SoftBody & b, const ambf_adf::Model & m)
  {
    b.header.passive = flag();
    b.mass = positive();
    b.visual = visual(m.high_resolution_path);
    b.collision_mesh = mesh(m.low_resolution_path);
    b.config.kLST = positive();
    b.config.kMT = positive();
    b.config.fixed_nodes = {0, 3, 5};
    b.config.fixed_node_positions = {vector()};
    b.anchors.push_back({word(), {1, 2}, {}});
    b.randomize_constraints = flag();
  }

  void ghost(ambf_adf::GhostObject & g)
  {
    g.parent = word();
    g.location = pose();
    g.collision = ambf_adf::ShapeList{{{primitive(), pose(), ""}}, false};
  }

  void joint(ambf_adf::Joint & j)
  {
    using namespace ambf_adf;
    j.type = static_cast<JointType>(random_() % 10);
    j.parent = "P " + word();
    j.child = "C " + word();
    j.parent_pivot = vector();
    j.child_pivot = vector();
    j.parent_axis = axis();
    j.child_axis = axis();
    j.child_offset = number();
    j.joint_offset = number();
    if (j.type == JointType::SixDof || j.type == JointType::SixDofSpring) {
      j.six_dof.emplace();
      j.six_dof->low = {vector(), vector()};
      if (j.type == JointType::SixDofSpring) { j.six_dof->stiffness = {vector(), vector()}; }
    } else {
      j.damping = positive();
      if (j.type == JointType::ConeTwist) {
        j.cone_twist = ConeTwistLimits{vector()};
      } else {
        j.limits = JointLimits{-positive(), positive()};
        j.stiffness = positive();
        j.equilibrium = number();
      }
    }
    if (flag()) { j.controller = Pid{positive(), positive(), positive()}; }
    j.controller_output = flag() ? ControlOutput::Effort : ControlOutput::Velocity;
    j.enable_motor = flag();
    j.header.passive = flag();
    if (flag()) {
      j.erp = positive();
      j.max_effort = positive();
    }
    j.redundant = flag();
    if (flag()) { j.mimic = Mimic{"JOINT 0", number(), number()}; }
  }

  void sensor(ambf_adf::Sensor & s)
  {
    using namespace ambf_adf;
    s.type = static_cast<SensorType>(random_() % 3);
    s.parent = word();
    s.location = pose();
    s.range = positive();
    switch (random_() % 3) {
      case 0:
        s.rays = RayArray{{{vector(), axis()}, {vector(), axis()}}};
        break;
      case 1:
        s.rays = RayMesh{{"patch.STL", "patch.STL", false}};
        break;
      default:
        s.rays = RayFan{3, number(), number(), number()};
    }
    if (s.type == SensorType::Resistance) {
      s.resistance = {number(), number(), number(), flag(), number(), number(), number()};
    }
  }

  void camera(ambf_adf::Camera & c)
  {
    c.location = vector();
    c.look_at = vector();
    c.field_view_angle = positive();
    if (flag()) {
      c.stereo = ambf_adf::Stereo{"Passive", number(), number()};
      c.depth_noise = ambf_adf::DepthNoise{number(), positive(), number()};
    }
    c.image = {flag(), static_cast<int>(1 + random_() % 9), {320, 200}};
    c.depth.resolution = {64, 48};
    c.mouse.pan = number();
  }

  /// Identifiers, qualified names and topics as the parser gives them.
  static void name(ambf_adf::Model & m)
  {
    std::set<std::string> topics;
    const auto each = [&](auto & objects, const std::string & prefix, bool has_topic) {
      std::size_t i = 0;
      for (auto & object : objects) {
        ambf_adf::ObjectHeader & h = object.header;
        h.identifier = prefix + " " + std::to_string(i++);
        h.ns = i % 3 == 0 ? "/else where/" : m.ns;
        h.qualified = h.ns + h.identifier;
        h.topic = has_topic ? ambf_adf::topic_name(h.ns, h.name) : "";
        for (int k = 1; has_topic && !topics.insert(h.topic).second; ++k) {
          h.topic = ambf_adf::topic_name(h.ns, h.name + "_" + std::to_string(k));
        }
      }
    };
    each(m.bodies, "BODY", true);
    each(m.soft_bodies, "SOFT", true);
    each(m.ghost_objects, "GHOST", true);
    each(m.joints, "JOINT", false);
    each(m.sensors, "SENSOR", true);
    each(m.actuators, "ACTUATOR", true);
    each(m.volumes, "VOLUME", true);
    each(m.cameras, "CAMERA", true);
    each(m.lights, "LIGHT", true);
  }

  std::mt19937 random_;
};

}  // namespace test
