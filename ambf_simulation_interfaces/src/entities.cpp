#include "entities.hpp"

#include <regex.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ambf_simulation_interfaces
{

using ambf_msgs::msg::WorldManifest;
using Eigen::Isometry3d;
using Eigen::Vector3d;
using simulation_interfaces::msg::Bounds;
using simulation_interfaces::msg::EntityCategory;
using simulation_interfaces::msg::EntityFilters;
using simulation_interfaces::msg::TagsFilter;

namespace
{

constexpr std::size_t kBody = 13;

/// A POSIX extended regular expression, as the standard asks for.
class Pattern
{
public:
  explicit Pattern(const std::string & text)
  : error_(regcomp(&compiled_, text.c_str(), REG_EXTENDED | REG_NOSUB)) {}
  Pattern(const Pattern &) = delete;
  Pattern & operator=(const Pattern &) = delete;
  ~Pattern() {if (error_ == 0) {regfree(&compiled_);}}

  std::string problem() const
  {
    if (error_ == 0) {return {};}
    char text[200];
    regerror(error_, &compiled_, text, sizeof(text));
    return text;
  }
  bool matches(const std::string & name) const {return regexec(&compiled_, name.c_str(), 0, nullptr, 0) == 0;}

private:
  regex_t compiled_{};
  int error_ = 0;
};

Vector3d to_eigen(const geometry_msgs::msg::Vector3 & v) {return {v.x, v.y, v.z};}

geometry_msgs::msg::Vector3 to_message(const Vector3d & v)
{
  geometry_msgs::msg::Vector3 message;
  message.x = v.x();
  message.y = v.y();
  message.z = v.z();
  return message;
}

bool tags_match(const TagsFilter & filter, const std::vector<std::string> & tags)
{
  if (filter.tags.empty()) {return true;}
  const auto has = [&](const std::string & tag) {
      return std::find(tags.begin(), tags.end(), tag) != tags.end();
    };
  return filter.filter_mode == TagsFilter::FILTER_MODE_ALL ?
         std::all_of(filter.tags.begin(), filter.tags.end(), has) :
         std::any_of(filter.tags.begin(), filter.tags.end(), has);
}

bool overlaps(const Eigen::AlignedBox3d & box, const Bounds & bounds)
{
  if (box.isEmpty()) {return false;}
  const Vector3d a = to_eigen(bounds.points[0]), b = to_eigen(bounds.points[1]);
  if (bounds.type == Bounds::TYPE_SPHERE) {return box.exteriorDistance(a) <= b.x();}
  return box.intersects(Eigen::AlignedBox3d(a.cwiseMin(b), a.cwiseMax(b)));
}

std::optional<FilterError> problem_of(const Bounds & bounds)
{
  if (bounds.type == Bounds::TYPE_EMPTY) {return std::nullopt;}
  if (bounds.type != Bounds::TYPE_BOX && bounds.type != Bounds::TYPE_SPHERE) {
    return FilterError{true, "bounds.type: found " + std::to_string(bounds.type) +
             ", expected 0 empty, 1 box or 3 sphere"};
  }
  if (bounds.points.size() != 2) {
    return FilterError{false, "bounds.points: found " + std::to_string(bounds.points.size()) +
             " points, expected 2"};
  }
  for (const auto & point : bounds.points) {
    if (!to_eigen(point).allFinite()) {return FilterError{false, "bounds.points: found a value that is not finite"};}
  }
  if (bounds.type == Bounds::TYPE_SPHERE && bounds.points[1].x < 0.0) {
    return FilterError{false, "bounds.points[1].x: found a negative radius"};
  }
  return std::nullopt;
}

void complete(Entity & entity, const WorldManifest & manifest, bool jointed, const InfoByName & given)
{
  entity.fixed = std::all_of(
    entity.bodies.begin(), entity.bodies.end(), [&](std::uint32_t i) {return manifest.bodies[i].mass == 0.0;});
  entity.info.category.category = jointed ? EntityCategory::CATEGORY_ROBOT :
    entity.fixed ? EntityCategory::CATEGORY_STATIC_OBJECT : EntityCategory::CATEGORY_OBJECT;
  if (const auto it = given.find(entity.name); it != given.end()) {entity.info = it->second;}
}

}  // namespace

std::vector<Entity> entities_of(const WorldManifest & manifest, const InfoByName & given)
{
  std::vector<Entity> entities, parts;
  for (const auto & model : manifest.models) {
    Entity entity;
    entity.name = entity.object = model.name;
    entity.info.description = "model of " + model.ns;
    for (std::uint32_t i = 0; i < manifest.bodies.size(); ++i) {
      if (manifest.bodies[i].model == model.name) {entity.bodies.push_back(i);}
    }
    const auto base = std::find_if(
      entity.bodies.begin(), entity.bodies.end(),
      [&](std::uint32_t i) {return manifest.bodies[i].parent.empty();});
    if (base != entity.bodies.end()) {std::rotate(entity.bodies.begin(), base, base + 1);}
    const bool jointed = std::any_of(
      manifest.joints.begin(), manifest.joints.end(),
      [&](const auto & joint) {return joint.model == model.name;});
    complete(entity, manifest, jointed, given);
    if (entity.bodies.size() > 1) {
      for (const auto i : entity.bodies) {
        const auto & body = manifest.bodies[i];
        Entity part;
        part.name = model.name + "/" + body.name;
        part.object = body.identifier;
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
    entities.begin(), entities.end(), [&](const Entity & entity) {return entity.name == name;});
  return it == entities.end() ? nullptr : &*it;
}

Isometry3d body_pose(const WorldNow & now, std::uint32_t body)
{
  Isometry3d t = Isometry3d::Identity();
  if ((body + 1) * kBody > now.bodies.size()) {return t;}
  const double * b = now.bodies.data() + body * kBody;
  t.translation() = Vector3d(b[0], b[1], b[2]);
  t.linear() = Eigen::Quaterniond(b[6], b[3], b[4], b[5]).toRotationMatrix();
  return t;
}

namespace
{

Twist body_twist(const WorldNow & now, std::uint32_t body)
{
  if ((body + 1) * kBody > now.bodies.size()) {return {};}
  const double * b = now.bodies.data() + body * kBody;
  return {{b[7], b[8], b[9]}, {b[10], b[11], b[12]}};
}

Isometry3d entity_pose(const Entity & entity, const WorldNow & now)
{
  return entity.bodies.empty() ? Isometry3d::Identity() : body_pose(now, entity.bodies.front());
}

}  // namespace

Eigen::AlignedBox3d world_bounds(const Entity & entity, const WorldNow & now)
{
  Eigen::AlignedBox3d box;
  for (const auto i : entity.bodies) {
    if ((i + 1) * 6 > now.bounds.size()) {continue;}
    const double * b = now.bounds.data() + i * 6;
    const Eigen::AlignedBox3d one(Vector3d(b[0], b[1], b[2]), Vector3d(b[3], b[4], b[5]));
    if (!one.isEmpty()) {box.extend(one);}
  }
  return box;
}

Bounds bounds_of(const Entity & entity, const WorldNow & now)
{
  Bounds bounds;
  const auto world = world_bounds(entity, now);
  if (world.isEmpty()) {return bounds;}
  // The box of a turned box: larger than the shape needs, and never smaller.
  const Isometry3d t_entity_world = entity_pose(entity, now).inverse();
  Eigen::AlignedBox3d box;
  for (int corner = 0; corner < 8; ++corner) {
    box.extend(t_entity_world * world.corner(static_cast<Eigen::AlignedBox3d::CornerType>(corner)));
  }
  bounds.type = Bounds::TYPE_BOX;
  bounds.points = {to_message(box.max()), to_message(box.min())};
  return bounds;
}

simulation_interfaces::msg::EntityState state_of(
  const Entity & entity, const WorldNow & now, const std::string & frame)
{
  simulation_interfaces::msg::EntityState state;
  state.header.frame_id = frame;
  state.header.stamp = now.sim_time;
  state.pose = to_pose(entity_pose(entity, now));
  if (!entity.bodies.empty()) {
    const Twist twist = body_twist(now, entity.bodies.front());
    state.twist.linear = to_message(twist.linear);
    state.twist.angular = to_message(twist.angular);
  }
  return state;
}

ambf_adf::expected<std::vector<Entity>, FilterError> filtered(
  std::vector<Entity> entities, const EntityFilters & filters, const WorldNow & now)
{
  const Pattern pattern(filters.filter);
  if (const auto problem = pattern.problem(); !problem.empty()) {
    return tl::unexpected(FilterError{false, "filter: '" + filters.filter + "': " + problem});
  }
  if (const auto problem = problem_of(filters.bounds)) {return tl::unexpected(*problem);}
  std::erase_if(entities, [&](const Entity & entity) {
      const auto category = [&](const auto & c) {return c.category == entity.info.category.category;};
      const auto & wanted = filters.categories;
      return !(filters.filter.empty() || pattern.matches(entity.name)) ||
             !(wanted.empty() || std::any_of(wanted.begin(), wanted.end(), category)) ||
             !tags_match(filters.tags, entity.info.tags) ||
             !(filters.bounds.type == Bounds::TYPE_EMPTY || overlaps(world_bounds(entity, now), filters.bounds));
    });
  return entities;
}

ambf_adf::expected<Isometry3d, std::string> to_isometry(const geometry_msgs::msg::Pose & pose)
{
  const Eigen::Quaterniond q(pose.orientation.w, pose.orientation.x, pose.orientation.y, pose.orientation.z);
  const Vector3d p(pose.position.x, pose.position.y, pose.position.z);
  if (!p.allFinite() || !q.coeffs().allFinite()) {
    return tl::unexpected(std::string("found a value that is not finite, expected numbers"));
  }
  if (std::abs(q.norm() - 1.0) > 1e-3) {
    return tl::unexpected("found a quaternion of length " + std::to_string(q.norm()) + ", expected length 1");
  }
  Isometry3d t = Isometry3d::Identity();
  t.linear() = q.normalized().toRotationMatrix();
  t.translation() = p;
  return t;
}

geometry_msgs::msg::Pose to_pose(const Isometry3d & t)
{
  const Eigen::Quaterniond q(t.linear());
  geometry_msgs::msg::Pose pose;
  pose.position.x = t.translation().x();
  pose.position.y = t.translation().y();
  pose.position.z = t.translation().z();
  pose.orientation.x = q.x();
  pose.orientation.y = q.y();
  pose.orientation.z = q.z();
  pose.orientation.w = q.w();
  return pose;
}

std::optional<Isometry3d> frame_pose(
  const std::string & frame, const WorldManifest & manifest, const std::vector<Entity> & entities,
  const WorldNow & now)
{
  if (frame.empty() || frame == "world" || frame == manifest.root_frame) {return Isometry3d::Identity();}
  if (const Entity * entity = find(entities, frame)) {return entity_pose(*entity, now);}
  for (std::uint32_t i = 0; i < manifest.bodies.size(); ++i) {
    if (manifest.bodies[i].topic == "/" + frame) {return body_pose(now, i);}
  }
  return std::nullopt;
}

ambf_msgs::srv::SetBodyState::Request placed(
  const Entity & entity, const WorldManifest & manifest, const WorldNow & now,
  const std::optional<Isometry3d> & t_world_entity, const std::optional<Twist> & twist)
{
  ambf_msgs::srv::SetBodyState::Request request;
  const Isometry3d before = entity_pose(entity, now);
  const Isometry3d after = t_world_entity.value_or(before);
  for (const auto i : entity.bodies) {
    const Isometry3d pose = t_world_entity ?
      Isometry3d(after * before.inverse() * body_pose(now, i)) : body_pose(now, i);
    Twist moved = body_twist(now, i);
    if (twist) {
      moved.angular = twist->angular;
      moved.linear = twist->linear + twist->angular.cross(pose.translation() - after.translation());
    } else if (t_world_entity) {
      const Eigen::Matrix3d turn = after.linear() * before.linear().transpose();
      moved = {turn * moved.linear, turn * moved.angular};
    }
    request.names.push_back(manifest.bodies[i].identifier);
    request.poses.push_back(to_pose(pose));
    geometry_msgs::msg::Twist message;
    message.linear = to_message(moved.linear);
    message.angular = to_message(moved.angular);
    request.twists.push_back(message);
  }
  return request;
}

}  // namespace ambf_simulation_interfaces
