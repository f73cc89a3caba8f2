// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ambf_dynamics/world.hpp"
#include "ambf_teleop/mailbox.hpp"
#include "ambf_simulation/order_table.hpp"

namespace ambf_simulation
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
  std::uint32_t source = 0;  ///< number of the sender, see SourceNames
  ambf_dynamics::BodyCommand body;
  std::vector<JointOrder> joints;
};

/// The mailbox of a body. What was posted since the owner last looked is kept together: the newest
/// order for each joint and for the body itself, so that two messages for different joints do not
/// displace each other. One writer thread; the owner of the world takes. Nobody waits.
class BodyInbox
{
public:
  struct Posted
  {
    struct Joint
    {
      JointOrder order;
      std::uint32_t revision = 0;  ///< that the joint's index is of
      std::uint32_t source = 0;
      std::uint64_t number = 0;
      std::uint32_t rival = 0;  ///< another source whose order it displaced; 0: none
    };

    std::uint32_t source = 0;    ///< of the newest message
    std::uint64_t number = 0;    ///< of the newest message
    std::uint64_t messages = 0;  ///< since the beginning
    ambf_dynamics::BodyCommand body;
    std::uint64_t body_number = 0;  ///< of the message that brought `body`; 0: none
    std::vector<Joint> joints;
  };

  /// `number` grows from message to message, here and over all bodies.
  void post(const BodyOrder & order, std::uint64_t number);

  /// What was posted since the last time; null: nothing. Only numbers above `seen` are new: the owner
  /// may have looked while the writer was still adding to what it had taken already.
  const Posted * take();
  std::uint64_t seen() const { return seen_; }
  std::uint64_t messages() const { return messages_; }  ///< that the last `take` brought

private:
  Posted gathered_;  ///< the writer's
  ambf_teleop::Mailbox<Posted> box_;
  std::uint64_t seen_ = 0;  ///< the owner's, as the next three
  std::uint64_t taken_ = 0;
  std::uint64_t messages_ = 0;
  std::uint64_t counted_ = 0;
};

/// Latest commands per body and per source, who commands what, and the watchdogs.
///
/// One writer thread per body (calls `post`); everything else belongs to the owner of the
/// world. Steady state neither allocates nor blocks.
class CommandTable
{
public:
  struct Counters
  {
    std::uint64_t applied = 0;
    std::uint64_t refused = 0;  ///< by the world: not commandable, stale revision
    std::uint64_t watchdog_trips = 0;
    std::uint64_t conflicts = 0;  ///< a joint taken over from another live source
  };

  /// Fits the table to the world's bodies and joints; standing commanders are kept by name.
  void rebuild(const ambf_dynamics::World & world);

  /// It outlives the body's removal, so that a late writer does no harm.
  std::shared_ptr<BodyInbox> inbox(ambf_dynamics::BodyIndex body) const
  {
    return bodies_[body]->inbox;
  }
  /// The owner looks at its next step. Any thread, one at a time for each inbox.
  void post(BodyInbox & inbox, const BodyOrder & order)
  {
    inbox.post(order, next_number_.fetch_add(1, std::memory_order_relaxed));
    pending_.fetch_add(1, std::memory_order_release);
  }

  /// Takes what was posted. `now` is on the watchdog's clock.
  void apply_posted(ambf_dynamics::World & world, std::int64_t now);
  /// A command that comes with a step call.
  ambf_dynamics::CommandResult apply(
    ambf_dynamics::World & world, ambf_dynamics::BodyIndex body, const BodyOrder & order,
    std::int64_t now, bool watched);
  /// A joint that such a call commands by its index. It counts as a command to every body that the
  /// joint is a client joint of.
  ambf_dynamics::CommandResult apply_joint(
    ambf_dynamics::World & world, const JointOrder & order, std::uint32_t source);

  /// `source` has let go of the body: nobody commands it, until the next command.
  void forget(
    const ambf_dynamics::World & world, ambf_dynamics::BodyIndex body, std::uint32_t source);

