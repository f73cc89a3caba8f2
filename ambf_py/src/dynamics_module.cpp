// SPDX-License-Identifier: BSD-3-Clause
// ambf_py._dynamics: a world in this process. Stepping releases the interpreter lock.

#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <pybind11/stl.h>

#include "ambf_dynamics/placing.hpp"
#include "arrays.hpp"

namespace py = pybind11;
using namespace py::literals;

namespace ambf_py
{

namespace
{

using ambf_dynamics::no_index;

ambf_dynamics::SolverKind solver_kind(const std::string & name)
{
  const std::map<std::string, ambf_dynamics::SolverKind> kinds{
    {"direct_joints", ambf_dynamics::SolverKind::DirectJoints},
    {"sequential_impulse", ambf_dynamics::SolverKind::SequentialImpulse},
    {"dantzig", ambf_dynamics::SolverKind::Dantzig}};
  const auto it = kinds.find(name);
  if (it == kinds.end()) {
    throw BadInput(
      "solver: found '" + name + "', expected direct_joints, sequential_impulse or dantzig");
  }
  return it->second;
}

std::unique_ptr<LocalWorld> make_world(
  double step_size, const std::string & solver, int solver_iterations, int sub_steps)
{
  ambf_dynamics::Parameters parameters;
  parameters.step_size = step_size;
  parameters.solver = solver_kind(solver);
  parameters.solver_iterations = solver_iterations;
  parameters.sub_steps = sub_steps;
  parameters.report_contacts = false;
  return std::make_unique<LocalWorld>(parameters);
}

/// Position (3) and quaternion x y z w (4).
Eigen::Isometry3d to_isometry(const Array<double> & pose, const char * name)
{
  const auto v = row(pose, name);
  if (v.size() != 7) {
    throw BadInput(
      std::string(name) + ": found " + std::to_string(v.size()) +
      " numbers, expected 7: position, quaternion x y z w");
  }
  Eigen::Quaterniond q(v[6], v[3], v[4], v[5]);
  if (!(std::abs(q.norm() - 1.0) < 1e-3) || !Eigen::Vector3d(v[0], v[1], v[2]).allFinite()) {
    throw BadInput(std::string(name) + ": expected finite numbers and a quaternion of length 1");
  }
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  t.linear() = q.normalized().toRotationMatrix();
  t.translation() = Eigen::Vector3d(v[0], v[1], v[2]);
  return t;
}

Eigen::Isometry3d pose_or_identity(const py::object & pose)
{
  return pose.is_none() ? Eigen::Isometry3d::Identity()
                        : to_isometry(py::cast<Array<double>>(pose), "pose");
}

template <typename Info>
py::dict names_of(const Info & info)
{
  return py::dict(
    "identifier"_a = info.identifier, "name"_a = info.name, "qualified"_a = info.qualified,
    "passive"_a = info.passive);
}

py::list bodies_of(const LocalWorld & simulation)
{
  py::list list;
  const auto & world = simulation.world();
  const auto bodies = world.bodies();
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    py::dict body = names_of(bodies[i]);
    body["topic"] = bodies[i].topic;
    body["mass"] = bodies[i].mass;
    const auto joints = world.client_joints(i);
    body["client_joints"] = std::vector<std::uint32_t>(joints.begin(), joints.end());
    list.append(body);
  }
  return list;
}

py::list joints_of(const LocalWorld & simulation)
{
  py::list list;
  for (const auto & info : simulation.world().joints()) {
    py::dict joint = names_of(info);
    // lower > upper: no limit, as in the manifest.
    joint["lower"] = info.limits ? info.limits->low : 1.0;
    joint["upper"] = info.limits ? info.limits->high : -1.0;
    joint["commandable"] = info.commandable;
    joint["parent"] = info.parent;
    joint["child"] = info.child;
    list.append(joint);
  }
  return list;
}

template <typename Infos>
py::list objects_of(const Infos & infos)
{
  py::list list;
  for (const auto & info : infos) {
    py::dict object = names_of(info);
    object["topic"] = info.topic;
    list.append(object);
  }
  return list;
}

py::list looks_of(const LocalWorld & world)
{
  py::list list;
  for (const auto & look : world.looks()) {
    list.append(py::make_tuple(
      look.body, look.mesh, look.scale,
      std::array<double, 3>{look.color.x(), look.color.y(), look.color.z()}));
  }
  return list;
}

using ActuatorTuple = std::tuple<std::uint32_t, bool, std::int64_t, std::int64_t>;

std::vector<ActuatorOrder> to_orders(const std::vector<ActuatorTuple> & tuples)
{
  std::vector<ActuatorOrder> orders;
  for (const auto & [actuator, actuate, body, sensor] : tuples) {
    ActuatorOrder order{actuator, {}};
    order.command.actuate = actuate;
    order.command.body = body < 0 ? no_index : static_cast<std::uint32_t>(body);
    order.command.sensor = sensor < 0 ? no_index : static_cast<std::uint32_t>(sensor);
    orders.push_back(order);
  }
  return orders;
}

py::tuple state_of(const LocalWorld & simulation)
{
  const auto & state = simulation.world().state();
  py::array_t<double> bodies({state.bodies.size() / 13, std::size_t{13}}, state.bodies.data());
  py::array_t<double> joints({state.joints.size() / 3, std::size_t{3}}, state.joints.data());
  return py::make_tuple(state.step, state.time, simulation.hash(), bodies, joints);
}

py::tuple step(
  LocalWorld & simulation, std::uint32_t steps, const Array<std::uint32_t> & joints,
  const Array<std::uint8_t> & modes, const Array<double> & values,
  const std::vector<ActuatorTuple> & actuators, const Array<std::uint32_t> & observe_bodies,
  const Array<std::uint32_t> & observe_joints)
{
  const auto index = row(joints, "joints");
  const auto mode = row(modes, "modes");
  const auto value = row(values, "values");
  if (index.size() != mode.size() || index.size() != value.size()) {
    throw BadInput(
      "found " + std::to_string(index.size()) + " joints, " + std::to_string(mode.size()) +
      " modes and " + std::to_string(value.size()) + " values, expected as many of each");
  }
  const auto body_rows = row(observe_bodies, "observe_bodies");
  const auto joint_rows = row(observe_joints, "observe_joints");
  check_indices(body_rows, simulation.world().bodies().size(), "observe_bodies");
  check_indices(joint_rows, simulation.world().joints().size(), "observe_joints");
  std::vector<JointOrder> orders(index.size());
  for (std::size_t i = 0; i < orders.size(); ++i) {
    orders[i] = {index[i], static_cast<ambf_dynamics::JointMode>(mode[i]), value[i]};
  }
  simulation.command(orders, to_orders(actuators));
  {
    const py::gil_scoped_release unlocked;
    simulation.step(steps);
  }
  const auto & state = simulation.world().state();
  py::array_t<double> bodies({body_rows.size(), ambf_dynamics::body_stride});
  py::array_t<double> joint_states({joint_rows.size(), ambf_dynamics::joint_stride});
  gather(body_rows, state.bodies, ambf_dynamics::body_stride, bodies.mutable_data());
  gather(joint_rows, state.joints, ambf_dynamics::joint_stride, joint_states.mutable_data());
  return py::make_tuple(state.step, state.time, simulation.hash(), bodies, joint_states);
}

void place(
  LocalWorld & simulation, const std::vector<std::uint32_t> & bodies,
  const std::vector<Array<double>> & poses)
{
  if (bodies.size() != poses.size()) {
    throw BadInput(
      "poses: found " + std::to_string(poses.size()) + ", expected one for each of " +
      std::to_string(bodies.size()) + " bodies");
  }
  std::vector<ambf_dynamics::Placement> placements;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    placements.push_back({bodies[i], to_isometry(poses[i], "pose"), ambf_dynamics::Velocity{}});
  }
  if (const auto placed = ambf_dynamics::place_bodies(simulation.world(), placements); !placed) {
    throw BadInput(placed.error());
  }
}

