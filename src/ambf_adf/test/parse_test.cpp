// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_adf/parse.hpp"

#include <gtest/gtest.h>

using namespace ambf_adf;
using Eigen::Vector3d;

namespace
{

Model parse(const std::string & text, const ParseOptions & options = {})
{
  auto model = parse_text(text, "m", "", options);
  EXPECT_TRUE(model) << (model ? "" : to_string(model.error()));
  return model ? std::move(*model) : Model{};
}

RigidBody body(const std::string & keys)
{
  return parse("bodies: [B]\nB:\n  name: b\n  mass: 1\n" + keys).bodies.at(0);
}

const std::string joint_frame =
  "  parent: P\n  child: C\n  parent pivot: {x: 1, y: 2, z: 3}\n  child pivot: {x: 4, y: 5, z: 6}\n"
  "  parent axis: {x: 0, y: 0, z: 2}\n  child axis: {x: 0, y: 3, z: 0}\n";

Joint joint(const std::string & keys)
{
  return parse(
           "bodies: [P, C]\nP: {mass: 1}\nC: {mass: 1}\njoints: [J]\nJ:\n  name: j\n" +
           joint_frame + keys)
    .joints.at(0);
}

}  // namespace

TEST(Parse, DefaultsOfABodyAreAmbfs)
{
  const RigidBody b = body("");
  EXPECT_EQ(b.mass, 1.0);
  EXPECT_EQ(b.collision_margin, 0.001);
  EXPECT_EQ(b.surface.friction, 0.5);
  EXPECT_EQ(b.surface.rolling_friction, 0.01);
  EXPECT_EQ(b.surface.restitution, 0.1);
  EXPECT_EQ(b.damping.linear, 0.04);
  EXPECT_EQ(b.damping.angular, 0.1);
  EXPECT_FALSE(b.inertia);
  EXPECT_FALSE(b.controller);
  EXPECT_TRUE(std::holds_alternative<NoShape>(b.collision));
  EXPECT_EQ(b.header.topic, "/ambf/env/b");
  EXPECT_EQ(b.header.qualified, "/ambf/env/B");
}

TEST(Parse, OrientationIsFixedAxisRollPitchYaw)
{
  const RigidBody b =
    body("  location: {position: {x: 1, y: 2, z: 3}, orientation: {r: 0.1, p: 0.2, y: 0.3}}\n");
  const Eigen::Matrix3d expected =
    (Eigen::AngleAxisd(0.3, Vector3d::UnitZ()) * Eigen::AngleAxisd(0.2, Vector3d::UnitY()) *
     Eigen::AngleAxisd(0.1, Vector3d::UnitX()))
      .toRotationMatrix();
  EXPECT_LT((b.location.rotation() - expected).norm(), 1e-15);
  EXPECT_EQ(b.location.position, Vector3d(1, 2, 3));
}

TEST(Parse, SingleShapeSitsAtTheInertialOffsetUnlessTheFileSaysOtherwise)
{
  const std::string shape =
    "  collision shape: Box\n  collision geometry: {x: 1, y: 2, z: 3}\n"
    "  inertial offset: {position: {x: 7, y: 0, z: 0}}\n";
  const RigidBody old_body = body(shape);
  const auto & old_list = std::get<ShapeList>(old_body.collision);
  EXPECT_EQ(old_list.shapes.at(0).offset.position, Vector3d(7, 0, 0));
  EXPECT_EQ(std::get<Box>(old_list.shapes.at(0).shape).size, Vector3d(1, 2, 3));
  const RigidBody new_body = body(shape + "  collision offset: {position: {x: 0, y: 8, z: 0}}\n");
  EXPECT_EQ(
    std::get<ShapeList>(new_body.collision).shapes.at(0).offset.position, Vector3d(0, 8, 0));
}

