#include "edit_services.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include <ambf_msgs/srv/get_world_mode.hpp>
#include <ambf_msgs/srv/load_model.hpp>
#include <ambf_msgs/srv/query_object.hpp>
#include <ambf_msgs/srv/remove_object.hpp>
#include <ambf_msgs/srv/reset_world.hpp>
#include <ambf_msgs/srv/restore_state.hpp>
#include <ambf_msgs/srv/save_state.hpp>
#include <ambf_msgs/srv/set_world_mode.hpp>
#include <ament_index_cpp/get_package_share_directory.hpp>

#include "convert.hpp"

namespace ambf_physics
{

using namespace ambf_msgs::srv;  // NOLINT: eight services of one package

ambf_adf::expected<std::string, std::string> resolve_uri(const std::string & uri)
{
  const auto starts = [&](const std::string & prefix) {return uri.rfind(prefix, 0) == 0;};
  if (starts("file://")) {return uri.substr(7);}
  if (starts("package://")) {
    const std::string rest = uri.substr(10);
    const auto slash = rest.find('/');
    const std::string package = rest.substr(0, slash);
    try {
      return ament_index_cpp::get_package_share_directory(package) +
             (slash == std::string::npos ? "" : rest.substr(slash));
    } catch (const std::exception &) {
      return tl::unexpected("uri: package '" + package + "' is not installed");
    }
  }
  if (uri.find("://") != std::string::npos) {
    return tl::unexpected("uri: found '" + uri + "', expected a path, file:// or package:// address");
  }
  return uri;
}

namespace
{

std::vector<std::string> to_strings(const ambf_adf::Problems & problems, ambf_adf::Severity severity)
{
  std::vector<std::string> result;
  for (const auto & problem : problems) {
    if (problem.severity == severity) {result.push_back(ambf_adf::to_string(problem));}
  }
  return result;
}

}  // namespace

EditServices::EditServices(
  rclcpp::Node & node, Simulation & simulation, Driver & driver, Publishing & publishing,
  const std::string & world_namespace, rclcpp::CallbackGroup::SharedPtr group)
: node_(node), simulation_(simulation), driver_(driver), publishing_(publishing)
{
  const std::string base = world_namespace + "/World/";
  const auto qos = rclcpp::ServicesQoS();

  services_.push_back(node.create_service<LoadModel>(
      base + "load_model",
      [this](const LoadModel::Request::SharedPtr request, LoadModel::Response::SharedPtr response) {
        LoadRequest load;
        if (request->uri.empty() == request->text.empty()) {
          response->message = "uri, text: expected exactly one of the two";
          return;
        }
        if (!request->uri.empty()) {
          const auto resolved = resolve_uri(request->uri);
          if (!resolved) {
            response->message = resolved.error();
            return;
          }
          load.file = *resolved;
        }
        if (!request->resource_base.empty()) {
          const auto resolved = resolve_uri(request->resource_base);
          if (!resolved) {
            response->message = resolved.error();
            return;
          }
          load.resource_base = *resolved;
        }
        load.text = request->text;
        load.namespace_prefix = request->ns;
        load.allow_rename = request->allow_rename;
        // A pose that nobody filled in has a zero quaternion or the identity: both mean "as described".
        const auto & q = request->pose.orientation;
        auto pose = request->pose;
        if (q.x == 0.0 && q.y == 0.0 && q.z == 0.0 && q.w == 0.0) {pose.orientation.w = 1.0;}
        const auto placed = to_isometry(pose);
        if (!placed) {
          response->message = "pose: " + placed.error();
          return;
        }
        load.t_world_model = *placed;
        const Ownership::Token token(simulation_.ownership);
        const auto loaded = simulation_.load(load);
        response->manifest_revision = simulation_.world().revision();
        if (!loaded) {
          response->errors = to_strings(loaded.error(), ambf_adf::Severity::Error);
          response->warnings = to_strings(loaded.error(), ambf_adf::Severity::Warning);
          response->message = "nothing was loaded: " +
          (response->errors.empty() ? std::string("unknown reason") : response->errors.front());
          return;
        }
        response->ok = true;
        response->names.push_back(*loaded);
        response->warnings = to_strings(simulation_.models().back().model.warnings, ambf_adf::Severity::Warning);
        if (world_changed) {world_changed();}
      }, qos, group));

  services_.push_back(node.create_service<RemoveObject>(
      base + "remove",
      [this](const RemoveObject::Request::SharedPtr request, RemoveObject::Response::SharedPtr response) {
        const Ownership::Token token(simulation_.ownership);
        response->ok = simulation_.remove(request->name);
        response->manifest_revision = simulation_.world().revision();
        if (!response->ok) {
          std::vector<std::string> known;
          for (const auto & model : simulation_.models()) {known.push_back(model.model.name);}
          response->message = "no model or object '" + request->name + "'; nearest models: " +
          nearest_names(request->name, known);
        } else if (world_changed) {
          world_changed();
        }
      }, qos, group));

  services_.push_back(node.create_service<ResetWorld>(
      base + "reset",
      [this](const ResetWorld::Request::SharedPtr request, ResetWorld::Response::SharedPtr response) {
        const std::uint8_t all =
        ResetWorld::Request::SCOPE_TIME | ResetWorld::Request::SCOPE_STATE | ResetWorld::Request::SCOPE_SPAWNED;
        if ((request->scope & ~all) != 0 && request->scope != 255) {
          response->message = "scope: found " + std::to_string(request->scope) +
          ", expected bits of time 1, state 2, spawned 4";
          return;
        }
        const std::uint8_t scope = request->scope != 0 ? request->scope :
          ResetWorld::Request::SCOPE_TIME | ResetWorld::Request::SCOPE_STATE;
        if (abandon_waiting) {abandon_waiting("the world was reset");}
        const Ownership::Token token(simulation_.ownership);
        const auto revision = simulation_.world().revision();
        simulation_.reset(
          (scope & ResetWorld::Request::SCOPE_TIME) != 0, (scope & ResetWorld::Request::SCOPE_STATE) != 0,
          (scope & ResetWorld::Request::SCOPE_SPAWNED) != 0);
        if (revision != simulation_.world().revision() && world_changed) {world_changed();}
        publishing_.time_was_reset();
        response->ok = true;
        response->step = simulation_.world().state().step;
        response->state_hash = simulation_.world().state().hash;
      }, qos, group));

  services_.push_back(node.create_service<SaveState>(
      base + "save_state",
      [this](const SaveState::Request::SharedPtr request, SaveState::Response::SharedPtr response) {
        if (request->name.empty() && !request->return_bytes) {
          response->message = "name: found nothing, expected a name, or return_bytes";
          return;
        }
        const Ownership::Token token(simulation_.ownership);
        auto bytes = simulation_.world().save();
        if (request->return_bytes) {
          response->data.resize(bytes.size());
          std::transform(
            bytes.begin(), bytes.end(), response->data.begin(),
            [](std::byte b) {return std::to_integer<std::uint8_t>(b);});
        }
        if (!request->name.empty()) {simulation_.saved[request->name] = std::move(bytes);}
        response->ok = true;
        response->step = simulation_.world().state().step;
        response->state_hash = simulation_.world().state().hash;
      }, qos, group));

  services_.push_back(node.create_service<RestoreState>(
      base + "restore_state",
      [this](const RestoreState::Request::SharedPtr request, RestoreState::Response::SharedPtr response) {
        if (abandon_waiting) {abandon_waiting("another state was restored");}
        const Ownership::Token token(simulation_.ownership);
        std::vector<std::byte> bytes;
        if (!request->data.empty()) {
          bytes.resize(request->data.size());
          std::transform(
            request->data.begin(), request->data.end(), bytes.begin(),
            [](std::uint8_t b) {return std::byte{b};});
        } else if (const auto it = simulation_.saved.find(request->name); it != simulation_.saved.end()) {
          bytes = it->second;
        } else {
          std::vector<std::string> known;
          for (const auto & [name, saved] : simulation_.saved) {known.push_back(name);}
          response->message = "no saved state '" + request->name + "'; nearest: " +
          nearest_names(request->name, known);
          return;
        }
        const auto restored = simulation_.world().restore(bytes);
        response->ok = restored.has_value();
        if (!restored) {response->message = ambf_adf::to_string(restored.error());}
        simulation_.share_state();
        publishing_.time_was_reset();
        response->step = simulation_.world().state().step;
        response->state_hash = simulation_.world().state().hash;
      }, qos, group));

  services_.push_back(node.create_service<SetWorldMode>(
      base + "set_mode",
      [this](const SetWorldMode::Request::SharedPtr request, SetWorldMode::Response::SharedPtr response) {
        response->mode = static_cast<std::uint8_t>(driver_.mode());
        if (request->mode > static_cast<std::uint8_t>(Mode::Paused)) {
          response->message = "mode: found " + std::to_string(request->mode) +
          ", expected 0 realtime, 1 free, 2 lockstep or 3 paused";
          return;
        }
        if (!std::isfinite(request->real_time_factor) || request->real_time_factor < 0.0 ||
        request->real_time_factor > 1e3)
        {
          response->message = "real_time_factor: expected 0 (leave as it is) or at most 1000";
          return;
        }
        if (request->real_time_factor > 0.0) {driver_.set_factor(request->real_time_factor);}
        const auto mode = static_cast<Mode>(request->mode);
        if (mode != Mode::Lockstep && abandon_waiting) {
          abandon_waiting(std::string("the world went to ") + to_string(mode) + " mode");
        }
        driver_.set_mode(mode);
        response->ok = true;
        response->mode = request->mode;
      }, qos, group));

  services_.push_back(node.create_service<GetWorldMode>(
      base + "get_mode",
      [this](const GetWorldMode::Request::SharedPtr, GetWorldMode::Response::SharedPtr response) {
        response->mode = static_cast<std::uint8_t>(driver_.mode());
        response->real_time_factor = driver_.figures().real_time_factor;
        response->set_real_time_factor = driver_.set_factor();
        const Ownership::Token token(simulation_.ownership);
        response->step = simulation_.world().state().step;
        response->sim_time = to_stamp(simulation_.world().state().time);
      }, qos, group));

  services_.push_back(node.create_service<QueryObject>(
      base + "query",
      [this](const QueryObject::Request::SharedPtr request, QueryObject::Response::SharedPtr response) {
        const auto roster = publishing_.roster();
        std::vector<ambf_dynamics::BodyIndex> hits;
        if (const auto it = roster->body_by_name.find(request->name); it != roster->body_by_name.end()) {
          hits.push_back(it->second);
        } else if (!request->name.empty()) {
          for (std::size_t i = 0; i < roster->bodies.size(); ++i) {
            if (roster->bodies[i].info.qualified.find(request->name) != std::string::npos) {
              hits.push_back(static_cast<ambf_dynamics::BodyIndex>(i));
            }
          }
        }
        if (hits.size() != 1) {
          response->message = hits.empty() ?
          "no body '" + request->name + "'; nearest: " + nearest_names(request->name, body_names(*roster)) :
          "'" + request->name + "' is part of " + std::to_string(hits.size()) + " names, for example " +
          roster->bodies[hits[0]].info.qualified + " and " + roster->bodies[hits[1]].info.qualified;
          return;
        }
        response->ok = true;
        response->info = roster->manifest.bodies[hits[0]];
        for (const auto joint : roster->bodies[hits[0]].client_joints) {
          response->joints.push_back(roster->manifest.joints[joint]);
        }
        for (const auto & model : roster->manifest.models) {
          if (model.name == response->info.model) {response->adf = model.adf;}
        }
        const Ownership::Token token(simulation_.ownership);
        const auto & state = simulation_.world().state();
        if (state.revision != roster->revision) {return;}
        const auto first = state.bodies.begin() +
        static_cast<std::ptrdiff_t>(hits[0] * ambf_dynamics::body_stride);
        response->state.assign(first, first + ambf_dynamics::body_stride);
      }, qos, group));
}

}  // namespace ambf_physics
