#include <filesystem>
#include <utility>

#include <simulation_interfaces/srv/delete_entity.hpp>
#include <simulation_interfaces/srv/get_entities.hpp>
#include <simulation_interfaces/srv/get_entities_states.hpp>
#include <simulation_interfaces/srv/get_entity_bounds.hpp>
#include <simulation_interfaces/srv/get_entity_info.hpp>
#include <simulation_interfaces/srv/get_entity_state.hpp>
#include <simulation_interfaces/srv/set_entity_info.hpp>
#include <simulation_interfaces/srv/set_entity_state.hpp>
#include <simulation_interfaces/srv/spawn_entities.hpp>
#include <simulation_interfaces/srv/spawn_entity.hpp>

#include "adapter_node.hpp"
#include "resources.hpp"

// Entities: what there is, where it is, what comes and goes.
namespace ambf_simulation_interfaces
{

using namespace simulation_interfaces::srv;  // NOLINT: ten services of one package
using Result = simulation_interfaces::msg::Result;
using SpawnRequest = simulation_interfaces::msg::SpawnEntity;
using SpawnResult = simulation_interfaces::msg::SpawnResult;

namespace
{

/// What can be told without the world; 0: nothing is wrong.
std::pair<std::uint8_t, std::string> problem_of(const SpawnRequest & request)
{
  const auto & uri = request.entity_resource.uri;
  const auto & text = request.entity_resource.resource_string;
  if (uri.empty() && text.empty()) {
    return {SpawnResult::NO_RESOURCE, "entity_resource: expected a uri or a resource_string"};
  }
  if (!request.name.empty()) {
    if (auto problem = name_problem(request.name); !problem.empty()) {
      return {SpawnResult::NAME_INVALID, "name: " + problem};
    }
  } else if (uri.empty() && !request.allow_renaming) {
    return {SpawnResult::NAME_INVALID, "name: a resource_string has no name of its own, expected one"};
  }
  const auto ending = std::filesystem::path(uri).extension();
  if (!uri.empty() && ending != ".yaml" && ending != ".yml") {
    return {SpawnResult::UNSUPPORTED_FORMAT, "entity_resource.uri: found '" + uri + "', expected an ADF file (.yaml)"};
  }
  if (uri.empty() && text.find_first_not_of(" \t\r\n") != std::string::npos &&
    text[text.find_first_not_of(" \t\r\n")] == '<')
  {
    return {SpawnResult::UNSUPPORTED_FORMAT, "entity_resource.resource_string: found XML, expected ADF (YAML)"};
  }
  if (auto problem = namespace_problem(request.entity_namespace); !problem.empty()) {
    return {SpawnResult::NAMESPACE_INVALID, "entity_namespace: " + problem};
  }
  return {0, {}};
}

}  // namespace

Task<SpawnResult> AdapterNode::spawn(SpawnRequest request)
{
  SpawnResult answer;
  if (auto [code, message] = problem_of(request); code != 0) {
    answer.result = result(code, message);
    co_return answer;
  }
  const auto scene = co_await look(false);
  if (!scene.now) {
    answer.result = missing();
    co_return answer;
  }
  const auto & resource = request.entity_resource;
  const std::string name = !request.name.empty() ? request.name :
    resource.uri.empty() ? std::string("model") : std::filesystem::path(resource.uri).stem().string();
  if (!request.allow_renaming && find(scene.entities, name) != nullptr) {
    answer.result = result(SpawnResult::NAME_NOT_UNIQUE, "name: '" + name + "' is taken");
    co_return answer;
  }
  const auto & frame = request.initial_pose.header.frame_id;
  const auto t_world_frame = frame_pose(frame, world_->manifest(), scene.entities, *scene.now);
  const auto t_frame_entity = to_isometry(request.initial_pose.pose);
  if (!t_world_frame || !t_frame_entity) {
    answer.result = result(
      SpawnResult::INVALID_POSE, t_world_frame ? "initial_pose: " + t_frame_entity.error() :
      "initial_pose.header.frame_id: found '" + frame + "', expected the world's root frame, an entity or a body's frame");
    co_return answer;
  }
  auto load = std::make_shared<ambf_msgs::srv::LoadModel::Request>();
  load->uri = resource.uri;
  load->text = resource.uri.empty() ? resource.resource_string : std::string{};
  load->name = name;
  load->ns = request.entity_namespace.empty() || request.entity_namespace.front() == '/' ?
    request.entity_namespace : "/" + request.entity_namespace;
  load->pose = to_pose(*t_world_frame * *t_frame_entity);
  // Entity names are checked above; two copies of one file also need new names for their parts.
  load->allow_rename = true;
  const auto reply = co_await world_->call(world_->load_model, load);
  if (!reply) {
    answer.result = missing();
    co_return answer;
  }
  if (!reply->ok) {
    std::string message = reply->message;
    for (const auto & error : reply->errors) {message += "\n" + error;}
    answer.result = result(SpawnResult::RESOURCE_PARSE_ERROR, message);
    co_return answer;
  }
  co_await world_->manifest_at(reply->manifest_revision);
  infos_.erase(reply->names.front());
  std::string warnings;
  for (const auto & warning : reply->warnings) {warnings += (warnings.empty() ? "" : "\n") + warning;}
  answer.result = result(Result::RESULT_OK, warnings);
  answer.entity_name = reply->names.front();
  co_return answer;
}

void AdapterNode::add_entity_services()
{
  serve<SpawnEntity>(
    "spawn_entity", [this](auto request) -> Task<SpawnEntity::Response> {
      SpawnRequest one;
      one.name = request->name;
      one.allow_renaming = request->allow_renaming;
      one.entity_resource = request->entity_resource;
      one.entity_namespace = request->entity_namespace;
      one.initial_pose = request->initial_pose;
      const auto spawned = co_await spawn(one);
      SpawnEntity::Response response;
      response.result = spawned.result;
      response.entity_name = spawned.entity_name;
      co_return response;
    });
  serve<SpawnEntities>(
    "spawn_entities", [this](auto request) -> Task<SpawnEntities::Response> {
      SpawnEntities::Response response;
      response.result = result(Result::RESULT_OK);
      for (const auto & one : request->spawn_requests) {
        const auto spawned = co_await spawn(one);
        response.results.push_back(spawned);
        if (spawned.result.result != Result::RESULT_OK) {
          response.result = result(
            SpawnEntities::Response::ENTITIES_SPAWN_FAILED, "not all entities were spawned: see the results");
        }
      }
      co_return response;
    });
  serve<DeleteEntity>(
    "delete_entity", [this](auto request) -> Task<DeleteEntity::Response> {
      DeleteEntity::Response response;
      const auto scene = co_await look(false);
      const Entity * entity = find(scene.entities, request->entity);
      if (!scene.now || entity == nullptr) {
        response.result = scene.now ? unknown(request->entity) : missing();
        co_return response;
      }
      auto remove = std::make_shared<ambf_msgs::srv::RemoveObject::Request>();
      remove->name = entity->object;
      const auto reply = co_await world_->call(world_->remove, remove);
      response.result = !reply ? missing() :
        result(reply->ok ? Result::RESULT_OK : Result::RESULT_OPERATION_FAILED, reply->message);
      if (reply && reply->ok) {
        infos_.erase(request->entity);
        co_await world_->manifest_at(reply->manifest_revision);
      }
      co_return response;
    });
  serve<GetEntities>(
    "get_entities", [this](auto request) -> Task<GetEntities::Response> {
      GetEntities::Response response;
      const auto scene = co_await look(true);
      const auto chosen = choose(scene, request->filters, response.result);
      for (const auto & entity : chosen) {response.entities.push_back(entity.name);}
      co_return response;
    });
  serve<GetEntitiesStates>(
    "get_entities_states", [this](auto request) -> Task<GetEntitiesStates::Response> {
      GetEntitiesStates::Response response;
      const auto scene = co_await look(true);
      const auto chosen = choose(scene, request->filters, response.result);
      for (const auto & entity : chosen) {
        response.entities.push_back(entity.name);
        response.states.push_back(state_of(entity, *scene.now, world_->manifest().root_frame));
      }
      co_return response;
    });
  serve<GetEntityState>(
    "get_entity_state", [this](auto request) -> Task<GetEntityState::Response> {
      GetEntityState::Response response;
      const auto scene = co_await look(false);
      if (const Entity * entity = pick(scene, request->entity, response.result)) {
        response.state = state_of(*entity, *scene.now, world_->manifest().root_frame);
      }
      co_return response;
    });
  serve<GetEntityBounds>(
    "get_entity_bounds", [this](auto request) -> Task<GetEntityBounds::Response> {
      GetEntityBounds::Response response;
      const auto scene = co_await look(true);
      if (const Entity * entity = pick(scene, request->entity, response.result)) {
        response.bounds = bounds_of(*entity, *scene.now);
      }
      co_return response;
    });
  serve<GetEntityInfo>(
    "get_entity_info", [this](auto request) -> Task<GetEntityInfo::Response> {
      GetEntityInfo::Response response;
      const auto scene = co_await look(false);
      if (const Entity * entity = pick(scene, request->entity, response.result)) {response.info = entity->info;}
      co_return response;
    });
  serve<SetEntityInfo>(
    "set_entity_info", [this](auto request) -> Task<SetEntityInfo::Response> {
      SetEntityInfo::Response response;
      const auto scene = co_await look(false);
      if (pick(scene, request->entity, response.result) != nullptr) {infos_[request->entity] = request->info;}
      co_return response;
    });
  serve<SetEntityState>(
    "set_entity_state", [this](auto request) -> Task<SetEntityState::Response> {
      SetEntityState::Response response;
      const auto scene = co_await look(false);
      const Entity * entity = pick(scene, request->entity, response.result);
      if (entity == nullptr) {co_return response;}
      const auto & frame = request->state.header.frame_id;
      const auto t_world_frame = frame_pose(frame, world_->manifest(), scene.entities, *scene.now);
      std::optional<Eigen::Isometry3d> pose;
      std::optional<Twist> twist;
      if (!t_world_frame) {
        response.result = result(SetEntityState::Response::INVALID_POSE, "header.frame_id: '" + frame + "' is unknown");
        co_return response;
      }
      if (request->set_pose) {
        const auto given = to_isometry(request->state.pose);
        if (!given) {
          response.result = result(SetEntityState::Response::INVALID_POSE, "pose: " + given.error());
          co_return response;
        }
        pose = *t_world_frame * *given;
      }
      const auto & v = request->state.twist.linear;
      const auto & w = request->state.twist.angular;
      if (request->set_twist) {
        twist = Twist{t_world_frame->linear() * Eigen::Vector3d(v.x, v.y, v.z),
          t_world_frame->linear() * Eigen::Vector3d(w.x, w.y, w.z)};
        if (entity->fixed && (!twist->linear.isZero(0.0) || !twist->angular.isZero(0.0))) {
          response.result = result(Result::RESULT_OPERATION_FAILED, "'" + entity->name + "' is static and cannot move");
          co_return response;
        }
      }
      if (!pose && !twist) {co_return response;}
      const auto reply = co_await world_->call(
        world_->set_body_state, std::make_shared<ambf_msgs::srv::SetBodyState::Request>(
          placed(*entity, world_->manifest(), *scene.now, pose, twist)));
      response.result = !reply ? missing() :
        result(reply->ok ? Result::RESULT_OK : Result::RESULT_OPERATION_FAILED, reply->message);
      co_return response;
    });
}

simulation_interfaces::msg::Result AdapterNode::unknown(const std::string & name) const
{
  return result(Result::RESULT_NOT_FOUND, "no entity '" + name + "'; get_entities lists them");
}

const Entity * AdapterNode::pick(const Scene & scene, const std::string & name, Result & out) const
{
  const Entity * entity = scene.now ? find(scene.entities, name) : nullptr;
  out = !scene.now ? missing() : entity == nullptr ? unknown(name) : result(Result::RESULT_OK);
  return entity;
}

std::vector<Entity> AdapterNode::choose(
  const Scene & scene, const simulation_interfaces::msg::EntityFilters & filters, Result & out) const
{
  if (!scene.now) {
    out = missing();
    return {};
  }
  auto chosen = filtered(scene.entities, filters, *scene.now);
  if (!chosen) {
    out = result(
      chosen.error().unsupported ? Result::RESULT_FEATURE_UNSUPPORTED : Result::RESULT_OPERATION_FAILED,
      chosen.error().message);
    return {};
  }
  out = result(Result::RESULT_OK);
  return *chosen;
}

}  // namespace ambf_simulation_interfaces
