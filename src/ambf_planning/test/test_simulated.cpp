// SPDX-License-Identifier: BSD-3-Clause
// Planned motions that the simulated PSM performs: the world reports no contact, and the shaft stays in its
// port.

#include <algorithm>

#include "ambf_dynamics/world.hpp"
#include "psm_scene.hpp"

namespace ambf_planning::test
{
namespace
{

using ambf_dynamics::World;

Eigen::Isometry3d pose_of(const World & world, ambf_dynamics::BodyIndex body)
{
  const double * b = world.state().bodies.data() + body * ambf_dynamics::body_stride;
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  t.translation() = Vector3d(b[0], b[1], b[2]);
  t.linear() = Eigen::Quaterniond(b[6], b[3], b[4], b[5]).toRotationMatrix();
  return t;
}

/// The scene's PSM and obstacles in a world of their own.
struct Simulated
{
  PsmScene & psm;
  std::unique_ptr<World> world;
  std::vector<ambf_dynamics::JointIndex> joints;
  ModelHandle arm;
  ambf_dynamics::BodyIndex shaft = 0;
  Vector3d shaft_axis;

  explicit Simulated(PsmScene & scene) : psm(scene)
  {
    ambf_dynamics::Parameters parameters;
    parameters.report_contacts = true;
    world = *ambf_dynamics::make_world(parameters);
    arm = world->add_model(psm.model)->handle;
    for (const std::string & name : psm.arm->model_joints()) {
      joints.push_back(*world->find_joint(psm.model.ns + name));
    }
    shaft = *world->find_body(psm.model.ns + "BODY tool roll link");
    // Along the shaft, in the axes of its body: where insertion moves it.
    const ArmBodies bodies = psm.bodies();
    std::vector<Eigen::Isometry3d> out(bodies.bodies().size()), in(out);
    bodies.place(test::joints({0, 0, 0.05, 0, 0, 0}), out);
    bodies.place(test::joints({0, 0, 0.15, 0, 0, 0}), in);
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (psm.scene->bodies()[bodies.bodies()[i]].identifier == "BODY tool roll link") {
        shaft_axis =
          in[i].linear().transpose() * (in[i].translation() - out[i].translation()).normalized();
      }
    }
  }
  void command(const JointVector & q)
  {
    for (std::size_t j = 0; j < joints.size(); ++j) {
      world->set_joint_command(
        joints[j], ambf_dynamics::JointMode::Position, q[static_cast<Eigen::Index>(j)]);
    }
  }
  JointVector measured() const
  {
    JointVector q(static_cast<Eigen::Index>(joints.size()));
    for (std::size_t j = 0; j < joints.size(); ++j) {
      q[static_cast<Eigen::Index>(j)] =
        world->state().joints[joints[j] * ambf_dynamics::joint_stride];
    }
    return q;
  }
  bool touches() const
  {
    const auto bodies = world->bodies();
    return std::any_of(
      world->state().contacts.begin(), world->state().contacts.end(), [&](const auto & contact) {
        const bool a = contact.body_a < bodies.size() && bodies[contact.body_a].model == arm;
        const bool b = contact.body_b < bodies.size() && bodies[contact.body_b].model == arm;
        return a != b && contact.distance < 0.0;
      });
  }
  double off_remote_centre() const
  {
    const Eigen::Isometry3d pose = pose_of(*world, shaft);
    return pose.translation().cross(pose.linear() * shaft_axis).norm();
  }
};

TEST(Simulated, MotionsAmongObstaclesTouchNothing)
{
  PsmScene psm;
  add_wall(psm);
  psm.add_ball("left", Vector3d(-0.07, 0.05, -0.13), 0.02);
  psm.add_ball("right", Vector3d(0.07, -0.05, -0.13), 0.02);
  Simulated simulated(psm);
  // Simulated drives lag by a millimetre or two at full speed, and are given this much room.
  constexpr double room = 0.003;
  ambf_dynamics::CheckerOptions options;
  options.padding = room;
  const auto checker =
    std::make_shared<const ArmChecker>(psm.bodies(), *psm.scene, psm.with_own_pairs(), options);
  std::mt19937_64 random(5);
  const auto free_posture = [&] {
    for (;;) {
      JointVector q = psm.random(random);
      q[0] = std::clamp(q[0], -0.6, 0.6);
      q[1] = std::clamp(q[1], -0.5, 0.5);
      q[2] = std::clamp(q[2], 0.08, 0.2);
      q[3] = std::clamp(q[3], -1.5, 1.5);
      if (!checker->collides(q)) { return q; }
    }
  };
  JointVector here = free_posture();
  // To the first posture before anything is in the way.
  simulated.command(here);
  for (int i = 0; i < 6000; ++i) { simulated.world->step(); }
  for (ambf_dynamics::BodyIndex i = 0; i < psm.scene->bodies().size(); ++i) {
    const auto & body = psm.scene->bodies()[i];
    if (body.model == psm.models[0]) { continue; }
    ambf_adf::Model model =
      obstacle(body.qualified, ambf_adf::Sphere{body.radius}, psm.scene->pose(i).translation());
    ASSERT_TRUE(simulated.world->add_model(model).has_value());
  }
  const int wanted = long_tier() ? 1000 : 12;
  int performed = 0, searched = 0;
  double off_centre = 0.0, least = 1.0;
  for (int k = 0; performed < wanted && k < 20 * wanted; ++k) {
    PlanRequest request;
    request.start = here;
    request.goals = {JointGoal{free_posture()}};
    request.termination.time = 60.0;
    request.ratio.velocity = 0.5;
    request.ratio.acceleration = 0.5;
    request.seed = static_cast<std::uint64_t>(k + 1);
    const PlanResult result = plan(checker, request);
    ASSERT_EQ(result.code, PlanCode::Success) << result.text;
    // Straight ways show little: one in three of them is performed.
    if (result.statistics.states == 0 && k % 3 != 0) { continue; }
    searched += result.statistics.states > 0;
    MotionState state;
    const int steps = static_cast<int>(result.motion.duration() / 0.001) + 200;
    for (int i = 1; i <= steps; ++i) {
      result.motion.sample(0.001 * i, state);
      simulated.command(state.position);
      ASSERT_EQ(simulated.world->step(), ambf_dynamics::StepStatus::Ok);
      ASSERT_FALSE(simulated.touches()) << "motion " << performed << ", step " << i;
      off_centre = std::max(off_centre, simulated.off_remote_centre());
    }
    least = std::min(least, result.statistics.clearance);
    EXPECT_LT((simulated.measured() - result.path.back()).cwiseAbs().maxCoeff(), 0.02);
    here = result.path.back();
    ++performed;
  }
  std::printf(
    "%d motions, %d around obstacles; least clearance %.2f mm; remote centre within %.4f mm\n",
    performed, searched, 1e3 * least, 1e3 * off_centre);
  EXPECT_EQ(performed, wanted);
  EXPECT_GT(searched, wanted / 4);
  EXPECT_LT(off_centre, 1e-4);
}

}  // namespace
}  // namespace ambf_planning::test
