// SPDX-License-Identifier: BSD-3-Clause
#include "entities.hpp"

#include <regex.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "ambf_node_support/eigen.hpp"

namespace ambf_simulation_interfaces
{

using ambf_msgs::msg::WorldManifest;
using ambf_node_support::fill;
using ambf_node_support::to_eigen;
using Eigen::Isometry3d;
using Eigen::Vector3d;
using simulation_interfaces::msg::Bounds;
using simulation_interfaces::msg::EntityCategory;
using simulation_interfaces::msg::EntityFilters;
using simulation_interfaces::msg::TagsFilter;

namespace
{

constexpr std::size_t kBody = 13;
/// Further out nothing is placed, and what reaches so far has no end, m. Numbers are 0.1 um apart there.
constexpr double kWorldEnd = 1e9;

/// A POSIX extended regular expression, as the standard asks for.
class Pattern
{
public:
  explicit Pattern(const std::string & text)
  : error_(regcomp(&compiled_, text.c_str(), REG_EXTENDED | REG_NOSUB))
  {
  }
  Pattern(const Pattern &) = delete;
  Pattern & operator=(const Pattern &) = delete;
  ~Pattern()
  {
    if (error_ == 0) { regfree(&compiled_); }
  }

  std::string problem() const
  {
    if (error_ == 0) { return {}; }
    char text[200];
    regerror(error_, &compiled_, text, sizeof(text));
    return text;
  }
  bool matches(const std::string & name) const
  {
    return regexec(&compiled_, name.c_str(), 0, nullptr, 0) == 0;
  }

private:
  regex_t compiled_{};
  int error_ = 0;
};

bool tags_match(const TagsFilter & filter, const std::vector<std::string> & tags)
{
  if (filter.tags.empty()) { return true; }
  const auto has = [&](const std::string & tag) {
    return std::find(tags.begin(), tags.end(), tag) != tags.end();
  };
  return filter.filter_mode == TagsFilter::FILTER_MODE_ALL
           ? std::all_of(filter.tags.begin(), filter.tags.end(), has)
           : std::any_of(filter.tags.begin(), filter.tags.end(), has);
}

bool overlaps(const Eigen::AlignedBox3d & box, const Bounds & bounds)
{
  const Vector3d a = to_eigen(bounds.points[0]), b = to_eigen(bounds.points[1]);
  if (bounds.type == Bounds::TYPE_SPHERE) { return box.exteriorDistance(a) <= b.x(); }
  return box.intersects(Eigen::AlignedBox3d(a.cwiseMin(b), a.cwiseMax(b)));
}

Isometry3d body_pose(const WorldNow & now, std::uint32_t body)
{
  Isometry3d t = Isometry3d::Identity();
  if ((body + 1) * kBody > now.bodies.size()) { return t; }
  const double * b = now.bodies.data() + body * kBody;
  t.translation() = Vector3d(b[0], b[1], b[2]);
  t.linear() = Eigen::Quaterniond(b[6], b[3], b[4], b[5]).toRotationMatrix();
  return t;
}

Twist body_twist(const WorldNow & now, std::uint32_t body)
{
  if ((body + 1) * kBody > now.bodies.size()) { return {}; }
  const double * b = now.bodies.data() + body * kBody;
  return {{b[7], b[8], b[9]}, {b[10], b[11], b[12]}};
}

/// Box around all collision shapes, world frame; empty: there are none.
Eigen::AlignedBox3d world_bounds(const Entity & entity, const WorldNow & now)
{
  Eigen::AlignedBox3d box;
  for (const auto i : entity.bodies) {
    if ((i + 1) * 6 > now.bounds.size()) { continue; }
    const double * b = now.bounds.data() + i * 6;
    const Eigen::AlignedBox3d one(Vector3d(b[0], b[1], b[2]), Vector3d(b[3], b[4], b[5]));
    if (!one.isEmpty()) { box.extend(one); }
  }
  return box;
}

/// Where something without a shape is a point; nowhere without a body.
bool overlaps(const Entity & entity, const WorldNow & now, const Bounds & bounds)
{
  if (entity.bodies.empty()) { return false; }
  const auto box = world_bounds(entity, now);
  return overlaps(
    box.isEmpty() ? Eigen::AlignedBox3d(body_pose(now, entity.bodies.front()).translation()) : box,
    bounds);
}

std::optional<FilterError> problem_of(const Bounds & bounds)
{
  if (bounds.type == Bounds::TYPE_EMPTY) { return std::nullopt; }
  if (bounds.type != Bounds::TYPE_BOX && bounds.type != Bounds::TYPE_SPHERE) {
    return FilterError{
      true, "bounds.type: found " + std::to_string(bounds.type) +
              ", expected 0 empty, 1 box or 3 sphere"};
  }
  if (bounds.points.size() != 2) {
    return FilterError{
      false,
      "bounds.points: found " + std::to_string(bounds.points.size()) + " points, expected 2"};
  }
  for (const auto & point : bounds.points) {
    if (!to_eigen(point).allFinite()) {
      return FilterError{false, "bounds.points: found a value that is not finite"};
    }
  }
  if (bounds.type == Bounds::TYPE_SPHERE && bounds.points[1].x < 0.0) {
    return FilterError{false, "bounds.points[1].x: found a negative radius"};
  }
  return std::nullopt;
}

void complete(
  Entity & entity, const WorldManifest & manifest, bool jointed, const InfoByName & given)
{
  const auto massless = [&](std::uint32_t i) { return manifest.bodies[i].mass == 0.0; };
  entity.fixed = !entity.bodies.empty() && massless(entity.bodies.front());
  const bool still =
    !entity.soft && std::all_of(entity.bodies.begin(), entity.bodies.end(), massless);
  entity.info.category.category = jointed ? EntityCategory::CATEGORY_ROBOT
                                  : still ? EntityCategory::CATEGORY_STATIC_OBJECT
                                          : EntityCategory::CATEGORY_OBJECT;
  if (const auto it = given.find(entity.name); it != given.end()) { entity.info = it->second; }
}

ambf_adf::expected<Isometry3d, std::string> to_isometry(const geometry_msgs::msg::Pose & pose)
{
  const Eigen::Quaterniond q = to_eigen(pose.orientation);
  const Vector3d p = to_eigen(pose.position);
  // Written so that NaN fails, too.
  if (!(p.cwiseAbs().maxCoeff() <= kWorldEnd) || !q.coeffs().allFinite()) {
    return tl::unexpected(
      std::string("found a value that is not finite or too far out, expected up to 1e9 m"));
  }
  if (std::abs(q.norm() - 1.0) > 1e-3) {
    return tl::unexpected(
      "found a quaternion of length " + std::to_string(q.norm()) + ", expected length 1");
  }
  Isometry3d t = Isometry3d::Identity();
  t.linear() = q.normalized().toRotationMatrix();
  t.translation() = p;
  return t;
}

std::optional<Isometry3d> frame_pose(
  const std::string & frame, const WorldManifest & manifest, const std::vector<Entity> & entities,
  const WorldNow & now)
{
  if (frame.empty() || frame == "world" || frame == manifest.root_frame) {
    return Isometry3d::Identity();
  }
  if (const Entity * entity = find(entities, frame); entity != nullptr && !entity->bodies.empty()) {
    return body_pose(now, entity->bodies.front());
  }
  for (std::uint32_t i = 0; i < manifest.bodies.size(); ++i) {
    if (manifest.bodies[i].topic == "/" + frame) { return body_pose(now, i); }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Entity> entities_of(const WorldManifest & manifest, const InfoByName & given)
{
  std::vector<Entity> entities, parts;
  std::set<std::string> taken;
  for (const auto & model : manifest.models) { taken.insert(model.name); }
  const auto in = [](const auto & model) {
    return [&](const auto & object) { return object.model == model.name; };
  };
  for (const auto & model : manifest.models) {
    Entity entity;
    entity.name = entity.object = model.name;
    entity.info.description = "model of " + model.ns;
    for (std::uint32_t i = 0; i < manifest.bodies.size(); ++i) {
      if (manifest.bodies[i].model == model.name) { entity.bodies.push_back(i); }
    }
    const auto base = std::find_if(
      entity.bodies.begin(), entity.bodies.end(),
      [&](std::uint32_t i) { return manifest.bodies[i].parent.empty(); });
    if (base != entity.bodies.end()) { std::rotate(entity.bodies.begin(), base, base + 1); }
    entity.soft = std::any_of(manifest.soft_bodies.begin(), manifest.soft_bodies.end(), in(model));
    const bool jointed = std::any_of(manifest.joints.begin(), manifest.joints.end(), in(model));
    complete(entity, manifest, jointed, given);
    if (entity.bodies.size() > 1) {
      for (const auto i : entity.bodies) {
        const auto & body = manifest.bodies[i];
        Entity part;
        part.name = model.name + "/" + body.name;
        // Bodies of one name differ in their topics, which are unique in the world.
        if (!taken.insert(part.name).second) { part.name = model.name + body.topic; }
        part.object = body.topic;
        part.bodies = {i};
        part.info.description = "body of " + model.name + ", topics at " + body.topic;
        complete(part, manifest, false, given);
        parts.push_back(std::move(part));
      }
    }
    entities.push_back(std::move(entity));
  }
  std::move(parts.begin(), parts.end(), std::back_inserter(entities));
  return entities;
}

const Entity * find(const std::vector<Entity> & entities, const std::string & name)
{
  const auto it = std::find_if(
    entities.begin(), entities.end(), [&](const Entity & entity) { return entity.name == name; });
  return it == entities.end() ? nullptr : &*it;
}

Bounds bounds_of(const Entity & entity, const WorldNow & now)
{
  Bounds bounds;
  const auto world = world_bounds(entity, now);
  if (
    world.isEmpty() || world.min().minCoeff() < -kWorldEnd || world.max().maxCoeff() > kWorldEnd) {
    return bounds;
  }
  // The box of a turned box: larger than the shape needs, and never smaller.
  const Isometry3d t_entity_world = body_pose(now, entity.bodies.front()).inverse();
  Eigen::AlignedBox3d box;
  for (int corner = 0; corner < 8; ++corner) {
    box.extend(t_entity_world * world.corner(static_cast<Eigen::AlignedBox3d::CornerType>(corner)));
  }
  bounds.type = Bounds::TYPE_BOX;
  bounds.points.resize(2);
  fill(bounds.points[0], box.max());
  fill(bounds.points[1], box.min());
  return bounds;
}

simulation_interfaces::msg::EntityState state_of(
  const Entity & entity, const WorldNow & now, const std::string & frame)
{
  simulation_interfaces::msg::EntityState state;
  state.header.frame_id = frame;
  state.header.stamp = now.sim_time;
  state.pose = to_pose(body_pose(now, entity.bodies.front()));
  const Twist twist = body_twist(now, entity.bodies.front());
  fill(state.twist.linear, twist.linear);
  fill(state.twist.angular, twist.angular);
  return state;
}

ambf_adf::expected<std::vector<Entity>, FilterError> filtered(
  std::vector<Entity> entities, const EntityFilters & filters, const WorldNow & now)
{
  const Pattern pattern(filters.filter);
  if (const auto problem = pattern.problem(); !problem.empty()) {
    return tl::unexpected(FilterError{false, "filter: '" + filters.filter + "': " + problem});
  }
  if (const auto problem = problem_of(filters.bounds)) { return tl::unexpected(*problem); }
  if (filters.tags.filter_mode > TagsFilter::FILTER_MODE_ALL) {
    return tl::unexpected(FilterError{
      true, "tags.filter_mode: found " + std::to_string(filters.tags.filter_mode) +
              ", expected 0 any or 1 all"});
  }
  std::erase_if(entities, [&](const Entity & entity) {
    const auto category = [&](const auto & c) {
      return c.category == entity.info.category.category;
    };
    const auto & wanted = filters.categories;
    return !(filters.filter.empty() || pattern.matches(entity.name)) ||
           !(wanted.empty() || std::any_of(wanted.begin(), wanted.end(), category)) ||
           !tags_match(filters.tags, entity.info.tags) ||
           !(filters.bounds.type == Bounds::TYPE_EMPTY || overlaps(entity, now, filters.bounds));
  });
  return entities;
}

geometry_msgs::msg::Pose to_pose(const Isometry3d & t)
{
  geometry_msgs::msg::Pose pose;
  fill(pose, Vector3d(t.translation()), Eigen::Quaterniond(t.linear()));
  return pose;
}

ambf_adf::expected<Isometry3d, std::string> world_pose(
  const std::string & frame, const geometry_msgs::msg::Pose & pose, const WorldManifest & manifest,
  const std::vector<Entity> & entities, const WorldNow & now)
{
  const auto t_world_frame = frame_pose(frame, manifest, entities, now);
  if (!t_world_frame) {
    return tl::unexpected(
      "header.frame_id: found '" + frame + "', expected the root frame '" + manifest.root_frame +
      "', an entity or the tf frame of a body");
  }
  return to_isometry(pose)
    .map([&](const Isometry3d & t) { return Isometry3d(*t_world_frame * t); })
    .map_error([](const std::string & problem) { return "pose: " + problem; });
}

ambf_msgs::srv::SetBodyState::Request placed(
  const Entity & entity, const WorldManifest & manifest, const WorldNow & now,
  const std::optional<Isometry3d> & t_world_entity, const std::optional<Twist> & twist)
{
  ambf_msgs::srv::SetBodyState::Request request;
  const Isometry3d before = body_pose(now, entity.bodies.front());
  const Twist was = body_twist(now, entity.bodies.front());
  const Isometry3d after = t_world_entity.value_or(before);
  const Twist is = twist.value_or(was);
  const Isometry3d move = after * before.inverse();
  for (const auto i : entity.bodies) {
    const Isometry3d old_pose = body_pose(now, i), pose = move * old_pose;
    Twist moved{is.linear + is.angular.cross(pose.translation() - after.translation()), is.angular};
    if (!twist) {
      // What the body does beside the canonical link turns with the entity.
      const Twist own = body_twist(now, i);
      const Vector3d arm = old_pose.translation() - before.translation();
      moved.linear += move.linear() * (own.linear - was.linear - was.angular.cross(arm));
      moved.angular += move.linear() * (own.angular - was.angular);
    }
    request.names.push_back(manifest.bodies[i].identifier);
    // The world may have moved on since `now`: poses that nobody gave are left alone.
    if (t_world_entity) { request.poses.push_back(to_pose(pose)); }
    geometry_msgs::msg::Twist message;
    fill(message.linear, moved.linear);
    fill(message.angular, moved.angular);
    request.twists.push_back(message);
  }
  return request;
}

}  // namespace ambf_simulation_interfaces