TEST(Parse, EveryCollisionShapeIsUnderstood)
{
  const auto shape = [](const std::string & name, const std::string & geometry) {
    return std::get<ShapeList>(
             body("  collision shape: " + name + "\n  collision geometry: " + geometry + "\n")
               .collision)
      .shapes.at(0)
      .shape;
  };
  EXPECT_EQ(std::get<Sphere>(shape("sphere", "{radius: 2}")).radius, 2.0);
  EXPECT_EQ(
    std::get<Cylinder>(shape("CYLINDER", "{radius: 1, height: 3, axis: x}")),
    (Cylinder{1, 3, Axis::X}));
  EXPECT_EQ(
    std::get<Capsule>(shape("Capsule", "{radius: 1, height: 3, axis: Y}")),
    (Capsule{1, 3, Axis::Y}));
  EXPECT_EQ(std::get<Cone>(shape("CONE", "{radius: 1, height: 3}")), (Cone{1, 3, Axis::Z}));
  const Plane plane = std::get<Plane>(shape("PLANE", "{normal: {x: 0, y: 2, z: 0}, offset: 0.5}"));
  EXPECT_EQ(plane.normal, Vector3d::UnitY());
  EXPECT_EQ(plane.offset, 0.5);
}

TEST(Parse, CompoundShapesKeepTheirOffsets)
{
  const RigidBody b = body(
    "  compound collision shape:\n"
    "  - {name: 1, shape: BOX, geometry: {x: 1, y: 1, z: 1}, offset: {position: {x: 1, y: 0, z: "
    "0}, orientation: {r: 0, p: 0, y: 0}}}\n"
    "  - {name: 2, shape: SPHERE, geometry: {radius: 1}}\n");
  const auto & list = std::get<ShapeList>(b.collision);
  ASSERT_EQ(list.shapes.size(), 2u);
  EXPECT_TRUE(list.compound);
  EXPECT_EQ(list.shapes[0].offset.position, Vector3d(1, 0, 0));
}

TEST(Parse, AMeshIsAShapeAmongOthersWithFactorsAndAColour)
{
  const RigidBody b = body(
    "  compound shape:\n"
    "    - {shape: MESH, geometry: {mesh: sub/a.stl, scale: {x: 1, y: -2, z: 3}, type: HULL}, "
    "offset: {position: {x: 1, y: 0, z: 0}}, color components: {diffuse: {r: 1, g: 0, b: 0}}}\n"
    "    - {shape: SPHERE, geometry: {radius: 1}}\n");
  const auto & list = std::get<ShapeList>(b.visual.geometry);
  ASSERT_EQ(list.shapes.size(), 2U);
  const auto & part = std::get<MeshPart>(list.shapes[0].shape);
  EXPECT_EQ(part.mesh.path, "sub/a.stl");
  EXPECT_EQ(part.scale, Vector3d(1, -2, 3));
  EXPECT_EQ(part.type, MeshCollisionType::ConvexHull);
  EXPECT_EQ(list.shapes[0].material->diffuse, Vector3d(1, 0, 0));
  EXPECT_FALSE(list.shapes[1].material);
}

TEST(Parse, MissingMassMeansOneKilogramAndNoOtherInertialKeys)
{
  const Model model = parse("bodies: [B]\nB: {name: b, inertia: {ix: 1, iy: 1, iz: 1}}\n");
  EXPECT_EQ(model.bodies.at(0).mass, 1.0);
  EXPECT_FALSE(model.bodies.at(0).inertia);
  ASSERT_EQ(model.warnings.size(), 1u);
  EXPECT_EQ(model.warnings[0].kind, ProblemKind::MissingKey);
}

TEST(Parse, BooleansInEveryGuiseAreUnderstood)
{
  for (const char * yes : {"true", "True", "'True'", "TRUE", "yes", "on", "y", "1", "\"1\""}) {
    EXPECT_TRUE(body(std::string("  passive: ") + yes + "\n").header.passive) << yes;
  }
  for (const char * no : {"false", "'False'", "No", "off", "n", "0"}) {
    EXPECT_FALSE(body(std::string("  passive: ") + no + "\n").header.passive) << no;
  }
}

TEST(Parse, NumbersMayBeQuotedSignedAndExponential)
{
  EXPECT_EQ(body("  collision margin: '1e-3'\n").collision_margin, 0.001);
  EXPECT_EQ(body("  collision margin: +.5\n").collision_margin, 0.5);
  EXPECT_EQ(
    body("  collision groups: [1, 2.0, 0x10]\n").collision_groups, (std::vector<int>{1, 2, 16}));
}

