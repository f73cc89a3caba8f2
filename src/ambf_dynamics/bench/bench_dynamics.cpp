// Cost of a step of our world against the same scene on bare Bullet, by interleaved pairs.
//
//   bench_dynamics [--json FILE] [--pairs N] [--steps N] [--scene NAME]

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <time.h>

#include "scenes.hpp"

namespace
{

using namespace ambf_dynamics;

/// Processor time of this thread: other work on the machine does not count.
double now()
{
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double seconds_per_step(const std::function<void()>& step, int steps)
{
  const double start = now();
  for (int i = 0; i < steps; ++i) {step();}
  return (now() - start) / steps;
}

struct Quartiles
{
  double low;
  double median;
  double high;
};

Quartiles quartiles(std::vector<double> values)
{
  std::sort(values.begin(), values.end());
  const auto at = [&](double q) {
      const double x = q * static_cast<double>(values.size() - 1);
      const auto i = static_cast<std::size_t>(x);
      const double f = x - static_cast<double>(i);
      return i + 1 < values.size() ? values[i] * (1.0 - f) + values[i + 1] * f : values[i];
    };
  return {at(0.25), at(0.5), at(0.75)};
}

struct Row
{
  std::string scene;
  std::string solver;
  Quartiles ours;
  Quartiles bare;
  Quartiles ratio;
};

Row compare(const bench::Scene& scene, SolverKind solver, const char* solver_name, int pairs, int steps)
{
  Parameters p;
  p.solver = solver;
  auto world = make_world(p);
  if (!world || !(*world)->add_model(scene.model)) {
    std::fprintf(stderr, "cannot build %s\n", scene.name.c_str());
    std::exit(1);
  }
  bench::BareWorld bare(scene.model, p);
  constexpr int warm_up = 1000;
  for (int i = 0; i < warm_up; ++i) {
    (*world)->step();
    bare.step();
  }
  State slot;
  const auto step_ours = [&] {
      (*world)->step();
      (*world)->read_state(slot);
    };
  const auto step_bare = [&] {bare.step();};
  std::vector<double> ours;
  std::vector<double> theirs;
  std::vector<double> ratios;
  for (int i = 0; i < pairs; ++i) {
    // Turns about, so that a drift of the machine's speed falls on both.
    double a = 0.0;
    double b = 0.0;
    if (i % 2 == 0) {
      a = seconds_per_step(step_ours, steps);
      b = seconds_per_step(step_bare, steps);
    } else {
      b = seconds_per_step(step_bare, steps);
      a = seconds_per_step(step_ours, steps);
    }
    ours.push_back(a);
    theirs.push_back(b);
    ratios.push_back(a / b);
  }
  return {scene.name, solver_name, quartiles(ours), quartiles(theirs), quartiles(ratios)};
}

}  // namespace

int main(int argc, char** argv)
{
  int pairs = 11;
  int steps = 300;
  std::string json;
  std::string only;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (!std::strcmp(argv[i], "--json")) {json = argv[i + 1];}
    if (!std::strcmp(argv[i], "--scene")) {only = argv[i + 1];}
    if (!std::strcmp(argv[i], "--pairs")) {pairs = std::max(1, std::atoi(argv[i + 1]));}
    if (!std::strcmp(argv[i], "--steps")) {steps = std::max(1, std::atoi(argv[i + 1]));}
  }
  std::vector<Row> rows;
  for (const auto& scene : {bench::boxes200(), bench::arm_two_loops(), bench::chain100()}) {
    if (!only.empty() && only != scene.name) {continue;}
    rows.push_back(compare(scene, SolverKind::SequentialImpulse, "sequential impulse", pairs, steps));
    rows.push_back(compare(scene, SolverKind::DirectJoints, "direct joints", pairs, steps));
  }
  std::printf(
    "%-14s %-19s %12s %12s   ratio ours/bare, median [quartiles] of %d pairs\n", "scene", "our solver",
    "ours us/step", "bare us/step", pairs);
  for (const Row& r : rows) {
    std::printf(
      "%-14s %-19s %12.1f %12.1f   %.3f [%.3f %.3f]\n", r.scene.c_str(), r.solver.c_str(),
      r.ours.median * 1e6, r.bare.median * 1e6, r.ratio.median, r.ratio.low, r.ratio.high);
  }
  if (!json.empty()) {
    std::ofstream out(json);
    out << "[\n";
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Row& r = rows[i];
      const auto list = [](const Quartiles& q) {
          return "[" + std::to_string(q.low) + ", " + std::to_string(q.median) + ", " + std::to_string(q.high) + "]";
        };
      const auto us = [&](Quartiles q) {return list({q.low * 1e6, q.median * 1e6, q.high * 1e6});};
      out << "  {\"scene\": \"" << r.scene << "\", \"solver\": \"" << r.solver << "\", \"pairs\": " << pairs
          << ", \"ours_us\": " << us(r.ours) << ", \"bare_us\": " << us(r.bare) << ", \"ratio\": " << list(r.ratio)
          << "}" << (i + 1 < rows.size() ? "," : "") << "\n";
    }
    out << "]\n";
  }
  return 0;
}
