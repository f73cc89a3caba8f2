// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include <ambf_msgs/srv/get_world_mode.hpp>
#include <ambf_msgs/srv/query_object.hpp>
#include <ambf_msgs/srv/read_world.hpp>
#include <ambf_msgs/srv/reset_world.hpp>
#include <ambf_msgs/srv/restore_state.hpp>
#include <ambf_msgs/srv/save_state.hpp>
#include <ambf_msgs/srv/set_body_state.hpp>
#include <ambf_msgs/srv/set_world_mode.hpp>
#include <std_msgs/msg/empty.hpp>

#include "ambf_dynamics/placing.hpp"
#include "convert.hpp"
#include "edit_services.hpp"
#include "qos.hpp"
#include "query.hpp"

namespace ambf_physics
{

using namespace ambf_msgs::srv;  // NOLINT: eight services of one package

namespace
{

using ambf_dynamics::Placement;

/// Checks all of a request.
ambf_adf::expected<std::vector<Placement>, std::string> to_placements(
  const SetBodyState::Request & request, const Roster & roster)
{
  const std::size_t count = request.names.size();
  const auto fits = [&](std::size_t size) { return size == 0 || size == count; };
  if (!fits(request.poses.size()) || !fits(request.twists.size())) {
    return tl::unexpected(
      "names, poses, twists: found lengths " + std::to_string(count) + ", " +
      std::to_string(request.poses.size()) + ", " + std::to_string(request.twists.size()) +
      ", expected equal lengths, or none");
  }
  std::vector<Placement> placements;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string place = "[" + std::to_string(i) + "]";
    const auto body = find_body(roster, request.names[i]);
    if (body == ambf_dynamics::no_index) {
      return tl::unexpected(
        "names" + place + ": found '" + request.names[i] +
        "', expected a body; nearest: " + nearest_names(request.names[i], body_names(roster)));
    }
    Placement placement;
    placement.body = body;
    if (!request.poses.empty()) {
      const auto pose = to_isometry(request.poses[i]);
      if (!pose) { return tl::unexpected("poses" + place + ": " + pose.error()); }
      placement.t_world_body = *pose;
    }
    if (!request.twists.empty()) {
      const auto & twist = request.twists[i];
      auto & velocity = placement.velocity.emplace();
      velocity.linear = {twist.linear.x, twist.linear.y, twist.linear.z};
      velocity.angular = {twist.angular.x, twist.angular.y, twist.angular.z};
      if (!velocity.linear.allFinite() || !velocity.angular.allFinite()) {
        return tl::unexpected("twists" + place + ": found a value that is not finite");
      }
    }
    placements.push_back(placement);
  }
  return placements;
}

std::vector<double> bounds_of(const ambf_dynamics::World & world)
{
  std::vector<double> bounds;
  for (std::uint32_t i = 0; i < world.bodies().size(); ++i) {
    const auto box = world.body_bounds(i);
    for (const auto & corner : {box.min(), box.max()}) {
      for (int axis = 0; axis < 3; ++axis) {
        const double big = std::numeric_limits<double>::max();
        bounds.push_back(std::clamp(corner[axis], -big, big));
      }
    }
  }
  return bounds;
}

}  // namespace

std::string EditServices::reset(std::uint8_t scope)
{
  using Request = ResetWorld::Request;
  constexpr std::uint8_t all = Request::SCOPE_TIME | Request::SCOPE_STATE | Request::SCOPE_SPAWNED;
  if ((scope & ~all) != 0 && scope != 255) {
    return "scope: found " + std::to_string(scope) +
           ", expected bits of time 1, state 2, spawned 4";
  }
  if (scope == 0) { scope = Request::SCOPE_TIME | Request::SCOPE_STATE; }
  if ((scope & Request::SCOPE_STATE) == 0) {
    if (auto why = divergence(); !why.empty()) { return why; }
  }
  clock_.abandon("the world was reset");
  const auto revision = simulation_.world().revision();
  simulation_.reset(
    (scope & Request::SCOPE_TIME) != 0, (scope & Request::SCOPE_STATE) != 0,
    (scope & Request::SCOPE_SPAWNED) != 0);
  if (revision != simulation_.world().revision()) { world_changed(); }
  simulation_.restart_clock(runner_.watchdog_now());
  publishing_.time_was_reset();
  return {};
}

