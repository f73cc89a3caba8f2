// SPDX-License-Identifier: BSD-3-Clause
#include "sensors.hpp"

#include <algorithm>
#include <cmath>

#include "ambf_adf/rays.hpp"
#include "section_names.hpp"

namespace ambf_dynamics
{
namespace
{

ambf_adf::Problem no_rays(const ambf_adf::Sensor & source, const std::string & found)
{
  auto problem = make_error(
    ambf_adf::ProblemKind::MissingFile, source.header.identifier + "/mesh", found,
    "a readable mesh", "the sensor takes part without rays");
  problem.severity = ambf_adf::Severity::Warning;
  problem.where = source.header.where;
  return problem;
}

}  // namespace

void SensorSlot::clear_ray(std::size_t i)
{
  triggered[i] = 0;
  measurement[i] = 0.0;
  sensed[i] = no_index;
  points[i].setZero();
  forces[i].setZero();
  bodies[i] = nullptr;
}

void SensorSlot::resize(std::size_t count)
{
  const std::size_t before = triggered.size();
  triggered.resize(count);
  range.resize(count, 0.0);
  measurement.resize(count);
  sensed.resize(count);
  points.resize(count);
  forces.resize(count);
  bodies.resize(count);
  for (std::size_t i = before; i < count; ++i) { clear_ray(i); }
}

void Sensors::add_model(
  const ambf_adf::Model & model, ModelHandle handle, const Eigen::Isometry3d &,
  ambf_adf::Problems & problems)
{
  for (const ambf_adf::Sensor & source : model.sensors) {
    Body * parent = world_.body_by_name(source.parent);
    if (!parent) {
      problems.push_back(unresolved_parent(source.header, "parent", source.parent));
      continue;
    }
    auto slot = std::make_unique<SensorSlot>();
    take_names(slot->info, source.header, handle);
    slot->info.type = source.type;
    slot->info.location = source.location.isometry();
    slot->info.range = source.range;
    slot->parent = parent;
    slot->resistance = source.resistance;
    slot->distance_threshold = source.distance_threshold;
    const btTransform t_inertial_sensor = parent->t_inertial_body * to_bt(slot->info.location);
    const auto rays = ambf_adf::rays_of(source, world_.shapes().meshes());
    if (!rays) {
      problems.push_back(no_rays(source, rays.error().file + ": " + rays.error().reason));
    }
    for (const auto & [start, end] : rays.value_or(std::vector<ambf_adf::RaySegment>{})) {
      slot->starts.push_back(t_inertial_sensor * to_bt(start));
      slot->ends.push_back(t_inertial_sensor * to_bt(end));
    }
    const std::size_t count = slot->starts.size();
    slot->info.ray_count = static_cast<std::uint32_t>(count);
    slot->resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      slot->range[i] = (slot->ends[i] - slot->starts[i]).length();
    }
    slot->batch.resize(count);
    if (slot->resistive()) { slot->anchors.resize(count); }
    sensors_.push_back(std::move(slot));
  }
}

void Sensors::remove_model(ModelHandle handle)
{
  std::erase_if(sensors_, [&](const auto & sensor) { return sensor->info.model == handle; });
}

bool Sensors::remove_object(std::string_view qualified)
{
  return std::erase_if(
           sensors_, [&](const auto & sensor) { return sensor->info.qualified == qualified; }) > 0;
}

void Sensors::body_removed(Body & body)
{
  std::erase_if(sensors_, [&](const auto & sensor) { return sensor->parent == &body; });
  for (const auto & sensor : sensors_) {
    for (std::size_t i = 0; i < sensor->bodies.size(); ++i) {
      if (sensor->bodies[i] != &body) { continue; }
      sensor->clear_ray(i);
      if (sensor->resistive()) { sensor->anchors[i] = Anchor{}; }
    }
  }
}

