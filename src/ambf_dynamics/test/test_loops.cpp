// SPDX-License-Identifier: BSD-3-Clause
// Closed loops: the four-bar against its closed form, and the arms of the corpus under motion that is
// commanded at 1 kHz. The figures are printed; README.md quotes them.

#include <cmath>
#include <cstdio>
#include <numbers>

#include "ambf_adf/placement.hpp"
#include "model_builder.hpp"

namespace ambf_dynamics::test
{
namespace
{

using std::numbers::pi;

constexpr double degree = pi / 180.0;

Eigen::Isometry3d pose(const World & w, const std::string & qualified)
{
  const auto index = w.find_body(qualified);
  EXPECT_TRUE(index) << qualified;
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  t.translation() = position(w, *index);
  t.linear() = orientation(w, *index).toRotationMatrix();
  return t;
}

JointIndex joint_named(const World & w, const std::string & identifier)
{
  for (std::size_t i = 0; i < w.joints().size(); ++i) {
    if (w.joints()[i].identifier == identifier) { return static_cast<JointIndex>(i); }
  }
  ADD_FAILURE() << "no joint " << identifier;
  return 0;
}

// Crank-rocker in the xz plane: ground 0.4, crank 0.1, coupler 0.35, rocker 0.3 m.
TEST(FourBar, ClosesWithinTenMicrometresOverFullTurn)
{
  const double a = 0.1;
  const double b = 0.35;
  const double c = 0.3;
  const double d = 0.4;
  // Angle of the rocker's tip for crank angle t, measured from x towards z (open branch).
  const auto tip = [&](double t) {
    const Eigen::Vector2d p(a * std::cos(t), a * std::sin(t));
    const Eigen::Vector2d o(d, 0.0);
    const Eigen::Vector2d e = o - p;
    const double l = e.norm();
    const double along = (l * l + b * b - c * c) / (2.0 * l);
    const double across = std::sqrt(b * b - along * along);
    return Eigen::Vector2d(p + along * e / l + across * Eigen::Vector2d(-e.y(), e.x()) / l);
  };
  ambf_adf::Model model;
  const auto bar =
    [&](const std::string & name, const Eigen::Vector2d & from, const Eigen::Vector2d & to) {
      const Eigen::Vector2d middle = 0.5 * (from + to);
      auto body_of_bar =
        body(name, 0.3, Vector3d(middle.x(), 0, middle.y()), Vector3d::Constant(1e-3));
      body_of_bar.location.rpy.y() = -std::atan2(to.y() - from.y(), to.x() - from.x());
      model.bodies.push_back(body_of_bar);
    };
  model.bodies.push_back(body("ground", 0.0, Vector3d::Zero()));
  const Eigen::Vector2d p0(a, 0.0);
  bar("crank", Eigen::Vector2d(0, 0), p0);
  bar("coupler", p0, tip(0.0));
  bar("rocker", Eigen::Vector2d(d, 0), tip(0.0));
  const auto pin = [&](
                     const std::string & name, const std::string & parent,
                     const std::string & child, double at_parent, double at_child) {
    model.joints.push_back(joint(
      name, ambf_adf::JointType::Continuous, parent, child, Vector3d(at_parent, 0, 0),
      Vector3d(at_child, 0, 0), -Vector3d::UnitY()));
  };
  pin("drive", "ground", "crank", 0.0, -0.5 * a);
  pin("ab", "crank", "coupler", 0.5 * a, -0.5 * b);
  pin("bc", "coupler", "rocker", 0.5 * b, 0.5 * c);
  pin("cd", "ground", "rocker", d, -0.5 * c);
  auto world = world_of(model);
  world->set_joint_command(0, JointMode::Velocity, 2.0);
  double worst = 0.0;
  while (joint_position(*world, 0) < 2.0 * pi) {
    ASSERT_EQ(world->step(), StepStatus::Ok);
    const Eigen::Isometry3d rocker = pose(*world, "rocker");
    const Vector3d end = rocker * Vector3d(0.5 * c, 0, 0);
    const Eigen::Vector2d exact = tip(joint_position(*world, 0));
    worst = std::max(worst, (Vector3d(exact.x(), 0, exact.y()) - end).norm());
    ASSERT_LT(world->state().step, 5000u);
  }
  std::printf("four-bar over a full turn: %.3f um from the closed form\n", worst * 1e6);
  EXPECT_LT(worst, 1e-5);
}

struct Axis
{
  std::string joint;
  double low;  // range of the motion around the start [rad or m]
  double high;
};

struct Result
{
  ClosureReport placement;
  double gap = 0.0;            // worst distance of the two pivots of any joint [m]
  double rotary_error = 0.0;   // worst |command - position| [rad]
  double linear_error = 0.0;   // [m]
  double remote_centre = 0.0;  // worst distance of the tool axis from the remote centre [m]
  double fixed_point = 0.0;    // worst motion of the watched link's best fixed point [m]
};

double worst_gap(const World & w, const ambf_adf::Model & model)
{
  double worst = 0.0;
  for (const ambf_adf::Joint & j : model.joints) {
    const auto fit = ambf_adf::fit_joint(j, pose(w, j.parent), pose(w, j.child));
    worst = std::max(worst, fit.position_error);
  }
  return worst;
}

// How far the best fixed point of a body moves: p in the body and c in the world such that R p + t = c,
// least squares over the poses of a motion. Knows nothing of the arm but which link to watch.
double drift_of_fixed_point(const std::vector<Eigen::Isometry3d> & poses)
{
  Eigen::Matrix<double, 6, 6> a = Eigen::Matrix<double, 6, 6>::Zero();
  Eigen::Matrix<double, 6, 1> b = Eigen::Matrix<double, 6, 1>::Zero();
  for (const Eigen::Isometry3d & t : poses) {
    Eigen::Matrix<double, 3, 6> row;
    row << t.linear(), -Eigen::Matrix3d::Identity();
    a += row.transpose() * row;
    b -= row.transpose() * t.translation();
  }
  const Eigen::Matrix<double, 6, 1> x = a.ldlt().solve(b);
  double worst = 0.0;
  for (const Eigen::Isometry3d & t : poses) {
    worst = std::max(worst, (t * Vector3d(x.head<3>()) - x.tail<3>()).norm());
  }
  return worst;
}

using Measure = std::function<double(const World &)>;

// All axes swing through their ranges with a peak speed of `speed`, starting at rest.
Result run(
  const std::string & file, const std::vector<Axis> & axes, const Parameters & parameters,
  double speed, bool compensate_gravity = false, const Measure & remote_centre = {},
  const std::string & watched = {})
{
  const ambf_adf::Model model = corpus_model(file);
  AddedModel added;
  auto world = world_of(model, parameters, &added);
  world->set_gravity_compensation(added.handle, compensate_gravity);
  Result r;
  r.placement = added.closure;
  std::vector<JointIndex> joints;
  std::vector<double> start;
  std::vector<Eigen::Isometry3d> poses;
  for (const Axis & axis : axes) {
    joints.push_back(joint_named(*world, axis.joint));
    start.push_back(joint_position(*world, joints.back()));
  }
  // s(t) sweeps 0 .. high .. 0 .. low .. 0 as a sine; its peak speed is amplitude * w.
  const double seconds = long_tier() ? 20.0 : 4.0;
  for (int i = 1; i <= static_cast<int>(seconds * 1000); ++i) {
    const double t = 0.001 * i;
    std::vector<double> target;
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const bool linear = world->joints()[joints[k]].type == ambf_adf::JointType::Prismatic;
      const double middle = 0.5 * (axes[k].high + axes[k].low);
      const double amplitude = 0.5 * (axes[k].high - axes[k].low);
      const double w = (linear ? 0.2 * speed : speed) / amplitude;
      const double phase = std::asin(std::clamp(-middle / amplitude, -1.0, 1.0));
      // Ramp in over half a second: no arm starts at full speed.
      const double ramped = t < 0.5 ? t * t : t - 0.25;
      target.push_back(start[k] + middle + amplitude * std::sin(w * ramped + phase));
      world->set_joint_command(joints[k], JointMode::Position, target.back());
      // The start of a file may lie off the middle of its range: what is beyond a limit stands at it.
      const auto & limits = world->joints()[joints[k]].limits;
      if (limits) { target.back() = std::clamp(target.back(), limits->low, limits->high); }
    }
    if (world->step() != StepStatus::Ok) {
      ADD_FAILURE() << world->divergence().reason;
      return r;
    }
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const bool linear = world->joints()[joints[k]].type == ambf_adf::JointType::Prismatic;
      double & worst = linear ? r.linear_error : r.rotary_error;
      worst = std::max(worst, std::abs(target[k] - joint_position(*world, joints[k])));
    }
    if (i % 5 == 0) {
      r.gap = std::max(r.gap, worst_gap(*world, model));
      if (remote_centre) { r.remote_centre = std::max(r.remote_centre, remote_centre(*world)); }
      if (!watched.empty()) { poses.push_back(pose(*world, watched)); }
    }
  }
  if (!watched.empty()) { r.fixed_point = drift_of_fixed_point(poses); }
  std::printf(
    "%-45s placed from %.3f mm %.2f mrad to %.3f mm | moving: gap %.4f mm, tracking %.4f deg %.4f "
    "mm, "
    "remote centre %.4f mm, fixed point %.4f mm\n",
    file.c_str(), r.placement.position_error_before * 1e3, r.placement.angle_error_before * 1e3,
    r.placement.position_error_after * 1e3, r.gap * 1e3, r.rotary_error / degree,
    r.linear_error * 1e3, r.remote_centre * 1e3, r.fixed_point * 1e3);
  return r;
}

