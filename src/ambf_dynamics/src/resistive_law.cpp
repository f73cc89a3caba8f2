// SPDX-License-Identifier: BSD-3-Clause
// Force law of resistive sensors (spec/papers III.2.3, with its corrections). A carries the sensor, B is
// touched at P; d is the direction of the ray, outwards; e_N = 1 - hit fraction.
//
//   anchors  first touch, or B changed: Q_A, Q_B at P.   e = T_A Q_A - T_B Q_B,  e_T = e - (e.d) d
//            |e_T| > contact area: slip, anchor anew at P.
//   normal   F_N = max(0, K_N e_N + K_D de_N/dt) d, with de_N/dt = d.(v_A - v_B) / length of the ray
//   stick    F_S = s (mu_S e_T + c_S e_V);  s = K_N e_N, the spring's part of |F_N|, if friction is variable, else 1
//   viscous  F_V = mu_V e_V,   e_V = tangential part of v_A - v_B at P
//   on B: F_N + F_S + F_V at P;  on A: the opposite.
//
// Springs are explicit: at rest they balance the load exactly. Dampers are explicit, too, but each is
// divided by 1 + h W sum(c), where W is the inverse mass that the pair shows at P and the sum runs over all
// rays that press on the same body: what one implicit step of all of them together would give. Without it
// the damping of published sensors (50 N s over a ray of 5 cm, several rays on 0.5 kg) diverges at 1 kHz.

#include <algorithm>
#include <cmath>

#include "section_names.hpp"
#include "sensors.hpp"

namespace ambf_dynamics
{
namespace
{

btVector3 across(const btVector3 & v, const btVector3 & d) { return v - d * v.dot(d); }

double normal_damping(const SensorSlot & sensor, std::size_t i)
{
  return sensor.resistance.contact_damping / sensor.range[i];  // [N s] over [m]
}

// Stiffness scale of the friction: the normal spring alone decides, so that the sum of loads is known
// before the forces.
double friction_scale(const SensorSlot & sensor, std::size_t i)
{
  return sensor.resistance.variable_friction
           ? sensor.resistance.contact_stiffness * sensor.measurement[i]
           : 1.0;
}

double tangential_damping(const SensorSlot & sensor, std::size_t i)
{
  const bool held = sensor.anchors[i].held;
  return sensor.resistance.dynamic_friction +
         (held ? friction_scale(sensor, i) * sensor.resistance.static_damping : 0.0);
}

double inverse_mass_at(const btRigidBody & body, const btVector3 & arm, const btVector3 & direction)
{
  if (body.getInvMass() <= 0.0) { return 0.0; }
  const btVector3 turn = arm.cross(direction);
  return body.getInvMass() + turn.dot(body.getInvInertiaTensorWorld() * turn);
}

}  // namespace

void update_anchors(SensorSlot & sensor, std::vector<DampingLoad> & loads)
{
  const btTransform & t_a = sensor.parent->rigid->getWorldTransform();
  for (std::size_t i = 0; i < sensor.anchors.size(); ++i) {
    Anchor & anchor = sensor.anchors[i];
    if (!sensor.bodies[i]) {
      anchor = Anchor{};
      continue;
    }
    const btTransform & t_b = sensor.bodies[i]->rigid->getWorldTransform();
    bool slips = true;
    if (anchor.held) {
      const btVector3 d = sensor.batch.along(i).normalized();
      const btVector3 e = t_a * anchor.in_parent - t_b * anchor.in_sensed;
      slips = across(e, d).length() > sensor.resistance.contact_area;
    }
    if (slips) {
      const btVector3 p = to_bt(sensor.points[i]);
      anchor.in_parent = t_a.invXform(p);
      anchor.in_sensed = t_b.invXform(p);
    }
    anchor.held = true;
    for (const Body * body : {sensor.parent, sensor.bodies[i]}) {
      DampingLoad & load = loads[index_of(*body)];
      load.normal += normal_damping(sensor, i);
      load.tangential += tangential_damping(sensor, i);
    }
  }
}

void apply_resistance(SensorSlot & sensor, const std::vector<DampingLoad> & loads, double h)
{
  btRigidBody & a = *sensor.parent->rigid;
  const btTransform & t_a = a.getWorldTransform();
  for (std::size_t i = 0; i < sensor.anchors.size(); ++i) {
    if (!sensor.bodies[i]) { continue; }
    btRigidBody & b = *sensor.bodies[i]->rigid;
    const btTransform & t_b = b.getWorldTransform();
    const Anchor & anchor = sensor.anchors[i];
    const btVector3 p = to_bt(sensor.points[i]);
    const btVector3 d = sensor.batch.along(i).normalized();
    const btVector3 arm_a = p - t_a.getOrigin();
    const btVector3 arm_b = p - t_b.getOrigin();
    const btVector3 v = a.getVelocityInLocalPoint(arm_a) - b.getVelocityInLocalPoint(arm_b);
    const btVector3 v_tangential = across(v, d);
    const DampingLoad & load_a = loads[index_of(*sensor.parent)];
    const DampingLoad & load_b = loads[index_of(*sensor.bodies[i])];

    const double w_n = inverse_mass_at(a, arm_a, d) + inverse_mass_at(b, arm_b, d);
    const double damping_n =
      normal_damping(sensor, i) / (1.0 + h * w_n * std::max(load_a.normal, load_b.normal));
    const double pressed =
      sensor.resistance.contact_stiffness * sensor.measurement[i] + damping_n * v.dot(d);
    const btVector3 normal = d * std::max(0.0, pressed);

    btVector3 t = v_tangential;
    const double speed = t.length();
    t = speed > 0.0 ? t / speed : across(arm_b, d);
    const double w_t = inverse_mass_at(a, arm_a, t) + inverse_mass_at(b, arm_b, t);
    const double damping_t = tangential_damping(sensor, i) /
                             (1.0 + h * w_t * std::max(load_a.tangential, load_b.tangential));
    const btVector3 stretch = across(t_a * anchor.in_parent - t_b * anchor.in_sensed, d);
    const btVector3 friction =
      stretch * (sensor.resistance.static_friction * friction_scale(sensor, i)) +
      v_tangential * damping_t;

    const btVector3 force = normal + friction;
    b.applyForce(force, arm_b);
    a.applyForce(-force, arm_a);
    sensor.forces[i] = to_eigen(force);
  }
}

}  // namespace ambf_dynamics