void set_body_state(
  LocalWorld & simulation, std::uint32_t body, const Array<double> & pose,
  const Array<double> & twist)
{
  const auto v = row(twist, "twist");
  if (v.size() != 6) {
    throw BadInput(
      "twist: found " + std::to_string(v.size()) + " numbers, expected 6: linear, angular");
  }
  const ambf_dynamics::Placement placement{
    body, to_isometry(pose, "pose"),
    ambf_dynamics::Velocity{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}}};
  const auto placed = ambf_dynamics::place_bodies(simulation.world(), std::span(&placement, 1));
  if (!placed) { throw BadInput(placed.error()); }
}

py::dict sensor_reading(const LocalWorld & simulation, std::uint32_t sensor)
{
  const auto reading = simulation.world().sensor_reading(sensor);
  std::vector<std::int64_t> sensed;
  for (const auto body : reading.sensed) {
    sensed.push_back(body == no_index ? -1 : static_cast<std::int64_t>(body));
  }
  return py::dict(
    "triggered"_a = std::vector<bool>(reading.triggered.begin(), reading.triggered.end()),
    "range"_a = std::vector<double>(reading.range.begin(), reading.range.end()),
    "measurement"_a = std::vector<double>(reading.measurement.begin(), reading.measurement.end()),
    "sensed"_a = sensed);
}

