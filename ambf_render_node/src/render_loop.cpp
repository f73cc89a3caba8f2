// SPDX-License-Identifier: BSD-3-Clause
#include "render_loop.hpp"

#include <pthread.h>
#include <sched.h>

#include <cstdio>
#include <stdexcept>
#include <utility>

namespace ambf_render
{

namespace
{

const char * const kServerGone =
  "the X server is gone, or has ended the connection; to draw again start this process again";

/// Of a dead connection nothing may be touched any more; this keeps it in sight of leak checkers.
DrawnWorld * left_behind = nullptr;

}  // namespace

using namespace std::chrono_literals;
using ambf_msgs::msg::WorldManifest;
using ambf_msgs::msg::WorldSnapshot;
using ambf_msgs::msg::WorldState;

RenderLoop::RenderLoop(
  rclcpp::Node & node, const Parameters & parameters, const std::string & base,
  const HandTopics & hands, const CaptionTopic * captions)
: node_(node),
  parameters_(parameters),
  hands_(hands),
  captions_(captions),
  selection_(parameters.selection)
{
  if (const auto unknown = set_overlays(parameters.overlays); !unknown.empty()) { warn(unknown); }
  if (parameters.barrier) {
    // As the simulator wants its members: reliable, and alive while this publisher is.
    hello_ = node.create_publisher<ambf_msgs::msg::BarrierMember>(
      base + "/Barrier", rclcpp::QoS(10)
                           .reliable()
                           .liveliness(rclcpp::LivelinessPolicy::Automatic)
                           .liveliness_lease_duration(rclcpp::Duration(2s)));
    done_ = node.create_publisher<ambf_msgs::msg::StepDone>(
      base + "/StepDone", rclcpp::QoS(100).reliable());
    members_ = {node.get_name()};
  }
}

RenderLoop::~RenderLoop() { stop(); }

void RenderLoop::start()
{
  thread_ = std::thread([this] { run(); });
}

void RenderLoop::stop()
{
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stopping_.store(true);
  }
  news_.notify_all();
  if (thread_.joinable()) { thread_.join(); }
}

void RenderLoop::warn(const std::string & text) const
{
  RCLCPP_WARN(node_.get_logger(), "%s", text.c_str());
}

void RenderLoop::take(WorldManifest::ConstSharedPtr manifest)
{
  std::lock_guard<std::mutex> lock(mutex_);
  mail_.manifest = std::move(manifest);
  news_.notify_all();
}

void RenderLoop::take(WorldSnapshot::ConstSharedPtr snapshot)
{
  std::lock_guard<std::mutex> lock(mutex_);
  mail_.snapshot = std::move(snapshot);
  // Frames are paced by the clock; only a barrier waits for us.
  if (parameters_.barrier && lockstep_.load()) { news_.notify_all(); }
}

void RenderLoop::take(WorldState::ConstSharedPtr state)
{
  lockstep_.store(state->mode == WorldState::MODE_LOCKSTEP);
  std::lock_guard<std::mutex> lock(mutex_);
  state_ = std::move(state);
}

void RenderLoop::take(PictureRequest request)
{
  std::lock_guard<std::mutex> lock(mutex_);
  mail_.pictures.push_back(std::move(request));
  news_.notify_all();
}

std::string RenderLoop::set_overlays(const std::vector<std::string> & names)
{
  ambf_rendering::OverlaySettings settings;
  for (const auto & name : names) {
    if (name.empty()) { continue; }  // launch files cannot pass an empty list
    if (!settings.set(name, true)) {
      return "overlays: found '" + name + "', expected some of " +
             ambf_rendering::OverlaySettings::names_of_all();
    }
  }
  std::lock_guard<std::mutex> lock(mutex_);
  wanted_overlays_ = settings;
  return {};
}

ambf_rendering::OverlaySettings RenderLoop::overlays()
{
  std::lock_guard<std::mutex> lock(mutex_);
  return wanted_overlays_;
}

std::string RenderLoop::select(const std::string & text)
{
  std::lock_guard<std::mutex> lock(mutex_);
  // Before there is a world anything may come to be in it.
  if (!text.empty() && !selectable_.empty()) {
    if (const auto meant = find_object(selectable_, text); !meant) {
      return "selection: " + meant.error();
    }
  }
  selection_ = text;
  return {};
}

void RenderLoop::announce()
{
  std::lock_guard<std::mutex> lock(mutex_);
  for (const auto & name : members_) {
    ambf_msgs::msg::BarrierMember member;
    member.name = name;
    member.process = node_.get_fully_qualified_name();
    hello_->publish(member);
  }
}

