// SPDX-License-Identifier: BSD-3-Clause
// make_world and make_collision_scene of the public library. Everything that knows Bullet is in a module
// of its own beside this library, loaded into a local scope that looks into itself first: float and
// double Bullet share their symbols' names, and a process may hold both.

#include <dlfcn.h>

#include <string>

#include "engine.hpp"

namespace ambf_dynamics
{
namespace
{

// A marker whose address tells where this library is.
const char here = 0;

std::string module_path()
{
  Dl_info info{};
  if (!dladdr(&here, &info) || !info.dli_fname) { return {}; }
  const std::string self = info.dli_fname;
  const auto slash = self.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : self.substr(0, slash);
  return folder + "/ambf_dynamics/libambf_dynamics_bullet.so";
}

struct Engine
{
  OpenWorld open_world = nullptr;
  OpenScene open_scene = nullptr;
  std::string problem;
};

Engine load()
{
  Engine engine;
  const std::string path = module_path();
  int flags = RTLD_NOW | RTLD_LOCAL;
#if defined(RTLD_DEEPBIND) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  flags |= RTLD_DEEPBIND;  // sanitizers refuse it; they also run without float Bullet beside
#endif
  void * module = dlopen(path.c_str(), flags);
  if (!module) {
    const char * reason = dlerror();
    engine.problem = reason ? reason : path;
    return engine;
  }
  engine.open_world = reinterpret_cast<OpenWorld>(dlsym(module, open_world_symbol));
  engine.open_scene = reinterpret_cast<OpenScene>(dlsym(module, open_scene_symbol));
  if (!engine.open_world) { engine.problem = path + " has no " + open_world_symbol; }
  if (!engine.open_scene) { engine.problem = path + " has no " + open_scene_symbol; }
  return engine;
}

/// Stays loaded: worlds and scenes run its code.
const Engine & engine()
{
  static const Engine loaded = load();
  return loaded;
}

Errors not_installed()
{
  ambf_adf::Problem problem;
  problem.kind = ambf_adf::ProblemKind::MissingFile;
  problem.key = "libambf_dynamics_bullet.so";
  problem.found = engine().problem;
  problem.expected = "the engine module in the folder 'ambf_dynamics' beside libambf_dynamics.so";
  problem.hint = "install the package again";
  return {problem};
}

}  // namespace

expected<std::unique_ptr<World>, Errors> make_world(const Parameters & parameters)
{
  if (!engine().problem.empty()) { return tl::unexpected(not_installed()); }
  Errors errors;
  World * world = engine().open_world(parameters, errors);
  if (!world) { return tl::unexpected(std::move(errors)); }
  return std::unique_ptr<World>(world);
}

expected<std::unique_ptr<CollisionScene>, Errors> make_collision_scene()
{
  if (!engine().problem.empty()) { return tl::unexpected(not_installed()); }
  return std::unique_ptr<CollisionScene>(engine().open_scene());
}

}  // namespace ambf_dynamics