const std::string psm = "multi-bodies/robots/blender-psm.yaml";
const std::string ecm = "multi-bodies/robots/blender-ecm.yaml";
const std::string mtm = "multi-bodies/robots/blender-mtm.yaml";
const std::string four_bar = "multi-bodies/puzzles/parallel_structure.yaml";

const std::vector<Axis> psm_axes{
  {"JOINT base link-yaw link", -1.4, 1.4},
  {"JOINT yaw link-pitch back link", -0.55, 0.7},
  {"JOINT pitch end link-main insertion link", 0.0, 0.23}};
const std::vector<Axis> ecm_axes{
  {"JOINT base link-yaw link", -1.4, 1.4},
  {"JOINT yaw link-pitch front link", -0.7, 0.7},
  {"JOINT pitch end link-main insertion link", 0.0, 0.24}};
const std::vector<Axis> mtm_axes{
  {"JOINT Top Panel-OutPitch Shoulder", -1.2, 0.7},
  {"JOINT OutPitch Shoulder-ArmParallel", -0.7, 0.7}};
const std::vector<Axis> four_bar_axes{{"JOINT l1-l2", -0.5, 0.5}};

// Distance of the tool axis from the yaw joint's pivot on the base, which is the remote centre.
double psm_remote_centre(const World & w)
{
  const std::string ns = "/ambf/env/psm/";
  const Eigen::Isometry3d base = pose(w, ns + "BODY base link");
  const Eigen::Isometry3d tool = pose(w, ns + "BODY main insertion link");
  const Vector3d on_axis = tool * Vector3d(0.0398, 0, 0);
  const Vector3d along = tool.linear() * Vector3d(1.0, -0.0008, 0).normalized();
  const Vector3d from = base.translation() - on_axis;
  return (from - along * along.dot(from)).norm();
}

