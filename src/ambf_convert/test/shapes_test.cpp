// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "ambf_adf/parse.hpp"
#include "ambf_adf/write.hpp"
#include "ambf_convert/convert.hpp"
#include "temporary_folder.hpp"

namespace
{

using ambf_adf::Model;
using ambf_convert::Format;
using Eigen::Vector3d;

/// A tetrahedron.
const char * const stl =
  "solid t\n"
  "facet normal 0 0 -1\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\nendfacet\n"
  "facet normal 0 -1 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\n"
  "facet normal -1 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 1 0\nendloop\nendfacet\n"
  "facet normal 1 1 1\nouter loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet\n"
  "endsolid t\n";

const char * const urdf = R"(<robot name="r">
  <material name="red"><color rgba="1 0 0 0.5"/></material>
  <link name="base">
    <inertial><origin xyz="1 2 3"/><mass value="2"/><inertia ixx="1" iyy="1.5" izz="2" ixy="0.1" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0.1 0 0" rpy="0 0 1"/><geometry><mesh filename="t.stl" scale="1 -2 0.5"/></geometry><material name="red"/></visual>
    <visual><geometry><box size="1 2 3"/></geometry><material name="blue"><color rgba="0 0 1 1"/></material></visual>
    <collision><origin xyz="0 0 1"/><geometry><cylinder radius="0.5" length="2"/></geometry></collision>
  </link>
  <link name="flange"/>
  <joint name="mount" type="fixed"><origin xyz="0 0 2" rpy="0 0 1.5"/><parent link="base"/><child link="flange"/></joint>
  <link name="tool">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
    <visual><geometry><mesh filename="t.stl"/></geometry></visual>
  </link>
  <joint name="wrist" type="revolute"><origin xyz="1 0 0"/><parent link="flange"/><child link="tool"/>
    <axis xyz="0 0 2"/><limit lower="-1" upper="2" effort="30" velocity="1"/><dynamics damping="0.4" friction="0.1"/></joint>
  <link name="finger">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
  </link>
  <joint name="follower" type="prismatic"><parent link="tool"/><child link="finger"/><mimic joint="wrist" multiplier="2" offset="0.1"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/></joint>
</robot>
)";

Model read(const test::TemporaryFolder & folder, const std::string & name)
{
  const auto model = ambf_convert::read_file(folder / name);
  EXPECT_TRUE(model) << (model ? "" : to_string(model.error()));
  return model ? *model : Model{};
}

bool says(const ambf_adf::Problems & problems, const std::string & text)
{
  return to_string(problems).find(text) != std::string::npos;
}

}  // namespace

TEST(Urdf, ShapesMassesAndJointsComeIn)
{
  const test::TemporaryFolder folder("urdf");
  folder.write("t.stl", stl);
  folder.write("r.urdf", urdf);
  const Model model = read(folder, "r.urdf");
  ASSERT_EQ(model.bodies.size(), 3U);  // the flange is part of the base
  EXPECT_EQ(model.ns, "/ambf/env/r/");
  EXPECT_TRUE(says(model.warnings, "it is part of 'base' now"));
  const auto & base = model.bodies[0];
  EXPECT_EQ(base.header.topic, "/ambf/env/r/base");
  EXPECT_EQ(base.mass, 2.0);
  const auto & drawn = std::get<ambf_adf::ShapeList>(base.visual.geometry);
  ASSERT_EQ(drawn.shapes.size(), 2U);
  const auto & part = std::get<ambf_adf::MeshPart>(drawn.shapes[0].shape);
  EXPECT_TRUE(part.mesh.exists);
  EXPECT_EQ(part.scale, Vector3d(1, -2, 0.5));
  EXPECT_EQ(drawn.shapes[0].offset.rpy, Vector3d(0, 0, 1));
  EXPECT_EQ(drawn.shapes[0].material->diffuse, Vector3d(1, 0, 0));
  EXPECT_EQ(drawn.shapes[0].material->alpha, 0.5);
  EXPECT_EQ(drawn.shapes[1].material->diffuse, Vector3d(0, 0, 1));
  const auto & tool = model.bodies[1];
  EXPECT_EQ(std::get<ambf_adf::MeshFile>(tool.visual.geometry).file, "t.stl");
  ASSERT_EQ(model.joints.size(), 2U);
  const auto & wrist = model.joints[0];
  EXPECT_EQ(wrist.limits->high, 2.0);
  EXPECT_EQ(*wrist.max_effort, 30.0);
  EXPECT_EQ(wrist.damping, 0.4);
  EXPECT_EQ(wrist.parent_axis, Vector3d(0, 0, 1));
  EXPECT_TRUE(says(model.warnings, "friction of a joint"));
  ASSERT_TRUE(model.joints[1].mimic);
  EXPECT_EQ(model.joints[1].mimic->joint, "JOINT wrist");
}

