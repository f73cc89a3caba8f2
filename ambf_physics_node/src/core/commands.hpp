#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ambf_dynamics/world.hpp"
#include "core/latest_box.hpp"
#include "core/order_table.hpp"

namespace ambf_physics
{

/// What is done with a body and its joints when nobody has commanded them for the watchdog's time.
enum class WatchdogAction : std::uint8_t
{
  Release,  ///< no force, joints free (AMBF's)
  Hold,     ///< keep the pose and the joint positions of the moment
  Brake,    ///< bring body and joints to rest
};

struct JointOrder
{
  ambf_dynamics::JointIndex joint = 0;
  ambf_dynamics::JointMode mode = ambf_dynamics::JointMode::None;
  double value = 0.0;
};

/// A checked command for a body and joints below it. Indices belong to `revision`.
struct BodyOrder
{
  std::uint32_t revision = 0;
  std::uint32_t source = 0;  ///< number of the sender, see CommandTable::source
  ambf_dynamics::BodyCommand body;
  std::vector<JointOrder> joints;
};

/// Latest commands per body and per source, who commands what, and the watchdogs.
///
/// One writer thread per body (fills `box(i)`, then calls `posted`); everything else belongs to the owner of the
/// world. Steady state neither allocates nor blocks.
class CommandTable
{
public:
  struct Counters
  {
    std::uint64_t applied = 0;
    std::uint64_t refused = 0;         ///< by the world: not commandable, stale revision
    std::uint64_t watchdog_trips = 0;
    std::uint64_t conflicts = 0;       ///< a joint taken over from another live source
  };

  /// Fits the table to the world's bodies and joints; standing commanders are kept by name.
  void rebuild(const ambf_dynamics::World & world);

  /// The mailbox of a body. It outlives the body's removal, so that a late writer does no harm.
  std::shared_ptr<LatestBox<BodyOrder>> box(ambf_dynamics::BodyIndex body) const
  {
    return bodies_[body]->box;
  }
  /// A writer filled a box: the owner looks at its next step.
  void posted() {pending_.fetch_add(1, std::memory_order_release);}

  /// Takes what was posted. `now` is on the watchdog's clock.
  void apply_posted(ambf_dynamics::World & world, std::int64_t now);
  /// A command that comes with a step call.
  ambf_dynamics::CommandResult apply(
    ambf_dynamics::World & world, ambf_dynamics::BodyIndex body, const BodyOrder & order,
    std::int64_t now, bool watched);
  ambf_dynamics::CommandResult apply_joint(
    ambf_dynamics::World & world, const JointOrder & order, std::uint32_t source, std::int64_t now);

  /// `source` has let go of the body: nobody commands it, until the next command.
  void forget(ambf_dynamics::BodyIndex body, std::uint32_t source);

  /// Ends commands whose sender has been silent for `timeout` nanoseconds; 0: never.
  void supervise(
    ambf_dynamics::World & world, std::int64_t now, std::int64_t timeout, WatchdogAction action);
  /// The watchdog's clock was exchanged (another mode): all live commands count from `now`.
  void restart_watchdogs(std::int64_t now);
  /// Forget all commanders, after a reset of the world.
  void clear();

  const Commander & commander(ambf_dynamics::BodyIndex body) const {return bodies_[body]->commander;}
  std::size_t size() const {return bodies_.size();}
  /// Changes with every command that is applied, and when a commander goes.
  std::uint64_t version() const {return version_;}
  Counters & counters() {return counters_;}
  const Counters & counters() const {return counters_;}
  /// The last pair of sources that fought for a joint: joint, loser, winner.
  struct Conflict
  {
    ambf_dynamics::JointIndex joint = ambf_dynamics::no_index;
    std::uint32_t before = 0;
    std::uint32_t after = 0;
  };
  const Conflict & last_conflict() const {return last_conflict_;}

private:
  struct Body
  {
    std::string qualified;
    std::shared_ptr<LatestBox<BodyOrder>> box = std::make_shared<LatestBox<BodyOrder>>();
    Commander commander;
    std::vector<ambf_dynamics::JointIndex> joints;  ///< commanded through this body
    bool watched = false;
    bool itself = false;  ///< commanded as a body, not only as a handle of its joints
  };

  struct JointOwner
  {
    std::uint32_t source = 0;
    std::uint64_t step = 0;  ///< when that source last commanded the joint
  };

  void own_joint(const ambf_dynamics::World & world, const JointOrder & order, std::uint32_t source);
  void expire(ambf_dynamics::World & world, ambf_dynamics::BodyIndex index, WatchdogAction action);

  std::vector<std::unique_ptr<Body>> bodies_;
  std::vector<JointOwner> joints_;
  std::vector<ambf_dynamics::BodyIndex> live_;  ///< bodies with a watched, standing command
  std::atomic<std::uint32_t> pending_{0};
  std::uint64_t version_ = 1;
  Counters counters_;
  Conflict last_conflict_;
};

}  // namespace ambf_physics
