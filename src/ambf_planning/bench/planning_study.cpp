// SPDX-License-Identifier: BSD-3-Clause
// The studies of the motion-planning thesis as CSV on the standard output; bench_planning.py makes tables and
// plots of them.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "ambf_adf/parse.hpp"
#include "ambf_adf/scene.hpp"
#include "ambf_planning/ball_planners.hpp"
#include "ambf_planning/plan.hpp"
#include "skeleton.hpp"

namespace
{

using namespace ambf_planning;
using Clock = std::chrono::steady_clock;

const char * const usage = R"(planning_study STUDY [RUNS]

  steps [RUNS]      figures 6.11 to 6.13: the thesis's planners in 2-D and 3-D over the step size h
  planners [RUNS]   figures 6.32 and 6.33: six planners of OMPL move a PSM between two pairs of ribs
  board [RUNS]      planning time of RRTConnect over a peg board
  queries [COUNT]   collision questions per second: one at a time, many at once, distances, contacts
)";

double seconds_since(Clock::time_point begin)
{
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

void steps(int runs)
{
  std::puts("dimension,planner,step,run,found,time,explored,path_states,cost");
  for (const int dimension : {2, 3}) {
    const BallWorld world = study_world(dimension);
    BallRequest request;
    request.start = study_start(dimension);
    request.goal = study_goal(dimension);
    request.time = 20.0;
    for (const double step : {0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.2}) {
      request.step = step;
      request.goal_radius = std::max(0.02, step);
      for (int run = 1; run <= runs; ++run) {
        // Planners take turns, so that what disturbs the machine disturbs all of them.
        for (const auto planner : {BallPlanner::Extend, BallPlanner::Connect, BallPlanner::Lazy}) {
          request.seed = static_cast<std::uint64_t>(run);
          const BallPlan plan = plan_among_balls(world, planner, request);
          std::printf(
            "%d,%s,%g,%d,%d,%.9g,%zu,%zu,%.6g\n", dimension, to_string(planner), step, run,
            plan.found, plan.time, plan.explored, plan.path.size(), plan.cost);
        }
      }
    }
  }
}

JointVector posture(std::initializer_list<double> values)
{
  JointVector q(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), q.data());
  return q;
}

/// A PSM, and what is in its way.
struct Scene
{
  ambf_adf::Scene names;
  std::unique_ptr<CollisionScene> scene;
  ambf_adf::Model model;
  std::unique_ptr<ambf_arms::Arm> arm;
  std::vector<ModelHandle> models;
  AllowedCollisions allowed;

  template <class T>
  static T must(ambf_adf::expected<T, ambf_adf::Errors> value)
  {
    if (value) { return std::move(*value); }
    std::fprintf(stderr, "%s\n", ambf_adf::to_string(value.error()).c_str());
    std::exit(1);
  }

  Scene()
  {
    const std::string folder = AMBF_DESCRIPTION_FOLDER;
    scene = must(ambf_dynamics::make_collision_scene());
    model = must(names.add(must(ambf_adf::parse_file(folder + "/adf/psm.yaml"))));
    const auto described = must(ambf_arms::parse_arms_file(folder + "/arms/psm.yaml"));
    arm =
      std::make_unique<ambf_arms::Arm>(must(ambf_arms::Arm::make(described.arms.at(0), &model)));
    models.push_back(must(scene->add_model(model)).handle);
    allowed = scene->adjacent();
    allowed.merge(sample_allowed(bodies(), *scene, allowed, arm->home()));
  }
  ArmBodies bodies() const
  {
    auto made = ArmBodies::make(*arm, model, *scene, models, "BODY base link");
    if (made) { return std::move(*made); }
    std::fprintf(stderr, "%s\n", made.error().c_str());
    std::exit(1);
  }
  std::shared_ptr<const ArmChecker> checker() const
  {
    return std::make_shared<const ArmChecker>(bodies(), *scene, allowed);
  }
  void add_mesh(const std::string & file)
  {
    ambf_adf::RigidBody body;
    body.header.identifier = body.header.name = body.header.qualified = "skeleton";
    body.mass = 0.0;
    body.collision_margin = 0.0002;
    body.inertial_offset = ambf_adf::Pose{};
    ambf_adf::CollisionMesh mesh;
    mesh.mesh.file = mesh.mesh.path = file;
    body.collision = mesh;
    ambf_adf::Model other;
    other.name = "skeleton";
    other.bodies.push_back(body);
    must(scene->add_model(other));
  }
  void add_board()
  {
    const std::string folder = AMBF_DESCRIPTION_FOLDER;
    const auto board = must(names.add(must(ambf_adf::parse_file(folder + "/adf/peg_board.yaml"))));
    must(scene->add_model(board, Eigen::Isometry3d(Eigen::Translation3d(0.0, 0.0, -0.17))));
  }
};