void EditServices::add_reset_topics(
  const std::string & base, rclcpp::CallbackGroup::SharedPtr group)
{
  rclcpp::SubscriptionOptions options;
  options.callback_group = group;
  const auto add = [&](const std::string & name, std::uint8_t scope) {
    topics_.push_back(node_.create_subscription<std_msgs::msg::Empty>(
      base + name, qos::events(),
      [this, name, scope](const std_msgs::msg::Empty &) {
        const auto clock = clock_.hold();
        const Ownership::Token token(simulation_.ownership());
        if (const auto why = reset(scope); !why.empty()) {
          RCLCPP_WARN(node_.get_logger(), "World/%s: not reset: %s", name.c_str(), why.c_str());
        }
      },
      options));
  };
  add("Command/Reset", 0);
  // The name of AMBF 3, and that of AMBF 2.
  add("Command/ResetBodies", ResetWorld::Request::SCOPE_STATE);
  add("Command/Reset/Bodies", ResetWorld::Request::SCOPE_STATE);
}

void EditServices::add_state_services(
  const std::string & base, rclcpp::CallbackGroup::SharedPtr group)
{
  const auto qos = rclcpp::ServicesQoS();

  services_.push_back(node_.create_service<ResetWorld>(
    base + "reset",
    [this](const ResetWorld::Request::SharedPtr request, ResetWorld::Response::SharedPtr response) {
      // Held over the reset, too: the answer tells of the world as the reset left it.
      const auto clock = clock_.hold();
      const Ownership::Token token(simulation_.ownership());
      if (response->message = reset(request->scope); !response->message.empty()) { return; }
      response->ok = true;
      response->step = simulation_.world().state().step;
      response->state_hash = simulation_.hash();
    },
    qos, group));

  services_.push_back(node_.create_service<SaveState>(
    base + "save_state",
    [this](const SaveState::Request::SharedPtr request, SaveState::Response::SharedPtr response) {
      if (request->name.empty() && !request->return_bytes) {
        response->message = "name: found nothing, expected a name, or return_bytes";
        return;
      }
      const Ownership::Token token(simulation_.ownership());
      if (response->message = divergence(); !response->message.empty()) { return; }
      auto bytes = simulation_.save();
      if (request->return_bytes) {
        const auto * first = reinterpret_cast<const std::uint8_t *>(bytes.data());
        response->data.assign(first, first + bytes.size());
      }
      if (!request->name.empty()) { simulation_.saved()[request->name] = std::move(bytes); }
      response->ok = true;
      response->step = simulation_.world().state().step;
      response->state_hash = simulation_.hash();
    },
    qos, group));

  services_.push_back(node_.create_service<RestoreState>(
    base + "restore_state",
    [this](
      const RestoreState::Request::SharedPtr request, RestoreState::Response::SharedPtr response) {
      // Saved states belong to this group of callbacks: a name that is not there disturbs nobody.
      std::span<const std::byte> bytes = std::as_bytes(std::span(request->data));
      if (bytes.empty()) {
        const auto it = simulation_.saved().find(request->name);
        if (it == simulation_.saved().end()) {
          std::vector<std::string> known;
          for (const auto & [name, saved] : simulation_.saved()) { known.push_back(name); }
          response->message = "no saved state '" + request->name +
                              "'; nearest: " + nearest_names(request->name, known);
          return;
        }
        bytes = it->second;
      }
      const auto clock = clock_.hold();
      const Ownership::Token token(simulation_.ownership());
      const auto restored = simulation_.restorable(bytes).and_then([&] {
        clock_.abandon("another state was restored");
        return simulation_.restore(bytes, runner_.watchdog_now(), sources_.number("restore_state"));
      });
      response->ok = restored.has_value();
      response->message = restored ? *restored : ambf_adf::to_string(restored.error());
      response->step = simulation_.world().state().step;
      response->state_hash = simulation_.hash();
      if (restored) { publishing_.time_was_reset(); }
    },
    qos, group));

  services_.push_back(node_.create_service<QueryObject>(
    base + "query",
    [this](
      const QueryObject::Request::SharedPtr request, QueryObject::Response::SharedPtr response) {
      query(*request, *publishing_.roster(), simulation_, *response);
    },
    qos, group));

  services_.push_back(node_.create_service<ReadWorld>(
    base + "read",
    [this](const ReadWorld::Request::SharedPtr request, ReadWorld::Response::SharedPtr response) {
      const Ownership::Token token(simulation_.ownership());
      const auto & state = simulation_.world().state();
      response->manifest_revision = state.revision;
      response->step = state.step;
      response->sim_time = to_stamp(state.time);
      response->state_hash = simulation_.hash();
      response->bodies = state.bodies;
      response->joints = state.joints;
      if (request->bounds) { response->bounds = bounds_of(simulation_.world()); }
    },
    qos, group));

  services_.push_back(node_.create_service<SetBodyState>(
    base + "set_body_state",
    [this](
      const SetBodyState::Request::SharedPtr request, SetBodyState::Response::SharedPtr response) {
      const auto roster = publishing_.roster();
      const Ownership::Token token(simulation_.ownership());
      auto & world = simulation_.world();
      response->step = world.state().step;
      if (response->message = divergence(); !response->message.empty()) { return; }
      const auto placed = to_placements(*request, *roster).and_then([&](const auto & placements) {
        return ambf_dynamics::place_bodies(world, placements);
      });
      if (!placed) {
        response->message = placed.error();
        return;
      }
      response->ok = true;
      simulation_.share_state();
      publishing_.state_changed();
    },
    qos, group));
}