void Sensors::renumber()
{
  infos_.clear();
  rays_ = ray_sensors_ = contact_sensors_ = 0;
  for (const auto & sensor : sensors_) {
    sensor->info.parent = index_of(*sensor->parent);
    sensor->info.first_ray = static_cast<std::uint32_t>(rays_);
    rays_ += sensor->starts.size();
    (sensor->touches() ? contact_sensors_ : ray_sensors_) += 1;
    for (std::size_t i = 0; i < sensor->bodies.size(); ++i) {
      sensor->sensed[i] = sensor->bodies[i] ? index_of(*sensor->bodies[i]) : no_index;
    }
    infos_.push_back(sensor->info);
  }
  targets_.resize(world_.body_list().size());
  loads_.resize(world_.body_list().size());
}

void Sensors::before_step()
{
  if (ray_sensors_ == 0) { return; }
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    const Body & body = *world_.body_list()[i];
    RayTarget & target = targets_[i];
    target.object = body.shape->empty ? nullptr : body.rigid.get();
    if (target.object) {
      body.rigid->getCollisionShape()->getAabb(
        body.rigid->getWorldTransform(), target.low, target.high);
    }
  }
  std::fill(loads_.begin(), loads_.end(), DampingLoad{});
  for (const auto & sensor : sensors_) {
    if (sensor->touches()) { continue; }
    cast(*sensor);
    if (sensor->resistive()) { update_anchors(*sensor, loads_); }
  }
  for (const auto & sensor : sensors_) {
    if (sensor->resistive()) { apply_resistance(*sensor, loads_, world_.parameters().step_size); }
  }
}

void Sensors::cast(SensorSlot & sensor)
{
  RayBatch & batch = sensor.batch;
  const btTransform & t = sensor.parent->rigid->getWorldTransform();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    batch.set(i, t * sensor.starts[i], t * sensor.ends[i]);
  }
  batch.begin();
  const int own = static_cast<int>(index_of(*sensor.parent));
  for (int k = 0; k < static_cast<int>(targets_.size()); ++k) {
    const RayTarget & target = targets_[static_cast<std::size_t>(k)];
    if (target.object && k != own) { batch.cast(target, k); }
  }
  if (!sensor.resistive()) {  // the resistive law is one of rigid bodies
    const int soft_number = static_cast<int>(targets_.size());
    auto & soft_bodies = world_.bullet().getSoftBodyArray();
    for (int k = 0; k < soft_bodies.size(); ++k) {
      btVector3 low;
      btVector3 high;
      soft_bodies[k]->getAabb(low, high);
      if (!batch.may_hit(low, high)) { continue; }
      // Bullet's own test builds a tree of faces that depends on history.
      const auto & faces = soft_bodies[k]->m_faces;
      for (int f = 0; f < faces.size(); ++f) {
        batch.cast_triangle(
          faces[f].m_n[0]->m_x, faces[f].m_n[1]->m_x, faces[f].m_n[2]->m_x, soft_number);
      }
    }
  }
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const int hit = batch.hit(i);
    if (hit < 0) {
      sensor.clear_ray(i);
      continue;
    }
    const bool rigid = hit < static_cast<int>(targets_.size());
    Body * body = rigid ? world_.body_list()[static_cast<std::size_t>(hit)].get() : nullptr;
    if (sensor.resistive() && sensor.bodies[i] != body) { sensor.anchors[i] = Anchor{}; }
    sensor.bodies[i] = body;
    sensor.sensed[i] = rigid ? static_cast<BodyIndex>(hit) : no_index;
    sensor.triggered[i] = 1;
    sensor.measurement[i] = 1.0 - batch.fraction(i);
    sensor.points[i] = to_eigen(btVector3(batch.from(i) + batch.along(i) * batch.fraction(i)));
  }
}

void Sensors::write_state(State & state)
{
  state.ray_flags.resize(rays_);
  state.ray_hits.resize(rays_);
  for (const auto & sensor : sensors_) {
    if (sensor->touches()) {
      read_contacts(*sensor, state.contacts, world_.body_list());
      continue;
    }
    const std::size_t first = sensor->info.first_ray;
    for (std::size_t i = 0; i < sensor->starts.size(); ++i) {
      state.ray_flags[first + i] = sensor->triggered[i];
      state.ray_hits[first + i] = static_cast<float>(sensor->measurement[i]);
    }
  }
}