void tell_plan(const std::string & planner, int run, const PlanResult & result)
{
  const PlanStatistics & s = result.statistics;
  std::printf(
    "%s,%d,%d,%.9g,%.9g,%zu,%zu,%zu,%.6g,%.6g,%.6g,%.6g\n", planner.c_str(), run, result ? 1 : 0,
    s.time, s.search_time, s.states, s.state_checks, s.motion_checks, s.length, s.clearance,
    s.smoothness, result.motion.duration());
}
const char * const plan_columns =
  "planner,run,found,time,search_time,states,state_checks,motion_checks,length,clearance,"
  "smoothness,"
  "duration";

void planners(int runs)
{
  const auto file = std::filesystem::temp_directory_path() / "ambf_rib_cage.obj";
  const int faces = bench::write_rib_cage(file.string());
  Scene scene;
  scene.add_mesh(file.string());
  // Clearance is to be that to the bones: own links are near each other by design.
  for (const auto & a : scene.model.bodies) {
    for (const auto & b : scene.model.bodies) {
      scene.allowed.allow(a.header.qualified, b.header.qualified);
    }
  }
  const auto checker = scene.checker();
  // Both ends are between ribs, on either side of one: the tool has to leave the body in between.
  PlanRequest request;
  request.start = posture({0.0, 0.33, 0.16, 0.0, 0.0, 0.0});
  request.goals = {JointGoal{posture({0.0, -0.33, 0.16, 0.0, 0.0, 0.0})}};
  request.termination.time = 20.0;
  std::fprintf(stderr, "%d faces\n", faces);
  std::puts(plan_columns);
  for (int run = 1; run <= runs; ++run) {
    for (const char * planner : {"RRTConnect", "RRT", "LazyRRT", "SBL", "KPIECE", "PRM"}) {
      request.planner = planner;
      request.seed = static_cast<std::uint64_t>(run);
      const PlanResult result = plan(checker, request);
      if (run == 1) { std::fprintf(stderr, "%s: %s\n", planner, result.text.c_str()); }
      tell_plan(planner, run, result);
    }
  }
  std::filesystem::remove(file);
}

/// Free postures whose tips are near the board.
JointVector over_board(const ArmChecker & checker, std::mt19937_64 & random)
{
  const auto within = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (;;) {
    const JointVector q = posture(
      {within(-0.4, 0.4), within(-0.3, 0.3), within(0.1, 0.17), within(-1.5, 1.5),
       within(-0.6, 0.6), within(-0.6, 0.6)});
    if (!checker.collides(q)) { return q; }
  }
}

void board(int runs)
{
  Scene scene;
  scene.add_board();
  const auto checker = scene.checker();
  std::mt19937_64 random(1);
  std::puts(plan_columns);
  for (int run = 1; run <= runs; ++run) {
    PlanRequest request;
    request.start = over_board(*checker, random);
    request.goals = {JointGoal{over_board(*checker, random)}};
    request.termination.time = 20.0;
    request.seed = static_cast<std::uint64_t>(run);
    tell_plan("RRTConnect", run, plan(checker, request));
  }
}

void queries(int count)
{
  Scene scene;
  scene.add_board();
  const auto checker = scene.checker();
  std::mt19937_64 random(1);
  std::vector<JointVector> all;
  for (int k = 0; k < count; ++k) {
    JointVector q(6);
    for (Eigen::Index i = 0; i < 6; ++i) {
      q[i] = std::uniform_real_distribution<double>(
        scene.arm->bounds().low[i], scene.arm->bounds().high[i])(random);
    }
    all.push_back(q);
  }
  std::puts("question,round,per_second,answer");
  for (int round = 1; round <= 9; ++round) {
    const auto race = [&](const char * name, const auto & ask) {
      const auto begin = Clock::now();
      const double answer = ask();
      std::printf("%s,%d,%.6g,%.9g\n", name, round, count / seconds_since(begin), answer);
    };
    race("one at a time", [&] {
      std::size_t hits = 0;
      for (const JointVector & q : all) { hits += checker->collides(q); }
      return static_cast<double>(hits);
    });
    race("many at once", [&] {
      std::vector<std::uint8_t> out(all.size());
      return static_cast<double>(checker->collides(all, out));
    });
    race("distance", [&] {
      double sum = 0.0;
      for (const JointVector & q : all) { sum += checker->nearest(q).distance; }
      return sum;
    });
    race("contacts", [&] {
      std::size_t hits = 0;
      for (const JointVector & q : all) { hits += checker->contacts(q).size(); }
      return static_cast<double>(hits);
    });
  }
}

}  // namespace

int main(int argc, char ** argv)
{
  const std::string study = argc > 1 ? argv[1] : "";
  const int given = argc > 2 ? std::atoi(argv[2]) : 0;
  if (study == "--help" || study == "-h") {
    std::fputs(usage, stdout);
    return 0;
  }
  const auto runs = [&](int otherwise) { return given > 0 ? given : otherwise; };
  if (study == "steps") {
    steps(runs(300));
  } else if (study == "planners") {
    planners(runs(300));
  } else if (study == "board") {
    board(runs(300));
  } else if (study == "queries") {
    queries(runs(2000));
  } else {
    std::fputs(usage, stderr);
    return 2;
  }
  return 0;
}
