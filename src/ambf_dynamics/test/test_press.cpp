// SPDX-License-Identifier: BSD-3-Clause
// A serial arm is pressed onto a table. Its joints do not give: the tip is where the measured joints say,
// and what yields is the motor whose limit is reached.

#include <cmath>
#include <cstdio>
#include <vector>

#include "ambf_adf/placement.hpp"
#include "model_builder.hpp"

namespace ambf_dynamics::test
{
namespace
{

constexpr double pitch_angle = 0.3;
constexpr double push_limit = 50.0;  // of the sliding joint [N]
constexpr double tip_radius = 0.002;

struct Link
{
  std::string name;
  double mass;
  double inertia;
  ambf_adf::JointType type;
  Vector3d pivot;  // in the parent; the child's is its origin
  Vector3d axis;
  double effort;  // limit of the motor [N m or N]
};

// Shoulder, slide and a wrist of a few grams, as in surgical arms: 0.4 m from the shoulder to the tip.
const std::vector<Link> links{
  {"yaw", 1.0, 1e-2, ambf_adf::JointType::Revolute, Vector3d::Zero(), Vector3d::UnitZ(), 20.0},
  {"pitch", 1.0, 1e-2, ambf_adf::JointType::Revolute, Vector3d::Zero(), Vector3d::UnitY(), 20.0},
  {"slide", 0.2, 1e-3, ambf_adf::JointType::Prismatic, Vector3d(0, 0, -0.1), -Vector3d::UnitZ(),
   push_limit},
  {"roll", 0.05, 1e-5, ambf_adf::JointType::Revolute, Vector3d(0, 0, -0.28), Vector3d::UnitZ(),
   2.0},
  {"wrist", 0.005, 1e-7, ambf_adf::JointType::Revolute, Vector3d(0, 0, -0.01), Vector3d::UnitY(),
   2.0},
  {"tip", 0.005, 1e-7, ambf_adf::JointType::Revolute, Vector3d(0, 0, 0), Vector3d::UnitX(), 2.0}};
const Vector3d tip_in_last(0, 0, -0.01);

ambf_adf::Model serial_arm(double friction)
{
  ambf_adf::Model model;
  model.bodies.push_back(body("base", 0.0, Vector3d(0, 0, 0.5)));
  Vector3d at(0, 0, 0.5);
  std::string parent = "base";
  for (const Link & link : links) {
    at += link.pivot;
    model.bodies.push_back(body(link.name, link.mass, at, Vector3d::Constant(link.inertia)));
    auto j = joint(
      "joint " + link.name, link.type, parent, link.name, link.pivot, Vector3d::Zero(), link.axis);
    j.max_motor_impulse = link.effort * 1e-3;
    j.controller = ambf_adf::Pid{10.0, 0.0, 0.0};
    j.controller_output = ambf_adf::ControlOutput::Velocity;
    model.joints.push_back(j);
    parent = link.name;
  }
  ambf_adf::PlacedShape ball;
  ball.shape = ambf_adf::Sphere{tip_radius};
  ball.offset.position = tip_in_last;
  model.bodies.back().collision = ambf_adf::ShapeList{{ball}, false};
  model.bodies.back().surface.friction = friction;
  auto table = body("table", 0.0, Vector3d(0, 0, 0.05));
  table.collision = shape(ambf_adf::Box{Vector3d(2, 2, 0.1)});
  table.surface.friction = friction;
  model.bodies.push_back(table);
  return model;
}

// Closed form: one frame after the other, by the joints' definition. Knows nothing of the simulator's.
Vector3d tip_of_joints(const World & w)
{
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  t.translation() = Vector3d(0, 0, 0.5);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const double q = joint_position(w, i);
    t.translate(links[i].pivot);
    if (links[i].type == ambf_adf::JointType::Prismatic) {
      t.translate(q * links[i].axis);
    } else {
      t.rotate(Eigen::AngleAxisd(q, links[i].axis));
    }
  }
  return t * tip_in_last;
}

Vector3d tip_of_body(const World & w)
{
  return position(w, links.size()) + orientation(w, links.size()) * tip_in_last;
}

double largest_gap(const World & w, const ambf_adf::Model & model)
{
  double worst = 0.0;
  for (const ambf_adf::Joint & j : model.joints) {
    const auto pose = [&](const std::string & name) {
      const std::size_t i = *w.find_body(name);
      Eigen::Isometry3d t(orientation(w, i));
      t.pretranslate(position(w, i));
      return t;
    };
    worst = std::max(worst, ambf_adf::fit_joint(j, pose(j.parent), pose(j.child)).position_error);
  }
  return worst;
}

double normal_force(const World & w)
{
  double sum = 0.0;
  for (const Contact & contact : w.state().contacts) {
    sum += std::abs(contact.force.dot(contact.normal));
  }
  return sum;
}

struct Pressed
{
  double force = 0.0;   // after the last step [N]
  double most = 0.0;    // [N]
  double gap = 0.0;     // largest over the whole motion [m]
  double tip = 0.0;     // largest distance from the forward kinematics [m]
  double depth = 0.0;   // of the tip in the table at the end [m]
  double behind = 0.0;  // of the slide behind its command at the end [m]
};

// From above the table to 30 mm below its surface, at 50 mm/s, then 1 s of pressing.
Pressed press(const Parameters & parameters, double friction)
{
  const ambf_adf::Model model = serial_arm(friction);
  auto world = world_of(model, parameters);
  Pressed r;
  const double goal = 0.03 + (0.4 - tip_radius) / std::cos(pitch_angle) - 0.4;
  double target = 0.0;
  for (int i = 1; i <= 3000; ++i) {
    const double pitch = pitch_angle * std::min(1.0, i / 800.0);
    target = i < 1000 ? 0.0 : goal * std::min(1.0, (i - 1000) / 1000.0);
    for (JointIndex k = 0; k < links.size(); ++k) {
      world->set_joint_command(k, JointMode::Position, k == 1 ? pitch : k == 2 ? target : 0.0);
    }
    if (world->step() != StepStatus::Ok) {
      ADD_FAILURE() << world->divergence().reason;
      return r;
    }
    r.gap = std::max(r.gap, largest_gap(*world, model));
    r.tip = std::max(r.tip, (tip_of_body(*world) - tip_of_joints(*world)).norm());
    r.force = normal_force(*world);
    r.most = std::max(r.most, r.force);
  }
  r.depth = 0.1 + tip_radius - tip_of_body(*world).z();
  r.behind = target - joint_position(*world, 2);
  std::printf(
    "friction %.1f: pressed with %.3f N (most %.1f), largest joint gap %.5f mm, tip %.5f mm from "
    "its forward "
    "kinematics, %.5f mm deep, slide %.3f mm behind its command, its motor at %.3f N\n",
    friction, r.force, r.most, r.gap * 1e3, r.tip * 1e3, r.depth * 1e3, r.behind * 1e3,
    joint_effort(*world, 2));
  return r;
}

TEST(Press, SerialArmIsStiffAndItsMotorGivesWayAtItsLimit)
{
  const Pressed r = press({}, 0.0);
  EXPECT_LT(r.gap, 5e-5);
  EXPECT_LT(r.tip, 5e-5);
  EXPECT_LT(r.depth, 1e-4);
  EXPECT_GT(r.behind, 0.02);
  // The table pushes upwards only, and the slide's motor bears what acts along the slide; it is helped by the weight
  // of all that it carries.
  const double weight = 9.8 * (0.2 + 0.05 + 0.005 + 0.005);
  EXPECT_NEAR(r.force, push_limit / std::cos(pitch_angle) + weight, 0.5);
}

TEST(Press, SerialArmThatSticksToTheTable)
{
  const Pressed r = press({}, 0.8);
  EXPECT_LT(r.gap, 5e-5);
  EXPECT_LT(r.tip, 5e-5);
  EXPECT_LT(r.depth, 1e-4);
  EXPECT_GT(r.behind, 0.02);
}

// Files give jaws motors of 200 kN m and a command to close. What is held must neither be shot away nor lost.
TEST(Press, JawsWithoutAUsefulMotorLimitHoldSteadily)
{
  ambf_adf::Model model;
  model.bodies.push_back(body("palm", 0.0, Vector3d(0, 0, 1.0)));
  for (const double side : {-1.0, 1.0}) {
    const std::string name = side < 0 ? "left" : "right";
    auto jaw = body(name, 0.005, Vector3d(0, 0, 1.0), Vector3d::Constant(1e-7));
    ambf_adf::PlacedShape pad;
    pad.shape = ambf_adf::Box{Vector3d(0.002, 0.004, 0.01)};
    pad.offset.position = Vector3d(side * 0.006, 0, -0.01);
    jaw.collision = ambf_adf::ShapeList{{pad}, false};
    jaw.surface.friction = 0.7;
    model.bodies.push_back(jaw);
    auto j = joint(
      "joint " + name, ambf_adf::JointType::Revolute, "palm", name, Vector3d::Zero(),
      Vector3d::Zero(), Vector3d(0, -side, 0));
    j.max_motor_impulse = 200.0;
    j.controller = ambf_adf::Pid{30.0, 0.0, 0.4};
    j.controller_output = ambf_adf::ControlOutput::Velocity;
    model.joints.push_back(j);
  }
  auto thing = box("thing", 0.01, Vector3d(0, 0, 0.99), Vector3d(0.009, 0.02, 0.009));
  thing.surface.friction = 0.7;
  model.bodies.push_back(thing);
  // They touch at -0.033 rad.
  for (const double close : {-0.07, -0.1, -0.15, -0.25}) {
    auto world = world_of(model);
    double most = 0.0;
    for (int i = 0; i < 3000; ++i) {
      for (JointIndex k = 0; k < 2; ++k) {
        world->set_joint_command(k, JointMode::Position, close);
      }
      ASSERT_EQ(world->step(), StepStatus::Ok) << world->divergence().reason;
      most = std::max(most, normal_force(*world));
    }
    const double moved = (position(*world, 3) - Vector3d(0, 0, 0.99)).norm();
    std::printf(
      "jaws told to close to %.2f rad: %.1f N at the end, %.1f N at most, thing moved by %.2f mm, "
      "jaws at %.4f and %.4f\n",
      close, normal_force(*world), most, moved * 1e3, joint_position(*world, 0),
      joint_position(*world, 1));
    EXPECT_LT(moved, 5e-3);
    EXPECT_NEAR(joint_position(*world, 0), -0.033, 0.01) << "stops at what it holds";
  }
}

}  // namespace
}  // namespace ambf_dynamics::test
