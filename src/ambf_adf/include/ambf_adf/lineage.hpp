// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ambf_adf/model.hpp"

namespace ambf_adf
{

/// The joint graph of a set of bodies: who is above and below whom, through which joints, and which
/// joints close loops. Bodies and joints are plain numbers that the caller chooses by adding;
/// removing leaves the other numbers as they are. Cost of adding a joint: O(ancestors x
/// descendants).
///
/// A body's successors are all bodies that can be reached from parents to children, without itself;
/// predecessors the other way round (papers I.2.1, corrected). Lists keep a stable order and have
/// no duplicates, also with several routes or with directed cycles.
class Lineage
{
public:
  using Index = std::size_t;
  static constexpr Index none = static_cast<Index>(-1);

  /// Edge of the graph.
  struct Edge
  {
    Index parent = none;
    Index child = none;
    bool passive = false;
    bool alive = false;
  };

  /// An entry of AMBF's per-body client list.
  struct ClientEntry
  {
    Index body = none;   ///< descendant body
    Index joint = none;  ///< the joint that AMBF reports for it
    friend bool operator==(const ClientEntry &, const ClientEntry &) = default;
  };

  Index add_body();
  /// Both bodies must exist. parent == child is refused (returns none).
  Index add_joint(Index parent, Index child, bool passive = false);
  /// Gives out a joint number that is not in the graph.
  Index skip_joint();
  void remove_joint(Index joint);
  /// Removes the body and every joint at it.
  void remove_body(Index body);

  std::size_t body_slots() const { return bodies_.size(); }  ///< numbers given out so far
  std::size_t joint_slots() const { return joints_.size(); }
  bool has_body(Index body) const { return body < bodies_.size() && bodies_[body].alive; }
  bool has_joint(Index joint) const { return joint < joints_.size() && joints_[joint].alive; }
  const Edge & edge(Index joint) const { return joints_.at(joint); }

  const std::vector<Index> & predecessors(Index body) const
  {
    return bodies_.at(body).predecessors.order();
  }
  const std::vector<Index> & successors(Index body) const
  {
    return bodies_.at(body).successors.order();
  }
  /// All joints on the way down from a body, each once, loop joints included.
  const std::vector<Index> & successor_joints(Index body) const
  {
    return bodies_.at(body).joints.order();
  }
  /// Every (descendant, joint) that AMBF keeps for the body, in its order (spec 5.5): one joint per
  /// descendant body, the first one that was added; passive ones are included here.
  const std::vector<ClientEntry> & client_entries(Index body) const
  {
    return bodies_.at(body).client;
  }
  /// What AMBF shows to clients: the joints of client_entries without the passive ones, in the
  /// order of `State.joint_names` and `Command.joint_cmds`.
  std::vector<Index> client_joints(Index body) const;

  /// Joints that close a loop: those that join two bodies which earlier joints already connect (in
  /// order of their numbers). The others are a spanning forest. Their number is
  /// joints - bodies + components.
  std::vector<Index> loop_joints() const;
  std::vector<Index> tree_joints() const;
  /// Connected sets of bodies, each in order of number, ordered by their first body.
  std::vector<std::vector<Index>> components() const;
  /// Bodies that are no joint's child.
  std::vector<Index> roots() const;
  /// For each loop joint, the tree joints on the way from its parent to its child.
  std::vector<Index> loop_path(Index loop_joint) const;

private:
  /// Numbers without repetition in the order of adding.
  class IndexSet
  {
  public:
    bool add(Index index);
    const std::vector<Index> & order() const { return order_; }

  private:
    std::vector<Index> order_;
    std::vector<bool> member_;
  };

  struct Body
  {
    bool alive = false;
    IndexSet predecessors;
    IndexSet successors;
    IndexSet joints;
    IndexSet client_bodies;
    std::vector<ClientEntry> client;
  };

  void rebuild();
  void link(Index joint);
  static void add_client(Body & body, Index self, const ClientEntry & entry);
  std::vector<Index> split_joints(bool loops) const;

  std::vector<Body> bodies_;
  std::vector<Edge> joints_;
};

/// The graph of one model: body i and joint j are model.bodies[i] and model.joints[j]. Joints whose
/// bodies are not in the model get a number but are not in the graph (has_joint is false).
/// References may be identifiers or qualified identifiers.
Lineage make_lineage(const Model & model);

}  // namespace ambf_adf
