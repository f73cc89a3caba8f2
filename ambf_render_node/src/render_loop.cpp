#include "render_loop.hpp"

#include <pthread.h>
#include <sched.h>

#include <cmath>
#include <filesystem>

namespace ambf_render
{

using namespace std::chrono_literals;
using ambf_msgs::msg::WorldManifest;
using ambf_msgs::msg::WorldSnapshot;
using ambf_msgs::msg::WorldState;

RenderLoop::RenderLoop(rclcpp::Node & node, const Parameters & parameters, const std::string & base)
: node_(node), parameters_(parameters)
{
  if (const auto unknown = set_overlays(parameters.overlays); !unknown.empty()) {warn(unknown);}
  tf_ = node.create_publisher<tf2_msgs::msg::TFMessage>("/tf", rclcpp::QoS(100));
  if (parameters.barrier) {
    // As the simulator wants its members: reliable, and alive while this publisher is.
    hello_ = node.create_publisher<ambf_msgs::msg::BarrierMember>(
      base + "/Barrier", rclcpp::QoS(10).reliable().liveliness(rclcpp::LivelinessPolicy::Automatic)
      .liveliness_lease_duration(rclcpp::Duration(2s)));
    done_ = node.create_publisher<ambf_msgs::msg::StepDone>(
      base + "/StepDone", rclcpp::QoS(100).reliable());
    members_ = {node.get_name()};
  }
}

RenderLoop::~RenderLoop() {stop();}

void RenderLoop::start() {thread_ = std::thread([this] {run();});}

void RenderLoop::stop()
{
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stopping_.store(true);
  }
  news_.notify_all();
  if (thread_.joinable()) {thread_.join();}
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
  if (parameters_.barrier && lockstep_.load()) {news_.notify_all();}
}

void RenderLoop::take(WorldState::ConstSharedPtr state)
{
  lockstep_.store(state->mode == WorldState::MODE_LOCKSTEP);
  std::lock_guard<std::mutex> lock(mutex_);
  real_time_factor_ = state->real_time_factor;
}

void RenderLoop::take(PictureRequest request)
{
  std::lock_guard<std::mutex> lock(mutex_);
  mail_.pictures.push_back(std::move(request));
  news_.notify_all();
}

