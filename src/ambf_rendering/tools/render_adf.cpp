// SPDX-License-Identifier: BSD-3-Clause
// Draws an ADF model or launch file into a PNG; no ROS and no display needed.
//   render_adf FILE -o OUT.png [--size 960x720] [--camera NAME] [--from x,y,z --at x,y,z] [--depth] ...

#include <cstdio>
#include <cstring>
#include <iostream>
#include <sstream>

#include "ambf_adf/parse.hpp"
#include "ambf_adf/scene.hpp"
#include "ambf_adf/view_pose.hpp"
#include "ambf_convert/convert.hpp"
#include "ambf_rendering/view.hpp"

namespace
{

using Eigen::Vector3d;

struct Options
{
  std::string file, output = "picture.png", camera;
  ambf_adf::Choice models;
  int width = 960, height = 720;
  std::optional<Vector3d> from, at;
  std::optional<double> angle;
  unsigned samples = 4;
  bool grid = true;
};

const char * const kUsage =
  "usage: render_adf FILE [-o OUT.png] [--size WxH] [--camera NAME] [--from x,y,z] [--at x,y,z]\n"
  "                  [--angle RAD] [--samples N] [--no-grid] [--models 0,3|all]\n"
  "Draws an ADF model or launch file from its first camera, a named one, or the given place.\n"
  "--models chooses from the menu of a launch file.\n";

std::optional<Vector3d> to_vector(const std::string & text)
{
  Vector3d v;
  return std::sscanf(text.c_str(), "%lf,%lf,%lf", &v.x(), &v.y(), &v.z()) == 3 ? std::optional(v)
                                                                               : std::nullopt;
}

std::optional<Options> read_options(int argc, char ** argv)
{
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&]() -> std::string { return i + 1 < argc ? argv[++i] : ""; };
    if (word == "-o") {
      options.output = value();
    } else if (word == "--size") {
      if (std::sscanf(value().c_str(), "%dx%d", &options.width, &options.height) != 2) {
        return {};
      }
    } else if (word == "--camera") {
      options.camera = value();
    } else if (word == "--from") {
      if (!(options.from = to_vector(value()))) { return {}; }
    } else if (word == "--at") {
      if (!(options.at = to_vector(value()))) { return {}; }
    } else if (word == "--angle") {
      options.angle = std::atof(value().c_str());
    } else if (word == "--samples") {
      options.samples = static_cast<unsigned>(std::atoi(value().c_str()));
    } else if (word == "--models") {
      const auto models = ambf_adf::parse_choice(value());
      if (!models) { return {}; }
      options.models = *models;
    } else if (word == "--no-grid") {
      options.grid = false;
    } else if (word[0] == '-' || !options.file.empty()) {
      return {};
    } else {
      options.file = word;
    }
  }
  if (
    options.file.empty() || options.width < 1 || options.height < 1 || options.width > 8192 ||
    options.height > 8192) {
    return {};
  }
  return options;
}

struct World
{
  std::vector<ambf_adf::Model> models;
  std::vector<ambf_adf::Camera> cameras;
  std::vector<ambf_adf::Light> lights;
};

ambf_adf::expected<World, ambf_adf::Errors> load(
  const std::string & file, const ambf_adf::Choice & models)
{
  World world;
  const bool foreign = ambf_convert::is_foreign(file);
  const ambf_adf::expected<ambf_adf::FileKind, ambf_adf::Errors> kind =
    foreign ? ambf_adf::FileKind::Model : ambf_adf::file_kind(file);
  if (!kind) { return tl::unexpected(kind.error()); }
  if (*kind == ambf_adf::FileKind::Launch) {
    ambf_adf::LoadOptions options;
    options.read_model = ambf_convert::parse_file;
    options.models = models;
    auto loaded = ambf_adf::load_launch(file, options);
    if (!loaded) { return tl::unexpected(loaded.error()); }
    world.models = std::move(loaded->models);
    if (loaded->environment) { world.models.push_back(std::move(*loaded->environment)); }
    world.cameras = loaded->world.cameras;
    world.lights = loaded->world.lights;
  } else {
    auto model = ambf_convert::parse_file(file);
    if (!model) { return tl::unexpected(model.error()); }
    world.models.push_back(std::move(*model));
  }
  for (const auto & model : world.models) {
    world.cameras.insert(world.cameras.end(), model.cameras.begin(), model.cameras.end());
    world.lights.insert(world.lights.end(), model.lights.begin(), model.lights.end());
  }
  return world;
}

