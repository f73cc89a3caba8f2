// SPDX-License-Identifier: BSD-3-Clause
#include "edit_services.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include <ambf_msgs/srv/remove_object.hpp>

#include "ambf_adf/paths.hpp"
#include "convert.hpp"
#include "ambf_simulation/told_warnings.hpp"

namespace ambf_physics
{

using ambf_msgs::srv::LoadModel;
using ambf_msgs::srv::LoadWorld;
using ambf_msgs::srv::RemoveObject;

ambf_adf::expected<std::string, std::string> resolve_uri(const std::string & uri)
{
  return ambf_adf::path_of_address(uri).map_error(
    [](const std::string & wrong) { return "uri: " + wrong; });
}

namespace
{

/// A path to read. What is no file (a folder, a pipe, a device) is refused here: reading it might not end.
ambf_adf::expected<std::string, std::string> resolve_file(const std::string & uri)
{
  auto path = resolve_uri(uri);
  std::error_code ignored;
  const auto status =
    path ? std::filesystem::status(*path, ignored) : std::filesystem::file_status();
  if (path && std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    return tl::unexpected("uri: found '" + *path + "', which is no file, expected an ADF file");
  }
  return path;
}

/// An address of a launch file may say what to take from its menu: launch.yaml?models=0,3
struct LaunchAddress
{
  std::string uri;
  ambf_adf::Choice models;
};

ambf_adf::expected<LaunchAddress, std::string> read_address(const std::string & text)
{
  const std::string mark = "?models=";
  const auto at = text.rfind(mark);
  if (at == std::string::npos) { return LaunchAddress{text, {}}; }
  auto models = ambf_adf::parse_choice(text.substr(at + mark.size()));
  if (!models) { return tl::unexpected("uri: models: " + models.error()); }
  return LaunchAddress{text.substr(0, at), std::move(*models)};
}

std::vector<std::string> to_strings(
  const ambf_adf::Problems & problems, ambf_adf::Severity severity)
{
  std::vector<std::string> result;
  for (const auto & problem : problems) {
    if (problem.severity == severity) { result.push_back(ambf_adf::to_string(problem)); }
  }
  return result;
}

/// What a response says about problems: `Response` is that of LoadModel or LoadWorld.
template <typename Response>
void tell(const ambf_adf::Errors & errors, Response & response, const std::string & outcome)
{
  using ambf_adf::ProblemKind;
  response.errors = to_strings(errors, ambf_adf::Severity::Error);
  response.warnings = to_strings(errors, ambf_adf::Severity::Warning);
  response.message =
    outcome + ": " +
    (response.errors.empty() ? std::string("unknown reason") : response.errors.front());
  const auto first = std::find_if(errors.begin(), errors.end(), [](const auto & problem) {
    return problem.severity == ambf_adf::Severity::Error;
  });
  const auto kind = first == errors.end() ? ProblemKind::BadValue : first->kind;
  response.problem = kind == ProblemKind::MissingFile ? Response::PROBLEM_MISSING_FILE
                                                      : Response::PROBLEM_DESCRIPTION;
  if constexpr (requires { Response::PROBLEM_NAME_TAKEN; }) {
    if (kind == ProblemKind::DuplicateName) { response.problem = Response::PROBLEM_NAME_TAKEN; }
  }
  if constexpr (requires { Response::PROBLEM_UNKNOWN_KEY; }) {
    if (kind == ProblemKind::UnknownKey) { response.problem = Response::PROBLEM_UNKNOWN_KEY; }
  }
}

}  // namespace

EditServices::EditServices(
  rclcpp::Node & node, Simulation & simulation, WorldRunner & runner, Publishing & publishing,
  StepServer & clock, SourceNames & sources, const std::string & world_namespace,
  rclcpp::CallbackGroup::SharedPtr group)
: node_(node),
  simulation_(simulation),
  runner_(runner),
  publishing_(publishing),
  clock_(clock),
  sources_(sources),
  world_namespace_(world_namespace)
{
  const std::string base = world_namespace + "/World/";
  add_edit_services(base, group);
  add_state_services(base, group);
  add_law_services(base, group);
  add_reset_topics(base, group);
  add_clock_services(base, group);
}

std::string EditServices::divergence() const
{
  const auto & divergence = simulation_.world().divergence();
  if (divergence.reason.empty()) { return {}; }
  return "the world diverged at step " + std::to_string(divergence.step) + " (" +
         divergence.reason + "): reset its state, restore one or load another world first";
}

std::string EditServices::node_namespace() const
{
  const std::string ns = node_.get_namespace();
  return ns == "/" ? "" : ns;
}

void EditServices::add_edit_services(
  const std::string & base, rclcpp::CallbackGroup::SharedPtr group)
{
  const auto qos = rclcpp::ServicesQoS();

  services_.push_back(node_.create_service<LoadModel>(
    base + "load_model",
    [this](const LoadModel::Request::SharedPtr request, LoadModel::Response::SharedPtr response) {
      load_model(*request, *response);
      log_warnings("load_model", response->warnings);
    },
    qos, group));

  services_.push_back(node_.create_service<RemoveObject>(
    base + "remove",
    [this](
      const RemoveObject::Request::SharedPtr request, RemoveObject::Response::SharedPtr response) {
      const Ownership::Token token(simulation_.ownership());
      if (response->message = divergence(); !response->message.empty()) { return; }
      response->ok = simulation_.remove(request->name);
      response->manifest_revision = simulation_.world().revision();
      if (!response->ok) {
        std::vector<std::string> known;
        for (const auto & model : simulation_.content().models()) {
          known.push_back(model.model.name);
        }
        response->message =
          "no model, and no single body, joint, sensor, actuator, soft body or ghost, is named '" +
          request->name + "'; nearest models: " + nearest_names(request->name, known);
      } else {
        world_changed();
      }
    },
    qos, group));

  services_.push_back(node_.create_service<LoadWorld>(
    base + "load_world",
    [this](const LoadWorld::Request::SharedPtr request, LoadWorld::Response::SharedPtr response) {
      load_world(*request, *response);
      log_warnings("load_world", response->warnings);
    },
    qos, group));
}

void EditServices::log_warnings(
  const char * service, const std::vector<std::string> & warnings) const
{
  for (const auto & warning : warnings) {
    RCLCPP_WARN(node_.get_logger(), "%s: %s", service, warning.c_str());
  }
}

void EditServices::load_model(const LoadModel::Request & request, LoadModel::Response & response)
{
  LoadRequest load;
  response.problem = LoadModel::Response::PROBLEM_DESCRIPTION;  // until it is known to be none
  if (request.uri.empty() == request.text.empty()) {
    response.message = "uri, text: expected exactly one of the two";
    return;
  }
  if (!request.uri.empty()) {
    const auto resolved = resolve_file(request.uri);
    if (!resolved) {
      response.message = resolved.error();
      return;
    }
    load.file = *resolved;
  }
  if (!request.resource_base.empty()) {
    const auto resolved = resolve_uri(request.resource_base);
    if (!resolved) {
      response.message = resolved.error();
      return;
    }
    load.resource_base = *resolved;
    // A text that is another form of a file names it, and has its name.
    std::error_code ignored;
    if (std::filesystem::is_regular_file(*resolved, ignored)) {
      load.file = *resolved;
      load.resource_base = load.file.parent_path().string();
    }
  }
  load.text = request.text;
  load.name = request.name;
  load.namespace_prefix = node_namespace();
  // Below the world, also where somebody wrote the world's namespace before it.
  load.below = request.ns.starts_with(world_namespace_ + "/")
                 ? request.ns.substr(world_namespace_.size())
                 : request.ns;
  load.place_base = request.pose_of_base;
  load.allow_rename = request.allow_rename;
  load.keep_name = request.keep_name;
  load.refuse_missing_files = request.refuse_missing_files;
  // A pose that nobody filled in has a zero quaternion.
  const auto & q = request.pose.orientation;
  auto pose = request.pose;
  if (q.x == 0.0 && q.y == 0.0 && q.z == 0.0 && q.w == 0.0) { pose.orientation.w = 1.0; }
  const auto placed = to_isometry(pose);
  if (!placed) {
    response.message = "pose: " + placed.error();
    return;
  }
  load.t_world_model = *placed;
  auto model = simulation_.read(load);
  const Ownership::Token token(simulation_.ownership());
  if (response.message = divergence(); !response.message.empty()) {
    response.problem = LoadModel::Response::PROBLEM_NONE;
    return;
  }
  const auto loaded =
    model
      ? simulation_.load(load, std::move(*model))
      : ambf_adf::expected<std::string, ambf_adf::Errors>(tl::unexpected(std::move(model.error())));
  response.manifest_revision = simulation_.world().revision();
  if (!loaded) {
    tell(loaded.error(), response, "nothing was loaded");
    return;
  }
  response.ok = true;
  response.problem = LoadModel::Response::PROBLEM_NONE;
  response.names.push_back(*loaded);
  response.warnings = told_warnings(simulation_.content().models().back());
  const auto troubles =
    simulation_.plugins().troubles(simulation_.content().models().back().model.name);
  response.warnings.insert(response.warnings.end(), troubles.begin(), troubles.end());
  world_changed();
}

void EditServices::load_world(const LoadWorld::Request & request, LoadWorld::Response & response)
{
  const auto address = read_address(request.uri);
  const auto path = address ? resolve_file(address->uri) : tl::unexpected(address.error());
  if (!path) {
    response.message = path.error();
    response.problem = LoadWorld::Response::PROBLEM_DESCRIPTION;
    return;
  }
  std::optional<LaunchContent> content;
  if (!request.uri.empty()) {
    ambf_adf::LoadOptions options;
    options.parse.namespace_prefix = node_namespace();
    options.models = address->models;
    auto read = simulation_.read_launch(*path, options);
    std::vector<ambf_adf::ProblemKind> unwanted;
    if (request.refuse_missing_files) { unwanted.push_back(ambf_adf::ProblemKind::MissingFile); }
    if (request.refuse_unknown_keys) { unwanted.push_back(ambf_adf::ProblemKind::UnknownKey); }
    const auto errors = read ? raised(read->warnings, unwanted) : read.error();
    if (!errors.empty()) {
      tell(errors, response, "nothing was changed");
      const Ownership::Token token(simulation_.ownership());
      response.manifest_revision = simulation_.world().revision();
      return;
    }
    content = std::move(*read);
  }
  const auto clock = clock_.hold();
  const Ownership::Token token(simulation_.ownership());
  clock_.abandon(content ? "another world is loaded" : "the world was emptied");
  const auto loaded = content ? simulation_.load_launch(std::move(*content))
                              : ambf_adf::expected<void, ambf_adf::Errors>();
  response.ok = loaded.has_value();
  if (!content) { simulation_.unload(); }
  if (!loaded) {
    tell(loaded.error(), response, "nothing was changed");
  } else {
    response.warnings = told_warnings(simulation_);
  }
  response.manifest_revision = simulation_.world().revision();
  simulation_.restart_clock(runner_.watchdog_now());
  world_changed();
  publishing_.time_was_reset();
}

}  // namespace ambf_physics
