// SPDX-License-Identifier: BSD-3-Clause
#include "model_topics.hpp"

#include <algorithm>
#include <utility>

#include "convert.hpp"
#include "ambf_simulation/pacer.hpp"
#include "qos.hpp"

namespace ambf_physics
{

namespace
{

/// Like tf2_ros: tf is a stream, tf_static is latched.
rclcpp::QoS tf_qos() { return rclcpp::QoS(100); }

/// One turn that was missed is made up for, no more.
std::int64_t next_turn(std::int64_t turn, double rate, std::int64_t now)
{
  const std::int64_t period = period_of(rate);
  return std::max(turn, now - period) + period;
}

}  // namespace

ModelTopics::ModelTopics(rclcpp::Node & node, const Parameters & parameters)
: node_(node), parameters_(parameters)
{
  tf_ = node.create_publisher<tf2_msgs::msg::TFMessage>("/tf", tf_qos(), qos::overridable());
  tf_static_ = node.create_publisher<tf2_msgs::msg::TFMessage>(
    "/tf_static", qos::latched(), qos::to_late_joiners());
}

void ModelTopics::rebuild(std::shared_ptr<const Roster> roster)
{
  roster_ = std::move(roster);
  const std::string & root = roster_->manifest.root_frame;
  tf_message_.transforms.clear();
  const auto add_frame = [&](const std::string & frame) {
    auto & transform = tf_message_.transforms.emplace_back();
    transform.header.frame_id = root;
    transform.child_frame_id = frame;
  };
  for (const auto & body : roster_->bodies) { add_frame(body.frame); }
  for (const auto & camera : roster_->cameras) { add_frame(frame_of(camera.names.topic)); }
  tf2_msgs::msg::TFMessage statics;
  std::map<std::string, Model> models;
  for (const auto & view : roster_->models) {
    for (const auto & pivot : view.urdf.pivots) {
      geometry_msgs::msg::TransformStamped transform;
      transform.header.frame_id = pivot.body_frame;
      transform.child_frame_id = pivot.name;
      const auto & p = pivot.t_body_pivot.translation();
      const Eigen::Quaterniond q(pivot.t_body_pivot.rotation());
      transform.transform.translation.x = p.x();
      transform.transform.translation.y = p.y();
      transform.transform.translation.z = p.z();
      transform.transform.rotation.x = q.x();
      transform.transform.rotation.y = q.y();
      transform.transform.rotation.z = q.z();
      transform.transform.rotation.w = q.w();
      statics.transforms.push_back(std::move(transform));
    }
    Model model;
    if (auto it = models_.find(view.name); it != models_.end()) { model = std::move(it->second); }
    model.joints = view.joints;
    model.message.name.clear();
    for (const auto joint : view.joints) {
      model.message.name.push_back(roster_->joints[joint].name);
    }
    if (!model.joint_states) {
      model.joint_states = node_.create_publisher<sensor_msgs::msg::JointState>(
        view.topic + "/joint_states", rclcpp::QoS(10));
      model.description = node_.create_publisher<std_msgs::msg::String>(
        view.topic + "/robot_description", qos::latched(), qos::to_late_joiners());
    }
    if (model.urdf != view.urdf.text) {
      model.urdf = view.urdf.text;
      std_msgs::msg::String text;
      text.data = model.urdf;
      model.description->publish(text);
    }
    models.emplace(view.name, std::move(model));
  }
  models_ = std::move(models);
  tf_static_->publish(statics);
}

void ModelTopics::refresh_watched(std::uint64_t step)
{
  // A world that waits says nothing new, but a newcomer has to hear where everything is.
  const std::size_t readers = reader_count(*tf_);
  if (tf_newcomers_.owed(readers, step, steady_now())) { tf_step_ = kNoStep; }
  tf_watched_ = parameters_.tf_rate > 0.0 && readers > 0;
  watched_ = tf_watched_;
  for (auto & [name, model] : models_) {
    model.watched = parameters_.joint_state_rate > 0.0 && has_readers(*model.joint_states);
    watched_ = watched_ || model.watched;
  }
}

std::int64_t ModelTopics::publish_due(const SharedState & shared, std::int64_t now)
{
  const auto & state = shared.state;
  std::int64_t next = now + 50'000'000;
  if (!watched_ || !current(state)) { return next; }
  if (tf_watched_) {
    if (now >= next_tf_) {
      publish_tf(shared);
      next_tf_ = next_turn(next_tf_, parameters_.tf_rate, now);
    }
    next = std::min(next, next_tf_);
  }
  if (parameters_.joint_state_rate > 0.0) {
    if (now >= next_joints_) {
      publish_joints(state);
      next_joints_ = next_turn(next_joints_, parameters_.joint_state_rate, now);
    }
    next = std::min(next, next_joints_);
  }
  return next;
}

void ModelTopics::publish_all(const SharedState & shared)
{
  const auto & state = shared.state;
  if (!watched_ || !current(state)) { return; }
  if (tf_watched_) { publish_tf(shared); }
  publish_joints(state);
}

void ModelTopics::publish_tf(const SharedState & shared)
{
  const auto & state = shared.state;
  // tf2 warns about repeated stamps: a world that waits has nothing new to say.
  if (state.step == tf_step_ || shared.cameras.size() < 7 * roster_->cameras.size()) { return; }
  tf_step_ = state.step;
  const auto stamp = to_stamp(state.time);
  const std::size_t bodies = roster_->bodies.size();
  for (std::size_t i = 0; i < tf_message_.transforms.size(); ++i) {
    auto & transform = tf_message_.transforms[i];
    const double * p = i < bodies ? state.bodies.data() + i * ambf_dynamics::body_stride
                                  : shared.cameras.data() + (i - bodies) * 7;
    transform.header.stamp = stamp;
    transform.transform.translation.x = p[0];
    transform.transform.translation.y = p[1];
    transform.transform.translation.z = p[2];
    transform.transform.rotation.x = p[3];
    transform.transform.rotation.y = p[4];
    transform.transform.rotation.z = p[5];
    transform.transform.rotation.w = p[6];
  }
  tf_->publish(tf_message_);
}

void ModelTopics::publish_joints(const ambf_dynamics::State & state)
{
  const auto stamp = to_stamp(state.time);
  for (auto & [name, model] : models_) {
    if (!model.watched) { continue; }
    auto & message = model.message;
    message.header.stamp = stamp;
    message.position.resize(model.joints.size());
    message.velocity.resize(model.joints.size());
    message.effort.resize(model.joints.size());
    for (std::size_t i = 0; i < model.joints.size(); ++i) {
      const double * j = state.joints.data() + model.joints[i] * ambf_dynamics::joint_stride;
      message.position[i] = j[0];
      message.velocity[i] = j[1];
      message.effort[i] = j[2];
    }
    model.joint_states->publish(message);
  }
}

}  // namespace ambf_physics
