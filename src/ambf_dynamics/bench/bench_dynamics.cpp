// SPDX-License-Identifier: BSD-3-Clause
// The speed and memory table of the dynamics.
//
//   bench_dynamics [--json FILE] [--pairs N] [--steps N] [--warm-up N] [--scene NAME] [--shared FOLDER]
//   bench_dynamics --launch FILE [--models 0,1,2] ...
//
// FOLDER holds adf_corpus and bench/boxes200.yaml; by default it is the one in which AMBF_ADF_CORPUS lies. Rows
// that need them are left out without it. With --launch only the world of that launch file is measured: its
// entries 0, 1 and 2, or all.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "ambf_adf/parse.hpp"
#include "ambf_adf/scene.hpp"
#include "ambf_test_support/allocation_count.hpp"
#include "launched.hpp"
#include "measure.hpp"
#include "scenes.hpp"

namespace ambf_dynamics::bench
{
namespace
{

std::string default_shared()
{
  const char * corpus = std::getenv("AMBF_ADF_CORPUS");
  return corpus == nullptr ? "" : std::filesystem::path(corpus).parent_path().string();
}

struct Options
{
  int pairs = 11;
  int steps = 0;  // of a sample; 0: as many as take a fifth of a second
  int warm_up = 1000;
  std::string json = "bench_dynamics.json";
  std::string only;
  std::string shared = default_shared();
  std::string launch;
  std::string models;
};

/// A file of an installed package, "package/path/in/share"; empty where it is not installed.
std::string installed(const std::string & file)
{
  const char * prefixes = std::getenv("AMENT_PREFIX_PATH");
  std::istringstream list(prefixes == nullptr ? "" : prefixes);
  for (std::string prefix; std::getline(list, prefix, ':');) {
    const std::string path = prefix + "/share/" + file;
    if (std::ifstream(path)) { return path; }
  }
  return {};
}

/// Lines of JSON, one object each.
using Json = std::vector<std::string>;

std::string list(const Quartiles & q, double unit)
{
  char text[96];
  std::snprintf(
    text, sizeof(text), "[%.4g, %.4g, %.4g]", q.low / unit, q.median / unit, q.high / unit);
  return text;
}

std::unique_ptr<World> world_of(const ambf_adf::Model & model, const Parameters & parameters)
{
  auto world = make_world(parameters);
  auto added = world ? (*world)->add_model(model) : tl::unexpected(world.error());
  if (!added) {
    std::fprintf(stderr, "%s\n", ambf_adf::to_string(added.error()).c_str());
    std::exit(1);
  }
  return std::move(*world);
}

// Ours with hash, state, contact forces and joint readings; bare Bullet has its sequential impulses.
void compare_steps(const Options & o, Json & json)
{
  std::printf(
    "%-14s %-19s %12s %12s  %-28s %s\n", "scene", "our solver", "ours us/step", "bare us/step",
    "ratio, median [quartiles]", "allocations in 1000 steps");
  std::vector<Scene> scenes{boxes200(), arm_two_loops(), chain100()};
  if (auto file = boxes_of_file(o.shared + "/bench/boxes200.yaml")) { scenes.push_back(*file); }
  struct Side
  {
    SolverKind kind;
    const char * name;
  };
  for (const Scene & scene : scenes) {
    if (!o.only.empty() && o.only != scene.name) { continue; }
    for (const Side & side :
         {Side{SolverKind::SequentialImpulse, "the same as bare"},
          Side{SolverKind::DirectJoints, "default (direct)"}}) {
      Parameters p;
      p.solver = side.kind;
      auto world = world_of(scene.model, p);
      BareWorld bare(scene.model, p);
      State slot;
      const auto ours = [&] {
        world->step();
        world->read_state(slot);
      };
      for (int i = 0; i < o.warm_up; ++i) {
        ours();
        bare.step();
      }
      const double estimate = seconds_per_step(ours, 20);
      const int steps =
        o.steps > 0 ? o.steps : std::clamp(static_cast<int>(0.2 / estimate), 50, 20000);
      const Pairs t = interleave(ours, [&] { bare.step(); }, o.pairs, steps);
      const long allocations = ambf_test_support::count_allocations([&] {
        for (int i = 0; i < 1000; ++i) { ours(); }
      });
      std::printf(
        "%-14s %-19s %12.1f %12.1f  %.3f [%.3f %.3f]%9s %ld\n", scene.name.c_str(), side.name,
        t.first.median * 1e6, t.second.median * 1e6, t.ratio.median, t.ratio.low, t.ratio.high, "",
        allocations);
      json.push_back(
        "{\"row\": \"step\", \"scene\": \"" + scene.name + "\", \"solver\": \"" + side.name +
        "\", \"pairs\": " + std::to_string(o.pairs) + ", \"ours_us\": " + list(t.first, 1e-6) +
        ", \"bare_us\": " + list(t.second, 1e-6) + ", \"ratio\": " + list(t.ratio, 1.0) +
        ", \"steps_per_second\": " + std::to_string(1.0 / t.first.median) +
        ", \"bare_steps_per_second\": " + std::to_string(1.0 / t.second.median) +
        ", \"allocations_per_1000_steps\": " + std::to_string(allocations) + "}");
    }
  }
}

// A whole world in this process, all motors moving; wall time, because real time is what counts here.
void run_launched(
  const Options & o, const std::string & file, const std::string & models, Json & json)
{
  LaunchedWorld launched(file, models);
  for (int i = 0; i < o.warm_up; ++i) { launched.step(); }
  const int steps = o.steps > 0 ? o.steps : 500;
  std::vector<double> wall;
  std::vector<double> cpu;
  for (int i = 0; i < o.pairs; ++i) {
    const double start = wall_seconds();
    cpu.push_back(seconds_per_step([&] { launched.step(); }, steps));
    wall.push_back((wall_seconds() - start) / steps);
  }
  const long allocations = ambf_test_support::count_allocations([&] {
    for (int i = 0; i < steps; ++i) { launched.step(); }
  });
  const Quartiles spent = quartiles(cpu);
  std::printf(
    "%s %s: %.0f [%.0f %.0f] steps a second of processor time, %.0f of wall time, %zu bodies, %zu "
    "contact points, "
    "%ld allocations in %d steps, hash %016llx\n",
    file.c_str(), models.c_str(), 1.0 / spent.median, 1.0 / spent.high, 1.0 / spent.low,
    1.0 / quartiles(wall).median, launched.world().bodies().size(),
    launched.world().state().contacts.size(), allocations, steps,
    static_cast<unsigned long long>(launched.world().state().hash));
  json.push_back(
    "{\"row\": \"launch\", \"file\": \"" + file + "\", \"models\": \"" + models +
    "\", \"cpu_us\": " + list(spent, 1e-6) + ", \"wall_us\": " + list(quartiles(wall), 1e-6) +
    ", \"contact_points\": " + std::to_string(launched.world().state().contacts.size()) +
    ", \"allocations\": " + std::to_string(allocations) + "}");
}

void load_copies(const Options & o, Json & json)
{
  const std::string file =
    o.shared + "/adf_corpus/descriptions/multi-bodies/robots/blender-psm.yaml";
  if (!std::ifstream(file)) {
    std::puts(
      "no copies of the PSM and no boxes of a file: --shared, or AMBF_ADF_CORPUS, names no folder "
      "of theirs");
    return;
  }
  std::printf("\n%-14s %10s %10s %10s\n", "PSM, copies", "wall s", "cpu s", "MB in all");
  for (const int copies : {1, 10, 50}) {
    const double before = resident_mb();
    const double wall = wall_seconds();
    const double cpu = cpu_seconds();
    ambf_adf::Scene scene;
    auto world = make_world();
    for (int i = 0; i < copies; ++i) {
      auto parsed = ambf_adf::parse_file(file);
      auto model = parsed ? scene.add(std::move(*parsed)) : std::move(parsed);
      Eigen::Isometry3d place = Eigen::Isometry3d::Identity();
      place.translation().x() = 2.0 * i;
      if (!model || !(*world)->add_model(*model, place)) {
        std::fprintf(stderr, "cannot load %s\n", file.c_str());
        return;
      }
    }
    const double spent = cpu_seconds() - cpu;
    const double waited = wall_seconds() - wall;
    const double memory = resident_mb() - before;
    std::printf("%-14d %10.3f %10.3f %10.1f\n", copies, waited, spent, memory);
    char line[160];
    std::snprintf(
      line, sizeof(line),
      "{\"row\": \"load\", \"copies\": %d, \"wall_s\": %.4f, \"cpu_s\": %.4f, \"mb\": %.1f}",
      copies, waited, spent, memory);
    json.emplace_back(line);
  }
}

// Batched rays cost less each the more there are; Bullet's own rays are cast one by one.
void cast_rays(Json & json)
{
  std::printf(
    "\n%-14s %12s %12s %22s\n", "resistive rays", "us/step", "ns per ray",
    "Bullet's rays, ns each");
  for (const int side : {10, 100}) {
    const int rays = side * side;
    const Scene scene = sliding_box(side);
    auto world = world_of(scene.model, Parameters{});
    world->step(200);
    const double step = seconds_per_step([&] { world->step(); }, 200);
    BareWorld bare(scene.model, Parameters{});
    int hits = 0;
    const double single = seconds_per_step(
      [&] {
        for (int i = 0; i < rays; ++i) {
          const Eigen::Vector3d from(0.01 * (i % side), 0.01 * (i / side), 0.0);
          hits += bare.ray_hits(from, from + Eigen::Vector3d(0, 0, 0.05));
        }
      },
      20);
    std::printf(
      "%-14d %12.1f %12.1f %22.1f\n", rays, step * 1e6, step * 1e9 / rays, single * 1e9 / rays);
    if (hits != 20 * rays) { std::fprintf(stderr, "%d of %d rays hit\n", hits, 20 * rays); }
    char line[160];
    std::snprintf(
      line, sizeof(line),
      "{\"row\": \"rays\", \"rays\": %d, \"us_per_step\": %.1f, \"ns_per_ray\": %.1f, "
      "\"bullet_ns_per_ray\": %.1f}",
      rays, step * 1e6, step * 1e9 / rays, single * 1e9 / rays);
    json.emplace_back(line);
  }
}

void run(const Options & o)
{
  Json json;
  if (!o.launch.empty()) {
    run_launched(o, o.launch, o.models, json);
  } else if (o.only.empty()) {
    load_copies(o, json);  // first: memory is counted from a fresh process
    cast_rays(json);
    std::printf("\n");
  }
  if (o.launch.empty()) {
    compare_steps(o, json);
    const std::string needle = installed("ambf_description/worlds/needle/launch.yaml");
    if (o.only.empty() && !needle.empty()) { run_launched(o, needle, "", json); }
  }
  std::ofstream out(o.json);
  out << "[\n";
  for (std::size_t i = 0; i < json.size(); ++i) {
    out << "  " << json[i] << (i + 1 < json.size() ? ",\n" : "\n");
  }
  out << "]\n";
}

}  // namespace
}  // namespace ambf_dynamics::bench