class CorpusLoops : public testing::Test
{
protected:
  void SetUp() override
  {
    if (corpus().empty()) {
      GTEST_SKIP()
        << "AMBF_ADF_CORPUS names no folder that holds AMBF's descriptions/: set it to run this";
    }
  }
};

TEST_F(CorpusLoops, PsmHoldsItsLoopsAndItsRemoteCentreOverItsRange)
{
  const Result r =
    run(psm, psm_axes, {}, 0.5, false, psm_remote_centre, "/ambf/env/psm/BODY pitch end link");
  EXPECT_LT(r.gap, 1e-4);
  EXPECT_LT(r.fixed_point, 5e-4);
  EXPECT_LT(r.remote_centre, 5e-4);
  EXPECT_LT(r.rotary_error, 0.5 * degree);
  EXPECT_LT(r.linear_error, 5e-4);
}

TEST_F(CorpusLoops, EcmHoldsItsLoopsAndItsRemoteCentre)
{
  const Result r = run(ecm, ecm_axes, {}, 0.5, false, {}, "/ambf/env/ecm/BODY pitch end link");
  EXPECT_LT(r.fixed_point, 5e-4);
  EXPECT_LT(r.gap, 1e-4);
  EXPECT_LT(r.rotary_error, 0.5 * degree);
  EXPECT_LT(r.linear_error, 6e-3);  // the file starts 5.4 mm outside the range of this joint
}

