// SPDX-License-Identifier: BSD-3-Clause
// What moves models besides commands: gains of joints, and gravity.

#include <algorithm>
#include <cmath>
#include <utility>

#include <ambf_msgs/srv/set_gravity_compensation.hpp>
#include <ambf_msgs/srv/set_joint_gains.hpp>

#include "edit_services.hpp"

namespace ambf_physics
{

using ambf_msgs::srv::SetGravityCompensation;
using ambf_msgs::srv::SetJointGains;

namespace
{

using ambf_dynamics::JointIndex;

struct JointGains
{
  JointIndex joint = 0;
  ambf_adf::Pid gains;
};

/// Checks all of a request; what it leaves out is as the world has it.
ambf_adf::expected<std::vector<JointGains>, std::string> to_gains(
  const SetJointGains::Request & request, const Roster & roster, const ambf_dynamics::World & world)
{
  const std::size_t count = request.names.size();
  const auto fits = [&](std::size_t size) { return size == 0 || size == count; };
  if (!fits(request.p.size()) || !fits(request.i.size()) || !fits(request.d.size())) {
    return tl::unexpected(
      "names, p, i, d: found lengths " + std::to_string(count) + ", " +
      std::to_string(request.p.size()) + ", " + std::to_string(request.i.size()) + ", " +
      std::to_string(request.d.size()) + ", expected equal lengths, or none");
  }
  std::vector<JointGains> out;
  for (std::size_t k = 0; k < count; ++k) {
    const std::string where = "names[" + std::to_string(k) + "]: found '" + request.names[k] + "'";
    const auto joint = find_joint(roster, request.names[k]);
    if (joint == ambf_dynamics::no_index) {
      return tl::unexpected(
        where +
        ", expected a joint; nearest: " + nearest_names(request.names[k], joint_names(roster)));
    }
    if (!roster.joints[joint].commandable) {
      return tl::unexpected(where + ", which has no single free axis or no motor, and so no gains");
    }
    JointGains one{joint, world.joint_gains(joint)};
    const auto take = [&](const std::vector<double> & from, double & to) {
      if (!from.empty()) { to = from[k]; }
      return std::isfinite(to) && to >= 0.0;
    };
    // Those of a file may be below 0, which counts as 0: what is left as it is disturbs nobody.
    const bool good = (request.p.empty() || take(request.p, one.gains.p)) &&
                      (request.i.empty() || take(request.i, one.gains.i)) &&
                      (request.d.empty() || take(request.d, one.gains.d));
    if (!good) {
      return tl::unexpected(where + " with a gain below 0 or not finite, expected 0 or more");
    }
    for (double * gain : {&one.gains.p, &one.gains.i, &one.gains.d}) {
      *gain = std::max(*gain, 0.0);
    }
    out.push_back(one);
  }
  return out;
}

std::vector<JointGains> all_gains(const ambf_dynamics::World & world)
{
  std::vector<JointGains> out;
  for (JointIndex joint = 0; joint < world.joints().size(); ++joint) {
    if (world.joints()[joint].commandable) { out.push_back({joint, world.joint_gains(joint)}); }
  }
  return out;
}

void tell(
  SetJointGains::Response & response, const std::vector<JointGains> & told,
  const ambf_dynamics::World & world)
{
  for (const JointGains & one : told) {
    const auto & info = world.joints()[one.joint];
    const ambf_adf::Pid & gains = world.joint_gains(one.joint);
    response.names.push_back(info.qualified);
    response.p.push_back(gains.p);
    response.i.push_back(gains.i);
    response.d.push_back(gains.d);
    const bool effort = info.controller_output == ambf_adf::ControlOutput::Effort;
    response.outputs.emplace_back(effort ? "effort" : "velocity");
  }
}

/// The models that are meant.
ambf_adf::expected<std::vector<ambf_dynamics::ModelHandle>, std::string> to_models(
  const std::vector<std::string> & names, const Roster & roster)
{
  std::vector<ambf_dynamics::ModelHandle> out;
  for (const std::string & name : names) {
    const auto at = std::find_if(
      roster.models.begin(), roster.models.end(),
      [&](const Roster::Model & model) { return model.name == name || model.topic == name; });
    if (at == roster.models.end()) {
      std::vector<std::string> known;
      for (const auto & model : roster.models) { known.push_back(model.name); }
      return tl::unexpected(
        "models: found '" + name +
        "', expected a model of the world; nearest: " + nearest_names(name, known));
    }
    out.push_back(at->handle);
  }
  return out;
}

}  // namespace

void EditServices::add_law_services(
  const std::string & base, rclcpp::CallbackGroup::SharedPtr group)
{
  const auto qos = rclcpp::ServicesQoS();

  services_.push_back(node_.create_service<SetJointGains>(
    base + "set_joint_gains",
    [this](
      const SetJointGains::Request::SharedPtr request,
      SetJointGains::Response::SharedPtr response) {
      const auto roster = publishing_.roster();
      const Ownership::Token token(simulation_.ownership());
      auto & world = simulation_.world();
      response->step = world.state().step;
      auto gains = to_gains(*request, *roster, world);
      if (!gains) {
        response->message = gains.error();
        return;
      }
      const bool changes = !request->p.empty() || !request->i.empty() || !request->d.empty();
      for (const JointGains & one : *gains) {
        if (changes) { world.set_joint_gains(one.joint, one.gains); }
      }
      response->ok = true;
      tell(*response, request->names.empty() ? all_gains(world) : *gains, world);
      if (!changes) { return; }
      simulation_.share_state();
      publishing_.state_changed();
    },
    qos, group));

  services_.push_back(node_.create_service<SetGravityCompensation>(
    base + "set_gravity_compensation",
    [this](
      const SetGravityCompensation::Request::SharedPtr request,
      SetGravityCompensation::Response::SharedPtr response) {
      const auto roster = publishing_.roster();
      const Ownership::Token token(simulation_.ownership());
      auto & world = simulation_.world();
      response->step = world.state().step;
      const auto models = to_models(request->models, *roster);
      if (!models) {
        response->message = models.error();
        return;
      }
      for (const auto model : *models) {
        world.set_gravity_compensation(model, request->compensate);
      }
      response->ok = true;
      for (const auto & model : roster->models) {
        if (world.gravity_compensation(model.handle)) {
          response->weightless.push_back(model.name);
        }
      }
      if (models->empty()) { return; }
      simulation_.share_state();
      publishing_.state_changed();
    },
    qos, group));
}

}  // namespace ambf_physics
