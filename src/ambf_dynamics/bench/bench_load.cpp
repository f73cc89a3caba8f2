// Load time and memory of copies of a model, and the speed of a file's scene.
//
//   bench_load [--ground FILE.yaml] FILE.yaml [copies ...]

#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <unistd.h>

#include "ambf_adf/parse.hpp"
#include "ambf_adf/scene.hpp"
#include "ambf_dynamics/world.hpp"

namespace
{

double seconds(clockid_t clock)
{
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double resident_mb()
{
  long size = 0;
  long resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

}  // namespace

int main(int argc, char** argv)
{
  std::string ground;
  if (argc > 2 && std::string(argv[1]) == "--ground") {
    ground = argv[2];
    argv += 2;
    argc -= 2;
  }
  if (argc < 2) {
    std::fprintf(stderr, "usage: bench_load [--ground FILE.yaml] FILE.yaml [copies ...]\n");
    return 2;
  }
  std::vector<int> counts{1, 10, 50};
  if (argc > 2) {counts.clear();}
  for (int i = 2; i < argc; ++i) {counts.push_back(std::max(1, std::atoi(argv[i])));}

  std::printf("%8s %10s %10s %12s %14s\n", "copies", "wall s", "cpu s", "MB in all", "us/step (cpu)");
  for (const int count : counts) {
    const double before = resident_mb();
    const double wall = seconds(CLOCK_MONOTONIC);
    const double cpu = seconds(CLOCK_THREAD_CPUTIME_ID);
    ambf_adf::Scene scene;
    auto world = ambf_dynamics::make_world();
    if (!world) {
      std::fprintf(stderr, "%s\n", ambf_adf::to_string(world.error()).c_str());
      return 1;
    }
    for (int i = ground.empty() ? 0 : -1; i < count; ++i) {
      auto parsed = ambf_adf::parse_file(i < 0 ? ground : argv[1]);
      auto model = parsed ? scene.add(std::move(*parsed)) : std::move(parsed);
      Eigen::Isometry3d place = Eigen::Isometry3d::Identity();
      place.translation().x() = i < 0 ? 0.0 : 2.0 * i;
      auto added = model ? (*world)->add_model(*model, place) :
        ambf_dynamics::expected<ambf_dynamics::AddedModel, ambf_adf::Errors>(tl::unexpected(model.error()));
      if (!added) {
        std::fprintf(stderr, "%s\n", ambf_adf::to_string(added.error()).c_str());
        return 1;
      }
    }
    const double loaded_wall = seconds(CLOCK_MONOTONIC) - wall;
    const double loaded_cpu = seconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
    const double memory = resident_mb() - before;
    (*world)->step(1000);
    constexpr int steps = 300;
    const double start = seconds(CLOCK_THREAD_CPUTIME_ID);
    (*world)->step(steps);
    const double per_step = (seconds(CLOCK_THREAD_CPUTIME_ID) - start) / steps;
    std::printf(
      "%8d %10.3f %10.3f %12.1f %14.1f\n", count, loaded_wall, loaded_cpu, memory, per_step * 1e6);
  }
  return 0;
}
