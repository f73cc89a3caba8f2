// SPDX-License-Identifier: BSD-3-Clause
#include <filesystem>
#include <fstream>
#include <functional>

#include <gtest/gtest.h>

#include <unistd.h>

#include "ambf_adf/parse.hpp"
#include "ambf_adf/scene.hpp"
#include "ambf_adf/write.hpp"

using namespace ambf_adf;

// AMBF's own loader was run on each of these texts and loads it: here it is valid, too, and a
// warning says what is taken instead or left out.
namespace
{

const std::string point = "{x: 0, y: 0, z: 0}";
const std::string pivots = "parent pivot: " + point + ", child pivot: " + point +
                           ", parent axis: {x: 0, y: 0, z: 1}, child axis: {x: 0, y: 0, z: 1}";
const std::string bodies = "bodies: [A, B]\nA: {mass: 1}\nB: {mass: 1}\n";
const std::string links = "parent: A, child: B, " + pivots;

std::string body_with(const std::string & keys)
{
  return "bodies: [A]\nA: {mass: 1, " + keys + "}\n";
}
std::string joint_with(const std::string & keys)
{
  return bodies + "joints: [J]\nJ: {" + links + ", " + keys + "}\n";
}
std::string sensor_with(const std::string & keys)
{
  return bodies + "sensors: [S]\nS: {" + keys + "}\n";
}

struct Case
{
  const char * what;
  std::string text;
  std::string key;   ///< of the first warning
  std::string hint;  ///< part of its hint
  std::function<bool(const Model &)> holds;
};

std::vector<Case> left_out_cases()
{
  std::vector<Case> cases;
  for (const char * list :
       {"soft bodies", "ghost objects", "sensors", "actuators", "vehicles", "volumes", "cameras",
        "lights"}) {
    const auto empty = [](const Model & m) {
      return m.bodies.size() == 2 && m.soft_bodies.empty() && m.ghost_objects.empty() &&
             m.sensors.empty() && m.actuators.empty() && m.vehicles.empty() && m.volumes.empty() &&
             m.cameras.empty() && m.lights.empty();
    };
    const std::string name(list);
    cases.push_back({list, bodies + name + ": [missing]\n", name, "it is left out", empty});
    cases.push_back({list, bodies + name + ": [N]\nN:\n", "N", "'N' is left out", empty});
    cases.push_back({list, bodies + name + ": 'N '\n", name, "empty list", empty});
    cases.push_back({list, bodies + name + ": {}\n", name, "empty list", empty});
  }
  const auto no_joint = [](const Model & m) { return m.joints.empty() && m.bodies.size() == 2; };
  const auto no_sensor = [](const Model & m) { return m.sensors.empty() && m.bodies.size() == 2; };
  const auto no_actuator = [](const Model & m) { return m.actuators.empty(); };
  const auto no_grasp = [](const Model & m) { return !m.actuators.at(0).grasp; };
  const auto actuator_with = [](const std::string & grasp) {
    return bodies + "actuators: [C]\nC: {type: Constraint, parent: A, grasp: {" + grasp + "}}\n";
  };
  const std::vector<Case> more{
    {"empty body", "bodies: [A, C]\nA: {mass: 1}\nC:\n", "C", "'C' is left out",
     [](const Model & m) { return m.bodies.size() == 1; }},
    {"empty joint", bodies + "joints: [J]\nJ:\n", "J", "'J' is left out", no_joint},
    {"joint of an unknown type", joint_with("type: ball"), "J/type", "'J' is left out", no_joint},
    {"joint without parent", bodies + "joints: [J]\nJ: {type: fixed, child: B, " + pivots + "}\n",
     "J/parent", "'J' is left out", no_joint},
    {"joint without child", bodies + "joints: [J]\nJ: {type: fixed, parent: A, " + pivots + "}\n",
     "J/child", "'J' is left out", no_joint},
    {"sensor without type", sensor_with("parent: A, range: much"), "S/type", "'S' is left out",
     no_sensor},
    {"sensor without parent", sensor_with("type: Proximity, array: []"), "S/parent",
     "'S' is left out", no_sensor},
    {"sensor that looks back", sensor_with("type: Proximity, parent: A, range: -1, array: []"),
     "S/range", "'S' is left out", no_sensor},
    {"sensor without rays", sensor_with("type: Resistance, parent: A, friction: {static: '1000,'}"),
     "S/array", "'S' is left out", no_sensor},
    {"fan of one ray",
     sensor_with("type: Proximity, parent: A, parametric: {resolution: 1, horizontal angle: 1, "
                 "vertical angle: "
                 "1, start offset: 0}"),
     "S/parametric", "'S' is left out", no_sensor},
    {"list as a sensor", bodies + "sensors: [S]\nS: [1]\n", "S", "'S' is left out", no_sensor},
    {"actuator without type", bodies + "actuators: [C]\nC: {parent: A}\n", "C/type",
     "'C' is left out", no_actuator},
    {"actuator without parent", bodies + "actuators: [C]\nC: {type: Constraint}\n", "C/parent",
     "'C' is left out", no_actuator},
    {"grasp without a sensor", actuator_with("joints: [J], close at: 0, open at: 1"),
     "C/grasp/sensor", "'grasp' is left out", no_grasp},
    {"grasp without joints", actuator_with("sensor: S, joints: [], close at: 0, open at: 1"),
     "C/grasp/joints", "'grasp' is left out", no_grasp},
    {"grasp without a way", actuator_with("sensor: S, joints: [J], close at: 1, open at: 1"),
     "C/grasp/open at", "'grasp' is left out", no_grasp},
    {"vehicle without chassis", bodies + "vehicles: [V]\nV: {wheels: [{body: B}]}\n", "V/chassis",
     "'V' is left out", [](const Model & m) { return m.vehicles.empty(); }},
    {"wheel of nothing",
     bodies + "vehicles: [V]\nV: {chassis: A, wheels: [{width: 1}, {body: B}]}\n",
     "V/wheels[0]/body", "is left out",
     [](const Model & m) { return m.vehicles.at(0).wheels.size() == 1; }},
    {"volume without images' count",
     "volumes: [V]\nV: {images: {path: p, prefix: q, format: png}}\n", "V/images",
     "'V' is left out", [](const Model & m) { return m.volumes.empty(); }},
    {"plugin with a list as name", bodies + "plugins: [{name: [1], filename: y}]\n", "plugins/name",
     "left out", [](const Model & m) { return m.plugins.empty(); }},
    {"plugins as a word", bodies + "plugins: x\n", "plugins", "empty list",
     [](const Model & m) { return m.plugins.empty(); }},
    {"plugins as a map", bodies + "plugins: {name: x, filename: y}\n", "plugins",
     "no plugin is loaded", [](const Model & m) { return m.plugins.empty(); }}};
  cases.insert(cases.end(), more.begin(), more.end());
  return cases;
}

std::vector<Case> value_cases()
{
  const auto body = [](auto check) {
    return [check](const Model & m) { return check(m.bodies.at(0)); };
  };
  const auto joint = [](auto check) {
    return [check](const Model & m) { return check(m.joints.at(0)); };
  };
  return {
    {"negative mass", "bodies: [A]\nA: {mass: -1}\n", "A/mass", "1 is taken",
     body([](const RigidBody & b) { return b.mass == 1.0; })},
    {"endless mass", "bodies: [A]\nA: {mass: .inf}\n", "A/mass", "1 is taken",
     body([](const RigidBody & b) { return b.mass == 1.0; })},
    {"negative inertia", body_with("inertia: {ix: -1, iy: 1, iz: 1}"), "A/inertia", "computed",
     body([](const RigidBody & b) { return !b.inertia; })},
    {"inertia without mass", "bodies: [A]\nA: {inertia: {ix: 1}}\n", "A/inertia/iy", "no mass",
     body([](const RigidBody & b) { return !b.inertia && b.mass == 1.0; })},
    {"negative scale", body_with("scale: -1"), "A/scale", "1 is taken",
     body([](const RigidBody & b) { return b.scale == 1.0; })},
    {"negative margin", body_with("collision margin: -0.001"), "A/collision margin",
     "0.001 is taken", body([](const RigidBody & b) { return b.collision_margin == 0.001; })},
    {"negative friction", body_with("friction: {static: -0.1}"), "A/friction/static",
     "0.5 is taken", body([](const RigidBody & b) { return b.surface.friction == 0.5; })},
    {"groups without a list", body_with("collision groups: 3"), "A/collision groups", "empty list",
     body([](const RigidBody & b) { return b.collision_groups.empty(); })},
    {"place as a list", body_with("location: [1, 2, 3]"), "A/location", "nothing is read",
     body([](const RigidBody & b) { return b.location == Pose{}; })},
    {"negative radius", body_with("collision shape: SPHERE, collision geometry: {radius: -2}"),
     "A/collision geometry/radius", "without its sign", body([](const RigidBody & b) {
       const auto & shapes = std::get<ShapeList>(b.collision).shapes;
       return std::get<Sphere>(shapes.at(0).shape).radius == 2.0;
     })},
    {"colour of 0 to 255", body_with("color rgba: {r: 255, g: 0, b: -1, a: 1}"), "A/color rgba/r",
     "the nearest", body([](const RigidBody & b) {
       return b.visual.material->diffuse == Eigen::Vector3d(1, 0, 0);
     })},
    {"negative damping", joint_with("type: revolute, damping: -1"), "J/damping", "0 is taken",
     joint([](const Joint & j) { return j.damping == 0.0; })},
    {"negative stiffness", joint_with("type: torsion spring, stiffness: -1"), "J/stiffness",
     "0 is taken", joint([](const Joint & j) { return j.stiffness == 0.0; })},
    {"negative impulse", joint_with("type: revolute, max motor impulse: -1"), "J/max motor impulse",
     "0.1 is taken", joint([](const Joint & j) { return j.max_motor_impulse == 0.1; })},
    {"negative ERP", joint_with("type: revolute, joint erp: -1"), "J/joint erp", "ignored",
     joint([](const Joint & j) { return !j.erp; })},
    {"zero axis",
     bodies + "joints: [J]\nJ: {type: revolute, parent: A, child: B, parent pivot: " + point +
       ", child pivot: " + point + ", parent axis: {x: 1, y: 0, z: 0}, child axis: " + point +
       "}\n",
     "J/child axis", "z is taken",
     joint([](const Joint & j) { return j.child_axis == Eigen::Vector3d::UnitZ(); })},
    {"limits without z", joint_with("type: six dof, joint limits: {linear: {low: {x: -5, y: -6}}}"),
     "J/joint limits/linear/low/z", "default", joint([](const Joint & j) {
       return j.six_dof->low.linear == Eigen::Vector3d(-5, -6, SixDofParameters{}.low.linear.z());
     })},
    {"stiffness without z", joint_with("type: six dof spring, stiffness: {linear: {x: 5, y: 6}}"),
     "J/stiffness/linear/z", "default", joint([](const Joint & j) {
       return j.six_dof->stiffness.linear ==
              Eigen::Vector3d(5, 6, SixDofParameters{}.stiffness.linear.z());
     })},
    {"stiffness as a word",
     joint_with("type: six dof spring, stiffness: {angular: {x: a, y: 1, z: 1}}"),
     "J/stiffness/angular/x", "default", joint([](const Joint & j) {
       return j.six_dof->stiffness.angular ==
              Eigen::Vector3d(SixDofParameters{}.stiffness.angular.x(), 1, 1);
     })},
    {"camera that sees nothing",
     "cameras: [C]\nC: {field view angle: 0, look at: {x: 1, y: 0, z: 0}}\n", "C/field view angle",
     "0.7 is taken", [](const Model & m) { return m.cameras.at(0).field_view_angle == 0.7; }},
    {"image of no size",
     "cameras: [C]\nC: {look at: {x: 1, y: 0, z: 0}, publish image resolution: {width: 0, height: "
     "1}}\n",
     "C/publish image resolution", "640 x 480",
     [](const Model & m) { return m.cameras.at(0).image.resolution.width == 640; }},
    {"volume of less than nothing",
     "volumes: [V]\nV: {dimensions: {x: -1, y: 0, z: 1}, images: {path: p, prefix: '', format: "
     "png, "
     "count: -3}}\n",
     "V/dimensions", "1 x 1 x 1",
     [](const Model & m) {
       const Volume & v = m.volumes.at(0);
       return v.dimensions == Eigen::Vector3d::Ones() && v.images->count == 0;
     }},
    {"ray without direction",
     sensor_with(
       "type: Proximity, parent: A, array: [{offset: " + point + ", direction: " + point + "}]"),
     "S/array[0]/direction", "left out",
     [](const Model & m) { return std::get<RayArray>(m.sensors.at(0).rays).rays.empty(); }}};
}

void expect_accepted(const std::vector<Case> & cases)
{
  for (const Case & c : cases) {
    SCOPED_TRACE(c.what + ("\n" + c.text));
    const auto model = parse_text(c.text, "f.yaml");
    ASSERT_TRUE(model) << to_string(model.error());
    ASSERT_FALSE(model->warnings.empty());
    const Problem & first = model->warnings.front();
    EXPECT_EQ(first.key, c.key) << to_string(first);
    EXPECT_NE(first.hint.find(c.hint), std::string::npos) << to_string(first);
    EXPECT_TRUE(c.holds(*model)) << to_string(model->warnings);
    // What is left can be put into a world and written, and is read again as the same.
    Scene scene;
    EXPECT_TRUE(scene.add(*model));
    const std::string text = write(*model);
    const auto again = parse_text(text, "f.yaml");
    ASSERT_TRUE(again) << to_string(again.error()) << text;
    EXPECT_TRUE(c.holds(*again)) << text;
  }
}

}  // namespace