void EditServices::add_clock_services(
  const std::string & base, rclcpp::CallbackGroup::SharedPtr group)
{
  const auto qos = rclcpp::ServicesQoS();

  services_.push_back(node_.create_service<SetWorldMode>(
    base + "set_mode",
    [this](
      const SetWorldMode::Request::SharedPtr request, SetWorldMode::Response::SharedPtr response) {
      response->mode = static_cast<std::uint8_t>(runner_.mode());
      if (request->mode > static_cast<std::uint8_t>(Mode::Paused)) {
        response->message = "mode: found " + std::to_string(request->mode) +
                            ", expected 0 realtime, 1 free, 2 lockstep or 3 paused";
        return;
      }
      // The range of the parameter; written so that NaN fails, too.
      const double factor = request->real_time_factor;
      if (factor != 0.0 && !(factor >= 1e-3 && factor <= 1e3)) {
        response->message = "real_time_factor: found " + std::to_string(factor) +
                            ", expected 0 (leave as it is) or 0.001 to 1000";
        return;
      }
      if (factor > 0.0) { runner_.set_factor(factor); }
      const auto mode = static_cast<Mode>(request->mode);
      const auto clock = clock_.hold();
      if (mode != Mode::Lockstep) {
        clock_.leave_lockstep(std::string("the world went to ") + to_string(mode) + " mode");
      } else {
        response->message = clock_.under_way();
      }
      clock_.mode_chosen();
      runner_.set_mode(mode);
      publishing_.state_changed();
      response->ok = true;
      response->mode = request->mode;
    },
    qos, group));

  services_.push_back(node_.create_service<GetWorldMode>(
    base + "get_mode",
    [this](const GetWorldMode::Request::SharedPtr, GetWorldMode::Response::SharedPtr response) {
      response->mode = static_cast<std::uint8_t>(runner_.mode());
      response->real_time_factor = runner_.figures().real_time_factor;
      response->set_real_time_factor = runner_.set_factor();
      const Ownership::Token token(simulation_.ownership());
      response->step = simulation_.world().state().step;
      response->sim_time = to_stamp(simulation_.world().state().time);
    },
    qos, group));
}

}  // namespace ambf_physics
