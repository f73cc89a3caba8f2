// SPDX-License-Identifier: BSD-3-Clause
#include <filesystem>
#include <utility>

#include <ambf_msgs/msg/world_state.hpp>
#include <simulation_interfaces/srv/get_available_worlds.hpp>
#include <simulation_interfaces/srv/get_current_world.hpp>
#include <simulation_interfaces/srv/get_spawnables.hpp>
#include <simulation_interfaces/srv/load_world.hpp>
#include <simulation_interfaces/srv/unload_world.hpp>

#include "adapter_node.hpp"
#include "generations.hpp"
#include "resources.hpp"

// Worlds, and what can be spawned.
namespace ambf_simulation_interfaces
{

using ambf_msgs::msg::WorldState;
using simulation_interfaces::msg::WorldResource;
using simulation_interfaces::srv::GetAvailableWorlds;
using simulation_interfaces::srv::GetCurrentWorld;
using simulation_interfaces::srv::GetSpawnables;
using simulation_interfaces::srv::LoadWorld;
using simulation_interfaces::srv::UnloadWorld;
using Result = simulation_interfaces::msg::Result;

namespace
{

/// A launch file is named by its folder: worlds/demo/launch.yaml is "demo".
WorldResource world_resource(const std::string & uri)
{
  WorldResource world;
  const std::filesystem::path path(uri);
  world.name =
    path.stem() == "launch" ? path.parent_path().filename().string() : path.stem().string();
  world.world_resource.uri = uri;
  world.description = "ADF launch file";
  return world;
}

/// Files of all sources; the sources that could not be read are named in `problems`.
std::vector<std::string> files_of(
  const std::vector<std::string> & sources, ambf_adf::FileKind kind, std::string & problems)
{
  std::vector<std::string> files;
  for (const auto & source : sources) {
    const auto found = find_files(source, kind);
    if (found) {
      files.insert(files.end(), found->begin(), found->end());
    } else {
      problems += (problems.empty() ? "" : "; ") + found.error();
    }
  }
  return files;
}

std::uint8_t code_of(const ambf_msgs::srv::LoadWorld::Response & reply)
{
  using Reply = ambf_msgs::srv::LoadWorld::Response;
  switch (reply.problem) {
    case Reply::PROBLEM_NONE:
      return Result::RESULT_OPERATION_FAILED;  // not the resource is to blame
    case Reply::PROBLEM_MISSING_FILE:
      return LoadWorld::Response::MISSING_ASSETS;
    case Reply::PROBLEM_UNKNOWN_KEY:
      return LoadWorld::Response::UNSUPPORTED_ELEMENTS;
    default:
      return LoadWorld::Response::RESOURCE_PARSE_ERROR;
  }
}

}  // namespace

Task<Result> AdapterNode::replace_world(ambf_msgs::srv::LoadWorld::Request::SharedPtr load)
{
  Result done = co_await at_rest();
  if (done.result != Result::RESULT_OK) { co_return done; }
  const Mark mark(loading_);
  const bool was_empty = empty();
  // Time must not run in the new world before its load is answered.
  const bool ran = mode_ == playing_;
  if (ran) { done = co_await set_mode(WorldState::MODE_PAUSED); }
  if (done.result != Result::RESULT_OK) { co_return done; }
  const auto reply = co_await world_->call(world_->load_world, load, WorldClient::kAnyTime);
  if (!reply) { co_return missing(); }
  co_await world_->manifest_at(reply->manifest_revision);
  if (reply->ok) {
    infos_.clear();
    done = co_await set_mode(WorldState::MODE_PAUSED);
    if (done.result == Result::RESULT_OK) { done.error_message = joined("", reply->warnings); }
    co_return done;
  }
  unloaded_ = unloaded_ || (empty() && !was_empty);
  if (ran && !unloaded_) { (void)co_await set_mode(playing_); }
  co_return result(code_of(*reply), joined(reply->message, reply->errors, 1));
}

void AdapterNode::add_world_services()
{
  serve<GetSpawnables>("get_spawnables", [this](auto request) -> Task<GetSpawnables::Response> {
    GetSpawnables::Response response;
    std::string problems;
    auto files = files_of(spawnable_sources_, ambf_adf::FileKind::Model, problems);
    const auto more = files_of(request->sources, ambf_adf::FileKind::Model, problems);
    files.insert(files.end(), more.begin(), more.end());
    for (const auto & file : files) {
      simulation_interfaces::msg::Spawnable spawnable;
      set_uri(spawnable, file);
      spawnable.description = "ADF model " + std::filesystem::path(file).stem().string();
      response.spawnables.push_back(std::move(spawnable));
    }
    response.result = result(Result::RESULT_OK, problems);
    co_return response;
  });
  serve<GetAvailableWorlds>(
    "get_available_worlds", [this](auto request) -> Task<GetAvailableWorlds::Response> {
      GetAvailableWorlds::Response response;
      if (!request->filter.tags.empty()) {
        response.result =
          result(Result::RESULT_FEATURE_UNSUPPORTED, "filter.tags: worlds have no tags here");
        co_return response;
      }
      std::string problems;
      auto files = files_of(world_sources_, ambf_adf::FileKind::Launch, problems);
      const bool defaults_failed = !problems.empty();
      const auto more = files_of(request->additional_sources, ambf_adf::FileKind::Launch, problems);
      files.insert(files.end(), more.begin(), more.end());
      const bool failed = !problems.empty() && !(request->continue_on_error && !files.empty());
      response.result = result(
        !failed           ? Result::RESULT_OK
        : defaults_failed ? GetAvailableWorlds::Response::DEFAULT_SOURCES_FAILED
                          : Result::RESULT_OPERATION_FAILED,
        problems);
      if (failed) { co_return response; }
      for (const auto & file : files) { response.worlds.push_back(world_resource(file)); }
      co_return response;
    });
  serve<GetCurrentWorld>("get_current_world", [this](auto) -> Task<GetCurrentWorld::Response> {
    GetCurrentWorld::Response response;
    const auto contents = co_await look(false);
    if (!contents.now) {
      response.result = missing();
    } else if (world_->manifest().world.empty()) {
      response.result = result(
        GetCurrentWorld::Response::NO_WORLD_LOADED,
        "what there is does not come from a world file");
    } else {
      response.result = result(Result::RESULT_OK);
      response.world = world_resource(world_->manifest().world);
    }
    co_return response;
  });
  serve<LoadWorld>("load_world", [this](auto request) -> Task<LoadWorld::Response> {
    LoadWorld::Response response;
    const auto resource = resource_of(*request);
    const auto ending = std::filesystem::path(resource.uri).extension();
    if (resource.uri.empty()) {
      response.result =
        resource.resource_string.empty()
          ? result(LoadWorld::Response::NO_RESOURCE, "world_resource: expected a uri")
          : result(
              Result::RESULT_FEATURE_UNSUPPORTED, "a launch file names other files: give its uri");
      co_return response;
    }
    if (ending != ".yaml" && ending != ".yml") {
      response.result = result(
        LoadWorld::Response::UNSUPPORTED_FORMAT,
        "uri: found '" + resource.uri + "', expected an ADF launch file");
      co_return response;
    }
    auto load = std::make_shared<ambf_msgs::srv::LoadWorld::Request>();
    load->uri = resource.uri;
    load->refuse_missing_files = !request->ignore_missing_or_unsupported_assets;
    load->refuse_unknown_keys = request->fail_on_unsupported_element;
    response.result = co_await replace_world(load);
    if (response.result.result == Result::RESULT_OK) {
      response.world = world_resource(resource.uri);
    }
    co_return response;
  });
  serve<UnloadWorld>("unload_world", [this](auto) -> Task<UnloadWorld::Response> {
    UnloadWorld::Response response;
    const auto contents = co_await look(false);
    if (!contents.now) {
      response.result = missing();
    } else if (empty()) {
      response.result = result(UnloadWorld::Response::NO_WORLD_LOADED, "no world is loaded");
    } else {
      response.result =
        co_await replace_world(std::make_shared<ambf_msgs::srv::LoadWorld::Request>());
      unloaded_ = unloaded_ || response.result.result == Result::RESULT_OK;
    }
    co_return response;
  });
}

}  // namespace ambf_simulation_interfaces
