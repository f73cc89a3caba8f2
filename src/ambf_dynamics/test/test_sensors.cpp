// SPDX-License-Identifier: BSD-3-Clause
// Rays, resistive sensors and contact sensors against what geometry and statics say.

#include <cmath>
#include <fstream>

#include "model_builder.hpp"
#include "temporary_file.hpp"

namespace ambf_dynamics::test
{
namespace
{

using ambf_adf::SensorType;

ambf_adf::Sensor sensor(
  const std::string & name, SensorType type, const std::string & parent, double range)
{
  ambf_adf::Sensor s;
  s.header.identifier = s.header.name = s.header.qualified = name;
  s.type = type;
  s.parent = parent;
  s.range = range;
  return s;
}

ambf_adf::RayArray rays(const std::vector<std::pair<Vector3d, Vector3d>> & list)
{
  ambf_adf::RayArray array;
  for (const auto & [offset, direction] : list) { array.rays.push_back({offset, direction}); }
  return array;
}

ambf_adf::Model one_sensor_model(ambf_adf::RigidBody target)
{
  ambf_adf::Model model;
  model.bodies.push_back(box("carrier", 0.0, Vector3d(0, 0, 0), Vector3d(0.02, 0.02, 0.02)));
  target.gravity = Vector3d::Zero();
  model.bodies.push_back(target);
  return model;
}

TEST(RaySensor, DepthOfABoxIsThatOfItsFace)
{
  auto model = one_sensor_model(box("target", 1.0, Vector3d(0.4, 0, 0), Vector3d(0.2, 0.4, 0.4)));
  auto s = sensor("s", SensorType::Proximity, "carrier", 0.5);
  // Along x; aslant; past the target; backwards. Directions are not normalised: the second is longer.
  s.rays = rays(
    {{Vector3d::Zero(), Vector3d::UnitX()},
     {Vector3d::Zero(), Vector3d(2, 0.4, 0)},
     {Vector3d(0, 0, 0.3), Vector3d::UnitX()},
     {Vector3d::Zero(), -Vector3d::UnitX()}});
  model.sensors.push_back(s);
  auto world = world_of(model);
  world->step();
  ASSERT_EQ(world->sensors().size(), 1u);
  const SensorReading r = world->sensor_reading(0);
  ASSERT_EQ(r.count, 4u);
  EXPECT_TRUE(r.triggered[0]);
  EXPECT_NEAR(r.measurement[0], 1.0 - 0.3 / 0.5, 1e-12);  // planes are intersected exactly
  EXPECT_EQ(r.sensed[0], 1u);
  EXPECT_NEAR((r.points[0] - Vector3d(0.3, 0, 0)).norm(), 0.0, 1e-12);
  EXPECT_TRUE(r.triggered[1]);
  EXPECT_NEAR(r.measurement[1], 1.0 - 0.3 / (2 * 0.5), 1e-12);
  EXPECT_FALSE(r.triggered[2]);
  EXPECT_FALSE(r.triggered[3]);  // and the carrier itself is not seen
  EXPECT_EQ(r.sensed[3], no_index);
  ASSERT_EQ(world->state().ray_flags.size(), 4u);
  EXPECT_EQ(world->state().ray_flags[0], 1u);
  EXPECT_EQ(world->state().ray_flags[2], 0u);
  EXPECT_FLOAT_EQ(world->state().ray_hits[0], 0.4f);
}

TEST(RaySensor, DepthOfRoundAndCompoundShapesIsAnalytic)
{
  struct Case
  {
    ambf_adf::Collision shape;
    double face;  // distance of the hit from the ray's start, ray at y = 0.03 along x
    double tolerance;
  };
  const double chord = std::sqrt(0.1 * 0.1 - 0.03 * 0.03);
  ambf_adf::ShapeList compound;
  compound.compound = true;
  for (const double x : {-0.1, 0.1}) {
    ambf_adf::PlacedShape part;
    part.shape = ambf_adf::Sphere{0.1};
    part.offset.position = Vector3d(x, 0, 0);
    compound.shapes.push_back(part);
  }
  // Bullet's own cast of cylinders and cones iterates; a hundredth of a millimetre is asked for.
  const std::vector<Case> cases{
    {shape(ambf_adf::Sphere{0.1}), 0.4 - chord, 1e-12},
    {shape(ambf_adf::Cylinder{0.1, 0.3, ambf_adf::Axis::Z}), 0.4 - chord, 1e-5},
    {shape(ambf_adf::Capsule{0.1, 0.4, ambf_adf::Axis::Z}), 0.4 - chord, 1e-12},
    {shape(ambf_adf::Capsule{0.1, 0.2, ambf_adf::Axis::Y}), 0.4 - chord, 1e-12},
    {compound, 0.3 - chord, 1e-12}};
  for (std::size_t k = 0; k < cases.size(); ++k) {
    SCOPED_TRACE(k);
    auto target = body("target", 1.0, Vector3d(0.4, 0, 0));
    target.collision = cases[k].shape;
    auto model = one_sensor_model(target);
    auto s = sensor("s", SensorType::Proximity, "carrier", 0.5);
    s.rays = rays({{Vector3d(0, 0.03, 0), Vector3d::UnitX()}});
    model.sensors.push_back(s);
    auto world = world_of(model);
    world->step();
    const SensorReading r = world->sensor_reading(0);
    ASSERT_TRUE(r.triggered[0]);
    EXPECT_NEAR((1.0 - r.measurement[0]) * 0.5, cases[k].face, cases[k].tolerance);
  }
}

TEST(RaySensor, FanAndMeshMakeTheirRays)
{
  const TemporaryFile file("ambf_patch", ".obj");
  std::ofstream(file.path) << "v 0 0 0\nv 0 0.03 0\nv 0 0 0.03\nv 0 0.03 0.03\nf 1 2 3\nf 2 4 3\n";
  auto model = one_sensor_model(box("target", 1.0, Vector3d(0.4, 0, 0), Vector3d(0.2, 2, 2)));
  auto fan = sensor("fan", SensorType::Proximity, "carrier", 0.5);
  fan.rays = ambf_adf::RayFan{3, 0.4, 0.2, 0.1};
  auto patch = sensor("patch", SensorType::Proximity, "carrier", 0.5);
  ambf_adf::RayMesh mesh;
  mesh.mesh.file = mesh.mesh.path = file.path;
  patch.rays = mesh;
  model.sensors = {fan, patch};
  auto world = world_of(model);
  world->step();
  const SensorReading f = world->sensor_reading(0);
  ASSERT_EQ(f.count, 9u);
  EXPECT_NEAR((1.0 - f.measurement[4]) * 0.5, 0.2, 1e-12);  // straight ahead
  EXPECT_NEAR(
    (1.0 - f.measurement[1]) * 0.5, 0.3 / std::cos(0.2) - 0.1, 1e-12);  // turned by half of 0.4
  const SensorReading p = world->sensor_reading(1);
  ASSERT_EQ(p.count, 2u);  // one per triangle, from its middle along its normal
  EXPECT_NEAR(
    (p.points[0] - Vector3d(0.3, 0.01, 0.01)).norm(), 0.0, 1e-8);  // mesh files hold floats
  EXPECT_EQ(world->sensors()[1].first_ray, 9u);
}

/// A slider on the floor plane's place: a plate of 0.5 kg (Fig. 7 of the grasping paper) that a resistive
/// sensor of a fixed table presses from below; the solver's own contact is left out by empty shapes of
/// the table.
struct SliderScene
{
  double mass = 0.5;
  double stiffness = 5000.0;  // stick spring at full depth of one ray [N/m per N]
  double area = 0.001;
  int ray_count = 4;
  double load = 0.0;  // horizontal force [N]
  Vector3d gravity{0, 0, -9.8};
  double viscous = 0.1;
  double normal_stiffness = 20.0;
  double normal_damping = 0.5;
};

ambf_adf::Model slider_model(const SliderScene & scene)
{
  ambf_adf::Model model;
  model.bodies.push_back(body("table", 0.0, Vector3d(0, 0, 0)));
  auto plate = box("plate", scene.mass, Vector3d(0, 0, 0.075), Vector3d(0.4, 0.4, 0.1));
  plate.inertia = Vector3d::Zero();  // it does not tilt: one dimension, as in the theory
  model.bodies.push_back(plate);
  auto s = sensor("skin", SensorType::Resistance, "table", 0.05);
  std::vector<std::pair<Vector3d, Vector3d>> list;
  for (int i = 0; i < scene.ray_count; ++i) {
    list.emplace_back(
      Vector3d(i % 2 ? 0.05 : -0.05, i / 2 % 2 ? 0.05 : -0.05, 0), Vector3d::UnitZ());
  }
  s.rays = rays(list);
  s.resistance.static_friction = scene.stiffness;
  s.resistance.static_damping = 10.0;
  s.resistance.dynamic_friction = scene.viscous;
  s.resistance.variable_friction = true;
  s.resistance.contact_area = scene.area;
  s.resistance.contact_stiffness = scene.normal_stiffness;
  s.resistance.contact_damping = scene.normal_damping;
  model.sensors.push_back(s);
  return model;
}

void push(World & world, BodyIndex target, const Vector3d & force)
{
  BodyCommand command;
  command.mode = BodyMode::Wrench;
  command.force = force;
  ASSERT_EQ(world.set_body_command(target, command), CommandResult::Ok);
}

TEST(ResistiveSensor, CarriesTheWeightAtTheDepthOfItsSpring)
{
  SliderScene scene;
  auto world = world_of(slider_model(scene));
  world->step(3000);
  const SensorReading r = world->sensor_reading(0);
  Vector3d total = Vector3d::Zero();
  double depth = 0.0;
  for (std::size_t i = 0; i < r.count; ++i) {
    total += r.forces[i];
    depth += r.measurement[i];
  }
  const double weight = scene.mass * 9.8;
  EXPECT_NEAR(total.z(), weight, 1e-3 * weight);
  EXPECT_NEAR(
    depth * scene.normal_stiffness, weight, 1e-3 * weight);  // K_N e_N, summed over the rays
  EXPECT_NEAR(total.head<2>().norm(), 0.0, 1e-6);
}

// III.2.4: static capacity = mu_S sigma_a |F_N|, an effective Coulomb coefficient of mu_S sigma_a.
TEST(ResistiveSensor, SticksBelowAndSlipsAboveTheCapacityOfItsSprings)
{
  SliderScene scene;
  scene.stiffness = 500.0;  // effective coefficient 0.5
  const double capacity = scene.stiffness * scene.area * scene.mass * 9.8;
  for (const double fraction : {0.5, 0.9, 1.1}) {
    SCOPED_TRACE(fraction);
    auto world = world_of(slider_model(scene));
    world->step(2000);
    const double start = position(*world, 1).x();
    // The load is raised slowly: a step of it would overshoot and slip at half the capacity.
    for (int i = 0; i < 2000; ++i) {
      push(*world, 1, Vector3d(fraction * capacity * std::min(1.0, i / 1500.0), 0, 0));
      world->step();
    }
    const double moved = position(*world, 1).x() - start;
    if (fraction < 1.0) {
      EXPECT_NEAR(moved, fraction * scene.area, 0.02 * scene.area);  // the stretch of the spring
      EXPECT_LT(std::abs(linear_velocity(*world, 1).x()), 1e-4);
    } else {
      EXPECT_GT(moved, 2.0 * scene.area);
    }
  }
}

TEST(ResistiveSensor, ForcesOnBothBodiesAreOpposite)
{
  SliderScene scene;
  auto model = slider_model(scene);
  model.bodies[0] = body("table", 2.0, Vector3d(0, 0, 0));
  for (auto & b : model.bodies) { b.gravity = Vector3d::Zero(); }
  auto world = world_of(model);
  world->set_body_state(
    1, Eigen::Isometry3d(Eigen::Translation3d(0, 0, 0.06 + 0.01)), Vector3d(0.1, 0, -0.2));
  for (int i = 0; i < 50; ++i) {
    world->step();
    const Vector3d momentum = 2.0 * linear_velocity(*world, 0) + 0.5 * linear_velocity(*world, 1);
    // Both get the same impulse with opposite sign: rounding only.
    ASSERT_NEAR((momentum - 0.5 * Vector3d(0.1, 0, -0.2)).norm(), 0.0, 1e-12) << i;
  }
  EXPECT_GT(linear_velocity(*world, 0).norm(), 0.0);
}

TEST(ResistiveSensor, ContinuesBitForBitAfterARestoreInMidStick)
{
  SliderScene scene;
  scene.stiffness = 500.0;
  auto world = world_of(slider_model(scene));
  world->step(300);
  push(*world, 1, Vector3d(0.8, 0.3, 0));  // stretches the springs
  world->step(200);
  const auto saved = world->save();
  const std::uint64_t hash = world->state().hash;
  const auto reading = world->sensor_reading(0);
  const double force = reading.forces[0].x();
  std::vector<std::uint64_t> first;
  for (int i = 0; i < 500; ++i) {
    world->step();
    first.push_back(world->state().hash);
  }
  auto other = world_of(slider_model(scene));
  ASSERT_TRUE(other->restore(saved));
  EXPECT_EQ(other->state().hash, hash);
  EXPECT_EQ(other->sensor_reading(0).forces[0].x(), force);
  for (int i = 0; i < 500; ++i) {
    other->step();
    ASSERT_EQ(other->state().hash, first[static_cast<std::size_t>(i)]) << i;
  }
  world->reset();
  other->reset();
  auto fresh = world_of(slider_model(scene));
  for (int i = 0; i < 200; ++i) {
    world->step();
    other->step();
    fresh->step();
    ASSERT_EQ(world->state().hash, fresh->state().hash) << i;
    ASSERT_EQ(other->state().hash, fresh->state().hash) << i;
  }
}

/// Two fingers with resistive skins hold an object between them; the fingers shake it at 1 g. The
/// solver's contact with the object is switched off by groups: the skins alone carry it.
TEST(ResistiveSensor, HoldsAnObjectOf400GramsUnderShakingAtOneG)
{
  const double mass = 0.4;
  ambf_adf::Model model;
  auto object = box("object", mass, Vector3d(0, 0, 0), Vector3d(0.06, 0.06, 0.06));
  object.collision_groups = {1};
  model.bodies.push_back(object);
  for (const double side : {-1.0, 1.0}) {
    const std::string name = side < 0 ? "left" : "right";
    auto finger = box(name, 0.0, Vector3d(side * 0.05, 0, 0), Vector3d(0.03, 0.06, 0.06));
    finger.collision_groups = {2};
    model.bodies.push_back(finger);
    auto skin = sensor(name + " skin", SensorType::Resistance, name, 0.04);
    std::vector<std::pair<Vector3d, Vector3d>> list;
    for (int i = 0; i < 5; ++i) {
      for (int j = 0; j < 5; ++j) {
        list.emplace_back(Vector3d(0, 0.01 * (i - 2), 0.01 * (j - 2)), Vector3d(-side, 0, 0));
      }
    }
    skin.rays = rays(list);
    // Table II of the paper, object grasp, with its coefficient per newton; depth 1/2 at rest.
    skin.resistance.static_friction = 1000.0;
    skin.resistance.static_damping = 2.0;
    skin.resistance.dynamic_friction = 0.5;
    skin.resistance.variable_friction = true;
    skin.resistance.contact_area = 0.001;
    skin.resistance.contact_stiffness = 1.0;
    skin.resistance.contact_damping = 5.0;
    model.sensors.push_back(skin);
  }
  auto world = world_of(model);
  const double seconds = long_tier() ? 60.0 : 5.0;
  const double omega = 2.0 * M_PI * 3.0;
  const double amplitude = 9.8 / (omega * omega);  // 1 g at 3 Hz
  // Carry the weight first, then shake along z.
  const auto place = [&](double t) {
    const double z = t < 0.5 ? 0.0 : amplitude * (1.0 - std::cos(omega * (t - 0.5)));
    for (const BodyIndex i : {1u, 2u}) {
      BodyCommand command;
      command.mode = BodyMode::Pose;
      command.position = Vector3d(i == 1 ? -0.05 : 0.05, 0, z);
      world->set_body_command(i, command);
    }
  };
  const auto offset = [&] { return position(*world, 0).z() - position(*world, 1).z(); };
  double settled = 0.0;
  double largest = 0.0;
  const int steps = static_cast<int>(seconds * 1000.0);
  for (int i = 0; i < steps; ++i) {
    place(0.001 * i);
    ASSERT_EQ(world->step(), StepStatus::Ok);
    if (i == 499) { settled = offset(); }
    if (i >= 500) { largest = std::max(largest, std::abs(offset() - settled)); }
  }
  RecordProperty("largest_slip_mm", std::to_string(1000.0 * largest));
  EXPECT_LT(largest, 0.001);
  // Holding is by friction: without it the object falls.
  EXPECT_LT(std::abs(settled), 0.001);
}

TEST(ContactSensor, ForceOfARestingBoxIsItsWeight)
{
  ambf_adf::Model model;
  auto ground = floor_body();
  ground.surface.friction = 0.5;
  model.bodies.push_back(ground);
  auto load = box("load", 2.0, Vector3d(0, 0, 0.05), Vector3d(0.1, 0.1, 0.1));
  load.surface.friction = 0.5;
  model.bodies.push_back(load);
  model.sensors.push_back(sensor("feel", SensorType::Contact, "floor", 0.0));
  for (const bool report : {true, false}) {
    Parameters parameters;
    parameters.report_contacts = report;  // the sensor does not depend on it
    auto world = world_of(model, parameters);
    world->step(1000);
    const SensorReading r = world->sensor_reading(0);
    ASSERT_EQ(r.count, 1u);
    EXPECT_EQ(r.sensed[0], 1u);
    const double weight = 2.0 * 9.8;
    EXPECT_NEAR(r.forces[0].z(), weight, 0.01 * weight);  // on the load: upwards
    EXPECT_NEAR(r.measurement[0], weight, 0.01 * weight);
    EXPECT_EQ(world->state().contacts.empty(), !report);
  }
}

TEST(ContactSensor, IsSilentWithoutTouch)
{
  ambf_adf::Model model;
  model.bodies.push_back(floor_body());
  model.bodies.push_back(box("load", 2.0, Vector3d(0, 0, 0.5), Vector3d(0.1, 0.1, 0.1)));
  model.sensors.push_back(sensor("feel", SensorType::Contact, "load", 0.0));
  auto world = world_of(model);
  world->step(10);
  EXPECT_EQ(world->sensor_reading(0).count, 0u);
}

TEST(Sensors, RefuseAnUnknownParentAndGoWithTheirBodies)
{
  auto model = one_sensor_model(box("target", 1.0, Vector3d(0.4, 0, 0), Vector3d(0.2, 0.4, 0.4)));
  auto s = sensor("s", SensorType::Proximity, "nobody", 0.5);
  s.rays = rays({{Vector3d::Zero(), Vector3d::UnitX()}});
  model.sensors.push_back(s);
  auto world = *make_world();
  auto refused = world->add_model(model);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error()[0].kind, ambf_adf::ProblemKind::UnresolvedReference);
  EXPECT_TRUE(world->bodies().empty());
  model.sensors[0].parent = "carrier";
  ASSERT_TRUE(world->add_model(model));
  world->step();
  EXPECT_TRUE(world->sensor_reading(0).triggered[0]);
  EXPECT_TRUE(world->remove_object("target"));
  EXPECT_FALSE(world->sensor_reading(0).triggered[0]);
  world->step();
  EXPECT_TRUE(world->remove_object("carrier"));
  EXPECT_TRUE(world->sensors().empty());
  EXPECT_EQ(world->step(), StepStatus::Ok);
}

}  // namespace
}  // namespace ambf_dynamics::test