TEST(Parse, AnchorsAliasesAndMergeKeysAreExpanded)
{
  const Model model = parse(
    "bodies: [A, B]\nmacro: &f {static: 3, rolling: 4}\nA: &a {mass: 2, friction: *f}\nB: {<<: *a, "
    "mass: 5}\n");
  EXPECT_EQ(model.bodies.at(0).surface.friction, 3.0);
  EXPECT_EQ(model.bodies.at(1).surface.rolling_friction, 4.0);
  EXPECT_EQ(model.bodies.at(1).mass, 5.0);
  EXPECT_TRUE(model.warnings.empty()) << to_string(model.warnings);
}

TEST(Parse, HeaderListsDecideWhatLoads)
{
  const Model model = parse("bodies: [A]\nA: {mass: 1}\nB: {mass: 1, nonsense: [1]}\njoints:\n");
  EXPECT_EQ(model.bodies.size(), 1u);
  EXPECT_TRUE(model.joints.empty());
  EXPECT_TRUE(model.warnings.empty()) << to_string(model.warnings);
}

TEST(Parse, ABlockThatIsListedTwiceIsLoadedTwiceAsInAmbf)
{
  const Model model = parse("bodies: [A, A]\nA: {name: a, mass: 1}\n");
  ASSERT_EQ(model.bodies.size(), 2u);
  EXPECT_EQ(model.bodies[1].header.identifier, "A1");
  EXPECT_EQ(model.bodies[1].header.topic, "/ambf/env/a1");
  ASSERT_EQ(model.warnings.size(), 1u);
  EXPECT_EQ(model.warnings[0].kind, ProblemKind::DuplicateName);
}

TEST(Parse, NamespacesOfModelAndObjectCombine)
{
  const std::string text =
    "namespace: /ambf/env/psm/\nbodies: [A, B, C]\nA: {mass: 1}\nB: {mass: 1, namespace: arm/}\nC: "
    "{mass: 1, namespace: /far}\n";
  const Model model = parse(text);
  EXPECT_EQ(model.bodies[0].header.qualified, "/ambf/env/psm/A");
  EXPECT_EQ(model.bodies[1].header.qualified, "/ambf/env/psm/arm/B");
  EXPECT_EQ(model.bodies[2].header.qualified, "/far/C");
  ParseOptions options;
  options.namespace_prefix = "/left";
  const Model left = parse(text, options);
  EXPECT_EQ(left.bodies[1].header.qualified, "/left/ambf/env/psm/arm/B");
  EXPECT_EQ(left.bodies[2].header.qualified, "/left/far/C");
}

TEST(Parse, ModelGravityGoesToBodiesWithoutTheirOwn)
{
  const Model model = parse(
    "gravity: {x: 0, y: 0, z: 0}\nbodies: [A, B]\nA: {mass: 1}\nB: {mass: 1, gravity: {x: 1, y: 0, "
    "z: 0}}\n");
  EXPECT_EQ(model.bodies[0].gravity, Vector3d::Zero());
  EXPECT_EQ(model.bodies[1].gravity, Vector3d::UnitX());
}

TEST(Parse, RawTextAndUnknownKeysReachExtensions)
{
  const Model model = parse("bodies: [A]\nA: {mass: 1, my plugin: {a: [1, 2], b: 'true'}}\n");
  EXPECT_NE(model.bodies[0].header.raw_yaml.find("my plugin"), std::string::npos);
  EXPECT_NE(model.bodies[0].header.raw_yaml.find("mass"), std::string::npos);
  EXPECT_NE(model.bodies[0].header.extensions.find("my plugin"), std::string::npos);
  EXPECT_EQ(model.bodies[0].header.extensions.find("mass"), std::string::npos);
}

