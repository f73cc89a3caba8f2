// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "ambf_dynamics/world.hpp"

namespace ambf_simulation
{

/// Where a plugin is named, and what stands there.
struct PluginPlace
{
  std::string name;    ///< of the plugin
  std::string model;   ///< empty: in the world file, in the launch file, or by a parameter
  std::string object;  ///< qualified identifier; empty: of the whole model or world
  std::string yaml;    ///< the object's block, for keys of the plugin's own
};

/// What acts inside the step, made by others: drilling, suturing, a force field. A shared library with one such
/// class, see AMBF_SIMULATION_PLUGIN, is named in a key `plugins` of a description or by a parameter. All calls
/// come from the owner of the world.
///
/// The same commands at the same steps are to give the same world: what the next step reads of a plugin stands in
/// `state`, and nothing that it does depends on wall time or on another thread, except through a mailbox that is
/// read in `before_step`. A step neither allocates nor blocks nor writes.
class Plugin
{
public:
  virtual ~Plugin() = default;

  /// At load, and again whenever models came or went: indices of bodies and joints are new then. Returns what is
  /// wrong, and the plugin rests until the next time; empty: nothing.
  virtual std::string bind(ambf_dynamics::World & world, const PluginPlace & place) = 0;
  /// Commands and wrenches act in the step that follows.
  virtual void before_step(ambf_dynamics::World &) {}
  /// The state is that of the step's end; commands act in the next one.
  virtual void after_step(ambf_dynamics::World &) {}
  /// What the next step reads of this plugin: plain bytes without pointers or padding, of one length between two
  /// calls of `bind`. They are hashed with every step, saved and restored; a reset brings back those after the
  /// first `bind`.
  virtual std::span<std::byte> state() { return {}; }
};

}  // namespace ambf_simulation

/// The plugin of this library; once in a library.
#define AMBF_SIMULATION_PLUGIN(Class)                                                            \
  extern "C" [[gnu::visibility("default")]] ambf_simulation::Plugin * ambf_simulation_plugin_1() \
  {                                                                                              \
    return new Class();                                                                          \
  }