TEST(Urdf, TheTensorOfInertiaIsTurnedWithItsOrigin)
{
  const test::TemporaryFolder folder("tensor");
  folder.write(
    "t.urdf",
    "<robot name='t'><link name='a'><inertial><origin xyz='1 2 3' rpy='0.4 0.5 0.6'/><mass "
    "value='2'/>"
    "<inertia ixx='0.3' iyy='0.25' izz='0.2' ixy='0.02' ixz='-0.03' "
    "iyz='0.01'/></inertial></link></robot>");
  const Model model = read(folder, "t.urdf");
  const auto & body = model.bodies.at(0);
  Eigen::Matrix3d tensor;
  tensor << 0.3, 0.02, -0.03, 0.02, 0.25, 0.01, -0.03, 0.01, 0.2;
  const Eigen::Matrix3d turn = ambf_adf::Pose{Vector3d::Zero(), Vector3d(0.4, 0.5, 0.6)}.rotation();
  const Eigen::Matrix3d axes = body.inertial_offset->rotation();
  const Eigen::Matrix3d found =
    axes * Eigen::Matrix3d(body.inertia->asDiagonal()) * axes.transpose();
  EXPECT_TRUE(found.isApprox(turn * tensor * turn.transpose(), 1e-12)) << found;
  EXPECT_EQ(body.inertial_offset->position, Vector3d(1, 2, 3));
}

TEST(Urdf, FixedBaseStandsStill)
{
  const test::TemporaryFolder folder("base");
  folder.write("t.stl", stl);
  folder.write("r.urdf", urdf);
  ambf_convert::ReadOptions options;
  options.fixed_base = true;
  const auto model = ambf_convert::read_file(folder / "r.urdf", options);
  ASSERT_TRUE(model);
  EXPECT_EQ(model->bodies[0].mass, 0.0);
  EXPECT_EQ(model->bodies[1].mass, 1.0);
}

TEST(Urdf, AnotherWayThroughAdfTextIsTheSameModel)
{
  const test::TemporaryFolder folder("text");
  folder.write("t.stl", stl);
  folder.write("r.urdf", urdf);
  const Model model = read(folder, "r.urdf");
  ASSERT_TRUE(ambf_convert::write_file(model, folder / "r.yaml", Format::Adf));
  const auto again = ambf_adf::parse_file(folder / "r.yaml");
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_TRUE(*again == model) << ambf_adf::write(model) << ambf_adf::write(*again);
}

class Shapes : public ::testing::TestWithParam<Format>
{
};

TEST_P(Shapes, ComeBackWhereTheyWere)
{
  if (GetParam() == Format::Sdf && !AMBF_SDF_IS_READ) { GTEST_SKIP() << "no libsdformat"; }
  const test::TemporaryFolder folder("shapes");
  folder.write("t.stl", stl);
  folder.write("r.urdf", urdf);
  const Model model = read(folder, "r.urdf");
  const std::string name = std::string("again.") + to_string(GetParam());
  ASSERT_TRUE(ambf_convert::write_file(model, folder / name, GetParam()));
  const Model again = read(folder, name);
  ASSERT_EQ(again.bodies.size(), 3U);
  const auto & was = std::get<ambf_adf::ShapeList>(model.bodies[0].visual.geometry).shapes;
  const auto & is = std::get<ambf_adf::ShapeList>(again.bodies[0].visual.geometry).shapes;
  ASSERT_EQ(was.size(), is.size());
  for (std::size_t i = 0; i < was.size(); ++i) {
    // Bodies may have moved their frame: compared in the world.
    const auto a = model.bodies[0].location.isometry() * was[i].offset.isometry();
    const auto b = again.bodies[0].location.isometry() * is[i].offset.isometry();
    EXPECT_TRUE(a.isApprox(b, 1e-9));
    EXPECT_TRUE(was[i].material->diffuse.isApprox(is[i].material->diffuse, 1e-6));
    EXPECT_NEAR(was[i].material->alpha, is[i].material->alpha, 1e-6);
  }
  const auto & part = std::get<ambf_adf::MeshPart>(is[0].shape);
  EXPECT_TRUE(part.mesh.exists) << part.mesh.path;
  EXPECT_EQ(part.scale, Vector3d(1, -2, 0.5));
  EXPECT_EQ(std::get<ambf_adf::Box>(is[1].shape).size, Vector3d(1, 2, 3));
  const auto & collision = std::get<ambf_adf::ShapeList>(again.bodies[0].collision).shapes;
  ASSERT_EQ(collision.size(), 1U);
  EXPECT_EQ(std::get<ambf_adf::Cylinder>(collision[0].shape).height, 2.0);
}