TEST(Accepted, ObjectsThatAmbfLeavesOutAreLeftOut) { expect_accepted(left_out_cases()); }

TEST(Accepted, NumbersThatNothingCanUseHaveASafeStandIn) { expect_accepted(value_cases()); }

TEST(Accepted, BodiesAndJointsWithoutABlockAreErrors)
{
  for (const char * text : {"bodies: [A]\n", "bodies: [A]\nA: []\n", "bodies: []\njoints: [J]\n"}) {
    EXPECT_FALSE(parse_text(text, "f.yaml")) << text;
  }
}

TEST(Accepted, WorldsWithoutTheirLightsAndDevicesWithoutABlock)
{
  const auto world = parse_world_text(
    "max iterations: 0\nenclosure size: {length: 1}\nlights: [l]\ncameras: [c]\n", "w.yaml");
  ASSERT_TRUE(world) << to_string(world.error());
  EXPECT_TRUE(world->lights.empty());
  EXPECT_TRUE(world->cameras.empty());
  EXPECT_FALSE(world->max_steps_per_cycle);
  EXPECT_GE(world->warnings.size(), 4u) << to_string(world->warnings);
  const auto devices = parse_input_devices_text(
    "input devices: [missing, nameless, empty, MTMR]\nnameless: {deadband: 1}\nempty:\n"
    "MTMR: {hardware name: MTMR, workspace scaling: -1, pair cameras: cam}\n",
    "d.yaml");
  ASSERT_TRUE(devices) << to_string(devices.error());
  ASSERT_EQ(devices->devices.size(), 1u);
  EXPECT_EQ(devices->devices[0].workspace_scaling, 1.0);
  EXPECT_TRUE(devices->devices[0].pair_cameras.empty());
  EXPECT_EQ(devices->warnings.size(), 5u) << to_string(devices->warnings);
}

