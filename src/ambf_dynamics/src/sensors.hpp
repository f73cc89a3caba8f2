// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "ray_batch.hpp"
#include "world_impl.hpp"

namespace ambf_dynamics
{

/// Where a ray of a resistive sensor sticks: one point of the parent and one of the touched body that
/// coincided when it took hold. In the bodies' inertial frames.
struct Anchor
{
  btVector3 in_parent{0, 0, 0};
  btVector3 in_sensed{0, 0, 0};
  bool held = false;
};

struct SensorSlot
{
  SensorInfo info;
  Body * parent = nullptr;
  ambf_adf::Resistance resistance;
  double distance_threshold = 0.0;  // contact sensors [m]
  std::vector<btVector3> starts;    // in the parent's inertial frame
  std::vector<btVector3> ends;
  RayBatch batch;

  // Readings, one element per ray or touching body.
  std::vector<std::uint8_t> triggered;
  std::vector<double> range;
  std::vector<double> measurement;
  std::vector<BodyIndex> sensed;
  std::vector<Eigen::Vector3d> points;
  std::vector<Eigen::Vector3d> forces;
  std::vector<Body *> bodies;
  std::vector<Anchor> anchors;  // resistive sensors

  bool resistive() const { return info.type == ambf_adf::SensorType::Resistance; }
  bool touches() const { return info.type == ambf_adf::SensorType::Contact; }
  void clear_ray(std::size_t i);
  void resize(std::size_t count);
};

/// Damping that acts on each body, so that many rays together do not overshoot: see resistive_law.cpp.
struct DampingLoad
{
  double normal = 0.0;  // sum of coefficients [N s/m]
  double tangential = 0.0;
};

/// Finds or keeps the anchors of a resistive sensor for this step and adds its damping to the loads of
/// the bodies it touches (by dense index).
void update_anchors(SensorSlot & sensor, std::vector<DampingLoad> & loads);
/// Applies the forces of a resistive sensor to both bodies and writes them into its reading.
void apply_resistance(
  SensorSlot & sensor, const std::vector<DampingLoad> & loads, double step_size);
/// Sums the contacts of the parent by touching body.
void read_contacts(
  SensorSlot & sensor, const std::vector<Contact> & contacts,
  std::vector<std::unique_ptr<Body>> & bodies);

/// Sensors of all kinds in manifest order.
class Sensors final : public WorldSection
{
public:
  explicit Sensors(WorldImpl & world) : world_(world) {}

  void add_model(
    const ambf_adf::Model & model, ModelHandle handle, const Eigen::Isometry3d & t_world_model,
    ambf_adf::Problems & problems) override;
  void remove_model(ModelHandle handle) override;
  bool remove_object(std::string_view qualified) override;
  void body_removed(Body & body) override;
  void renumber() override;
  void before_step() override;
  void write_state(State & state) override;
  bool needs_contacts() const override { return contact_sensors_ > 0; }
  void hash(Hasher & h) const override;
  void save(Writer & out) const override;
  void restore(Reader & in) override;
  void reset() override;
  void describe(Hasher & h) const override;

  const std::vector<SensorInfo> & infos() const { return infos_; }
  SensorReading reading(SensorIndex index) const;
  std::size_t size() const { return sensors_.size(); }
  const SensorSlot * at(SensorIndex index) const { return sensors_[index].get(); }
  /// no_index for a sensor that is gone.
  SensorIndex index_of_slot(const SensorSlot * slot) const;
  /// The body nearest to the start of a ray of this sensor, or touching with the largest force.
  Body * nearest(SensorIndex index) const;

private:
  void cast(SensorSlot & sensor);

  WorldImpl & world_;
  std::vector<std::unique_ptr<SensorSlot>> sensors_;
  std::vector<SensorInfo> infos_;
  std::vector<RayTarget> targets_;  // by dense body index; empty shapes have no object
  std::vector<DampingLoad> loads_;
  std::size_t ray_sensors_ = 0;
  std::size_t contact_sensors_ = 0;
  std::size_t rays_ = 0;
};

}  // namespace ambf_dynamics
