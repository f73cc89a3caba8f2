// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include <ambf_msgs/msg/actuator_cmd.hpp>
#include <ambf_msgs/msg/actuator_state.hpp>
#include <ambf_msgs/msg/camera_cmd.hpp>
#include <ambf_msgs/msg/camera_state.hpp>
#include <ambf_msgs/msg/ghost_object_state.hpp>
#include <ambf_msgs/msg/light_cmd.hpp>
#include <ambf_msgs/msg/light_state.hpp>
#include <ambf_msgs/msg/rigid_body_cmd.hpp>
#include <ambf_msgs/msg/rigid_body_state.hpp>
#include <ambf_msgs/msg/sensor_state.hpp>
#include <ambf_msgs/msg/soft_body_cmd.hpp>
#include <ambf_msgs/msg/soft_body_state.hpp>

#include "ambf_simulation/simulation.hpp"
#include "roster.hpp"
#include "short_names.hpp"

// What TopicSet needs to know about each kind of object:
//   State, and where it takes commands Command and Order
//   objects(roster)   the list
//   describe          sets the fields of a State that never change
//   fill              sets those that do
//   commander         who commands object i, null where nobody can
//   to_order          checks a command; the error says what is wrong with it. False: the command is
//                     right and asks for nothing
//   inbox, post       where a checked command goes
namespace ambf_physics::kinds
{

using Checked = ambf_adf::expected<bool, std::string>;

struct RigidBodies
{
  using State = ambf_msgs::msg::RigidBodyState;
  using Command = ambf_msgs::msg::RigidBodyCmd;
  using Order = BodyOrder;
  static const auto & objects(const Roster & roster) { return roster.bodies; }
  static const auto & names(const Roster::Body & body) { return body.info; }
  static void describe(State & message, const Roster & roster, std::uint32_t i);
  static void fill(
    State & message, const Roster & roster, const SharedState & shared, std::uint32_t i);
  static const Commander * commander(const SharedState & shared, std::uint32_t i);
  using Inbox = BodyInbox;
  static std::shared_ptr<Inbox> inbox(Simulation & simulation, std::uint32_t i);
  static Checked to_order(
    const Command & command, const Roster & roster, std::uint32_t i, Order & out);
  static void post(Simulation & simulation, Inbox & inbox, const Order & order)
  {
    simulation.commands().bodies.post(inbox, order);
  }
};

/// Everything that is a Roster::Object.
struct Others
{
  static const auto & names(const Roster::Object & object) { return object.names; }
  template <typename Order>
  static void post(
    Simulation & simulation, ambf_teleop::Mailbox<Order> & inbox, const Order & order)
  {
    inbox.back() = order;
    inbox.publish();
    simulation.commands().objects.pending.fetch_add(1, std::memory_order_release);
  }
};

struct SoftBodies : Others
{
  using State = ambf_msgs::msg::SoftBodyState;
  using Command = ambf_msgs::msg::SoftBodyCmd;
  using Order = ambf_physics::Order<ambf_dynamics::SoftBodyCommand>;
  static const auto & objects(const Roster & roster) { return roster.soft_bodies; }
  static void describe(State & message, const Roster & roster, std::uint32_t i);
  static void fill(
    State & message, const Roster & roster, const SharedState & shared, std::uint32_t i);
  static const Commander * commander(const SharedState & shared, std::uint32_t i);
  using Inbox = ambf_teleop::Mailbox<Order>;
  static std::shared_ptr<Inbox> inbox(Simulation & simulation, std::uint32_t i);
  static Checked to_order(
    const Command & command, const Roster & roster, std::uint32_t i, Order & out);
};

struct Cameras : Others
{
  using State = ambf_msgs::msg::CameraState;
  using Command = ambf_msgs::msg::CameraCmd;
  using Order = ambf_physics::Order<Eigen::Isometry3d>;
  static const auto & objects(const Roster & roster) { return roster.cameras; }
  static void describe(State & message, const Roster & roster, std::uint32_t i);
  static void fill(
    State & message, const Roster & roster, const SharedState & shared, std::uint32_t i);
  static const Commander * commander(const SharedState & shared, std::uint32_t i);
  using Inbox = ambf_teleop::Mailbox<Order>;
  static std::shared_ptr<Inbox> inbox(Simulation & simulation, std::uint32_t i);
  static Checked to_order(
    const Command & command, const Roster & roster, std::uint32_t i, Order & out);
};

struct Lights : Others
{
  using State = ambf_msgs::msg::LightState;
  using Command = ambf_msgs::msg::LightCmd;
  using Order = ambf_physics::Order<Eigen::Isometry3d>;
  static const auto & objects(const Roster & roster) { return roster.lights; }
  static void describe(State & message, const Roster & roster, std::uint32_t i);
  static void fill(
    State & message, const Roster & roster, const SharedState & shared, std::uint32_t i);
  static const Commander * commander(const SharedState & shared, std::uint32_t i);
  using Inbox = ambf_teleop::Mailbox<Order>;
  static std::shared_ptr<Inbox> inbox(Simulation & simulation, std::uint32_t i);
  static Checked to_order(
    const Command & command, const Roster & roster, std::uint32_t i, Order & out);
};

struct Actuators : Others
{
  using State = ambf_msgs::msg::ActuatorState;
  using Command = ambf_msgs::msg::ActuatorCmd;
  using Order = ambf_physics::Order<ambf_dynamics::ActuatorCommand>;
  static const auto & objects(const Roster & roster) { return roster.actuators; }
  static void describe(State & message, const Roster & roster, std::uint32_t i);
  static void fill(
    State & message, const Roster & roster, const SharedState & shared, std::uint32_t i);
  static const Commander * commander(const SharedState & shared, std::uint32_t i);
  using Inbox = ambf_teleop::Mailbox<Order>;
  static std::shared_ptr<Inbox> inbox(Simulation & simulation, std::uint32_t i);
  static Checked to_order(
    const Command & command, const Roster & roster, std::uint32_t i, Order & out);
};

struct Sensors : Others
{
  using State = ambf_msgs::msg::SensorState;
  static const auto & objects(const Roster & roster) { return roster.sensors; }
  static void describe(State & message, const Roster & roster, std::uint32_t i);
  static void fill(
    State & message, const Roster & roster, const SharedState & shared, std::uint32_t i);
  static const Commander * commander(const SharedState &, std::uint32_t) { return nullptr; }
};

struct Ghosts : Others
{
  using State = ambf_msgs::msg::GhostObjectState;
  static const auto & objects(const Roster & roster) { return roster.ghosts; }
  static void describe(State & message, const Roster & roster, std::uint32_t i);
  static void fill(
    State & message, const Roster & roster, const SharedState & shared, std::uint32_t i);
  static const Commander * commander(const SharedState &, std::uint32_t) { return nullptr; }
};

}  // namespace ambf_physics::kinds