std::string RenderLoop::set_overlays(const std::vector<std::string> & names)
{
  OverlaySettings settings;
  for (const auto & name : names) {
    if (name.empty()) {continue;}  // launch files cannot pass an empty list
    if (!settings.set(name, true)) {
      return "overlays: found '" + name + "', expected some of " + OverlaySettings::names();
    }
  }
  std::lock_guard<std::mutex> lock(mutex_);
  wanted_overlays_ = settings;
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
  news_.wait_until(
    lock, until, [&] {
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
  EngineOptions options;
  options.display = parameters_.display;
  options.warn = [this](const std::string & text) {warn(text);};
  auto engine = Engine::create(options);
  if (!engine) {
    RCLCPP_ERROR(
      node_.get_logger(), "nothing is drawn: %s. The node goes on and answers requests with this reason.",
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
    RCLCPP_ERROR(node_.get_logger(), "drawing stopped: %s", error.what());
    refuse_until_stopped(error.what());
  }
  end_recording(false, "the node is shutting down");
  cameras_.clear();
  overlays_.reset();
  scene_.reset();
  engine_.reset();
}

void RenderLoop::refuse_until_stopped(const std::string & reason)
{
  while (!stopping_.load()) {
    Mail mail = wait(Clock::now() + 100ms);
    for (auto & picture : mail.pictures) {
      Response response;
      response.message = reason;
      picture.reply(response);
    }
    if (mail.snapshot) {
      shown_ = mail.snapshot;
      finish_step(false, reason);
    }
  }
}

void RenderLoop::draw_until_stopped()
{
  const auto period = std::chrono::duration_cast<Clock::duration>(
    std::chrono::duration<double>(1.0 / parameters_.rate));
  auto next = Clock::now();
  scene_ = std::make_unique<Scene>(*engine_, [this](const std::string & text) {warn(text);});
  overlays_ = std::make_unique<Overlays>(*scene_);
  scene_->show_surroundings(true, parameters_.grid);
  while (!stopping_.load()) {
    Mail mail = wait(next);
    if (mail.manifest) {build(*mail.manifest); manifest_ = mail.manifest;}
    const bool every = parameters_.barrier && lockstep_.load();
    const bool due = Clock::now() >= next;
    if (mail.snapshot && !due && !every) {
      // Not its turn yet: keep it unless a newer one has come.
      std::lock_guard<std::mutex> lock(mutex_);
      if (!mail_.snapshot) {mail_.snapshot = mail.snapshot;}
      mail.snapshot = nullptr;
    }
    if (mail.snapshot && show(*mail.snapshot)) {
      shown_ = mail.snapshot;
      publish_images();
      finish_step(true, "");
    }
    if (due) {
      update_windows();
      next = std::max(next + period, Clock::now());
    }
    if (recording_) {record();}
    for (auto & picture : mail.pictures) {save(std::move(picture));}
  }
}

void RenderLoop::build(const WorldManifest & manifest)
{
  WorldDescription world = describe(manifest);
  for (const auto & text : world.warnings) {warn(text);}
  // Models stay as they are unless their description changed.
  for (const auto & known : world_.models) {
    const bool same = std::any_of(
      world.models.begin(), world.models.end(), [&](const ambf_adf::Model & model) {
        return model.name == known.name && model == known && model.resource_base == known.resource_base;
      });
    if (!same) {scene_->remove(known.name);}
  }
  for (const auto & model : world.models) {
    if (!scene_->has(model.name)) {scene_->add(model);}
  }
  bodies_.clear();
  soft_bodies_.clear();
  // Identities are positions in the manifest: bodies from 1, then the soft bodies.
  for (const auto & info : manifest.bodies) {
    bodies_.push_back(scene_->body(info.identifier));
    if (bodies_.back()) {
      scene_->identify(*bodies_.back(), static_cast<std::uint32_t>(bodies_.size()));
    }
  }
  for (const auto & info : manifest.soft_bodies) {
    soft_bodies_.push_back(scene_->soft_body(info.identifier));
    if (soft_bodies_.back()) {
      scene_->identify_soft(
        *soft_bodies_.back(), static_cast<std::uint32_t>(bodies_.size() + soft_bodies_.size()));
    }
  }
  std::vector<Lamp> lamps;
  for (const auto & light : world.lights) {
    lamps.push_back(to_lamp(light, parent_pose(light.parent) * light_pose(light)));
  }
  scene_->set_lamps(lamps);
  overlays_->set_world(world.models);
  make_cameras(world);
  world_ = std::move(world);
  RCLCPP_INFO(
    node_.get_logger(), "revision %u: %zu models, %zu bodies, %zu triangles, %zu cameras, %zu lights",
    manifest.revision, world_.models.size(), scene_->body_count(), scene_->triangle_count(),
    cameras_.size(), lamps.size());
  if (!manifest_) {manifest_ = std::make_shared<WorldManifest>(manifest);}
}

void RenderLoop::make_cameras(const WorldDescription & world)
{
  std::vector<ambf_adf::Camera> descriptions = world.cameras;
  if (descriptions.empty()) {
    ambf_adf::Camera camera;
    const auto focus = scene_->focus();
    camera.header.name = "default_camera";
    const std::string ns = node_.get_namespace();
    camera.header.topic = (ns == "/" ? "" : ns) + parameters_.world_namespace + "/cameras/default_camera";
    camera.header.qualified = camera.header.topic;
    camera.look_at = focus.centre;
    camera.location = focus.centre + 2.4 * focus.radius * Eigen::Vector3d(0.55, -0.75, 0.4);
    camera.near_plane = 0.01;
    camera.far_plane = 30.0;
    descriptions.push_back(camera);
  }
  const bool same = descriptions.size() == cameras_.size() && std::equal(
    descriptions.begin(), descriptions.end(), cameras_.begin(),
    [](const ambf_adf::Camera & a, const Camera & b) {return a == b.description;});
  if (same) {return;}
  end_recording(false, "the cameras of the world changed");
  cameras_.clear();
  std::vector<std::string> members{node_.get_name()};
  for (const auto & description : descriptions) {
    Camera camera;
    camera.description = description;
    members.push_back(description.header.name);
    if (const auto lens = to_lens(description)) {
      camera.possible = true;
      camera.lens = *lens;
    } else {
      warn(lens.error() + "; a lens of 0.8 rad, 0.01 to 20 m is used instead");
      camera.lens = {0.01, 20.0, 0.8, {}};
    }
    const auto & size = description.image.resolution;
    const int width = parameters_.image_width > 0 ? parameters_.image_width : size.width;
    const int height = parameters_.image_height > 0 ? parameters_.image_height : size.height;
    camera.view = std::make_unique<View>(
      *scene_, camera.lens, std::clamp(width, 1, 8192), std::clamp(height, 1, 8192),
      static_cast<unsigned>(parameters_.samples));
    camera.view->place(parent_pose(description.parent) * camera_pose(description));
    camera.topics = std::make_unique<CameraTopics>(
      node_, description, manifest_ ? manifest_->root_frame : "world", tf_);
    if (!parameters_.headless && description.visible && !engine_->display().is_private()) {
      // Side by side, as far as the window manager agrees.
      const int left = static_cast<int>(cameras_.size()) * parameters_.window_width;
      camera.window = std::make_unique<Window>(
        *scene_, description.header.name,
        Window::Place{left, 0, parameters_.window_width, parameters_.window_height}, parameters_.samples);
    }
    cameras_.push_back(std::move(camera));
  }
  std::lock_guard<std::mutex> lock(mutex_);
  if (parameters_.barrier) {members_ = members;}
}

Eigen::Isometry3d RenderLoop::parent_pose(const std::string & parent) const
{
  if (parent.empty()) {return Eigen::Isometry3d::Identity();}
  if (const auto body = scene_->body(parent)) {return scene_->pose(*body);}
  for (const auto & camera : cameras_) {
    if (camera.description.header.qualified == parent) {return camera.view->pose();}
  }
  return Eigen::Isometry3d::Identity();
}

bool RenderLoop::show(const WorldSnapshot & snapshot)
{
  if (!manifest_ || snapshot.manifest_revision != manifest_->revision ||
    snapshot.bodies.size() != 13 * bodies_.size())
  {
    if (manifest_ && warned_revision_ != snapshot.manifest_revision) {
      warned_revision_ = snapshot.manifest_revision;
      RCLCPP_INFO(
        node_.get_logger(), "a snapshot of revision %u waits for its manifest (there is %u)",
        snapshot.manifest_revision, manifest_->revision);
    }
    return false;
  }
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (!bodies_[i]) {continue;}
    const double * b = snapshot.bodies.data() + 13 * i;
    scene_->place(*bodies_[i], {b[0], b[1], b[2]}, Eigen::Quaterniond(b[6], b[3], b[4], b[5]));
  }
  for (std::size_t i = 0; i < std::min(soft_bodies_.size(), snapshot.soft_offsets.size()); ++i) {
    if (!soft_bodies_[i]) {continue;}
    const std::size_t first = 3 * std::size_t{snapshot.soft_offsets[i]};
    const std::size_t last = i + 1 < snapshot.soft_offsets.size() ?
      3 * std::size_t{snapshot.soft_offsets[i + 1]} : snapshot.soft_nodes.size();
    if (first <= last && last <= snapshot.soft_nodes.size()) {
      scene_->deform(*soft_bodies_[i], {snapshot.soft_nodes.data() + first, last - first});
    }
  }
  place_cameras(snapshot);
  OverlaySettings settings;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    settings = wanted_overlays_;
  }
  std::vector<ContactMark> contacts;
  for (const auto & contact : snapshot.contacts) {
    ContactMark mark;
    mark.position = {contact.position.x, contact.position.y, contact.position.z};
    mark.force = contact.normal_force * Eigen::Vector3d(contact.normal.x, contact.normal.y, contact.normal.z) +
      Eigen::Vector3d(contact.friction_force.x, contact.friction_force.y, contact.friction_force.z);
    contacts.push_back(mark);
  }
  overlays_->draw(settings, contacts, snapshot.ray_flags);
  return true;
}

void RenderLoop::place_cameras(const WorldSnapshot & snapshot)
{
  const auto pose_at = [](const std::vector<double> & poses, std::size_t i) {
      const double * p = poses.data() + 7 * i;
      Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
      t.translation() << p[0], p[1], p[2];
      t.linear() = Eigen::Quaterniond(p[6], p[3], p[4], p[5]).normalized().toRotationMatrix();
      return t;
    };
  const bool given = snapshot.cameras.size() == 7 * world_.cameras.size() && !world_.cameras.empty();
  for (std::size_t i = 0; i < cameras_.size(); ++i) {
    auto & camera = cameras_[i];
    camera.view->place(
      given ? pose_at(snapshot.cameras, i) :
      parent_pose(camera.description.parent) * camera_pose(camera.description));
  }
  std::vector<Lamp> lamps;
  const bool lit = snapshot.lights.size() == 7 * world_.lights.size();
  for (std::size_t i = 0; i < world_.lights.size(); ++i) {
    const auto & light = world_.lights[i];
    lamps.push_back(to_lamp(
        light, lit ? pose_at(snapshot.lights, i) : parent_pose(light.parent) * light_pose(light)));
  }
  scene_->set_lamps(lamps);
}

void RenderLoop::publish_images()
{
  const bool every = parameters_.barrier && lockstep_.load();
  for (auto & camera : cameras_) {
    camera.topics->publish(*camera.view, shown_->header.stamp, frame_, every);
  }
  ++frame_;
}

void RenderLoop::finish_step(bool ok, const std::string & message)
{
  if (!done_) {return;}
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

void RenderLoop::update_windows()
{
  double factor = 0.0;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    factor = real_time_factor_;
  }
  bool changed = false;
  OverlaySettings settings;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    settings = wanted_overlays_;
  }
  for (auto & camera : cameras_) {
    if (!camera.window) {continue;}
    camera.window->follow(camera.view->pose(), camera.lens);
    changed = camera.window->handle_input(settings) || changed;
    if (camera.window->closed()) {
      RCLCPP_INFO(
        node_.get_logger(), "the window of '%s' was closed; its images go on",
        camera.description.header.name.c_str());
      camera.window.reset();
      continue;
    }
    camera.window->set_caption(
      camera.description.header.name + " - real time factor " + std::to_string(factor).substr(0, 4) +
      " - H: help");
    camera.window->draw();
  }
  if (changed) {
    std::lock_guard<std::mutex> lock(mutex_);
    wanted_overlays_ = settings;
  }
}