TEST(ParseJoint, EveryTypeNameIsUnderstood)
{
  const std::pair<const char *, JointType> names[] = {
    {"revolute", JointType::Revolute},
    {"hinge", JointType::Revolute},
    {"continuous", JointType::Continuous},
    {"prismatic", JointType::Prismatic},
    {"slider", JointType::Prismatic},
    {"fixed", JointType::Fixed},
    {"spring", JointType::LinearSpring},
    {"linear spring", JointType::LinearSpring},
    {"torsion spring", JointType::TorsionSpring},
    {"torsional spring", JointType::TorsionSpring},
    {"angular spring", JointType::TorsionSpring},
    {"p2p", JointType::PointToPoint},
    {"cone twist", JointType::ConeTwist},
    {"six dof", JointType::SixDof},
    {"six dof spring", JointType::SixDofSpring}};
  for (const auto & [name, type] : names) {
    EXPECT_EQ(joint(std::string("  type: ") + name + "\n").type, type) << name;
  }
}

TEST(ParseJoint, AxesAreNormalisedAndDefaultsAreAmbfs)
{
  const Joint j = joint("  type: revolute\n");
  EXPECT_EQ(j.parent_axis, Vector3d::UnitZ());
  EXPECT_EQ(j.child_axis, Vector3d::UnitY());
  EXPECT_EQ(j.controller_output, ControlOutput::Velocity);
  EXPECT_EQ(j.max_motor_impulse, 0.1);
  EXPECT_TRUE(j.enable_motor);
  EXPECT_TRUE(j.ignore_inter_collision);
  EXPECT_FALSE(j.limits);
  EXPECT_FALSE(j.erp);
}

TEST(ParseJoint, GainsSwitchTheControllerToEffortUnlessTheFileSaysVelocity)
{
  EXPECT_EQ(
    joint("  type: revolute\n  controller: {P: 5, I: 1, D: 2}\n").controller_output,
    ControlOutput::Effort);
  const Joint j = joint(
    "  type: revolute\n  controller: {P: 5, I: 1, D: 2}\n  controller output type: VELOCITY\n");
  EXPECT_EQ(j.controller_output, ControlOutput::Velocity);
  EXPECT_EQ(*j.controller, (Pid{5, 1, 2}));
}

TEST(ParseJoint, ChildOffsetIsTheNewNameOfOffset)
{
  EXPECT_EQ(joint("  type: fixed\n  offset: 1.5\n").child_offset, 1.5);
  EXPECT_EQ(joint("  type: fixed\n  child offset: 2.5\n").child_offset, 2.5);
}

TEST(ParseJoint, MimicIsKeptWithAWarning)
{
  const Model m = parse(
    "bodies: [P, C]\nP: {mass: 1}\nC: {mass: 1}\njoints: [J]\nJ:\n  type: revolute\n" +
    joint_frame + "  mimic: {joint: K, multiplier: 2, offset: 0.5}\n");
  EXPECT_EQ(m.joints[0].mimic, (Mimic{"K", 2.0, 0.5}));
  EXPECT_NE(to_string(m.warnings).find("no dynamics acts on it"), std::string::npos);
}

TEST(ParseJoint, SixDofSpringReadsLimitsAndSprings)
{
  const Joint j = joint(
    "  type: six dof spring\n"
    "  joint limits: {linear: {low: {x: -1, y: -2, z: -3}, high: {x: 1, y: 2, z: 3}}, angular: "
    "{low: {x: 0, y: 0, z: 0}, high: {x: 0, y: 0, z: 0}}}\n"
    "  stiffness: {linear: {x: 10, y: 20, z: 30}, angular: {x: 1, y: 1, z: 1}}\n  damping: 0.5\n");
  ASSERT_TRUE(j.six_dof);
  EXPECT_EQ(j.six_dof->high.linear, Vector3d(1, 2, 3));
  EXPECT_EQ(j.six_dof->low.angular, Vector3d::Zero());
  EXPECT_EQ(j.six_dof->stiffness.linear, Vector3d(10, 20, 30));
  EXPECT_EQ(j.six_dof->damping.angular, Vector3d::Constant(0.5));
}

