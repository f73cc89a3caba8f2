// SPDX-License-Identifier: BSD-3-Clause
// Frame times of a world at 640 x 480: what the render node does for an image (place every body, draw
// shadows and colours, read back) beside a bare Ogre loop over the same scene (shadows and colours only).
//   frame_probe LAUNCH_FILE FRAMES

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "ambf_adf/scene.hpp"
#include "ambf_adf/view_pose.hpp"
#include "ambf_rendering/view.hpp"

namespace
{

using Clock = std::chrono::steady_clock;

double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }

/// Resident memory of this process [MB].
double memory()
{
  long pages = 0, resident = 0;
  if (std::FILE * file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2) { resident = 0; }
    std::fclose(file);
  }
  return static_cast<double>(resident) * 4096e-6;
}

}  // namespace

int main(int argc, char ** argv)
{
  if (argc != 3) {
    std::cerr << "usage: frame_probe LAUNCH_FILE FRAMES\n";
    return 2;
  }
  const int frames = std::max(1, std::atoi(argv[2]));
  const auto world = ambf_adf::load_launch(argv[1]);
  if (!world) {
    std::cerr << ambf_adf::to_string(world.error()) << "\n";
    return 1;
  }
  auto engine = ambf_rendering::Engine::create({});
  if (!engine) {
    std::cerr << engine.error() << "\n";
    return 1;
  }
  ambf_rendering::Scene scene(
    **engine, [](const std::string & text) { std::cerr << text << "\n"; });
  std::vector<ambf_adf::Model> models = world->models;
  if (world->environment) { models.push_back(*world->environment); }
  for (const auto & model : models) { scene.add(model); }
  std::vector<ambf_rendering::Lamp> lamps;
  for (const auto & light : world->world.lights) {
    lamps.push_back(ambf_rendering::to_lamp(light, ambf_adf::light_pose(light)));
  }
  scene.set_lamps(lamps);
  ambf_rendering::View view(scene, {0.01, 20.0, 0.8, {}}, 640, 480, 0);
  if (!world->world.cameras.empty()) {
    view.place(ambf_adf::camera_pose(world->world.cameras.front()));
  }
  std::vector<std::uint8_t> rgb(3 * 640 * 480);
  struct Placed
  {
    ambf_rendering::Scene::Handle handle;
    Eigen::Vector3d position;
    Eigen::Quaterniond orientation;
  };
  std::vector<Placed> bodies;
  for (const auto & model : models) {
    for (const auto & body : model.bodies) {
      bodies.push_back(
        {*scene.body(body.header.qualified), body.location.position,
         Eigen::Quaterniond(body.location.rotation())});
    }
  }
  const auto ours = [&] {
    for (const auto & body : bodies) { scene.place(body.handle, body.position, body.orientation); }
    scene.touch();  // as if something had moved: shadows are drawn anew
    view.draw_colour(rgb);
  };
  const auto bare = [&] {
    scene.touch();
    view.draw_only();
  };
  for (int i = 0; i < 3; ++i) {
    ours();
    bare();
  }
  // Alternating, so that what else the machine does falls on both.
  double time[2] = {0.0, 0.0};
  for (int i = 0; i < frames; ++i) {
    const auto start = Clock::now();
    ours();
    const auto middle = Clock::now();
    bare();
    time[0] += seconds(middle - start);
    time[1] += seconds(Clock::now() - middle);
  }
  std::printf("RESULT frame_ms value=%.4f\n", 1e3 * time[0] / frames);
  std::printf("RESULT bare_frame_ms value=%.4f\n", 1e3 * time[1] / frames);

  ambf_rendering::View smooth(scene, view.lens(), 640, 480, 4);
  smooth.place(view.pose());
  const auto smooth_frame = [&] {
    scene.touch();
    smooth.draw_colour(rgb);
  };
  smooth_frame();
  const auto start = Clock::now();
  for (int i = 0; i < frames; ++i) { smooth_frame(); }
  std::printf(
    "RESULT frame_4_samples_ms value=%.4f\n", 1e3 * seconds(Clock::now() - start) / frames);

  // Fifty copies of the first model: meshes are shared.
  const double before = memory();
  for (int i = 0; i < 50; ++i) {
    auto copy = models.front();
    copy.name += std::to_string(i);
    for (auto & body : copy.bodies) { body.header.qualified += std::to_string(i); }
    scene.add(copy);
  }
  ours();
  std::printf("RESULT fifty_copies_mb value=%.2f\n", memory() - before);
  return 0;
}