TEST(Accepted, WhatHangsOnAnObjectThatIsLeftOutIsNamed)
{
  auto model = parse_text(
    "bodies: [A, gone]\nA: {mass: 1}\ngone:\n"
    "joints: [J]\nJ: {type: fixed, parent: A, child: gone, " +
      pivots + "}\n" +
      "sensors: [S]\nS: {type: Proximity, parent: gone, array: []}\n"
      "actuators: [C]\nC: {type: Constraint, parent: gone}\n"
      "cameras: [K]\nK: {parent: gone, look at: {x: 1, y: 0, z: 0}}\nlights: [L]\nL: {parent: "
      "gone}\n"
      "ghost objects: [G]\nG: {parent: gone, collision shape: SPHERE, collision geometry: {radius: "
      "1}}\n"
      "soft bodies: [F]\nF: {mesh: f.obj, anchors: [{body: gone, nodes: [1]}]}\n",
    "f.yaml");
  ASSERT_TRUE(model) << to_string(model.error());
  Scene scene;
  auto linked = scene.add(std::move(*model));
  ASSERT_TRUE(linked) << to_string(linked.error());
  EXPECT_TRUE(linked->joints.empty());
  EXPECT_TRUE(linked->sensors.empty());
  EXPECT_TRUE(linked->actuators.empty());
  EXPECT_TRUE(linked->soft_bodies.at(0).anchors.empty());
  EXPECT_EQ(linked->cameras.size(), 1u);
  EXPECT_EQ(link_parents(scene, *linked), (std::vector<std::string>{"gone", "gone", "gone"}));
}