TEST_F(CorpusLoops, MtmHoldsItsLoops)
{
  const Result r = run(mtm, mtm_axes, {}, 0.5);
  EXPECT_LT(r.gap, 1e-4);
  EXPECT_LT(r.rotary_error, 0.5 * degree);
}

TEST_F(CorpusLoops, FourBarHoldsItsLoopAndSagsOnlyAsItsGainsSay)
{
  const Result plain = run(four_bar, four_bar_axes, {}, 0.5);
  EXPECT_LT(plain.gap, 1e-4);
  // P = 1000 N m/rad against the weight of four links: about 0.6 degrees of sag, in any engine.
  EXPECT_LT(plain.rotary_error, 1.0 * degree);
  const Result balanced = run(four_bar, four_bar_axes, {}, 0.5, true);
  EXPECT_LT(balanced.gap, 1e-4);
  EXPECT_LT(balanced.rotary_error, 0.5 * degree);
}

TEST_F(CorpusLoops, SequentialImpulsesForComparison)
{
  Parameters p;
  p.solver = SolverKind::SequentialImpulse;
  for (const int iterations : {10, 50}) {
    p.solver_iterations = iterations;
    std::printf("sequential impulses, %d iterations: ", iterations);
    const Result r = run(psm, psm_axes, p, 0.5, false, psm_remote_centre);
    EXPECT_LT(r.gap, 1e-2);  // it must not fall apart
  }
}

TEST_F(CorpusLoops, ModelsThatStartApartAreAssembled)
{
  // urdf-*: all links at the origin. pr2 small gripper: scale 0.6 with unscaled places.
  for (const std::string file :
       {"multi-bodies/robots/urdf-psm.yaml", "multi-bodies/robots/urdf-ecm.yaml",
        "multi-bodies/grippers/pr2 gripper small.yaml", "multi-bodies/robots/blender-kuka.yaml"}) {
    if (!std::filesystem::exists(corpus() / "descriptions" / file)) { continue; }
    AddedModel added;
    auto world = world_of(corpus_model(file), {}, &added);
    std::printf(
      "%-45s placed from %.1f mm, %.1f deg to %.4f mm\n", file.c_str(),
      added.closure.position_error_before * 1e3, added.closure.angle_error_before / degree,
      added.closure.position_error_after * 1e3);
    EXPECT_LT(added.closure.position_error_after, 1e-4) << file;
    EXPECT_EQ(world->step(200), StepStatus::Ok) << world->divergence().reason;
    double fastest = 0.0;
    for (std::size_t i = 0; i < world->bodies().size(); ++i) {
      fastest = std::max(fastest, linear_velocity(*world, i).norm());
    }
    EXPECT_LT(fastest, 2.5) << file;  // 0.2 s of falling, and no explosion
  }
}

}  // namespace
}  // namespace ambf_dynamics::test