  /// Ends commands whose sender has been silent for `timeout` nanoseconds; 0: never.
  void supervise(
    ambf_dynamics::World & world, std::int64_t now, std::int64_t timeout, WatchdogAction action);
  /// The watchdog's clock was exchanged (another mode): all live commands count from `now`.
  void restart_watchdogs(std::int64_t now);
  /// Forget all commanders and what was posted, after a reset of the world.
  void clear();
  /// After another state was restored: what stands in it is `source`'s, and watched from `now`.
  void adopt(const ambf_dynamics::World & world, std::uint32_t source, std::int64_t now);

  const Commander & commander(ambf_dynamics::BodyIndex body) const
  {
    return bodies_[body]->commander;
  }
  std::size_t size() const { return bodies_.size(); }
  /// Changes with every command that is applied, and when a commander goes.
  std::uint64_t version() const { return version_; }
  Counters & counters() { return counters_; }
  const Counters & counters() const { return counters_; }
  /// The last pair of sources that fought for a joint: joint, loser, winner.
  struct Conflict
  {
    ambf_dynamics::JointIndex joint = ambf_dynamics::no_index;
    std::uint32_t before = 0;
    std::uint32_t after = 0;
  };
  const Conflict & last_conflict() const { return last_conflict_; }

private:
  /// Whose a standing command is. What came with a step call is not watched: it holds until replaced.
  struct Owner
  {
    std::uint32_t source = 0;  ///< 0: nobody
    std::uint64_t step = 0;    ///< when that source last commanded
    ambf_dynamics::BodyIndex handle =
      ambf_dynamics::no_index;  ///< of a joint: the body it was told through
    std::uint64_t number =
      0;  ///< of that command: an older one, told to another body, comes too late
    bool watched = false;
  };

  struct Body
  {
    std::string qualified;
    std::shared_ptr<BodyInbox> inbox = std::make_shared<BodyInbox>();
    Commander commander;     ///< the newest of all that command it, or a joint through it
    Owner own;               ///< of the command for the body itself
    std::int64_t heard = 0;  ///< newest message to its topic, on the watchdog's clock [ns]
    bool watched = false;    ///< something that its topic told it stands: it is in live_
  };

  void count_conflict(ambf_dynamics::JointIndex joint, std::uint32_t before, std::uint32_t after);
  ambf_dynamics::CommandResult command_body(
    ambf_dynamics::World & world, ambf_dynamics::BodyIndex index,
    const ambf_dynamics::BodyCommand & command, const Owner & by);
  /// Commands one joint through a body, or by its index alone (handle no_index).
  ambf_dynamics::CommandResult command_joint(
    ambf_dynamics::World & world, const JointOrder & order, const Owner & by);
  void remember_places(const ambf_dynamics::World & world);
  /// The joint that an order of `revision` means, no_index where it is gone.
  ambf_dynamics::JointIndex joint_now(
    ambf_dynamics::JointIndex joint, std::uint32_t revision) const;
  /// A message came to the body's topic, or what stands there is to be watched from now on.
  void watch(ambf_dynamics::BodyIndex index, std::int64_t now);
  void note(ambf_dynamics::BodyIndex index, std::uint32_t source, std::uint64_t step);
  void expire(ambf_dynamics::World & world, ambf_dynamics::BodyIndex index, WatchdogAction action);
  /// Something that commanded the body is gone: who is left?
  void find_commander(const ambf_dynamics::World & world, ambf_dynamics::BodyIndex index);

  std::vector<std::unique_ptr<Body>> bodies_;
  std::vector<Owner> joints_;
  std::vector<std::string> joint_names_;  ///< qualified, for `rebuild`
  std::uint32_t revision_ = 0;
  /// Where the joints of earlier revisions are now: senders hear of a change a little later than it is made.
  struct Earlier
  {
    std::uint32_t revision = 0;
    std::vector<ambf_dynamics::JointIndex> now_at;  ///< no_index: gone
  };
  std::vector<Earlier> earlier_;
  std::vector<std::vector<ambf_dynamics::BodyIndex>>
    handles_;                                   ///< per joint: bodies whose client joint it is
  std::vector<ambf_dynamics::BodyIndex> live_;  ///< those whose watchdog runs
  std::atomic<std::uint32_t> pending_{0};
  std::atomic<std::uint64_t> next_number_{1};
  std::uint64_t version_ = 1;
  Counters counters_;
  Conflict last_conflict_;
};

}  // namespace ambf_simulation
