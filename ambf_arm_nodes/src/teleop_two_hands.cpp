// SPDX-License-Identifier: BSD-3-Clause
#include "teleop_two_hands.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "ambf_teleop/two_hands.hpp"

namespace ambf_arm_nodes
{
namespace
{

using ambf_teleop::TeleopArm;
using ambf_teleop::TeleopHand;
using ambf_teleop::TeleopOutput;

TeleopArm both(const TeleopArm & a, const TeleopArm & b)
{
  return {
    a.there && b.there, a.enabled && b.enabled, a.homed && b.homed, a.busy || b.busy,
    a.fault || b.fault};
}

class TwoHands : public TeleopHandTopics
{
public:
  TwoHands(
    std::unique_ptr<TeleopHandTopics> left, std::unique_ptr<TeleopHandTopics> right, double spring)
  : left_(std::move(left)), right_(std::move(right)), spring_(spring)
  {
  }

  TeleopHand read(bool moved) override
  {
    const TeleopHand left = left_->read(moved), right = right_->read(moved);
    newest_left_ = left.T_user_handle;
    newest_right_ = right.T_user_handle;
    TeleopHand hand;
    hand.arm = both(left.arm, right.arm);
    hand.fresh = left.fresh && right.fresh;
    hand.moved = hand.fresh && (left.moved || right.moved);
    hand.relocated = left.relocated || right.relocated;
    hand.clutch = left.clutch || right.clutch;
    hand.dt = std::max(left.dt, right.dt);
    if (hand.fresh) {
      newest_ = drag_.update(
        newest_left_, newest_right_, R_view_hand().conjugate() * Eigen::Vector3d::UnitX());
    }
    hand.T_user_handle = newest_;
    return hand;
  }

  void obey(const TeleopOutput & out) override
  {
    TeleopOutput of_left = out, of_right = out;
    const bool frees = out.free_hand || out.unlock_hand || out.lock_hand;
    of_left.unlock_hand = of_right.unlock_hand = false;
    if (frees) {
      of_left.lock_hand = newest_left_.orientation;
      of_right.lock_hand = newest_right_.orientation;
    }
    left_->obey(of_left);
    right_->obey(of_right);
    if (out.free_hand || out.hold_hand) { rest_length_.reset(); }
    if (out.servo) { push_apart(); }
  }

  void feel(const FeltArm &) override {}
  void push(const Eigen::Vector3d &) override {}
  Eigen::Quaterniond R_view_hand() const override { return left_->R_view_hand(); }

private:
  void push_apart()
  {
    const Eigen::Vector3d & left = newest_left_.position;
    const Eigen::Vector3d & right = newest_right_.position;
    if (!rest_length_) { rest_length_ = (right - left).norm(); }
    const Eigen::Vector3d force = ambf_teleop::distance_spring(left, right, *rest_length_, spring_);
    left_->push(-force);
    right_->push(force);
  }

  std::unique_ptr<TeleopHandTopics> left_, right_;
  double spring_;
  std::optional<double> rest_length_;  ///< between the hands, since they lead [m]
  ambf_teleop::TwoHandedDrag drag_;
  ambf_teleop::Pose newest_, newest_left_, newest_right_;
};

}  // namespace

std::unique_ptr<TeleopHandTopics> make_two_hands(
  rclcpp::Node & node, const TeleopNodeParameters & parameters, const std::function<void()> & moved,
  const std::function<void(const std::string &)> & on_error)
{
  TeleopNodeParameters right = parameters;
  right.hand = parameters.second_hand;
  return std::make_unique<TwoHands>(
    make_hand(node, parameters, moved, on_error), make_hand(node, right, moved, on_error),
    parameters.spring);
}

}  // namespace ambf_arm_nodes
