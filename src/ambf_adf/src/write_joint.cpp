// SPDX-License-Identifier: BSD-3-Clause
#include "write_objects.hpp"

namespace ambf_adf
{
namespace
{

void put_linear_angular(AdfEmitter & out, const char * key, const LinearAngular & value)
{
  out.begin_map(key);
  out.put("linear", value.linear);
  out.put("angular", value.angular);
  out.end_map();
}

void put_six_dof(AdfEmitter & out, const SixDofParameters & p, bool spring)
{
  out.begin_map("joint limits");
  out.begin_map("linear");
  out.put("low", p.low.linear);
  out.put("high", p.high.linear);
  out.end_map();
  out.begin_map("angular");
  out.put("low", p.low.angular);
  out.put("high", p.high.angular);
  out.end_map();
  out.end_map();
  if (spring) {
    put_linear_angular(out, "stiffness", p.stiffness);
    put_linear_angular(out, "damping", p.damping);
    put_linear_angular(out, "equilibrium point", p.equilibrium);
  }
}

void put_limits(AdfEmitter & out, const Joint & joint)
{
  if (joint.six_dof) {
    put_six_dof(out, *joint.six_dof, joint.type == JointType::SixDofSpring);
  } else if (joint.cone_twist) {
    out.put("joint limits", joint.cone_twist->swing_swing_twist);
  } else if (joint.limits) {
    out.begin_flow_map("joint limits");
    out.put("low", joint.limits->low);
    out.put("high", joint.limits->high);
    out.end_map();
  }
}

const char * type_name(SensorType type)
{
  switch (type) {
    case SensorType::Resistance:
      return "Resistance";
    case SensorType::Contact:
      return "Contact";
    case SensorType::Proximity:
      break;
  }
  return "Proximity";
}

struct RayWriter
{
  AdfEmitter & out;

  void operator()(const RayArray & array) const
  {
    out.begin_list("array");
    for (const auto & ray : array.rays) {
      out.begin_map();
      out.put("offset", ray.offset);
      out.put("direction", ray.direction);
      out.end_map();
    }
    out.end_list();
  }
  void operator()(const RayMesh & mesh) const { out.put("mesh", mesh.mesh.file); }
  void operator()(const RayFan & fan) const
  {
    out.begin_map("parametric");
    out.put("resolution", fan.resolution);
    out.put("horizontal angle", fan.horizontal_angle);
    out.put("vertical angle", fan.vertical_angle);
    out.put("start offset", fan.start_offset);
    out.end_map();
  }
};

}  // namespace

void put_object(AdfEmitter & out, const Joint & joint, const WriteContext & file)
{
  const Joint usual;
  put_header(out, joint.header, file);
  out.put("type", to_string(joint.type));
  out.put("parent", joint.parent);
  out.put("child", joint.child);
  out.put("parent pivot", joint.parent_pivot);
  out.put("parent axis", joint.parent_axis);
  out.put("child pivot", joint.child_pivot);
  out.put("child axis", joint.child_axis);
  out.put_unless("offset", joint.child_offset, usual.child_offset);
  out.put_unless("joint offset", joint.joint_offset, usual.joint_offset);
  put_limits(out, joint);
  if (!joint.six_dof) {
    out.put_unless("damping", joint.damping, usual.damping);
    out.put_unless("stiffness", joint.stiffness, usual.stiffness);
    out.put_optional("equilibrium point", joint.equilibrium);
  }
  if (joint.mimic) {
    out.begin_flow_map("mimic");
    out.put("joint", joint.mimic->joint);
    out.put("multiplier", joint.mimic->multiplier);
    out.put("offset", joint.mimic->offset);
    out.end_map();
  }
  if (joint.controller) {
    out.begin_flow_map("controller");
    out.put("P", joint.controller->p);
    out.put("I", joint.controller->i);
    out.put("D", joint.controller->d);
    out.end_map();
  }
  out.put(
    "controller output type",
    joint.controller_output == ControlOutput::Effort ? "FORCE" : "VELOCITY");
  out.put("max motor impulse", joint.max_motor_impulse);
  out.put_optional("max effort", joint.max_effort);
  out.put_unless("enable motor", joint.enable_motor, usual.enable_motor);
  out.put_unless("hold position", joint.hold_position, usual.hold_position);
  out.put("enable feedback", joint.enable_feedback);
  out.put_optional("joint erp", joint.erp);
  out.put_optional("joint cfm", joint.cfm);
  out.put_unless(
    "ignore inter-collision", joint.ignore_inter_collision, usual.ignore_inter_collision);
  out.put_unless("detached", joint.detached, usual.detached);
  out.put_unless("redundant", joint.redundant, usual.redundant);
  out.put_entries(joint.header.extensions);
}

void put_object(AdfEmitter & out, const Sensor & sensor, const WriteContext & file)
{
  put_header(out, sensor.header, file);
  out.put("type", type_name(sensor.type));
  out.put("parent", sensor.parent);
  out.put("location", sensor.location);
  out.put("range", sensor.range);
  out.put("visible", sensor.visible);
  out.put("visible size", sensor.visible_size);
  const auto * array = std::get_if<RayArray>(&sensor.rays);
  if (sensor.type != SensorType::Contact || array == nullptr || !array->rays.empty()) {
    std::visit(RayWriter{out}, sensor.rays);
  }
  if (sensor.type == SensorType::Resistance) {
    const Resistance & r = sensor.resistance;
    out.begin_flow_map("friction");
    out.put("static", r.static_friction);
    out.put("damping", r.static_damping);
    out.put("dynamic", r.dynamic_friction);
    out.put("variable", r.variable_friction);
    out.end_map();
    out.put("contact area", r.contact_area);
    out.put("contact stiffness", r.contact_stiffness);
    out.put("contact damping", r.contact_damping);
  }
  if (sensor.type == SensorType::Contact) {
    out.put("distance threshold", sensor.distance_threshold);
  }
  out.put_entries(sensor.header.extensions);
}

void put_object(AdfEmitter & out, const Actuator & actuator, const WriteContext & file)
{
  const Actuator usual;
  put_header(out, actuator.header, file);
  out.put("type", "Constraint");
  out.put("parent", actuator.parent);
  out.put("location", actuator.location);
  out.put("visible", actuator.visible);
  out.put("visible size", actuator.visible_size);
  out.put_unless("max impulse", actuator.max_impulse, usual.max_impulse);
  out.put_unless("tau", actuator.tau, usual.tau);
  if (actuator.grasp) {
    out.begin_map("grasp");
    out.put("sensor", actuator.grasp->sensor);
    out.put("joints", actuator.grasp->joints);
    out.put("close at", actuator.grasp->close);
    out.put("open at", actuator.grasp->open);
    out.end_map();
  }
  out.put_entries(actuator.header.extensions);
}

}  // namespace ambf_adf