TEST(ParseSensor, ArrayMeshAndFanAreLayoutsOfRays)
{
  const std::string head = "bodies: [B]\nB: {mass: 1}\nsensors: [S]\nS:\n  name: s\n  parent: B\n";
  const Model array = parse(
    head +
    "  type: proximity\n  array: [{offset: {x: 0, y: 0, z: 0}, direction: {x: 2, y: 0, z: 0}}]\n");
  EXPECT_EQ(std::get<RayArray>(array.sensors.at(0).rays).rays.at(0).direction, Vector3d(2, 0, 0));
  const Model fan = parse(
    head +
    "  type: Proximity\n  parametric: {resolution: 5, horizontal angle: 1, vertical angle: 2, "
    "start offset: 0.1}\n");
  EXPECT_EQ(std::get<RayFan>(fan.sensors.at(0).rays).resolution, 5);
  ParseOptions options;
  options.check_files = false;
  const Model mesh = parse(
    head + "  type: RESISTANCE\n  mesh: patch.stl\n  friction: {static: 5, variable: true}\n",
    options);
  EXPECT_EQ(std::get<RayMesh>(mesh.sensors.at(0).rays).mesh.file, "patch.stl");
  EXPECT_EQ(mesh.sensors.at(0).resistance.static_friction, 5.0);
  EXPECT_TRUE(mesh.sensors.at(0).resistance.variable_friction);
}

TEST(ParseFiles, KindIsToldByTheTopLevelKeys)
{
  const std::pair<const char *, FileKind> files[] = {
    {"world config: w.yaml\nmultibody configs: []", FileKind::Launch},
    {"input devices: []", FileKind::InputDevices},
    {"environment: e.yaml\nlights: []", FileKind::World},
    {"bodies: []", FileKind::Model},
    {"cameras: [c]\nc: {}", FileKind::Model},
    {"red: {r: 255, g: 0, b: 0, a: 255}", FileKind::Colors},
    {"a: 1", FileKind::Unknown}};
  for (const auto & [text, kind] : files) { EXPECT_EQ(text_kind(text, "t").value(), kind) << text; }
}

TEST(ParseWorld, SolverIterationsAreApartFromMaxIterations)
{
  const auto world = parse_world_text(
    "max iterations: 7\nsolver iterations: 30\ngravity: {x: 0, y: 0, z: -1.62}\n", "w");
  ASSERT_TRUE(world);
  EXPECT_EQ(world->max_steps_per_cycle, 7);
  EXPECT_EQ(world->solver_iterations, 30);
  EXPECT_EQ(world->gravity.z(), -1.62);
  ParseOptions options;
  options.check_files = false;
  EXPECT_EQ(parse_world_text("environment: x\n", "w", "/base", options)->environment, "/base/x");
  EXPECT_FALSE(parse_world_text("gravity: {x: 0, y: 0, z: 0}\n", "w")->max_steps_per_cycle);
}

TEST(ParseDevices, ABlockWithErrorsLeavesTheOthersAlone)
{
  const auto devices = parse_input_devices_text(
    "input devices: [A, B]\n"
    "A: {hardware name: Falcon, workspace scaling: [2], max fource: 2}\n"
    "B: {hardware name: Falcon}\n",
    "d");
  ASSERT_TRUE(devices);
  ASSERT_EQ(devices->devices.size(), 1u);
  EXPECT_EQ(devices->devices[0].header.identifier, "B");
  ASSERT_EQ(devices->broken.size(), 1u);
  EXPECT_EQ(devices->broken[0].device.header.identifier, "A");
  ASSERT_EQ(devices->broken[0].errors.size(), 1u);
  EXPECT_NE(to_string(devices->broken[0].errors).find("workspace scaling"), std::string::npos);
  ASSERT_EQ(devices->warnings.size(), 1u) << "the unknown key";
}

TEST(ParseDevices, UnmappedButtonsAreMinusOne)
{
  const auto devices = parse_input_devices_text(
    "input devices: [D]\nD: {hardware name: Falcon, button mapping: {a1: 2}}\n", "d");
  ASSERT_TRUE(devices);
  EXPECT_EQ(devices->devices.at(0).buttons.a1, 2);
  EXPECT_EQ(devices->devices.at(0).buttons.g1, -1);
  EXPECT_EQ(devices->devices.at(0).deadband, 0.0);
}
