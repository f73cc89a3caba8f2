// Closed loops of the corpus under motion commanded at 1 kHz.

#include <cmath>
#include <cstdio>
#include <numbers>

#include "model_builder.hpp"
#include "ambf_adf/placement.hpp"

namespace ambf_dynamics::test
{
namespace
{

using std::numbers::pi;

struct Axis
{
  std::string joint;  // identifier
  double amplitude;   // [rad or m]
};

struct Result
{
  double closure = 0.0;      // worst pivot gap of any joint [m]
  double closure_rest = 0.0; // after load
  double tracking = 0.0;     // worst |command - position| of rotary joints after the first second [rad]
  double tracking_linear = 0.0;
  double rcm = 0.0;
};

double worst_gap(const World& w, const ambf_adf::Model& model)
{
  double worst = 0.0;
  const auto pose = [&](const std::string& name) {
      const auto index = w.find_body(name);
      Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
      t.translation() = position(w, *index);
      t.linear() = orientation(w, *index).toRotationMatrix();
      return t;
    };
  for (const ambf_adf::Joint& j : model.joints) {
    const auto fit = ambf_adf::fit_joint(j, pose(j.parent), pose(j.child));
    worst = std::max(worst, fit.position_error);
  }
  return worst;
}

Result run(const std::string& file, const std::vector<Axis>& axes, const Parameters& p, double frequency, double seconds)
{
  const ambf_adf::Model model = corpus_model(file);
  AddedModel added;
  auto world = world_of(model, p, &added);
  std::printf("%s: closure before %.3g m %.3g rad (%s), after %.3g m %.3g rad\n", file.c_str(), added.closure.position_error_before, added.closure.angle_error_before, added.closure.worst_joint.c_str(), added.closure.position_error_after, added.closure.angle_error_after);
  for (const auto& w : added.warnings) {std::printf("  %s\n", ambf_adf::to_string(w).c_str());}
  Result r;
  std::vector<JointIndex> joints;
  std::vector<double> start;
  for (const Axis& a : axes) {
    for (std::size_t i = 0; i < world->joints().size(); ++i) {
      if (world->joints()[i].identifier == a.joint) {
        joints.push_back(static_cast<JointIndex>(i));
        start.push_back(joint_position(*world, i));
      }
    }
  }
  EXPECT_EQ(joints.size(), axes.size());
  r.closure_rest = worst_gap(*world, model);
  const int steps = static_cast<int>(seconds * 1000);
  for (int i = 0; i < steps; ++i) {
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const double t = 0.001 * (i + 1);
      world->set_joint_command(joints[k], JointMode::Position, start[k] + axes[k].amplitude * 0.5 * (1.0 - std::cos(2.0 * pi * frequency * t)));
    }
    if (world->step() != StepStatus::Ok) {ADD_FAILURE() << world->divergence().reason; return r;}
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const double t = 0.001 * (i + 1);
      const double error = std::abs(start[k] + axes[k].amplitude * 0.5 * (1.0 - std::cos(2.0 * pi * frequency * t)) - joint_position(*world, joints[k]));
      auto& worst = world->joints()[joints[k]].type == ambf_adf::JointType::Prismatic ? r.tracking_linear : r.tracking;
      worst = std::max(worst, error);
    }
    if (i % 10 == 9) {r.closure = std::max(r.closure, worst_gap(*world, model));}
  }
  std::printf("  rest gap %.4f mm, worst gap %.4f mm, tracking %.4f deg, %.4f mm\n", r.closure_rest * 1e3, r.closure * 1e3, r.tracking * 180 / pi, r.tracking_linear * 1e3);
  return r;
}

TEST(Loops, Explore)
{
  for (auto solver : {SolverKind::DirectJoints}) {
    for (double cfm : {1e-6, 1e-5, 1e-4,3e-4, 1e-3, 3e-3}) {
    Parameters p;
    p.solver = solver;
    p.joint_cfm = cfm;
    if (solver == SolverKind::SequentialImpulse) p.solver_iterations = 50;
    std::printf("---- %d cfm %g\n", int(solver), cfm);
    run("multi-bodies/robots/blender-psm.yaml", {{"JOINT base link-yaw link", 0.5}, {"JOINT yaw link-pitch back link", 0.4}, {"JOINT pitch end link-main insertion link", 0.08}}, p, 0.5, 4.0);
    run("multi-bodies/robots/blender-ecm.yaml", {{"JOINT base link-yaw link", 0.5}, {"JOINT yaw link-pitch front link", 0.4}}, p, 0.5, 4.0);
    run("multi-bodies/puzzles/parallel_structure.yaml", {{"JOINT l1-l2", 0.5}}, p, 0.5, 4.0);
    run("multi-bodies/robots/blender-mtm.yaml", {{"JOINT Top Panel-OutPitch Shoulder", 0.5}, {"JOINT OutPitch Shoulder-ArmParallel", 0.4}}, p, 0.5, 4.0);
    }
  }
}

}  // namespace
}  // namespace ambf_dynamics::test
