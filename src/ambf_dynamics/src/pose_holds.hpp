// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "hold_joint.hpp"
#include "world_impl.hpp"

namespace ambf_dynamics
{

/// The bodies whose pose commands are constraints. Taking hold and letting go allocates; the steps in
/// between do not.
class PoseHolds final : public WorldSection
{
public:
  explicit PoseHolds(WorldImpl & world);
  ~PoseHolds() override;

  void add_model(
    const ambf_adf::Model &, ModelHandle, const Eigen::Isometry3d &, ambf_adf::Problems &) override
  {
  }
  void remove_model(ModelHandle) override {}  // its bodies go one by one
  void body_removed(Body & body) override;
  void before_step() override;
  void order_constraints() override;
  void hash(Hasher & h) const override;
  void save(Writer & out) const override;
  void restore(Reader & in) override;
  void reset() override;
  void add_wrench(const Body & body, btVector3 & force, btVector3 & torque) const override;

private:
  struct Slot
  {
    Body * body = nullptr;
    std::unique_ptr<HoldJoint> joint;
  };
  std::vector<Slot>::iterator find(const Body & body);
  HoldJoint & take(Body & body);
  void release(Slot & slot);
  void aim(const Body & body, HoldJoint & joint) const;

  WorldImpl & world_;
  btRigidBody anchor_;       // stands still at the world's origin and is no part of the world
  std::vector<Slot> slots_;  // by body id
};

/// Does the standing command of the body hold it by a constraint?
bool is_held(const Body & body);

}  // namespace ambf_dynamics
