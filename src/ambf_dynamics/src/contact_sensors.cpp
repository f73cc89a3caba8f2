// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "section_names.hpp"
#include "sensors.hpp"

namespace ambf_dynamics
{

void read_contacts(
  SensorSlot & sensor, const std::vector<Contact> & contacts,
  std::vector<std::unique_ptr<Body>> & bodies)
{
  const BodyIndex parent = index_of(*sensor.parent);
  sensor.resize(0);  // capacity stays
  for (const Contact & contact : contacts) {
    const bool first = contact.body_a == parent;
    if (!first && contact.body_b != parent) { continue; }
    if (contact.distance > sensor.distance_threshold && contact.force.isZero(0.0)) { continue; }
    const BodyIndex other = first ? contact.body_b : contact.body_a;
    const Eigen::Vector3d force =
      first ? Eigen::Vector3d(-contact.force) : contact.force;  // on the other
    std::size_t i = 0;
    while (i < sensor.sensed.size() && sensor.sensed[i] != other) { ++i; }
    if (i == sensor.sensed.size()) {
      sensor.resize(i + 1);
      sensor.triggered[i] = 1;
      sensor.sensed[i] = other;
      sensor.bodies[i] = other == no_index ? nullptr : bodies[other].get();
      sensor.points[i] = contact.position;
    }
    sensor.forces[i] += force;
    sensor.measurement[i] += std::abs(contact.force.dot(contact.normal));
  }
}

}  // namespace ambf_dynamics
