// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ambf_teleop/mailbox.hpp"

namespace ambf_simulation
{

/// Who commands an object, and since when.
struct Commander
{
  std::uint32_t source = 0;        ///< 0: nobody
  std::uint64_t applied_step = 0;  ///< step at which the standing command was first applied
  bool live = false;
};

/// A checked command with its sender. Indices inside belong to `revision`.
template <typename Command>
struct Order
{
  std::uint32_t revision = 0;
  std::uint32_t source = 0;
  Command command;
};

/// Latest commands and commanders of all objects of one kind. One writer thread per object fills
/// `box(i)`; everything else belongs to the owner of the world. Steady state neither allocates nor blocks.
template <typename Command>
class OrderTable
{
public:
  using Box = ambf_teleop::Mailbox<Order<Command>>;

  /// Fits the table to these objects; commanders are kept by name.
  void rebuild(const std::vector<std::string> & names)
  {
    std::map<std::string, std::unique_ptr<Slot>> before;
    for (auto & slot : slots_) {
      std::string name = slot->name;
      before.emplace(std::move(name), std::move(slot));
    }
    slots_.clear();
    for (const auto & name : names) {
      const auto it = before.find(name);
      slots_.push_back(it != before.end() ? std::move(it->second) : std::make_unique<Slot>());
      slots_.back()->name = name;
    }
  }

  std::size_t size() const { return slots_.size(); }
  const Commander & commander(std::size_t i) const { return slots_[i]->commander; }
  /// The mailbox outlives the object, so that a late writer does no harm.
  std::shared_ptr<Box> box(std::size_t i) const { return slots_[i]->box; }

  /// Hands every posted command to `apply(index, command)`, which says whether the world took it; where
  /// a `revision` is given, only those of it. Returns how many were refused.
  template <typename Apply>
  std::uint32_t take_posted(
    std::optional<std::uint32_t> revision, std::uint64_t step, std::int64_t now, Apply && apply)
  {
    std::uint32_t refused = 0;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      Slot & slot = *slots_[i];
      if (!slot.box->take()) { continue; }
      const Order<Command> & order = slot.box->front();
      if (order.revision != revision.value_or(order.revision) || !apply(i, order.command)) {
        ++refused;
      } else {
        note(i, order.source, step, now, true);
      }
    }
    return refused;
  }

  /// A command was applied. `watched`: it expires when its sender falls silent.
  void note(std::size_t i, std::uint32_t source, std::uint64_t step, std::int64_t now, bool watched)
  {
    Slot & slot = *slots_[i];
    Commander & commander = slot.commander;
    commander.applied_step = step + 1;
    commander.source = source;
    commander.live = true;
    slot.watched = watched;
    slot.heard = now;
  }

  /// Calls `expire(index)` for objects whose commander has been silent for `timeout`.
  template <typename Expire>
  std::uint32_t supervise(std::int64_t now, std::int64_t timeout, Expire && expire)
  {
    std::uint32_t trips = 0;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      Slot & slot = *slots_[i];
      if (!slot.commander.live || !slot.watched || now - slot.heard <= timeout) { continue; }
      expire(i);
      slot.commander = {};
      ++trips;
    }
    return trips;
  }

  void restart_watchdogs(std::int64_t now)
  {
    for (auto & slot : slots_) { slot->heard = now; }
  }

  /// Forgets commanders and what was posted.
  void clear()
  {
    for (auto & slot : slots_) {
      slot->commander = {};
      slot->box->take();
    }
  }

private:
  struct Slot
  {
    std::string name;
    std::shared_ptr<Box> box = std::make_shared<Box>();
    Commander commander;
    bool watched = false;
    std::int64_t heard = 0;  ///< newest command, on the watchdog's clock [ns]
  };

  std::vector<std::unique_ptr<Slot>> slots_;
};

}  // namespace ambf_simulation
