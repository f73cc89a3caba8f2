// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <ambf_msgs/msg/barrier_member.hpp>
#include <ambf_msgs/msg/step_done.hpp>
#include <ambf_msgs/msg/world_snapshot.hpp>
#include <rclcpp/rclcpp.hpp>
#include <std_msgs/msg/u_int64.hpp>

namespace ambf_physics_test
{

/// A sensor node in little: what it makes of each snapshot is the number of its step, on ~/result.
class Member : public rclcpp::Node
{
public:
  explicit Member(
    const std::string & name, const rclcpp::NodeOptions & options = rclcpp::NodeOptions())
  : rclcpp::Node(name, options)
  {
    const std::string world = "/ambf/env/World/";
    auto lease = rclcpp::QoS(10).reliable().transient_local();
    lease.liveliness(rclcpp::LivelinessPolicy::Automatic)
      .liveliness_lease_duration(rclcpp::Duration(2, 0));
    hello_ = create_publisher<ambf_msgs::msg::BarrierMember>(world + "Barrier", lease);
    done_ = create_publisher<ambf_msgs::msg::StepDone>(world + "StepDone", rclcpp::QoS(100));
    result_ = create_publisher<std_msgs::msg::UInt64>("~/result", rclcpp::QoS(1000).reliable());
    snapshot_ = create_subscription<ambf_msgs::msg::WorldSnapshot>(
      world + "Snapshot", rclcpp::QoS(1).reliable(),
      [this](ambf_msgs::msg::WorldSnapshot::ConstSharedPtr snapshot) { handle(*snapshot); });
    timer_ = create_wall_timer(std::chrono::milliseconds(100), [this] {
      if (hello_->get_subscription_count() == 0 || done_->get_subscription_count() == 0) { return; }
      ambf_msgs::msg::BarrierMember member;
      member.name = get_name();
      hello_->publish(member);
    });
  }

  std::atomic<std::uint64_t> handled{0};
  std::atomic<bool> mute{false};  ///< handles snapshots, and tells nobody

  /// What its next answers command.
  void command(std::vector<ambf_msgs::msg::RigidBodyCmd> commands)
  {
    std::lock_guard<std::mutex> lock(mutex_);
    commands_ = std::move(commands);
  }

private:
  void handle(const ambf_msgs::msg::WorldSnapshot & snapshot)
  {
    handled = snapshot.step;
    if (mute) { return; }
    std_msgs::msg::UInt64 result;
    result.data = snapshot.step;
    result_->publish(result);
    ambf_msgs::msg::StepDone done;
    done.member = get_name();
    done.step = snapshot.step;
    done.ok = true;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      done.commands = commands_;
    }
    done_->publish(done);
  }

  std::mutex mutex_;
  std::vector<ambf_msgs::msg::RigidBodyCmd> commands_;
  rclcpp::Publisher<ambf_msgs::msg::BarrierMember>::SharedPtr hello_;
  rclcpp::Publisher<ambf_msgs::msg::StepDone>::SharedPtr done_;
  rclcpp::Publisher<std_msgs::msg::UInt64>::SharedPtr result_;
  rclcpp::Subscription<ambf_msgs::msg::WorldSnapshot>::SharedPtr snapshot_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace ambf_physics_test
