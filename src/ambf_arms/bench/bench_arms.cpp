// SPDX-License-Identifier: BSD-3-Clause
// Rates of the arm library beside the solvers of KDL, and of Pinocchio where it is built with that
// (README.md), on the same poses: interleaved pairs, processor time of this thread, medians with quartiles.
// Usage: bench_arms [pairs] [poses]

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include <kdl/chain.hpp>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/chainiksolverpos_lma.hpp>
#include <kdl/chainjnttojacsolver.hpp>

#include "ambf_arms/dvrk_arms.hpp"
#include "ambf_arms/dynamics.hpp"
#include "ambf_arms/pose.hpp"
#include "ambf_arms/trajectory.hpp"
#ifdef AMBF_ARMS_PINOCCHIO
#include "pinocchio_arm.hpp"
#endif

namespace
{

using namespace ambf_arms;

double cpu_seconds()
{
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Quartiles
{
  double low, median, high;
};

Quartiles quartiles(std::vector<double> v)
{
  std::sort(v.begin(), v.end());
  const auto at = [&](double q) {
    const double x = q * static_cast<double>(v.size() - 1);
    const auto i = static_cast<std::size_t>(x);
    const double f = x - static_cast<double>(i);
    return i + 1 < v.size() ? v[i] * (1.0 - f) + v[i + 1] * f : v[i];
  };
  return {at(0.25), at(0.5), at(0.75)};
}

/// What keeps the compiler from leaving work out.
double sink = 0.0;

template <class Ours, class Theirs>
void race(
  const std::string & name, const char * other, int pairs, int count, const Ours & ours,
  const Theirs & theirs)
{
  std::vector<double> a, b, ratio;
  const auto time = [&](const auto & work) {
    const double start = cpu_seconds();
    for (int i = 0; i < count; ++i) { work(static_cast<std::size_t>(i)); }
    return (cpu_seconds() - start) / count;
  };
  time(ours);
  time(theirs);
  for (int i = 0; i < pairs; ++i) {
    if (i % 2 == 0) {
      a.push_back(time(ours));
      b.push_back(time(theirs));
    } else {
      b.push_back(time(theirs));
      a.push_back(time(ours));
    }
    ratio.push_back(b.back() / a.back());
  }
  const Quartiles qa = quartiles(a), qb = quartiles(b), qr = quartiles(ratio);
  std::printf(
    "%-30s %8.0f ns (%.0f..%.0f)  %-9s %9.0f ns (%.0f..%.0f)  times faster %.2f (%.2f..%.2f)\n",
    name.c_str(), 1e9 * qa.median, 1e9 * qa.low, 1e9 * qa.high, other, 1e9 * qb.median,
    1e9 * qb.low, 1e9 * qb.high, qr.median, qr.low, qr.high);
}

KDL::Frame to_kdl(const Eigen::Matrix3d & r, const Eigen::Vector3d & p)
{
  return {
    KDL::Rotation(r(0, 0), r(0, 1), r(0, 2), r(1, 0), r(1, 1), r(1, 2), r(2, 0), r(2, 1), r(2, 2)),
    KDL::Vector(p.x(), p.y(), p.z())};
}

/// The same chain for KDL, step by step; one segment for each joint.
KDL::Chain to_kdl(const Chain & chain, const std::vector<Link> * links = nullptr)
{
  // KDL's joint comes before the constant transform of its segment.
  KDL::Chain out;
  out.addSegment(KDL::Segment(
    KDL::Joint(KDL::Joint::None), to_kdl(chain.steps[0].rotation, chain.steps[0].position)));
  for (std::size_t i = 0; i < chain.steps.size(); ++i) {
    const bool last = i + 1 == chain.steps.size();
    const KDL::Frame after = last
                               ? to_kdl(chain.tip_rotation, chain.tip_position)
                               : to_kdl(chain.steps[i + 1].rotation, chain.steps[i + 1].position);
    KDL::RigidBodyInertia inertia = KDL::RigidBodyInertia::Zero();
    if (links != nullptr) {
      const Link & l = (*links)[i];
      const Eigen::Matrix3d & m = l.inertia;
      inertia = KDL::RigidBodyInertia(
        l.mass, KDL::Vector(l.centre.x(), l.centre.y(), l.centre.z()),
        KDL::RotationalInertia(m(0, 0), m(1, 1), m(2, 2), m(0, 1), m(0, 2), m(1, 2)));
    }
    const KDL::Joint joint(chain.steps[i].slides ? KDL::Joint::TransZ : KDL::Joint::RotZ);
    // An inertia is in the frame at the segment's end.
    out.addSegment(KDL::Segment(joint, after, after.Inverse() * inertia));
  }
  return out;
}

KDL::JntArray to_kdl(const JointVector & q)
{
  KDL::JntArray out(static_cast<unsigned>(q.size()));
  out.data = q;
  return out;
}

struct Poses
{
  std::vector<JointVector> q, seeds;
  std::vector<KDL::JntArray> kdl_q, kdl_seeds;
  std::vector<Eigen::Isometry3d> goals;
  std::vector<KDL::Frame> kdl_goals;
};

/// Random postures within the range; seeds as of a servo loop a few degrees behind.
Poses make_poses(const Chain & chain, const Bounds & bounds, int count)
{
  std::mt19937_64 random(1);
  const auto within = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  Poses out;
  for (int i = 0; i < count; ++i) {
    JointVector q(chain.joints), seed(chain.joints);
    for (int k = 0; k < chain.joints; ++k) {
      q[k] = within(bounds.low[k], bounds.high[k]);
      const double width = bounds.high[k] - bounds.low[k];
      seed[k] = std::clamp(q[k] + within(-0.02, 0.02) * width, bounds.low[k], bounds.high[k]);
    }
    out.q.push_back(q);
    out.seeds.push_back(seed);
    out.kdl_q.push_back(to_kdl(q));
    out.kdl_seeds.push_back(to_kdl(seed));
    out.goals.push_back(forward(chain, q));
    out.kdl_goals.push_back(to_kdl(out.goals.back().linear(), out.goals.back().translation()));
  }
  return out;
}

/// Within `tolerance` [m and rad] of the goal?
bool meets(
  const Chain & chain, const JointVector & q, const Eigen::Isometry3d & goal, double tolerance)
{
  const Eigen::Isometry3d t = forward(chain, q);
  return (t.translation() - goal.translation()).norm() < tolerance &&
         angle_between(t.linear(), goal.linear()) < tolerance;
}

void successes(
  const char * name, const Poses & poses, const Chain & chain, KDL::ChainIkSolverPos_LMA & lma,
  const auto & inverse_of)
{
  int ours = 0, theirs = 0, roughly = 0;
  double worst = 0.0, worst_angle = 0.0;
  for (std::size_t i = 0; i < poses.q.size(); ++i) {
    const auto solution = inverse_of(i);
    if (solution) {
      const Eigen::Isometry3d t = forward(chain, solution->q);
      const double d = (t.translation() - poses.goals[i].translation()).norm();
      const double angle = angle_between(t.linear(), poses.goals[i].linear());
      worst = std::max(worst, d);
      worst_angle = std::max(worst_angle, angle);
      ours += d < 1e-9 && angle < 1e-9 ? 1 : 0;
    }
    KDL::JntArray q(static_cast<unsigned>(chain.joints));
    lma.CartToJnt(poses.kdl_seeds[i], poses.kdl_goals[i], q);
    const JointVector found = q.data;
    theirs += meets(chain, found, poses.goals[i], 1e-9) ? 1 : 0;
    roughly += meets(chain, found, poses.goals[i], 1e-5) ? 1 : 0;
  }
  const double n = static_cast<double>(poses.q.size());
  std::printf(
    "%-34s met within 1e-9: %.3f %% (worst %.1e m, %.1e rad); KDL's LMA %.3f %%, within 1e-5 %.3f "
    "%%\n",
    name, 100.0 * ours / n, worst, worst_angle, 100.0 * theirs / n, 100.0 * roughly / n);
}

/// What is raced of an arm, by the number of the posture.
template <class Forward, class Motion, class Closed, class Numeric>
struct OurArm
{
  Forward forward;
  Motion jacobian;
  Closed closed;
  Numeric numeric;
};

#ifdef AMBF_ARMS_PINOCCHIO
template <class Ours>
void race_pinocchio(
  const std::string & name, const Chain & chain, const Poses & poses, int pairs, int count,
  const Ours & ours)
{
  PinocchioArm arm(chain);
  TipMotion motion;
  for (std::size_t i = 0; i < poses.q.size(); ++i) {
    tip_motion(chain, poses.q[i], motion);
    if (
      (arm.jacobian(poses.kdl_q[i].data) - motion.jacobian).norm() > 1e-9 ||
      (arm.forward(poses.kdl_q[i].data) - motion.tip.translation()).norm() > 1e-9) {
      std::printf("%-30s Pinocchio's chain is another one\n", name.c_str());
      return;
    }
  }
  race(name + " forward kinematics", "Pinocchio", pairs, count, ours.forward, [&](std::size_t i) {
    sink += arm.forward(poses.kdl_q[i].data).x();
  });
  race(name + " Jacobian", "Pinocchio", pairs, count, ours.jacobian, [&](std::size_t i) {
    sink += arm.jacobian(poses.kdl_q[i].data)(0, 0);
  });
  Eigen::VectorXd q;
  const auto inverse_of = [&](std::size_t i) {
    arm.inverse(poses.kdl_seeds[i].data, poses.goals[i], q);
    sink += q[0];
  };
  race(name + " inverse, closed form", "Pinocchio", pairs, count, ours.closed, inverse_of);
  race(name + " inverse, numeric", "Pinocchio", pairs, count / 10, ours.numeric, inverse_of);
  int met = 0;
  for (std::size_t i = 0; i < poses.q.size(); ++i) {
    inverse_of(i);
    met += meets(chain, q, poses.goals[i], 1e-9) ? 1 : 0;
  }
  std::printf(
    "%-30s met within 1e-9 by damped least squares with Pinocchio: %.3f %%\n", name.c_str(),
    100.0 * met / static_cast<double>(poses.q.size()));
}
#endif

template <class Geometry>
void bench_arm(
  const std::string & name, const Chain & chain, const Bounds & bounds, const Bounds & reachable,
  const Geometry & geometry, int pairs, int count)
{
  const Poses poses = make_poses(chain, reachable, count);
  const KDL::Chain other = to_kdl(chain);
  KDL::ChainFkSolverPos_recursive fk(other);
  KDL::ChainJntToJacSolver jac(other);
  KDL::ChainIkSolverPos_LMA lma(other, Eigen::Matrix<double, 6, 1>::Ones(), 1e-10, 200);
  KDL::Frame frame;
  KDL::Jacobian jacobian(static_cast<unsigned>(chain.joints));
  KDL::JntArray q(static_cast<unsigned>(chain.joints));
  TipMotion motion;
  const auto closed = [&](std::size_t i) {
    return inverse(geometry, chain, bounds, poses.goals[i], poses.seeds[i]);
  };
  const OurArm ours{
    [&](std::size_t i) { sink += forward(chain, poses.q[i]).translation().x(); },
    [&](std::size_t i) {
      tip_motion(chain, poses.q[i], motion);
      sink += motion.jacobian(0, 0);
    },
    [&](std::size_t i) { sink += closed(i)->q[0]; },
    [&](std::size_t i) {
      sink += inverse_numeric(chain, bounds, poses.goals[i], poses.seeds[i])->q[0];
    }};
  race(name + " forward kinematics", "KDL", pairs, count, ours.forward, [&](std::size_t i) {
    fk.JntToCart(poses.kdl_q[i], frame);
    sink += frame.p.x();
  });
  race(name + " Jacobian", "KDL", pairs, count, ours.jacobian, [&](std::size_t i) {
    jac.JntToJac(poses.kdl_q[i], jacobian);
    sink += jacobian(0, 0);
  });
  const auto kdl_inverse = [&](std::size_t i) {
    lma.CartToJnt(poses.kdl_seeds[i], poses.kdl_goals[i], q);
    sink += q(0);
  };
  race(name + " inverse, closed form", "KDL", pairs, count, ours.closed, kdl_inverse);
  race(name + " inverse, numeric", "KDL", pairs, count / 10, ours.numeric, kdl_inverse);
  successes(name.c_str(), poses, chain, lma, closed);
#ifdef AMBF_ARMS_PINOCCHIO
  race_pinocchio(name, chain, poses, pairs, count, ours);
#endif
}

void bench_dynamics(const Chain & chain, const Bounds & bounds, int pairs, int count)
{
  std::vector<Link> links;
  for (std::size_t i = 0; i < chain.steps.size(); ++i) {
    Link link;
    link.parent = static_cast<int>(i) - 1;
    link.step = chain.steps[i];
    link.mass = 0.5;
    link.centre = Eigen::Vector3d(0.02, -0.03, 0.05);
    link.inertia = Eigen::Vector3d(0.002, 0.003, 0.004).asDiagonal();
    links.push_back(link);
  }
  const int n = chain.joints;
  const Poses poses = make_poses(chain, bounds, count);
  const KDL::Chain other = to_kdl(chain, &links);
  const KDL::Vector g(0, 0, -9.81);
  KDL::ChainIdSolver_RNE rne(other, g);
  KDL::ChainDynParam parameters(other, g);
  Dynamics dynamics(links, n);
  const KDL::Wrenches none(static_cast<std::size_t>(other.getNrOfSegments()), KDL::Wrench::Zero());
  KDL::JntArray torques(static_cast<unsigned>(n));
  KDL::JntSpaceInertiaMatrix kdl_mass(n);
  JointVector effort;
  JointMatrix mass;
  const Eigen::Vector3d down(0, 0, -9.81);
  const auto our_inverse = [&](std::size_t i) {
    dynamics.inverse_dynamics(poses.q[i], poses.seeds[i], poses.q[i], down, effort);
    sink += effort[0];
  };
  const auto our_gravity = [&](std::size_t i) {
    dynamics.gravity_efforts(poses.q[i], down, effort);
    sink += effort[0];
  };
  const auto our_mass = [&](std::size_t i) {
    dynamics.mass_matrix(poses.q[i], mass);
    sink += mass(0, 0);
  };
  race("MTM chain inverse dynamics", "KDL", pairs, count, our_inverse, [&](std::size_t i) {
    rne.CartToJnt(poses.kdl_q[i], poses.kdl_seeds[i], poses.kdl_q[i], none, torques);
    sink += torques(0);
  });
  race("MTM chain gravity", "KDL", pairs, count, our_gravity, [&](std::size_t i) {
    parameters.JntToGravity(poses.kdl_q[i], torques);
    sink += torques(0);
  });
  race("MTM chain mass matrix", "KDL", pairs, count, our_mass, [&](std::size_t i) {
    parameters.JntToMass(poses.kdl_q[i], kdl_mass);
    sink += kdl_mass(0, 0);
  });
#ifdef AMBF_ARMS_PINOCCHIO
  PinocchioArm arm(chain, &links);
  const auto joints = [&](std::size_t i) -> const Eigen::VectorXd & { return poses.kdl_q[i].data; };
  race("MTM chain inverse dynamics", "Pinocchio", pairs, count, our_inverse, [&](std::size_t i) {
    sink += arm.inverse_dynamics(joints(i), poses.kdl_seeds[i].data, joints(i))[0];
  });
  race("MTM chain gravity", "Pinocchio", pairs, count, our_gravity, [&](std::size_t i) {
    sink += arm.gravity(joints(i))[0];
  });
  race("MTM chain mass matrix", "Pinocchio", pairs, count, our_mass, [&](std::size_t i) {
    sink += arm.mass_matrix(joints(i))(0, 0);
  });
#endif
}

template <class Joints>
void add(Bounds & bounds, const Joints & joints, std::size_t count)
{
  const Eigen::Index start = bounds.low.size();
  bounds.low.conservativeResize(start + static_cast<Eigen::Index>(count));
  bounds.high.conservativeResize(start + static_cast<Eigen::Index>(count));
  for (std::size_t i = 0; i < count; ++i) {
    bounds.low[start + static_cast<Eigen::Index>(i)] = joints[i].low;
    bounds.high[start + static_cast<Eigen::Index>(i)] = joints[i].high;
  }
}

}  // namespace

int main(int argc, char ** argv)
{
  const std::string first = argc > 1 ? argv[1] : "";
  if (first == "-h" || first == "--help") {
    std::puts(
      "bench_arms [pairs = 9] [poses = 20000]\n"
      "Forward kinematics, Jacobian, inverse kinematics and dynamics beside the solvers of KDL,\n"
      "and of Pinocchio where it is built with that.");
    return 0;
  }
  const int pairs = std::max(7, argc > 1 ? std::atoi(argv[1]) : 9);
  const int count = std::max(100, argc > 2 ? std::atoi(argv[2]) : 20000);
  std::printf("medians (quartiles) of %d interleaved pairs, %d postures each\n", pairs, count);

  const Tool & driver = *find_tool("400006", Generation::Classic);
  const PsmGeometry psm = psm_geometry(Generation::Classic, driver);
  Bounds bounds;
  add(bounds, psm_joints(Generation::Classic), 3);
  add(bounds, tool_joints(driver), 3);
  Bounds reachable = bounds;
  reachable.low[2] = psm.cannula_stop - psm.insertion_offset - psm.shaft + 1e-6;
  bench_arm("PSM", psm_chain(Generation::Classic, driver), bounds, reachable, psm, pairs, count);

  bounds = {};
  add(bounds, mtm_joints(Side::Right), 7);
  bench_arm("MTM", mtm_chain(), bounds, bounds, MtmGeometry{}, pairs, count);
  bench_dynamics(mtm_chain(), bounds, pairs, count);
  std::fprintf(stderr, "%s", sink == 0.12345 ? " " : "");
  return 0;
}
