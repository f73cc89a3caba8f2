// SPDX-License-Identifier: BSD-3-Clause
// ambf_py._dynamics.WorldPool: many worlds of one layout, stepped without the interpreter lock.

#include <cmath>
#include <memory>
#include <utility>

#include <pybind11/stl.h>

#include "arrays.hpp"
#include "world_pool.hpp"

namespace py = pybind11;
using namespace py::literals;

namespace ambf_py
{

namespace
{

/// Which joints, actuators and states one call of every world concerns.
struct Layout
{
  std::vector<std::uint32_t> joints;
  std::vector<std::uint8_t> modes;
  std::vector<std::uint32_t> actuators;
  std::vector<std::uint32_t> sensors;  ///< that each actuator takes what it holds from
  std::vector<std::uint32_t> observe_bodies;
  std::vector<std::uint32_t> observe_joints;
};

class WorldPool
{
public:
  WorldPool(const py::list & worlds, std::size_t threads, Layout layout)
  : keep_alive_(worlds), layout_(std::move(layout)), pool_(threads == 0 ? 1 : threads)
  {
    for (const auto & world : worlds) { worlds_.push_back(&py::cast<LocalWorld &>(world)); }
    if (worlds_.empty()) { throw BadInput("worlds: found none, expected at least one"); }
    const auto & first = worlds_.front()->world();
    for (const auto * world : worlds_) {
      if (
        world->world().bodies().size() != first.bodies().size() ||
        world->world().joints().size() != first.joints().size()) {
        throw BadInput("worlds: expected the same bodies and joints in all of them");
      }
    }
    if (layout_.joints.size() != layout_.modes.size()) {
      throw BadInput("expected one mode per joint");
    }
    if (layout_.actuators.size() != layout_.sensors.size()) {
      throw BadInput("expected one sensor per actuator");
    }
    check_indices(layout_.joints, first.joints().size(), "joints");
    check_indices(layout_.actuators, first.actuators().size(), "actuators");
    check_indices(layout_.sensors, first.sensors().size(), "sensors");
    check_indices(layout_.observe_bodies, first.bodies().size(), "observe_bodies");
    check_indices(layout_.observe_joints, first.joints().size(), "observe_joints");
  }

  /// values: worlds x joints; grasps: worlds x actuators, above 0 = hold; steps: one number for each world.
  py::tuple step(
    const Array<double> & values, const Array<double> & grasps, const Array<std::uint32_t> & steps)
  {
    const auto shape = [&](const Array<double> & array, std::size_t columns, const char * name) {
      if (
        array.ndim() != 2 || static_cast<std::size_t>(array.shape(0)) != worlds_.size() ||
        static_cast<std::size_t>(array.shape(1)) != columns) {
        throw BadInput(
          std::string(name) + ": expected the shape (" + std::to_string(worlds_.size()) + ", " +
          std::to_string(columns) + ")");
      }
    };
    shape(values, layout_.joints.size(), "values");
    shape(grasps, layout_.actuators.size(), "grasps");
    const std::size_t n = worlds_.size();
    if (steps.ndim() != 1 || static_cast<std::size_t>(steps.size()) != n) {
      throw BadInput("steps: expected the shape (" + std::to_string(n) + ",)");
    }
    const std::size_t nb = layout_.observe_bodies.size();
    const std::size_t nj = layout_.observe_joints.size();
    py::array_t<double> bodies({n, nb, ambf_dynamics::body_stride});
    py::array_t<double> joints({n, nj, ambf_dynamics::joint_stride});
    py::array_t<std::uint64_t> counts(static_cast<py::ssize_t>(n));
    py::array_t<std::uint64_t> hashes(static_cast<py::ssize_t>(n));
    std::vector<std::string> problems(n);
    double * body_out = bodies.mutable_data();
    double * joint_out = joints.mutable_data();
    std::uint64_t * count_out = counts.mutable_data();
    std::uint64_t * hash_out = hashes.mutable_data();
    const double * value_in = values.data();
    const double * grasp_in = grasps.data();
    const std::uint32_t * steps_in = steps.data();
    const auto job = [&](std::size_t i) {
      try {
        LocalWorld & simulation = *worlds_[i];
        command(
          simulation, value_in + i * layout_.joints.size(),
          grasp_in + i * layout_.actuators.size());
        simulation.step(steps_in[i]);
      } catch (const std::exception & error) {
        problems[i] = error.what();
      }
      const auto & state = worlds_[i]->world().state();
      gather(
        layout_.observe_bodies, state.bodies, ambf_dynamics::body_stride,
        body_out + i * nb * ambf_dynamics::body_stride);
      gather(
        layout_.observe_joints, state.joints, ambf_dynamics::joint_stride,
        joint_out + i * nj * ambf_dynamics::joint_stride);
      count_out[i] = state.step;
      hash_out[i] = worlds_[i]->hash();
    };
    {
      const py::gil_scoped_release unlocked;
      pool_.run(n, job);
    }
    return py::make_tuple(counts, hashes, bodies, joints, problems);
  }

  std::size_t threads() const { return pool_.threads(); }

private:
  void command(LocalWorld & simulation, const double * values, const double * grasps) const
  {
    std::vector<JointOrder> joints(layout_.joints.size());
    for (std::size_t i = 0; i < joints.size(); ++i) {
      joints[i] = {
        layout_.joints[i], static_cast<ambf_dynamics::JointMode>(layout_.modes[i]), values[i]};
    }
    std::vector<ActuatorOrder> actuators(layout_.actuators.size());
    for (std::size_t i = 0; i < actuators.size(); ++i) {
      actuators[i].actuator = layout_.actuators[i];
      actuators[i].command.actuate = grasps[i] > 0.0;
      // Letting go names nothing: the hash of the world covers what a command names.
      if (grasps[i] > 0.0) { actuators[i].command.sensor = layout_.sensors[i]; }
    }
    simulation.command(joints, actuators);
  }

  py::list keep_alive_;
  std::vector<LocalWorld *> worlds_;
  Layout layout_;
  WorkerPool pool_;
};

}  // namespace

void bind_pool(py::module_ & module)
{
  py::class_<WorldPool>(module, "WorldPool", "Worlds of one layout on a pool of threads.")
    .def(
      py::init([](
                 const py::list & worlds, std::size_t threads, std::vector<std::uint32_t> joints,
                 std::vector<std::uint8_t> modes, std::vector<std::uint32_t> actuators,
                 std::vector<std::uint32_t> sensors, std::vector<std::uint32_t> observe_bodies,
                 std::vector<std::uint32_t> observe_joints) {
        return std::make_unique<WorldPool>(
          worlds, threads,
          Layout{
            std::move(joints), std::move(modes), std::move(actuators), std::move(sensors),
            std::move(observe_bodies), std::move(observe_joints)});
      }),
      "worlds"_a, "threads"_a, "joints"_a, "modes"_a, "actuators"_a, "sensors"_a,
      "observe_bodies"_a, "observe_joints"_a)
    .def("step", &WorldPool::step, "values"_a, "grasps"_a, "steps"_a)
    .def_property_readonly("threads", &WorldPool::threads);
}

}  // namespace ambf_py