void RenderLoop::save(PictureRequest picture)
{
  Response response;
  const auto refuse = [&](const std::string & why) {
      response.message = why;
      picture.reply(response);
    };
  const auto & request = picture.request;
  std::string known;
  std::size_t index = cameras_.size();
  for (std::size_t i = 0; i < cameras_.size(); ++i) {
    const auto & name = cameras_[i].description.header.name;
    known += (known.empty() ? "" : ", ") + name;
    if (index == cameras_.size() && (request.camera.empty() || request.camera == name)) {index = i;}
  }
  if (cameras_.empty() || !shown_) {return refuse("there is no world yet: no manifest and snapshot have come");}
  if (index == cameras_.size()) {return refuse("camera: found '" + request.camera + "', expected one of " + known);}
  if (request.file.empty()) {return refuse("file: expected where to write the picture");}
  if (request.width > 8192 || request.height > 8192) {return refuse("width, height: expected at most 8192 pixels");}
  if (!std::isfinite(request.seconds) || request.seconds < 0.0) {return refuse("seconds: expected 0 or more");}
  Camera & camera = cameras_[index];
  const int width = request.width > 0 ? static_cast<int>(request.width) : camera.view->width();
  const int height = request.height > 0 ? static_cast<int>(request.height) : camera.view->height();
  auto view = std::make_unique<View>(
    *scene_, camera.lens, width, height, static_cast<unsigned>(parameters_.samples));
  view->place(camera.view->pose());
  const std::string file = std::filesystem::absolute(request.file).string();
  if (request.seconds > 0.0) {
    if (recording_) {return refuse("another video is being recorded");}
    auto video = Video::open(file, width, height, parameters_.rate);
    if (!video) {return refuse(video.error());}
    const auto now = Clock::now();
    const auto length = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(request.seconds));
    recording_ = std::make_unique<Recording>(
      Recording{std::move(*video), std::move(view), index, now + length, now, std::move(picture)});
    return;
  }
  if (const auto done = write_png(view->picture(), file); !done) {return refuse(done.error());}
  response.ok = true;
  response.file = file;
  response.step = shown_->step;
  picture.reply(response);
}

void RenderLoop::record()
{
  const auto now = Clock::now();
  if (now >= recording_->next) {
    recording_->view->place(cameras_[recording_->camera].view->pose());
    if (const auto done = recording_->video.add(recording_->view->picture()); !done) {
      return end_recording(false, done.error());
    }
    recording_->next += std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(1.0 / parameters_.rate));
  }
  if (now >= recording_->end) {end_recording(true, "");}
}

void RenderLoop::end_recording(bool ok, const std::string & message)
{
  if (!recording_) {return;}
  Response response;
  const auto closed = recording_->video.close();
  response.ok = ok && closed;
  response.message = ok && !closed ? closed.error() : message;
  response.file = recording_->video.file();
  response.step = shown_ ? shown_->step : 0;
  recording_->request.reply(response);
  recording_.reset();
}

}  // namespace ambf_render