RenderLoop::Mail RenderLoop::wait(Clock::time_point until)
{
  std::unique_lock<std::mutex> lock(mutex_);
  const bool every = parameters_.barrier;
  news_.wait_until(lock, until, [&] {
    return stopping_.load() || mail_.manifest || !mail_.pictures.empty() ||
           (every && lockstep_.load() && mail_.snapshot);
  });
  return std::exchange(mail_, {});
}

void RenderLoop::run()
{
  if (parameters_.render_core >= 0) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(parameters_.render_core), &set);
    if (pthread_setaffinity_np(pthread_self(), sizeof(set), &set) != 0) {
      warn("render_core: this machine has no core " + std::to_string(parameters_.render_core));
    }
  }
  ambf_rendering::EngineOptions options;
  options.display = parameters_.display;
  options.warn = [this](const std::string & text) { warn(text); };
  auto engine = ambf_rendering::Engine::create(options);
  if (!engine) {
    RCLCPP_ERROR(
      node_.get_logger(),
      "nothing is drawn: %s. The node goes on and answers requests with this reason.",
      engine.error().c_str());
    refuse_until_stopped(engine.error());
    return;
  }
  engine_ = std::move(*engine);
  RCLCPP_INFO(
    node_.get_logger(), "drawing with %s on display %s%s", engine_->renderer().c_str(),
    engine_->display().name().c_str(), engine_->display().is_private() ? " (private)" : "");
  try {
    draw_until_stopped();
  } catch (const std::exception & error) {
    RCLCPP_ERROR(
      node_.get_logger(),
      "drawing stopped: %s. The node goes on and answers requests with this reason.", error.what());
    if (desk_) { desk_->end_recording(false, error.what(), step()); }
    if (engine_->lost()) { clear_up(); }
    refuse_until_stopped(error.what());
  }
  if (desk_) { desk_->end_recording(false, "the node is shutting down", step()); }
  clear_up();
}

void RenderLoop::clear_up()
{
  desk_.reset();
  cameras_.reset();
  if (engine_ && engine_->lost()) { left_behind = world_.release(); }
  world_.reset();
  engine_.reset();
}

void RenderLoop::refuse_until_stopped(const std::string & reason)
{
  while (!stopping_.load()) {
    Mail mail = wait(Clock::now() + 100ms);
    turn_down(mail, reason);
  }
}

void RenderLoop::turn_down(Mail & mail, const std::string & reason)
{
  for (auto & picture : mail.pictures) {
    ambf_msgs::srv::SavePicture::Response response;
    response.message = reason;
    picture.reply(response);
  }
  if (mail.snapshot) {
    shown_ = mail.snapshot;
    finish_step(false, reason);
  }
}

void RenderLoop::draw_until_stopped()
{
  const auto period = std::chrono::duration_cast<Clock::duration>(
    std::chrono::duration<double>(1.0 / parameters_.rate));
  auto next = Clock::now();
  const std::string ns = node_.get_namespace();
  world_ = std::make_unique<DrawnWorld>(
    *engine_, parameters_.grid,
    (ns == "/" ? "" : ns) + parameters_.world_namespace + "/cameras/default_camera",
    [this](const std::string & text) { warn(text); });
  cameras_ = std::make_unique<CameraSet>(node_, parameters_, *engine_, *world_);
  desk_ = std::make_unique<PictureDesk>(
    *cameras_, *world_, parameters_.rate, detail_of(parameters_, engine_->draws_in_software()));
  while (!stopping_.load()) {
    Mail mail = wait(next);
    for (const auto & text : engine_->x_news()) {
      warn("the X server refused something; drawing goes on: " + text);
    }
    if (engine_->lost()) {
      turn_down(mail, kServerGone);
      throw std::runtime_error(kServerGone);
    }
    if (mail.manifest) { take_in(*mail.manifest); }
    const bool every = parameters_.barrier && lockstep_.load();
    const bool due = Clock::now() >= next;
    if (mail.snapshot && !due && !every) {
      // Not its turn yet: keep it unless a newer one has come.
      std::lock_guard<std::mutex> lock(mutex_);
      if (!mail_.snapshot) { mail_.snapshot = mail.snapshot; }
      mail.snapshot = nullptr;
    }
    if (mail.snapshot && show(*mail.snapshot)) {
      shown_ = mail.snapshot;
      cameras_->publish(shown_->header.stamp, every);
      finish_step(true, "");
    }
    if (due) {
      update_windows();
      next = std::max(next + period, Clock::now());
    }
    if (!desk_->recording() && mail.pictures.empty()) { continue; }
    update_overlays();
    desk_->record(step());
    for (auto & picture : mail.pictures) { desk_->take(std::move(picture), step()); }
  }
}