TEST(Accepted, AGraspFindsItsJawOrIsLeftOut)
{
  const std::string model = bodies + "joints: [J]\nJ: {type: fixed, parent: A, child: B, " +
                            pivots +
                            "}\nsensors: [S]\nS: {type: Contact, parent: A}\nactuators: [C]\n"
                            "C: {type: Constraint, parent: A, grasp: {sensor: S, joints: [";
  for (const std::string joint : {"J", "K"}) {
    auto parsed = parse_text(model + joint + "], close at: 0.1, open at: 0.2}}\n", "f.yaml");
    ASSERT_TRUE(parsed) << to_string(parsed.error());
    Scene scene;
    AddOptions options;
    options.namespace_prefix = "left";
    auto linked = scene.add(std::move(*parsed), options);
    ASSERT_TRUE(linked) << to_string(linked.error());
    const auto & grasp = linked->actuators.at(0).grasp;
    ASSERT_EQ(grasp.has_value(), joint == "J");
    if (grasp) {
      EXPECT_EQ(grasp->sensor, linked->sensors.at(0).header.qualified);
      EXPECT_EQ(grasp->joints.at(0), linked->joints.at(0).header.qualified);
      continue;
    }
    ASSERT_FALSE(linked->warnings.empty());
    EXPECT_EQ(linked->warnings.back().key, "C/grasp/joints");
    EXPECT_EQ(linked->warnings.back().expected, "the name of a joint");
  }
}

TEST(Accepted, AFolderNamedAsMeshIsCalledAFolder)
{
  namespace fs = std::filesystem;
  const fs::path folder =
    fs::temp_directory_path() / ("ambf_adf_folder_" + std::to_string(::getpid()));
  fs::create_directories(folder / "dir.stl");
  std::ofstream(folder / "m.yaml") << "bodies: [A]\nA: {mass: 1, mesh: dir.stl}\n";
  const auto model = parse_file(folder / "m.yaml");
  fs::remove_all(folder);
  ASSERT_TRUE(model);
  ASSERT_FALSE(model->warnings.empty());
  EXPECT_NE(model->warnings[0].found.find("which is a folder"), std::string::npos);
  EXPECT_EQ(model->warnings[0].hint, "name the file");
}
