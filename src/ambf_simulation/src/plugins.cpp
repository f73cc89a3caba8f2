// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_simulation/plugins.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "object_lists.hpp"

namespace ambf_simulation
{

namespace saved_state = ambf_dynamics::saved_state;

namespace
{

constexpr const char * maker_name = "ambf_simulation_plugin_1";

/// A plugin as some file names it.
struct Named
{
  ambf_adf::Plugin plugin;
  std::filesystem::path folder;
  PluginPlace place;
};

template <typename Objects>
void add_named(
  const Objects & objects, const std::string & model, const std::filesystem::path & folder,
  std::vector<Named> & to)
{
  for (const auto & object : objects) {
    const auto & header = object.header;
    for (const auto & plugin : header.plugins) {
      to.push_back({plugin, folder, {plugin.name, model, header.qualified, header.raw_yaml}});
    }
  }
}

/// All plugins of a model: its own, then those of its objects.
void add_named(const ambf_adf::Model & model, std::vector<Named> & to)
{
  for (const auto & plugin : model.plugins) {
    to.push_back({plugin, model.resource_base, {plugin.name, model.name, "", ""}});
  }
  for_each_object_list(
    model, [&](const auto & objects) { add_named(objects, model.name, model.resource_base, to); });
}

/// The order is that of the files, so that it is the same in every run.
std::vector<Named> named_plugins(const std::vector<std::string> & files, const Content & content)
{
  std::vector<Named> all;
  for (const auto & file : files) {
    const std::filesystem::path path(file);
    const auto folder = path.parent_path();
    all.push_back(
      {{path.stem().string(), path.filename().string(), ""},
       folder,
       {path.stem().string(), "", "", ""}});
  }
  const auto of_file = [&](const auto & plugins, const std::string & file) {
    const auto folder = std::filesystem::path(file).parent_path();
    for (const auto & plugin : plugins) {
      all.push_back({plugin, folder, {plugin.name, "", "", ""}});
    }
  };
  of_file(content.launch_plugins(), content.launch_file());
  const auto & world = content.world_file();
  const auto folder = std::filesystem::path(world.source_file).parent_path();
  of_file(world.plugins, world.source_file);
  add_named(world.cameras, "", folder, all);
  add_named(world.lights, "", folder, all);
  for (const auto & loaded : content.models()) { add_named(loaded.model, all); }
  return all;
}

}  // namespace

ambf_adf::expected<PluginMaker, std::string> open_plugin(const std::filesystem::path & file)
{
  // Never closed: objects of its classes may live as long as the program.
  void * library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) { return tl::unexpected(std::string(dlerror())); }
  if (void * maker = dlsym(library, maker_name)) { return reinterpret_cast<PluginMaker>(maker); }
  return tl::unexpected(
    "the library '" + file.string() +
    "' has no AMBF_SIMULATION_PLUGIN; those that are made for AMBF's own classes do not fit");
}

std::filesystem::path plugin_file(
  const ambf_adf::Plugin & plugin, const std::filesystem::path & folder)
{
  const auto file = (folder / plugin.path / plugin.filename).lexically_normal();
  std::error_code error;
  if (plugin.filename.empty() || std::filesystem::exists(file, error)) { return file; }
  return std::filesystem::path(plugin.filename).filename();
}

void Plugins::rebuild(Content & content)
{
  std::vector<Running> before = std::exchange(running_, {});
  for (auto & named : named_plugins(files_, content)) {
    const auto file = plugin_file(named.plugin, named.folder);
    std::string key = named.place.model + "\n" + named.place.object + "\n" + named.place.name +
                      "\n" + file.string();
    const auto same = [&](const Running & one) { return one.key == key; };
    // A file may name a plugin twice.
    while (std::any_of(running_.begin(), running_.end(), same)) { key += "\nagain"; }
    const auto known = std::find_if(before.begin(), before.end(), same);
    if (known != before.end() && known->plugin) {
      running_.push_back(std::move(*known));
    } else {
      Running & one = running_.emplace_back();
      one.key = key;
      one.place = std::move(named.place);
      if (const auto maker = open_plugin(file)) { one.plugin.reset((*maker)()); }
    }
    bind(running_.back(), content.world());
  }
}

void Plugins::bind(Running & one, ambf_dynamics::World & world)
{
  if (!one.plugin) { return; }
  try {
    one.trouble = one.plugin->bind(world, one.place);
  } catch (const std::exception & error) {
    one.trouble = error.what();
  }
  const auto state = one.plugin->state();
  if (state.size() != one.initial.size()) { one.initial.assign(state.begin(), state.end()); }
}

void Plugins::run(ambf_dynamics::World & world, void (Plugin::*call)(ambf_dynamics::World &))
{
  for (Running & one : running_) {
    if (!one.plugin || !one.trouble.empty()) { continue; }
    // One that fails rests: the world of everybody else goes on.
    try {
      (one.plugin.get()->*call)(world);
    } catch (const std::exception & error) {
      one.trouble = std::string("failed in a step: ") + error.what();
    }
  }
}

void Plugins::start_anew(Running & one)
{
  if (!one.plugin || one.plugin->state().size() != one.initial.size()) { return; }
  std::ranges::copy(one.initial, one.plugin->state().begin());
}

void Plugins::reset()
{
  for (Running & one : running_) { start_anew(one); }
}

std::uint64_t Plugins::hash(std::uint64_t of_world) const
{
  std::uint64_t hash = of_world;
  for (const Running & one : running_) {
    if (!one.plugin) { continue; }
    const auto state = one.plugin->state();
    if (!state.empty()) { hash = (hash ^ saved_state::checksum(state)) * 0x9fb21c651e98df25ull; }
  }
  return hash;
}

std::vector<std::byte> Plugins::save() const
{
  std::vector<std::byte> bytes;
  for (const Running & one : running_) {
    if (one.plugin) { saved_state::add_part(bytes, {one.key, one.plugin->state()}); }
  }
  return bytes;
}

bool Plugins::restore(std::span<const std::byte> saved)
{
  bool all = true;
  for (Running & one : running_) {
    if (!one.plugin) { continue; }
    const auto state = one.plugin->state();
    const auto bytes = saved_state::find_part(saved, one.key);
    if (bytes.size() == state.size()) {
      std::ranges::copy(bytes, state.begin());
    } else {
      start_anew(one);
      all = false;
    }
  }
  return all;
}

std::vector<std::string> Plugins::troubles(const std::string & model) const
{
  std::vector<std::string> lines;
  for (const Running & one : running_) {
    if (one.trouble.empty() || (model != "*" && model != one.place.model)) { continue; }
    const std::string & of = one.place.object.empty() ? one.place.model : one.place.object;
    lines.push_back(
      "plugin '" + one.place.name + "'" + (of.empty() ? "" : " of '" + of + "'") +
      " rests: " + one.trouble);
  }
  return lines;
}

std::vector<Plugin *> Plugins::take_new()
{
  std::vector<Plugin *> plugins;
  for (Running & one : running_) {
    if (one.plugin && !std::exchange(one.told, true)) { plugins.push_back(one.plugin.get()); }
  }
  return plugins;
}

}  // namespace ambf_simulation