int main(int argc, char ** argv)
{
  ambf_dynamics::bench::Options o;
  for (int i = 1; i < argc; i += 2) {
    const auto is = [&](const char * name) { return i + 1 < argc && !std::strcmp(argv[i], name); };
    if (is("--json")) {
      o.json = argv[i + 1];
    } else if (is("--scene")) {
      o.only = argv[i + 1];
    } else if (is("--launch")) {
      o.launch = argv[i + 1];
    } else if (is("--models")) {
      o.models = argv[i + 1];
    } else if (is("--shared")) {
      o.shared = argv[i + 1];
    } else if (is("--pairs")) {
      o.pairs = std::max(1, std::atoi(argv[i + 1]));
    } else if (is("--warm-up")) {
      o.warm_up = std::max(0, std::atoi(argv[i + 1]));
    } else if (is("--steps")) {
      o.steps = std::max(1, std::atoi(argv[i + 1]));
    } else {
      std::puts(
        "usage: bench_dynamics [--json FILE] [--pairs N] [--steps N] [--warm-up N] [--scene NAME] "
        "[--shared FOLDER]\n"
        "       bench_dynamics --launch FILE [--models 0,1,2] [--json FILE] [--pairs N] [--steps "
        "N] [--warm-up N]");
      return std::strcmp(argv[i], "--help") && std::strcmp(argv[i], "-h") ? 2 : 0;
    }
  }
  ambf_dynamics::bench::run(o);
  return 0;
}
