// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ambf_adf/expected.hpp"
#include "ambf_simulation/content.hpp"
#include "ambf_simulation/plugin.hpp"

namespace ambf_simulation
{

/// Opens a library, which then stays, and returns what makes its plugin; the error says why there is none.
using PluginMaker = Plugin * (*)();
ambf_adf::expected<PluginMaker, std::string> open_plugin(const std::filesystem::path & file);

/// The file of a plugin that is named in a description in `folder`. One that is not there is looked for by its
/// file name alone, where the system looks for libraries.
std::filesystem::path plugin_file(
  const ambf_adf::Plugin & plugin, const std::filesystem::path & folder);

/// The plugins of a world, in the order in which they are named: by the options, in the launch file, in the world
/// file, in the models. Belongs to the owner of the world.
class Plugins
{
public:
  /// `files`: libraries of plugins for every world.
  explicit Plugins(std::vector<std::string> files = {}) : files_(std::move(files)) {}

  /// After models came or went: plugins come and go with them, those that stay are bound again.
  void rebuild(Content & content);

  void before_step(ambf_dynamics::World & world) { run(world, &Plugin::before_step); }
  void after_step(ambf_dynamics::World & world) { run(world, &Plugin::after_step); }
  /// All states as they were after the first `bind`.
  void reset();

  /// The world's hash with that of the plugins' states.
  std::uint64_t hash(std::uint64_t of_world) const;
  std::vector<std::byte> save() const;
  /// Plugins that were saved otherwise start anew; false: there are some.
  bool restore(std::span<const std::byte> saved);

  /// Plugins of this model, or of all ("*"), that rest because something is wrong: a line each.
  std::vector<std::string> troubles(const std::string & model = "*") const;
  /// Those that have come since the last call, for those who give them topics.
  std::vector<Plugin *> take_new();
  std::size_t size() const { return running_.size(); }

private:
  struct Running
  {
    std::string key;  ///< place and file; the same key is the same plugin
    PluginPlace place;
    std::unique_ptr<Plugin> plugin;  ///< null: none could be made, see unsupported.hpp
    std::vector<std::byte> initial;  ///< its state after the first bind
    std::string trouble;
    bool told = false;  ///< to take_new
  };

  void run(ambf_dynamics::World & world, void (Plugin::*call)(ambf_dynamics::World &));
  static void bind(Running & one, ambf_dynamics::World & world);
  static void start_anew(Running & one);

  std::vector<std::string> files_;
  std::vector<Running> running_;
};

}  // namespace ambf_simulation