SensorReading Sensors::reading(SensorIndex index) const
{
  SensorReading r;
  if (index >= sensors_.size()) { return r; }
  const SensorSlot & s = *sensors_[index];
  r.count = static_cast<std::uint32_t>(s.triggered.size());
  r.triggered = s.triggered;
  r.range = s.range;
  r.measurement = s.measurement;
  r.sensed = s.sensed;
  r.points = s.points;
  r.forces = s.forces;
  return r;
}

Body * Sensors::nearest(SensorIndex index) const
{
  const SensorSlot & s = *sensors_[index];
  Body * best = nullptr;
  double best_score = 0.0;
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    if (!s.bodies[i]) { continue; }
    const double score = s.touches() ? s.measurement[i] : -s.range[i] * (1.0 - s.measurement[i]);
    if (!best || score > best_score) {
      best = s.bodies[i];
      best_score = score;
    }
  }
  return best;
}

SensorIndex Sensors::index_of_slot(const SensorSlot * slot) const
{
  const auto at = std::find_if(
    sensors_.begin(), sensors_.end(), [slot](const auto & sensor) { return sensor.get() == slot; });
  return at == sensors_.end() ? no_index : static_cast<SensorIndex>(at - sensors_.begin());
}

void Sensors::hash(Hasher & h) const
{
  for (const auto & sensor : sensors_) {
    for (std::size_t i = 0; i < sensor->anchors.size(); ++i) {
      const Anchor & a = sensor->anchors[i];
      if (!a.held) {
        h.add(std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{1});
        continue;
      }
      h.add(a.in_parent, static_cast<double>(sensor->sensed[i]));
      h.add(a.in_sensed, 1.0);
    }
  }
}

void Sensors::save(Writer & out) const
{
  for (const auto & sensor : sensors_) {
    for (std::size_t i = 0; i < sensor->starts.size(); ++i) {
      out.put(sensor->triggered[i]);
      out.put(sensor->sensed[i]);
      out.put(sensor->measurement[i]);
      for (int k = 0; k < 3; ++k) {
        out.put(sensor->points[i][k]);
        out.put(sensor->forces[i][k]);
      }
      if (!sensor->resistive()) { continue; }
      const Anchor & a = sensor->anchors[i];
      out.put(a.held);
      for (int k = 0; k < 3; ++k) {
        out.put(a.in_parent[k]);
        out.put(a.in_sensed[k]);
      }
    }
  }
}

void Sensors::restore(Reader & in)
{
  auto & bodies = world_.body_list();
  for (const auto & sensor : sensors_) {
    for (std::size_t i = 0; i < sensor->starts.size(); ++i) {
      sensor->triggered[i] = in.get<std::uint8_t>();
      sensor->sensed[i] = in.get<BodyIndex>();
      sensor->bodies[i] =
        sensor->sensed[i] < bodies.size() ? bodies[sensor->sensed[i]].get() : nullptr;
      sensor->measurement[i] = in.get<double>();
      for (int k = 0; k < 3; ++k) {
        sensor->points[i][k] = in.get<double>();
        sensor->forces[i][k] = in.get<double>();
      }
      if (!sensor->resistive()) { continue; }
      Anchor & a = sensor->anchors[i];
      a.held = in.get<bool>();
      for (int k = 0; k < 3; ++k) {
        a.in_parent[k] = in.get<double>();
        a.in_sensed[k] = in.get<double>();
      }
    }
  }
}

void Sensors::reset()
{
  for (const auto & sensor : sensors_) {
    for (std::size_t i = 0; i < sensor->triggered.size(); ++i) { sensor->clear_ray(i); }
    std::fill(sensor->anchors.begin(), sensor->anchors.end(), Anchor{});
  }
}

void Sensors::describe(Hasher & h) const
{
  for (const auto & sensor : sensors_) {
    add_text(h, sensor->info.qualified);
    h.add(
      static_cast<std::uint64_t>(sensor->info.type), std::uint64_t{sensor->starts.size()},
      std::uint64_t{sensor->info.parent}, std::uint64_t{1});
  }
}

}  // namespace ambf_dynamics