bool is(const ambf_adf::ObjectHeader & header, const std::string & reference)
{
  return header.qualified == reference || header.identifier == reference ||
         header.name == reference;
}

/// T_WP of what a camera or light hangs on: a body or a camera; the world where it is neither.
Eigen::Isometry3d parent_pose(
  const World & world, const ambf_rendering::Scene & scene, const std::string & parent,
  int depth = 0)
{
  if (parent.empty()) { return Eigen::Isometry3d::Identity(); }
  for (const auto & model : world.models) {
    for (const auto & body : model.bodies) {
      if (!is(body.header, parent)) { continue; }
      if (const auto handle = scene.body(body.header.qualified)) { return scene.pose(*handle); }
    }
  }
  for (const auto & camera : world.cameras) {
    // A ring of cameras hangs on nothing.
    if (is(camera.header, parent) && depth < 10) {
      return parent_pose(world, scene, camera.parent, depth + 1) * ambf_adf::camera_pose(camera);
    }
  }
  return Eigen::Isometry3d::Identity();
}

/// The camera that was asked for, or the first one; null where there is none.
ambf_adf::expected<const ambf_adf::Camera *, std::string> choose(
  const World & world, const std::string & name)
{
  std::string known;
  for (const auto & camera : world.cameras) {
    if (name.empty() || camera.header.name == name) { return &camera; }
    known += (known.empty() ? "" : ", ") + camera.header.name;
  }
  if (name.empty()) { return nullptr; }
  return tl::unexpected(
    "--camera: found '" + name + "', expected " +
    (known.empty() ? "none: the file has no camera" : "one of " + known));
}

}  // namespace

int main(int argc, char ** argv)
{
  const auto options = read_options(argc, argv);
  if (!options) {
    std::cerr << kUsage;
    return 2;
  }
  const auto world = load(options->file, options->models);
  if (!world) {
    std::cerr << ambf_adf::to_string(world.error()) << "\n";
    return 1;
  }
  const auto camera = choose(*world, options->camera);
  if (!camera) {
    std::cerr << camera.error() << "\n";
    return 1;
  }
  const auto say = [](const std::string & text) { std::cerr << text << "\n"; };
  ambf_rendering::EngineOptions engine_options;
  engine_options.warn = say;
  auto engine = ambf_rendering::Engine::create(engine_options);
  if (!engine) {
    std::cerr << engine.error() << "\n";
    return 1;
  }
  ambf_rendering::Scene scene(**engine, say);
  for (const auto & model : world->models) { scene.add(model); }
  std::vector<ambf_rendering::Lamp> lamps;
  for (const auto & light : world->lights) {
    lamps.push_back(ambf_rendering::to_lamp(
      light, parent_pose(*world, scene, light.parent) * ambf_adf::light_pose(light)));
  }
  scene.set_lamps(lamps);
  scene.place_ghosts();
  scene.show_surroundings(true, options->grid);

  const auto focus = scene.focus();
  ambf_rendering::Lens lens{0.01, 30.0, 0.8, {}};
  Eigen::Isometry3d pose = ambf_adf::looking(
    options->from.value_or(focus.centre + 2.4 * focus.radius * Vector3d(0.55, -0.75, 0.4)),
    options->at.value_or(focus.centre), Vector3d::UnitZ());
  if (*camera != nullptr && !options->from) {
    const auto given = ambf_rendering::to_lens(**camera);
    if (!given) { say(given.error() + "; a lens of 0.8 rad is used instead"); }
    lens = given.value_or(lens);
    pose = parent_pose(*world, scene, (*camera)->parent) * ambf_adf::camera_pose(**camera);
  }
  if (options->angle) { lens.field_view_angle = *options->angle; }
  ambf_rendering::View view(scene, lens, options->width, options->height, options->samples);
  view.place(pose);
  view.show_grid(options->grid);
  if (const auto done = ambf_rendering::write_png(view.picture(), options->output); !done) {
    std::cerr << done.error() << "\n";
    return 1;
  }
  std::cout << options->output << ": " << scene.body_count() << " bodies, "
            << scene.triangle_count() << " triangles, " << (*engine)->renderer() << "\n";
  return 0;
}
