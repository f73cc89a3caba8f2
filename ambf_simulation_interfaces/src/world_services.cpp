#include <filesystem>
#include <utility>

#include <ambf_msgs/msg/world_state.hpp>
#include <simulation_interfaces/srv/get_available_worlds.hpp>
#include <simulation_interfaces/srv/get_current_world.hpp>
#include <simulation_interfaces/srv/get_spawnables.hpp>
#include <simulation_interfaces/srv/load_world.hpp>
#include <simulation_interfaces/srv/unload_world.hpp>

#include "adapter_node.hpp"
#include "resources.hpp"

// Worlds, and what can be spawned.
namespace ambf_simulation_interfaces
{

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
  world.name = path.stem() == "launch" ? path.parent_path().filename().string() : path.stem().string();
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

}  // namespace

void AdapterNode::add_world_services()
{
  serve<GetSpawnables>(
    "get_spawnables", [this](auto request) -> Task<GetSpawnables::Response> {
      GetSpawnables::Response response;
      std::string problems;
      auto files = files_of(spawnable_sources_, ambf_adf::FileKind::Model, problems);
      const auto more = files_of(request->sources, ambf_adf::FileKind::Model, problems);
      files.insert(files.end(), more.begin(), more.end());
      for (const auto & file : files) {
        simulation_interfaces::msg::Spawnable spawnable;
        spawnable.entity_resource.uri = file;
        spawnable.description = "ADF model " + std::filesystem::path(file).stem().string();
        response.spawnables.push_back(std::move(spawnable));
      }
      response.result = result(Result::RESULT_OK, problems);
      co_return response;
    });
  serve<GetAvailableWorlds>(
    "get_available_worlds", [this](auto request) -> Task<GetAvailableWorlds::Response> {
      GetAvailableWorlds::Response response;
      std::string problems, more_problems;
      auto files = files_of(world_sources_, ambf_adf::FileKind::Launch, problems);
      const auto more = files_of(request->additional_sources, ambf_adf::FileKind::Launch, more_problems);
      files.insert(files.end(), more.begin(), more.end());
      response.result = result(Result::RESULT_OK, problems + more_problems);
      if (!problems.empty() && !(request->continue_on_error && !files.empty())) {
        response.result = result(GetAvailableWorlds::Response::DEFAULT_SOURCES_FAILED, problems);
      } else if (!more_problems.empty() && !(request->continue_on_error && !files.empty())) {
        response.result = result(Result::RESULT_OPERATION_FAILED, more_problems);
      }
      // Our worlds have no tags: who asks for one gets none.
      if (response.result.result == Result::RESULT_OK && request->filter.tags.empty()) {
        for (const auto & file : files) {response.worlds.push_back(world_resource(file));}
      }
      co_return response;
    });
  serve<GetCurrentWorld>(
    "get_current_world", [this](auto) -> Task<GetCurrentWorld::Response> {
      GetCurrentWorld::Response response;
      const auto scene = co_await look(false);
      if (!scene.now) {
        response.result = missing();
      } else if (world_->manifest().world.empty()) {
        response.result = result(
          GetCurrentWorld::Response::NO_WORLD_LOADED, "the simulation was started without a world file");
      } else {
        response.result = result(Result::RESULT_OK);
        response.world = world_resource(world_->manifest().world);
      }
      co_return response;
    });
  serve<LoadWorld>(
    "load_world", [this](auto request) -> Task<LoadWorld::Response> {
      LoadWorld::Response response;
      const auto & resource = request->world_resource;
      const auto ending = std::filesystem::path(resource.uri).extension();
      if (resource.uri.empty()) {
        response.result = resource.resource_string.empty() ?
          result(LoadWorld::Response::NO_RESOURCE, "world_resource: expected a uri") :
          result(Result::RESULT_FEATURE_UNSUPPORTED, "a launch file names other files: give its uri");
        co_return response;
      }
      if (ending != ".yaml" && ending != ".yml") {
        response.result = result(
          LoadWorld::Response::UNSUPPORTED_FORMAT, "uri: found '" + resource.uri + "', expected an ADF launch file");
        co_return response;
      }
      // The standard leaves a loaded simulation stopped: time must not run meanwhile.
      (void)co_await simulation_state();
      response.result = co_await set_mode(ambf_msgs::msg::WorldState::MODE_LOCKSTEP);
      if (response.result.result != Result::RESULT_OK) {co_return response;}
      auto load = std::make_shared<ambf_msgs::srv::LoadWorld::Request>();
      load->uri = resource.uri;
      const auto reply = co_await world_->call(world_->load_world, load);
      if (!reply) {
        response.result = missing();
        co_return response;
      }
      if (!reply->ok) {
        std::string message = reply->message;
        for (const auto & error : reply->errors) {message += "\n" + error;}
        response.result = result(LoadWorld::Response::RESOURCE_PARSE_ERROR, message);
        co_return response;
      }
      co_await world_->manifest_at(reply->manifest_revision);
      infos_.clear();
      unloaded_ = false;
      stopped_ = true;
      response.result = result(Result::RESULT_OK);
      response.world = world_resource(resource.uri);
      co_return response;
    });
  serve<UnloadWorld>(
    "unload_world", [this](auto) -> Task<UnloadWorld::Response> {
      UnloadWorld::Response response;
      if (unloaded_ && world_->manifest().models.empty()) {
        response.result = result(UnloadWorld::Response::NO_WORLD_LOADED, "no world is loaded");
        co_return response;
      }
      (void)co_await simulation_state();
      response.result = co_await set_mode(ambf_msgs::msg::WorldState::MODE_LOCKSTEP);
      if (response.result.result != Result::RESULT_OK) {co_return response;}
      const auto reply = co_await world_->call(
        world_->load_world, std::make_shared<ambf_msgs::srv::LoadWorld::Request>());
      response.result = !reply ? missing() :
        result(reply->ok ? Result::RESULT_OK : Result::RESULT_OPERATION_FAILED, reply->message);
      if (reply && reply->ok) {
        co_await world_->manifest_at(reply->manifest_revision);
        infos_.clear();
        unloaded_ = true;
      }
      co_return response;
    });
}

}  // namespace ambf_simulation_interfaces
