// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <type_traits>
#include <utility>

#include <simulation_interfaces/srv/delete_entity.hpp>
#include <simulation_interfaces/srv/get_entities.hpp>
#include <simulation_interfaces/srv/get_entities_states.hpp>
#include <simulation_interfaces/srv/get_entity_bounds.hpp>
#include <simulation_interfaces/srv/get_entity_info.hpp>
#include <simulation_interfaces/srv/get_entity_state.hpp>
#include <simulation_interfaces/srv/set_entity_info.hpp>
#include <simulation_interfaces/srv/spawn_entities.hpp>
#include <simulation_interfaces/srv/spawn_entity.hpp>

#include "adapter_node.hpp"
#include "generations.hpp"
#include "resources.hpp"

// Entities: what there is, where it is, what comes and goes.
namespace ambf_simulation_interfaces
{

using namespace simulation_interfaces::srv;  // NOLINT: ten services of one package
using Bounds = simulation_interfaces::msg::Bounds;
using Result = simulation_interfaces::msg::Result;
using SpawnRequest = simulation_interfaces::msg::SpawnEntity;
using SpawnResult = simulation_interfaces::msg::SpawnResult;

namespace
{

/// Name that the entity is to have.
std::string name_of(const SpawnRequest & request)
{
  const auto & uri = request.entity_resource.uri;
  return !request.name.empty() ? request.name
         : uri.empty()         ? "model"
                               : std::filesystem::path(uri).stem().string();
}

/// What is wrong with a request by itself, without looking at the world; 0: nothing.
std::pair<std::uint8_t, std::string> problem_of(const SpawnRequest & request)
{
  const auto & uri = request.entity_resource.uri;
  const auto & text = request.entity_resource.resource_string;
  if (uri.empty() && text.empty()) {
    return {SpawnResult::NO_RESOURCE, "entity_resource: expected a uri or a resource_string"};
  }
  if (request.name.empty() && uri.empty() && !request.allow_renaming) {
    return {
      SpawnResult::NAME_INVALID, "name: a resource_string has no name of its own, expected one"};
  }
  if (auto problem = name_problem(name_of(request)); !problem.empty()) {
    return {SpawnResult::NAME_INVALID, "name: " + problem};
  }
  const auto ending = std::filesystem::path(uri).extension();
  // What the physics node reads; which XML it is the file says.
  constexpr std::array endings{".yaml", ".yml",   ".urdf", ".xacro",
                               ".sdf",  ".world", ".mjcf", ".xml"};
  if (!uri.empty() && std::find(endings.begin(), endings.end(), ending) == endings.end()) {
    return {
      SpawnResult::UNSUPPORTED_FORMAT,
      "entity_resource.uri: found '" + uri +
        "', expected an ADF (.yaml), URDF (.urdf, .xacro), SDF (.sdf, .world) or MJCF file (.xml)"};
  }
  if (auto problem = namespace_problem(request.entity_namespace); !problem.empty()) {
    return {SpawnResult::NAMESPACE_INVALID, "entity_namespace: " + problem};
  }
  return {0, {}};
}

std::uint8_t code_of(const ambf_msgs::srv::LoadModel::Response & reply)
{
  using Reply = ambf_msgs::srv::LoadModel::Response;
  switch (reply.problem) {
    case Reply::PROBLEM_NONE:
      return Result::RESULT_OPERATION_FAILED;  // not the resource is to blame
    case Reply::PROBLEM_NAME_TAKEN:
      return SpawnResult::NAME_NOT_UNIQUE;
    case Reply::PROBLEM_MISSING_FILE:
      return SpawnResult::MISSING_ASSETS;
    default:
      return SpawnResult::RESOURCE_PARSE_ERROR;
  }
}

}  // namespace

Task<SpawnResult> AdapterNode::spawn(SpawnRequest request)
{
  SpawnResult answer;
  if (auto [code, message] = problem_of(request); code != 0) {
    answer.result = result(code, message);
    co_return answer;
  }
  const auto contents = co_await look(false);
  if (!contents.now) {
    answer.result = missing();
    co_return answer;
  }
  const auto & initial = request.initial_pose;
  const auto pose = world_pose(
    initial.header.frame_id, initial.pose, world_->manifest(), contents.entities, *contents.now);
  if (!pose) {
    answer.result = result(SpawnResult::INVALID_POSE, "initial_pose." + pose.error());
    co_return answer;
  }
  const auto & ns = request.entity_namespace;
  auto load = std::make_shared<ambf_msgs::srv::LoadModel::Request>();
  load->uri = request.entity_resource.uri;
  if (load->uri.empty()) { load->text = request.entity_resource.resource_string; }
  load->name = name_of(request);
  load->ns = ns.empty() || ns.front() == '/' ? ns : "/" + ns;
  load->pose = to_pose(*pose);
  load->pose_of_base = true;
  // Two copies of one file need new names for their parts in any case.
  load->allow_rename = true;
  load->keep_name = !request.allow_renaming;
  load->refuse_missing_files = true;
  const auto reply = co_await world_->call(world_->load_model, load, WorldClient::kAnyTime);
  if (!reply) {
    answer.result = missing();
  } else if (!reply->ok) {
    answer.result = result(code_of(*reply), joined(reply->message, reply->errors, 1));
  } else {
    co_await world_->manifest_at(reply->manifest_revision);
    answer.result = result(Result::RESULT_OK, joined("", reply->warnings));
    answer.entity_name = reply->names.front();
  }
  co_return answer;
}

Task<Result> AdapterNode::set_entity_state(SetEntityState::Request::SharedPtr request)
{
  const auto contents = co_await look(false);
  Result done;
  const Entity * entity = pick(contents, request->entity, done);
  if (entity == nullptr) { co_return done; }
  const auto & state = request->state;
  const Parts parts = parts_of(*request);
  const auto in_world = [&](const geometry_msgs::msg::Pose & pose) {
    return world_pose(
      state.header.frame_id, pose, world_->manifest(), contents.entities, *contents.now);
  };
  const auto t_world_frame = in_world(geometry_msgs::msg::Pose());
  const auto t_world_entity = parts.pose ? in_world(state.pose) : t_world_frame;
  if (!t_world_entity) {
    co_return result(SetEntityState::Response::INVALID_POSE, "state." + t_world_entity.error());
  }
  const auto turned = [&](const geometry_msgs::msg::Vector3 & v) {
    return Eigen::Vector3d(t_world_frame->linear() * Eigen::Vector3d(v.x, v.y, v.z));
  };
  const auto zero = [](const auto & motion) { return motion == std::decay_t<decltype(motion)>(); };
  if (
    entity->fixed &&
    ((parts.twist && !zero(state.twist)) || (parts.acceleration && !zero(state.acceleration)))) {
    co_return result(
      Result::RESULT_OPERATION_FAILED, "'" + entity->name + "' is static and cannot move");
  }
  std::optional<Eigen::Isometry3d> pose;
  std::optional<Twist> twist;
  if (parts.pose) { pose = *t_world_entity; }
  if (parts.twist) { twist = Twist{turned(state.twist.linear), turned(state.twist.angular)}; }
  if (!pose && !twist) { co_return done; }
  if (entity->soft) {
    co_return result(
      Result::RESULT_OPERATION_FAILED,
      "'" + entity->name + "' has soft bodies, which cannot be placed");
  }
  const auto reply = co_await world_->call(
    world_->set_body_state, std::make_shared<ambf_msgs::srv::SetBodyState::Request>(
                              placed(*entity, world_->manifest(), *contents.now, pose, twist)));
  if (!reply) { co_return missing(); }
  co_return result(reply->ok ? Result::RESULT_OK : Result::RESULT_OPERATION_FAILED, reply->message);
}

void AdapterNode::add_entity_services()
{
  serve<SpawnEntity>("spawn_entity", [this](auto request) -> Task<SpawnEntity::Response> {
    SpawnRequest one;
    one.name = request->name;
    one.allow_renaming = request->allow_renaming;
    one.entity_resource = resource_of(*request);
    one.entity_namespace = request->entity_namespace;
    one.initial_pose = request->initial_pose;
    const auto spawned = co_await spawn(one);
    SpawnEntity::Response response;
    response.result = spawned.result;
    response.entity_name = spawned.entity_name;
    co_return response;
  });
  serve<SpawnEntities>("spawn_entities", [this](auto request) -> Task<SpawnEntities::Response> {
    SpawnEntities::Response response;
    response.result = result(Result::RESULT_OK);
    for (const auto & one : request->spawn_requests) {
      const auto spawned = co_await spawn(one);
      response.results.push_back(spawned);
      if (spawned.result.result != Result::RESULT_OK) {
        response.result = result(
          SpawnEntities::Response::ENTITIES_SPAWN_FAILED,
          "not all entities were spawned: see the results");
      }
    }
    co_return response;
  });
  serve<DeleteEntity>("delete_entity", [this](auto request) -> Task<DeleteEntity::Response> {
    DeleteEntity::Response response;
    const auto contents = co_await look(false);
    const Entity * entity = pick(contents, request->entity, response.result, false);
    if (entity == nullptr) { co_return response; }
    auto remove = std::make_shared<ambf_msgs::srv::RemoveObject::Request>();
    remove->name = entity->object;
    const auto reply = co_await world_->call(world_->remove, remove);
    if (!reply) {
      response.result = missing();
    } else if (!reply->ok) {
      // Somebody else was faster, or the world takes no changes.
      const auto after = co_await look(false);
      if (pick(after, request->entity, response.result, false) != nullptr) {
        response.result = result(Result::RESULT_OPERATION_FAILED, reply->message);
      }
    } else {
      co_await world_->manifest_at(reply->manifest_revision);
    }
    co_return response;
  });
  serve<GetEntities>("get_entities", [this](auto request) -> Task<GetEntities::Response> {
    GetEntities::Response response;
    const auto contents = co_await look(request->filters.bounds.type != Bounds::TYPE_EMPTY);
    const auto chosen = choose(contents, request->filters, response.result);
    for (const auto & entity : chosen) { response.entities.push_back(entity.name); }
    co_return response;
  });
  serve<GetEntitiesStates>(
    "get_entities_states", [this](auto request) -> Task<GetEntitiesStates::Response> {
      GetEntitiesStates::Response response;
      const auto contents = co_await look(request->filters.bounds.type != Bounds::TYPE_EMPTY);
      const auto chosen = choose(contents, request->filters, response.result);
      for (const auto & entity : chosen) {
        if (entity.bodies.empty()) { continue; }
        response.entities.push_back(entity.name);
        response.states.push_back(state_of(entity, *contents.now, world_->manifest().root_frame));
      }
      co_return response;
    });
  serve<GetEntityState>("get_entity_state", [this](auto request) -> Task<GetEntityState::Response> {
    GetEntityState::Response response;
    const auto contents = co_await look(false);
    if (const Entity * entity = pick(contents, request->entity, response.result)) {
      response.state = state_of(*entity, *contents.now, world_->manifest().root_frame);
    }
    co_return response;
  });
  serve<GetEntityBounds>(
    "get_entity_bounds", [this](auto request) -> Task<GetEntityBounds::Response> {
      GetEntityBounds::Response response;
      const auto contents = co_await look(true);
      if (const Entity * entity = pick(contents, request->entity, response.result)) {
        response.bounds = bounds_of(*entity, *contents.now);
        if (response.bounds.type == Bounds::TYPE_EMPTY) {
          response.result.error_message =
            "'" + entity->name + "' has no collision shape, or one without an end";
        }
      }
      co_return response;
    });
  serve<GetEntityInfo>("get_entity_info", [this](auto request) -> Task<GetEntityInfo::Response> {
    GetEntityInfo::Response response;
    const auto contents = co_await look(false);
    if (const Entity * entity = pick(contents, request->entity, response.result, false)) {
      response.info = entity->info;
    }
    co_return response;
  });
  serve<SetEntityInfo>("set_entity_info", [this](auto request) -> Task<SetEntityInfo::Response> {
    SetEntityInfo::Response response;
    const auto contents = co_await look(false);
    if (pick(contents, request->entity, response.result, false) != nullptr) {
      infos_[request->entity] = request->info;
    }
    co_return response;
  });
  serve<SetEntityState>("set_entity_state", [this](auto request) -> Task<SetEntityState::Response> {
    SetEntityState::Response response;
    response.result = co_await set_entity_state(request);
    co_return response;
  });
}

simulation_interfaces::msg::Result AdapterNode::unknown(const std::string & name)
{
  return result(Result::RESULT_NOT_FOUND, "no entity '" + name + "'; get_entities lists them");
}

const Entity * AdapterNode::pick(
  const Contents & contents, const std::string & name, Result & out, bool placed) const
{
  const Entity * entity = contents.now ? find(contents.entities, name) : nullptr;
  out = !contents.now ? missing() : entity == nullptr ? unknown(name) : result(Result::RESULT_OK);
  if (entity != nullptr && placed && entity->bodies.empty()) {
    out = result(
      Result::RESULT_OPERATION_FAILED,
      "'" + name + "' has no rigid body: where it is, is not known");
    return nullptr;
  }
  return entity;
}

std::vector<Entity> AdapterNode::choose(
  const Contents & contents, const simulation_interfaces::msg::EntityFilters & filters,
  Result & out) const
{
  if (!contents.now) {
    out = missing();
    return {};
  }
  auto chosen = filtered(contents.entities, filters, *contents.now);
  if (!chosen) {
    out = result(
      chosen.error().unsupported ? Result::RESULT_FEATURE_UNSUPPORTED
                                 : Result::RESULT_OPERATION_FAILED,
      chosen.error().message);
    return {};
  }
  out = result(Result::RESULT_OK);
  return *chosen;
}

}  // namespace ambf_simulation_interfaces
