// SPDX-License-Identifier: BSD-3-Clause
#include "scenes.hpp"

#include <limits>
#include <map>

#include "ambf_adf/parse.hpp"

namespace ambf_dynamics::bench
{
namespace
{

using Eigen::Vector3d;

ambf_adf::RigidBody box(
  const std::string & name, double mass, const Vector3d & at, const Vector3d & size)
{
  ambf_adf::RigidBody b;
  b.header.identifier = b.header.name = b.header.qualified = name;
  b.mass = mass;
  b.location.position = at;
  b.inertial_offset = ambf_adf::Pose{};
  const Vector3d s = size.cwiseProduct(size);
  if (mass > 0.0) {
    b.inertia = mass / 12.0 * Vector3d(s.y() + s.z(), s.x() + s.z(), s.x() + s.y());
  }
  ambf_adf::PlacedShape placed;
  placed.shape = ambf_adf::Box{size};
  b.collision = ambf_adf::ShapeList{{placed}, false};
  return b;
}

ambf_adf::Joint hinge(
  const std::string & name, const std::string & parent, const std::string & child,
  const Vector3d & at_parent, const Vector3d & at_child)
{
  ambf_adf::Joint j;
  j.header.identifier = j.header.name = j.header.qualified = name;
  j.parent = parent;
  j.child = child;
  j.parent_pivot = at_parent;
  j.child_pivot = at_child;
  j.parent_axis = j.child_axis = Vector3d::UnitY();
  return j;
}

}  // namespace

Scene boxes200()
{
  Scene scene{"boxes200", {}};
  scene.model.bodies.push_back(box("floor", 0.0, Vector3d(0, 0, -0.5), Vector3d(20, 20, 1)));
  for (int k = 0; k < 8; ++k) {
    for (int j = 0; j < 5; ++j) {
      for (int i = 0; i < 5; ++i) {
        scene.model.bodies.push_back(box(
          "box" + std::to_string(25 * k + 5 * j + i), 1.0,
          Vector3d(0.2 * (i - 2), 0.2 * (j - 2), 0.1 + 0.2 * k), Vector3d::Constant(0.2)));
      }
    }
  }
  return scene;
}

Scene arm_two_loops()
{
  Scene scene{"arm_two_loops", {}};
  auto & m = scene.model;
  m.ignore_inter_collision = true;
  const Vector3d bar(0.4, 0.03, 0.03);
  const Vector3d post(0.03, 0.03, 0.15);
  m.bodies.push_back(box("base", 0.0, Vector3d(0, 0, 0), Vector3d::Constant(0.1)));
  m.bodies.push_back(box("yaw", 5.0, Vector3d(0, 0, 0.1), Vector3d::Constant(0.1)));
  m.bodies.push_back(box("back", 2.0, Vector3d(0, 0, 0.225), post));
  m.bodies.push_back(box("front", 2.0, Vector3d(0.1, 0, 0.225), post));
  m.bodies.push_back(box("lower", 3.0, Vector3d(0.2, 0, 0.3), bar));
  m.bodies.push_back(box("upper", 3.0, Vector3d(0.2, 0, 0.35), bar));
  m.bodies.push_back(box("end", 2.0, Vector3d(0.4, 0, 0.325), Vector3d(0.03, 0.03, 0.1)));
  m.bodies.push_back(box("roll", 0.5, Vector3d(0.5, 0, 0.325), Vector3d(0.2, 0.02, 0.02)));
  m.bodies.push_back(box("wrist", 0.2, Vector3d(0.61, 0, 0.325), Vector3d(0.02, 0.02, 0.02)));
  auto yaw = hinge("yaw_joint", "base", "yaw", Vector3d(0, 0, 0.05), Vector3d(0, 0, -0.05));
  yaw.parent_axis = yaw.child_axis = Vector3d::UnitZ();
  m.joints.push_back(yaw);
  m.joints.push_back(hinge("j2", "yaw", "back", Vector3d(0, 0, 0.05), Vector3d(0, 0, -0.075)));
  m.joints.push_back(hinge("j3", "yaw", "front", Vector3d(0.1, 0, 0.05), Vector3d(0, 0, -0.075)));
  m.joints.push_back(hinge("j4", "back", "lower", Vector3d(0, 0, 0.075), Vector3d(-0.2, 0, 0)));
  m.joints.push_back(hinge("j5", "front", "lower", Vector3d(0, 0, 0.075), Vector3d(-0.1, 0, 0)));
  m.joints.push_back(hinge("j6", "back", "upper", Vector3d(0, 0, 0.125), Vector3d(-0.2, 0, 0)));
  m.joints.push_back(hinge("j7", "lower", "end", Vector3d(0.2, 0, 0), Vector3d(0, 0, -0.025)));
  m.joints.push_back(hinge("j8", "upper", "end", Vector3d(0.2, 0, 0), Vector3d(0, 0, 0.025)));
  auto roll = hinge("j9", "end", "roll", Vector3d(0, 0, 0), Vector3d(-0.1, 0, 0));
  roll.parent_axis = roll.child_axis = Vector3d::UnitX();
  m.joints.push_back(roll);
  m.joints.push_back(hinge("j10", "roll", "wrist", Vector3d(0.1, 0, 0), Vector3d(-0.01, 0, 0)));
  return scene;
}

Scene chain100()
{
  Scene scene{"chain100", {}};
  auto & m = scene.model;
  m.ignore_inter_collision = true;
  const double length = 0.05;
  m.bodies.push_back(box("top", 0.0, Vector3d(0, 0, 6.0), Vector3d::Constant(0.05)));
  for (int i = 0; i < 100; ++i) {
    m.bodies.push_back(box(
      "link" + std::to_string(i), 0.1, Vector3d(length * (i + 0.5), 0, 6.0),
      Vector3d(0.04, 0.02, 0.02)));
    m.joints.push_back(hinge(
      "joint" + std::to_string(i), i ? "link" + std::to_string(i - 1) : "top",
      "link" + std::to_string(i), i ? Vector3d(0.5 * length, 0, 0) : Vector3d::Zero(),
      Vector3d(-0.5 * length, 0, 0)));
  }
  return scene;
}

Scene sliding_box(int rays_per_side)
{
  Scene scene{"sliding_box", {}};
  auto table = box("table", 0.0, Vector3d::Zero(), Vector3d::Ones());
  table.collision = ambf_adf::NoShape{};
  scene.model.bodies.push_back(table);
  // Wide: it may slide for long. Without inertia it does not tilt.
  auto slider = box("box", 0.5, Vector3d(0, 0, 0.093), Vector3d(40.0, 40.0, 0.1));
  slider.inertia = Vector3d::Zero();
  slider.damping = {0.0, 0.0};
  scene.model.bodies.push_back(slider);
  ambf_adf::Sensor skin;
  skin.header.identifier = skin.header.name = skin.header.qualified = "skin";
  skin.type = ambf_adf::SensorType::Resistance;
  skin.parent = "table";
  skin.range = 0.05;
  ambf_adf::RayArray array;
  for (int i = 0; i < rays_per_side; ++i) {
    for (int j = 0; j < rays_per_side; ++j) {
      array.rays.push_back({Vector3d(0.01 * i, 0.01 * j, 0.0), Vector3d::UnitZ()});
    }
  }
  skin.rays = array;
  skin.resistance = {5000.0, 0.1, 0.1, true, 0.001, 1.0, 50.0};
  scene.model.sensors.push_back(skin);
  return scene;
}

std::optional<Scene> boxes_of_file(const std::string & file)
{
  auto parsed = ambf_adf::parse_file(file);
  if (!parsed) { return std::nullopt; }
  Scene scene{"boxes200.yaml", *parsed};
  double lowest = std::numeric_limits<double>::infinity();
  for (auto & body : scene.model.bodies) {
    body.header.qualified = body.header.identifier;
    lowest = std::min(lowest, body.location.position.z());
  }
  // Boxes of 0.2 m with 5 mm of air below, as in the measurements of AMBF.
  auto & bodies = scene.model.bodies;
  bodies.insert(
    bodies.begin(), box("floor", 0.0, Vector3d(0, 0, lowest - 0.605), Vector3d(40, 40, 1)));
  return scene;
}

BareWorld::BareWorld(const ambf_adf::Model & model, const Parameters & p)
: step_size_(p.step_size),
  dispatcher_(&configuration_),
  world_(&dispatcher_, &broadphase_, &solver_, &configuration_)
{
  world_.setGravity(to_bt(p.gravity));
  world_.getSolverInfo().m_numIterations = p.solver_iterations;
  world_.getSolverInfo().m_erp = p.joint_erp;
  world_.getSolverInfo().m_erp2 = p.contact_erp;
  world_.getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
  world_.getSolverInfo().m_warmstartingFactor = 1.0;
  std::map<std::string, btRigidBody *> by_name;
  for (const auto & source : model.bodies) {
    const auto * list = std::get_if<ambf_adf::ShapeList>(&source.collision);
    if (!list) { continue; }
    const auto & size = std::get<ambf_adf::Box>(list->shapes[0].shape).size;
    shapes_.push_back(std::make_unique<btBoxShape>(to_bt(Eigen::Vector3d(0.5 * size))));
    shapes_.back()->setMargin(source.collision_margin);
    btRigidBody::btRigidBodyConstructionInfo info(
      source.mass, nullptr, shapes_.back().get(),
      to_bt(source.inertia.value_or(Eigen::Vector3d::Zero())));
    info.m_startWorldTransform = to_bt(source.location.isometry());
    info.m_friction = source.surface.friction;
    info.m_rollingFriction = source.surface.rolling_friction;
    info.m_restitution = source.surface.restitution;
    info.m_linearDamping = source.damping.linear;
    info.m_angularDamping = source.damping.angular;
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    // Models that ignore themselves: masks, so that Bullet does not even make the pairs.
    if (model.ignore_inter_collision) {
      world_.addRigidBody(bodies_.back().get(), 2, 1);
    } else {
      world_.addRigidBody(bodies_.back().get());
    }
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    by_name[source.header.identifier] = bodies_.back().get();
  }
  for (const auto & source : model.joints) {
    joints_.push_back(std::make_unique<btHingeConstraint>(
      *by_name[source.parent], *by_name[source.child], to_bt(source.parent_pivot),
      to_bt(source.child_pivot), to_bt(source.parent_axis), to_bt(source.child_axis)));
    world_.addConstraint(joints_.back().get(), true);
  }
}

BareWorld::~BareWorld()
{
  for (auto & joint : joints_) { world_.removeConstraint(joint.get()); }
  for (auto & body : bodies_) { world_.removeRigidBody(body.get()); }
}

void BareWorld::step() { world_.stepSimulation(step_size_, 1, step_size_); }

bool BareWorld::ray_hits(const Eigen::Vector3d & from, const Eigen::Vector3d & to) const
{
  btCollisionWorld::ClosestRayResultCallback closest(to_bt(from), to_bt(to));
  world_.rayTest(to_bt(from), to_bt(to), closest);
  return closest.hasHit();
}

double BareWorld::checksum() const
{
  double sum = 0.0;
  for (const auto & body : bodies_) { sum += body->getWorldTransform().getOrigin().z(); }
  return sum;
}

}  // namespace ambf_dynamics::bench
