// SPDX-License-Identifier: BSD-3-Clause
#include "publishing.hpp"

#include <pthread.h>

#include <algorithm>
#include <utility>

#include "convert.hpp"
#include "qos.hpp"

namespace ambf_physics
{

namespace
{

constexpr std::int64_t kRefreshPeriod = 1'000'000'000;
constexpr std::int64_t kWorldStatePeriod = 20'000'000;

}  // namespace

Publishing::Publishing(
  const TopicWiring & wiring, WorldRunner & runner, const std::string & world_namespace)
: simulation_(wiring.simulation),
  runner_(runner),
  parameters_(wiring.parameters),
  objects_(wiring),
  models_(wiring.node, wiring.parameters),
  devices_(wiring),
  clock_(wiring.node, world_namespace, wiring.parameters.publish_clock)
{
  rclcpp::Node & node = wiring.node;
  const auto depth = static_cast<std::size_t>(parameters_.state_depth);
  manifest_ = node.create_publisher<ambf_msgs::msg::WorldManifest>(
    world_namespace + "/World/Manifest", qos::latched(), qos::to_late_joiners());
  snapshot_ = node.create_publisher<ambf_msgs::msg::WorldSnapshot>(
    world_namespace + "/World/Snapshot", qos::latest().keep_last(depth), qos::overridable());
  world_state_ = node.create_publisher<ambf_msgs::msg::WorldState>(
    world_namespace + "/World/State", qos::latest().keep_last(depth), qos::overridable());
  graph_event_ = node.get_graph_event();
}

Publishing::~Publishing() { stop(); }

void Publishing::start()
{
  thread_ = std::thread([this] { run(); });
}

void Publishing::stop()
{
  stopping_.store(true);
  runner_.signal().raise();
  if (thread_.joinable()) { thread_.join(); }
}

std::shared_ptr<const Roster> Publishing::roster() const
{
  std::lock_guard<std::mutex> lock(mutex_);
  return roster_;
}

SharedState Publishing::latest_shared()
{
  std::lock_guard<std::mutex> lock(mutex_);
  simulation_.shared_state().take();
  return simulation_.shared_state().front();
}

void Publishing::add_device_status(
  const std::string & node, diagnostic_msgs::msg::DiagnosticArray & array) const
{
  std::lock_guard<std::mutex> lock(mutex_);
  devices_.add_status(simulation_.shared_state().front(), node, array);
}

void Publishing::rebuild(std::shared_ptr<const Roster> roster)
{
  std::lock_guard<std::mutex> lock(mutex_);
  roster_ = roster;
  objects_.rebuild(roster);
  models_.rebuild(roster);
  devices_.rebuild(roster);
  manifest_->publish(roster->manifest);
  refresh_watched();
  owe_everything();
}

void Publishing::owe_everything()
{
  snapshot_owed_ = clock_owed_ = true;
  models_.owe();
}

void Publishing::time_was_reset()
{
  std::lock_guard<std::mutex> lock(mutex_);
  clock_.restart();
  owe_everything();
}

void Publishing::state_changed()
{
  std::lock_guard<std::mutex> lock(mutex_);
  owe_everything();
}

void Publishing::refresh_watched()
{
  const bool told = simulation_.wanted().state.load(std::memory_order_relaxed);
  const bool more = objects_.refresh_watched();
  const std::uint64_t step = simulation_.shared_state().front().state.step;
  const std::int64_t now = steady_now();
  models_.refresh_watched(step);
  devices_.refresh_watched();
  const std::size_t readers = reader_count(*snapshot_);
  snapshot_owed_ = snapshot_newcomers_.owed(readers, step, now) || snapshot_owed_;
  snapshot_watched_ = readers > 0;
  world_state_watched_ = has_readers(*world_state_);
  clock_.refresh(now);
  const bool wanted = objects_.anybody_watching() || models_.anybody_watching() ||
                      snapshot_watched_ || world_state_watched_ || clock_.watched() ||
                      !devices_.empty();
  // While nobody listened the world did not tell its state, or not all of it: what there is may be of long ago.
  stale_ = stale_ || (wanted && (!told || more));
  simulation_.wanted().state.store(wanted, std::memory_order_relaxed);
}

void Publishing::run()
{
  pthread_setname_np(pthread_self(), "ambf_publish");
  while (!stopping_.load()) {
    const std::uint32_t seen = runner_.signal().count();
    std::int64_t next = 0;
    bool every_step = false;
    share_if_stale();
    {
      std::lock_guard<std::mutex> lock(mutex_);
      next = publish_due(steady_now());
      every_step = snapshot_watched_ || clock_.watched() || devices_.anybody_watching();
    }
    if (every_step) {
      runner_.signal().wait(seen, next - steady_now());
    } else {
      sleep_until(next);
    }
  }
}

void Publishing::share_if_stale()
{
  if (!stale_.exchange(false)) { return; }
  const Ownership::Token token(simulation_.ownership());  // before the mutex, as everywhere
  simulation_.share_state();
}

std::int64_t Publishing::publish_due(std::int64_t now)
{
  if (now >= next_refresh_ || graph_event_->check_and_clear()) {
    refresh_watched();
    next_refresh_ = now + kRefreshPeriod;
    const double seconds = static_cast<double>(now - rate_time_) * 1e-9;
    if (seconds > 0.5) {
      message_rate_ =
        static_cast<double>(sent_ + objects_.published() + devices_.published() - rate_sent_) /
        seconds;
      rate_sent_ = sent_ + objects_.published() + devices_.published();
      rate_time_ = now;
    }
    late_.store(objects_.late());
  }
  if (stale_) { return now; }
  simulation_.shared_state().take();
  const SharedState & shared = simulation_.shared_state().front();
  // Idle: look again soon enough for a newcomer, cheap enough to be nothing.
  std::int64_t next = std::min(next_refresh_, now + 10'000'000);
  next = std::min(next, objects_.publish_due(shared, now));
  const bool running = runner_.mode() == Mode::Realtime || runner_.mode() == Mode::Free;
  if ((running && now >= next_clock_) || clock_owed_) {
    publish_clock();
    clock_owed_ = false;
    // On a grid, as the steps are: a little late once must not cost every second tick.
    const std::int64_t period = period_of(parameters_.clock_rate);
    next_clock_ = std::max(next_clock_ + period, now - period);
  }
  if (running) { devices_.publish_due(shared, now); }
  // In lockstep a step's snapshot is sent by the thread that serves the call, and only by it.
  const bool fresh = snapshot_owed_ || (running && shared.state.step != snapshot_step_);
  if (snapshot_watched_ && now >= next_snapshot_ && fresh) {
    publish_snapshot();
    next_snapshot_ = std::max(
      next_snapshot_ + period_of(parameters_.snapshot_rate),
      now - period_of(parameters_.snapshot_rate));
  }
  if (world_state_watched_) {
    if (now >= next_world_state_) {
      publish_world_state();
      next_world_state_ = now + kWorldStatePeriod;
    }
    next = std::min(next, next_world_state_);
  }
  return std::min(next, models_.publish_due(shared, now));
}

void Publishing::publish_snapshot()
{
  const SharedState & shared = simulation_.shared_state().front();
  auto message = std::make_unique<ambf_msgs::msg::WorldSnapshot>();
  fill(*message, shared, parameters_.report_contacts, parameters_.report_rays);
  message->header.frame_id = roster_ ? roster_->manifest.root_frame : "";
  snapshot_step_ = shared.state.step;
  snapshot_owed_ = false;
  snapshot_->publish(std::move(message));
  ++sent_;
}

void Publishing::publish_clock()
{
  if (clock_.publish(simulation_.shared_state().front().state.time)) { ++sent_; }
}

void Publishing::publish_world_state()
{
  const SharedState & shared = simulation_.shared_state().front();
  ambf_msgs::msg::WorldState message;
  message.header.stamp = to_stamp(shared.state.time);
  message.header.frame_id = roster_ ? roster_->manifest.root_frame : "";
  message.sim_time = shared.state.time;
  message.wall_time = wall_stamp();
  message.sim_step = shared.state.step;
  message.state_hash = shared.state.hash;
  const auto figures = runner_.figures();
  message.mode = static_cast<std::uint8_t>(runner_.mode());
  message.real_time_factor = figures.real_time_factor;
  message.set_real_time_factor = runner_.set_factor();
  message.dynamic_loop_freq = figures.steps_per_second;
  message.overruns = figures.overruns;
  message.slip = figures.slip;
  message.communication_freq = message_rate_;
  message.n_devices = static_cast<std::uint32_t>(std::count_if(
    shared.hands.begin(), shared.hands.end(),
    [](const auto & hand) { return hand.state == ambf_proxies::HandState::Live; }));
  if (complete_world_state) { complete_world_state(message); }
  world_state_->publish(message);
  ++sent_;
}

void Publishing::publish_step()
{
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (graph_event_->check_and_clear()) { refresh_watched(); }
  }
  share_if_stale();
  std::lock_guard<std::mutex> lock(mutex_);
  const std::int64_t now = steady_now();
  simulation_.shared_state().take();
  const SharedState & shared = simulation_.shared_state().front();
  publish_clock();
  devices_.publish_all(shared);
  objects_.publish_all(shared, now);
  if (snapshot_watched_) { publish_snapshot(); }
  if (world_state_watched_) { publish_world_state(); }
  models_.publish_all(shared);
}

Publishing::Publishers Publishing::watched() const
{
  std::lock_guard<std::mutex> lock(mutex_);
  Publishers publishers{snapshot_, world_state_};
  objects_.add_watched(publishers);
  return publishers;
}

bool Publishing::acknowledged(const Publishers & publishers, std::chrono::nanoseconds patience)
{
  const auto end = std::chrono::steady_clock::now() + patience;
  try {
    return std::all_of(publishers.begin(), publishers.end(), [&](const auto & publisher) {
      const auto left = end - std::chrono::steady_clock::now();
      return publisher->wait_for_all_acked(std::max(left, std::chrono::steady_clock::duration{0}));
    });
  } catch (const std::exception &) {
    return false;  // Ctrl-C: nobody will acknowledge any more
  }
}

}  // namespace ambf_physics
