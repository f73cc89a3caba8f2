// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>
#include <map>

#include <gtest/gtest.h>

#include "ambf_adf/scene.hpp"
#include "ambf_adf/write.hpp"
#include "ambf_convert/convert.hpp"
#include "ambf_dynamics/world.hpp"
#include "random_mechanism.hpp"
#include "temporary_folder.hpp"

namespace
{

using ambf_adf::Model;
using ambf_convert::Format;
using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

bool long_tier()
{
  const char * value = std::getenv("AMBF_TEST_LONG");
  return value != nullptr && std::string(value) == "1";
}

Model there_and_back(const Model & model, Format format, const test::TemporaryFolder & folder)
{
  const auto file = folder / ("random." + std::string(to_string(format)));
  const auto written = ambf_convert::write_file(model, file, format);
  EXPECT_TRUE(written) << (written ? "" : to_string(written.error()));
  auto again = ambf_convert::read_file(file, format);
  EXPECT_TRUE(again) << to_string(format) << "\n" << (again ? "" : to_string(again.error()));
  return again ? *again : Model{};
}

/// Where the centre of mass is and how the mass is spread about it, in the world.
struct Inertial
{
  double mass = 0.0;
  Vector3d center = Vector3d::Zero();
  Matrix3d tensor = Matrix3d::Zero();
};

Inertial inertial_of(const ambf_adf::RigidBody & body, const Isometry3d & t_world_body)
{
  const Isometry3d t = t_world_body * body.inertial_offset.value_or(ambf_adf::Pose{}).isometry();
  const Vector3d moments = body.inertia.value_or(Vector3d::Zero());
  return {
    body.mass, t.translation(),
    t.linear() * Matrix3d(moments.asDiagonal()) * t.linear().transpose()};
}

/// A joint in the world as its parent has it and as its child has it.
struct Placed
{
  Vector3d at_parent, at_child, axis_of_parent, axis_of_child;
};

Placed placed(const Model & model, const ambf_adf::Joint & joint)
{
  std::map<std::string, Isometry3d> poses;
  for (const auto & body : model.bodies) {
    poses[body.header.identifier] = body.location.isometry();
  }
  const Isometry3d & p = poses.at(joint.parent);
  const Isometry3d & c = poses.at(joint.child);
  return {
    p * joint.parent_pivot, c * joint.child_pivot, p.linear() * joint.parent_axis,
    c.linear() * joint.child_axis};
}

template <class Objects>
const auto * named(const Objects & objects, const std::string & name)
{
  for (const auto & object : objects) {
    if (object.header.name == name) { return &object; }
  }
  return static_cast<const std::decay_t<decltype(objects.front())> *>(nullptr);
}

void expect_same_mechanism(const Model & a, const Model & b, const std::string & what)
{
  constexpr double close = 1e-9;
  ASSERT_EQ(a.bodies.size(), b.bodies.size()) << what;
  ASSERT_EQ(a.joints.size(), b.joints.size()) << what;
  for (const auto & body : a.bodies) {
    const auto * other = named(b.bodies, body.header.name);
    ASSERT_NE(other, nullptr) << what << ": body " << body.header.name;
    const auto x = inertial_of(body, body.location.isometry());
    const auto y = inertial_of(*other, other->location.isometry());
    EXPECT_NEAR(x.mass, y.mass, close) << what << ": " << body.header.name;
    if (body.mass == 0.0) { continue; }
    EXPECT_LT((x.center - y.center).norm(), close) << what << ": " << body.header.name;
    EXPECT_LT((x.tensor - y.tensor).norm(), close) << what << ": " << body.header.name;
  }
  for (const auto & joint : a.joints) {
    // MJCF has no word for a fixed joint, and so no name.
    if (joint.type == ambf_adf::JointType::Fixed && what.starts_with("mjcf")) { continue; }
    const auto * other = named(b.joints, joint.header.name);
    ASSERT_NE(other, nullptr) << what << ": joint " << joint.header.name;
    EXPECT_EQ(joint.type, other->type) << what << ": " << joint.header.name;
    EXPECT_EQ(joint.limits.has_value(), other->limits.has_value()) << what;
    if (joint.limits && other->limits) {
      EXPECT_NEAR(joint.limits->low, other->limits->low, close) << what;
      EXPECT_NEAR(joint.limits->high, other->limits->high, close) << what;
    }
    EXPECT_NEAR(joint.damping, other->damping, close) << what;
    EXPECT_NEAR(joint.stiffness, other->stiffness, close) << what;
    const Placed x = placed(a, joint), y = placed(b, *other);
    if (joint.type == ambf_adf::JointType::Fixed) { continue; }  // its place is of no matter
    EXPECT_LT((x.at_child - y.at_child).norm(), close) << what << ": " << joint.header.name;
    EXPECT_LT((y.at_parent - y.at_child).norm(), close) << what << ": " << joint.header.name;
    if (joint.type == ambf_adf::JointType::PointToPoint) { continue; }
    EXPECT_LT((x.axis_of_parent - y.axis_of_parent).norm(), close)
      << what << ": " << joint.header.name;
    EXPECT_LT((x.axis_of_child - y.axis_of_child).norm(), close)
      << what << ": " << joint.header.name;
  }
}

/// Centres of mass after a number of steps, by name.
std::map<std::string, Vector3d> centers_after(const Model & model, std::uint32_t steps)
{
  ambf_adf::Scene scene;
  auto linked = scene.add(model);
  EXPECT_TRUE(linked) << (linked ? "" : to_string(linked.error()));
  auto world = ambf_dynamics::make_world();
  EXPECT_TRUE(world);
  const auto added = (*world)->add_model(*linked);
  EXPECT_TRUE(added) << (added ? "" : to_string(added.error()));
  EXPECT_LT(added->closure.position_error_before, 1e-6) << added->closure.worst_joint;
  EXPECT_EQ((*world)->step(steps), ambf_dynamics::StepStatus::Ok);
  std::map<std::string, Vector3d> centers;
  const auto & state = (*world)->state().bodies;
  for (std::size_t i = 0; i < (*world)->bodies().size(); ++i) {
    const auto & info = (*world)->bodies()[i];
    const double * at = state.data() + ambf_dynamics::body_stride * i;
    const Eigen::Quaterniond q(at[6], at[3], at[4], at[5]);
    centers[info.name] = Vector3d::Map(at) + q * info.inertial_offset.translation();
  }
  return centers;
}

void expect_same_motion(const Model & a, const Model & b, const std::string & what)
{
  const auto x = centers_after(a, 1000), y = centers_after(b, 1000);
  for (const auto & [name, center] : x) {
    if (named(a.bodies, name)->mass == 0.0) { continue; }
    ASSERT_TRUE(y.count(name)) << what << ": " << name;
    // Rounding of the numbers in the file grows with the motion. The compliance of a loop goes by the order of
    // its joints, which a tree format may change.
    const bool loop = named(a.joints, "closing") != nullptr;
    EXPECT_LT((center - y.at(name)).norm(), loop ? 1e-5 : 1e-6) << what << ": " << name;
  }
}

class RoundTrip : public ::testing::TestWithParam<Format>
{
};

TEST_P(RoundTrip, RandomTreesAndMechanismsComeBackAndMoveAsBefore)
{
  if (GetParam() == Format::Sdf && !AMBF_SDF_IS_READ) {
    GTEST_SKIP() << "built without libsdformat";
  }
  const test::TemporaryFolder folder(to_string(GetParam()));
  const unsigned rounds = long_tier() ? 2000 : 60;
  for (unsigned seed = 0; seed < rounds && !HasFailure(); ++seed) {
    const Model model = test::RandomMechanism(seed).make(seed % 2 == 1);
    const std::string what = std::string(to_string(GetParam())) + ", seed " + std::to_string(seed);
    const Model again = there_and_back(model, GetParam(), folder);
    expect_same_mechanism(model, again, what);
    if (!HasFailure() && (seed < 10 || long_tier())) { expect_same_motion(model, again, what); }
    if (HasFailure()) {
      std::cout << ambf_adf::write(model) << ambf_convert::write(model, GetParam()).text
                << ambf_adf::write(again);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
  Formats, RoundTrip, ::testing::Values(Format::Adf, Format::Urdf, Format::Sdf, Format::Mjcf),
  [](const auto & given) { return std::string(to_string(given.param)); });

}  // namespace