void RenderLoop::take_in(const WorldManifest & manifest)
{
  world_->build(manifest);
  RCLCPP_INFO(node_.get_logger(), "%s", world_->summary().c_str());
  {
    std::lock_guard<std::mutex> lock(mutex_);
    const bool first = std::exchange(selectable_, world_->objects()).empty();
    const auto meant = find_object(selectable_, selection_);
    if (first && !selection_.empty() && !meant) { warn("selection: " + meant.error()); }
  }
  if (!cameras_->differ()) { return; }
  desk_->end_recording(false, "the cameras of the world changed", step());
  cameras_->make();
  std::lock_guard<std::mutex> lock(mutex_);
  if (!parameters_.barrier) { return; }
  members_ = {node_.get_name()};
  for (const auto & name : cameras_->names()) { members_.push_back(name); }
}

bool RenderLoop::show(const WorldSnapshot & snapshot)
{
  if (!world_->fits(snapshot)) {
    if (world_->built() && warned_revision_ != snapshot.manifest_revision) {
      warned_revision_ = snapshot.manifest_revision;
      RCLCPP_INFO(
        node_.get_logger(), "a snapshot of revision %u waits for its manifest (there is %u)",
        snapshot.manifest_revision, world_->revision());
    }
    return false;
  }
  world_->show(snapshot);
  cameras_->follow_world();
  const auto now = Clock::now();
  frames_.push_back(now);
  while (frames_.front() + 1s < now) { frames_.pop_front(); }
  return true;
}

void RenderLoop::finish_step(bool ok, const std::string & message)
{
  if (!done_) { return; }
  std::vector<std::string> members;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    members = members_;
  }
  for (const auto & name : members) {
    ambf_msgs::msg::StepDone done;
    done.member = name;
    done.step = shown_->step;
    done.ok = ok;
    done.message = message;
    done_->publish(done);
  }
}

std::vector<std::string> RenderLoop::rates()
{
  WorldState::ConstSharedPtr state;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    state = state_;
  }
  if (!state) { return {"no news of the world"}; }
  char text[120];
  std::vector<std::string> lines;
  const double time = state->header.stamp.sec + 1e-9 * state->header.stamp.nanosec;
  std::snprintf(
    text, sizeof(text), "time %.2f s, real time factor %.2f", time, state->real_time_factor);
  lines.emplace_back(text);
  std::snprintf(
    text, sizeof(text), "%.0f steps/s, %.0f messages/s, %zu frames/s", state->dynamic_loop_freq,
    state->communication_freq, frames_.size());
  lines.emplace_back(text);
  return lines;
}

bool RenderLoop::update_overlays()
{
  Shown now;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    now.settings = wanted_overlays_;
    now.selection = selection_;
  }
  ambf_rendering::OverlayMarks & marks = world_->marks();
  if (now.settings.rates) { now.rates = rates(); }
  marks.rates = now.rates;
  if (captions_ != nullptr) { now.captions = captions_->lines(); }
  marks.captions = now.captions;
  marks.selected = find_object(world_->objects(), now.selection).value_or("");
  marks.hands = now.settings.hands ? hands_.marks() : std::vector<ambf_rendering::HandMark>{};
  world_->overlays().draw(now.settings, marks);
  now.scene = world_->scene().version();
  const bool changed = !(now == on_screen_) || !marks.hands.empty();
  on_screen_ = now;
  return changed;
}

void RenderLoop::update_windows()
{
  if (!cameras_->has_windows()) { return; }
  ambf_rendering::OverlaySettings settings = overlays();
  const auto input = cameras_->handle_input(settings, world_->marks().selected);
  // The parameters say what is shown, whoever changed it; setting them comes back to this loop.
  if (input.overlays_changed) {
    node_.set_parameter(rclcpp::Parameter("overlays", settings.shown()));
  }
  if (input.picked) {
    const DrawnWorld::Object picked = world_->object_of(*input.picked);
    if (picked.identifier.empty()) {
      RCLCPP_INFO(node_.get_logger(), "nothing is selected");
    } else {
      RCLCPP_INFO(
        node_.get_logger(), "selected: %s (%s)", picked.name.c_str(), picked.identifier.c_str());
    }
    node_.set_parameter(rclcpp::Parameter("selection", picked.identifier));
  }
  cameras_->draw_windows(world_->overlays().annotations(), update_overlays());
}

}  // namespace ambf_render