py::bytes save(const LocalWorld & world)
{
  const auto bytes = world.save();
  return py::bytes(reinterpret_cast<const char *>(bytes.data()), bytes.size());
}

void restore(LocalWorld & world, const std::string & bytes)
{
  world.restore({reinterpret_cast<const std::byte *>(bytes.data()), bytes.size()});
}

std::string load(
  LocalWorld & world, ambf_simulation::LoadRequest request, const std::string & name,
  const std::string & ns, const py::object & pose)
{
  request.name = name;
  request.below = ns;
  request.t_world_model = pose_or_identity(pose);
  return world.load(request);
}

void bind_world(py::module_ & module)
{
  py::class_<LocalWorld>(module, "World", "One world in this process; one thread at a time.")
    .def(
      py::init(&make_world), "step_size"_a = 0.001, "solver"_a = "direct_joints",
      "solver_iterations"_a = 10, "sub_steps"_a = 1)
    .def(
      "load_launch", &LocalWorld::load_launch, "file"_a,
      "A launch file; launch.yaml?models=0,3 takes these entries of its menu.")
    .def(
      "load_model",
      [](
        LocalWorld & s, const std::string & file, const std::string & ns, const py::object & pose,
        const std::string & name) {
        ambf_simulation::LoadRequest request;
        request.file = file;
        return load(s, std::move(request), name, ns, pose);
      },
      "file"_a, "ns"_a = "", "pose"_a = py::none(), "name"_a = "")
    .def(
      "load_text",
      [](
        LocalWorld & s, const std::string & text, const std::string & name,
        const std::string & base, const std::string & ns, const py::object & pose) {
        ambf_simulation::LoadRequest request;
        request.text = text;
        request.resource_base = base;
        return load(s, std::move(request), name, ns, pose);
      },
      "text"_a, "name"_a = "", "resource_base"_a = "", "ns"_a = "", "pose"_a = py::none())
    .def("remove", &LocalWorld::remove, "name"_a)
    .def_property_readonly("revision", [](const LocalWorld & s) { return s.world().revision(); })
    .def_property_readonly(
      "step_size", [](const LocalWorld & s) { return s.world().parameters().step_size; })
    .def("bodies", &bodies_of)
    .def("joints", &joints_of)
    .def("sensors", [](const LocalWorld & s) { return objects_of(s.world().sensors()); })
    .def("actuators", [](const LocalWorld & s) { return objects_of(s.world().actuators()); })
    .def("looks", &looks_of, "Body index, mesh file, scale and colour of everything that is drawn.")
    .def("state", &state_of, "Step, time, hash, bodies (n x 13), joints (n x 3).")
    .def(
      "step", &step, "steps"_a, "joints"_a, "modes"_a, "values"_a, "actuators"_a,
      "observe_bodies"_a, "observe_joints"_a)
    .def(
      "advance",
      [](LocalWorld & s, std::uint32_t steps) {
        const py::gil_scoped_release unlocked;
        s.step(steps);
      },
      "steps"_a = 1, "Steps without commands or observations.")
    .def(
      "set_body_state", &set_body_state, "body"_a, "pose"_a, "twist"_a,
      "Pose and velocity at once; what joints tie to the body comes along.")
    .def(
      "place", &place, "bodies"_a, "poses"_a,
      "Bodies at rest at these poses, all or none; what joints tie to them comes along.")
    .def("sensor_reading", &sensor_reading, "sensor"_a)
    .def(
      "actuator_state",
      [](const LocalWorld & s, std::uint32_t actuator) {
        const auto state = s.world().actuator_state(actuator);
        return py::make_tuple(
          state.actuated,
          state.body == no_index ? std::int64_t{-1} : static_cast<std::int64_t>(state.body));
      },
      "actuator"_a)
    .def(
      "reset", [](LocalWorld & s, bool time) { s.reset(time); }, "time"_a = true)
    .def("save", &save)
    .def("restore", &restore, "data"_a);
}

}  // namespace

}  // namespace ambf_py

PYBIND11_MODULE(_dynamics, module)
{
  module.doc() = "Worlds in this process, without ROS.";
  const py::object bad_value = py::module_::import("ambf_py.errors").attr("BadValue");
  py::register_exception<ambf_py::BadInput>(module, "BadInput", bad_value);
  py::register_exception<ambf_py::Diverged>(module, "Diverged", PyExc_RuntimeError);
  ambf_py::bind_world(module);
  ambf_py::bind_pool(module);
}