INSTANTIATE_TEST_SUITE_P(
  Formats, Shapes, ::testing::Values(Format::Urdf, Format::Sdf, Format::Mjcf),
  [](const auto & given) { return std::string(to_string(given.param)); });

TEST(Losses, AreListedByName)
{
  const auto model = ambf_adf::parse_text(
    "bodies: [A]\nsensors: [S]\ncameras: [C]\n"
    "A: {name: a, mass: 1, inertia: {ix: 1, iy: 1, iz: 1}, collision shape: CONE, "
    "collision geometry: {radius: 1, height: 1}}\n"
    "S: {type: Contact, parent: A}\nC: {parent: A}\n",
    "losing");
  ASSERT_TRUE(model) << to_string(model.error());
  const auto written = ambf_convert::write(*model, Format::Urdf);
  EXPECT_TRUE(says(written.lost, "'S': found a sensor"));
  EXPECT_TRUE(says(written.lost, "'C': found a camera"));
  EXPECT_TRUE(says(written.lost, "'A': found a cone"));
  EXPECT_TRUE(says(written.lost, "'A': found damping of the body"));
  const auto mjcf = ambf_convert::write(*model, Format::Mjcf);
  EXPECT_FALSE(says(mjcf.lost, "a camera"));
}

TEST(Mjcf, DefaultsAnglesAndGeomsComeIn)
{
  const test::TemporaryFolder folder("mjcf");
  folder.write(
    "part.xml", "<mujocoinclude><body name='b' pos='0 0 1'><geom/></body></mujocoinclude>");
  folder.write("m.xml", R"(<mujoco model="m">
  <option gravity="0 0 -1"/>
  <default><geom type="box" size="1 1 1" density="10"/><joint damping="2"/>
    <default class="light"><geom density="1"/></default></default>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <camera name="eye" pos="1 0 0" fovy="90"/>
    <body name="a" pos="1 2 3" euler="90 0 0">
      <joint name="j" axis="0 1 0" range="-90 90" ref="45"/>
      <geom class="light" rgba="0 1 0 1"/>
      <body name="c"><joint name="k" type="slide"/><joint name="l" axis="1 0 0"/><geom size="2 2 2"/></body>
    </body>
    <include file="part.xml"/>
  </worldbody>
  <equality><joint joint1="k" joint2="j" polycoef="0.5 3 0 0 0"/></equality>
  <actuator><motor joint="k" ctrlrange="-5 5" gear="2"/></actuator>
</mujoco>
)");
  const Model model = read(folder, "m.xml");
  ASSERT_EQ(model.bodies.size(), 5U);  // world, a, c with a link between, b
  EXPECT_EQ(model.bodies[0].header.name, "world");
  EXPECT_EQ(model.bodies[0].mass, 0.0);
  EXPECT_EQ(model.bodies[1].mass, 8.0);
  EXPECT_NEAR(model.bodies[1].inertia->x(), 8.0 / 12.0 * 8.0, 1e-12);
  EXPECT_NEAR(model.bodies[1].location.rpy.x(), 1.5707963267948966, 1e-12);
  EXPECT_NEAR(model.bodies[2].mass + model.bodies[3].mass, 640.0, 1e-9);
  EXPECT_EQ(*model.gravity, Vector3d(0, 0, -1));
  ASSERT_EQ(model.joints.size(), 3U);
  EXPECT_NEAR(model.joints[0].limits->high, 1.5707963267948966, 1e-12);
  EXPECT_EQ(model.joints[0].damping, 2.0);
  EXPECT_EQ(model.joints[1].type, ambf_adf::JointType::Prismatic);
  EXPECT_EQ(*model.joints[1].max_effort, 10.0);
  EXPECT_EQ(model.joints[1].mimic->joint, "JOINT j");
  EXPECT_EQ(model.joints[1].mimic->multiplier, 3.0);
  ASSERT_EQ(model.cameras.size(), 1U);
  EXPECT_NEAR(model.cameras[0].field_view_angle, 1.5707963267948966, 1e-12);
}
