// SPDX-License-Identifier: BSD-3-Clause
// The two experiments of the resistive sensors' paper (Fig. 7) as CSV:
//   friction_experiments FOLDER
// Box of 0.5 kg; mu_S 5000 per metre and newton, contact area 1 mm, K_N 1 N, K_D 50 N s, mu_V 0.1. The
// number of rays and their length are not published: 36 rays of 5 cm carry the box at a depth of 14 %.

#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>

#include "scenes.hpp"

using Eigen::Vector3d;

namespace
{

using ambf_dynamics::bench::sliding_box;

constexpr double mass = 0.5;
constexpr double effective_coefficient = 5000.0 * 0.001;

std::unique_ptr<ambf_dynamics::World> world_of(const ambf_adf::Model & model)
{
  auto world = ambf_dynamics::make_world();
  auto added = (*world)->add_model(model);
  if (!added) {
    std::fprintf(stderr, "%s\n", ambf_adf::to_string(added.error()).c_str());
    std::exit(1);
  }
  return std::move(*world);
}

void set_force(ambf_dynamics::World & world, const Vector3d & force)
{
  ambf_dynamics::BodyCommand command;
  command.mode = ambf_dynamics::BodyMode::Wrench;
  command.force = force;
  world.set_body_command(1, command);
}

// A constant horizontal force from 1 s on, given as fraction of the springs' capacity.
void constant_force(const std::string & folder)
{
  std::ofstream out(folder + "/constant_force.csv");
  out << "fraction,time_s,position_mm,velocity_mm_s,friction_N\n";
  const double capacity = effective_coefficient * mass * 9.8;
  for (const double fraction : {0.3, 0.6, 1.05}) {
    auto world = world_of(sliding_box(6).model);
    world->step(1000);
    const double start = world->state().bodies[13];
    set_force(*world, Vector3d(fraction * capacity, 0, 0));
    for (int i = 0; i < 1000; ++i) {
      world->step();
      double friction = 0.0;
      for (const Vector3d & f : world->sensor_reading(0).forces) { friction += f.x(); }
      out << fraction << ',' << 0.001 * i << ',' << 1e3 * (world->state().bodies[13] - start) << ','
          << 1e3 * world->state().bodies[13 + 7] << ',' << friction << '\n';
    }
  }
}

// Gravity turns slowly about y: an incline that is raised. Holds until tan(angle) = mu_S sigma.
void incline(const std::string & folder)
{
  std::ofstream out(folder + "/incline.csv");
  out << "angle_deg,displacement_mm,velocity_mm_s\n";
  auto world = world_of(sliding_box(6).model);
  world->step(1000);
  const double start = world->state().bodies[13];
  const int steps = 200000;  // 200 s: the dampers lag behind a faster rise
  for (int i = 0; i < steps; ++i) {
    const double angle = 85.0 * M_PI / 180.0 * i / steps;
    ambf_dynamics::Parameters p = world->parameters();
    p.gravity = 9.8 * Vector3d(std::sin(angle), 0, -std::cos(angle));
    world->set_parameters(p);
    world->step();
    if (i % 200 == 0) {
      out << angle * 180.0 / M_PI << ',' << 1e3 * (world->state().bodies[13] - start) << ','
          << 1e3 * world->state().bodies[13 + 7] << '\n';
    }
    if (world->state().bodies[13] - start > 0.1) { break; }
  }
}

}  // namespace

int main(int argc, char ** argv)
{
  if (argc != 2) {
    std::fprintf(stderr, "usage: friction_experiments FOLDER (for the CSV files)\n");
    return 2;
  }
  constant_force(argv[1]);
  incline(argv[1]);
  return 0;
}
