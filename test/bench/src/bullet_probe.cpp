// SPDX-License-Identifier: BSD-3-Clause
// The same boxes by hand on bare Bullet: seconds of processor time per step.
//
//   bullet_probe MODEL.yaml WARM_UP STEPS [plain]
//
// Friction and solver are set as the node sets them: two directions of friction, rolling friction, impulses that
// start from all of the last step's. `plain`: as Bullet sets them, one direction and no rolling friction.
#include <btBulletDynamicsCommon.h>
#include <time.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "ambf_adf/parse.hpp"
#include "probe.hpp"

namespace
{

double thread_cpu_s()
{
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

btVector3 to_bullet(const Eigen::Vector3d & v) { return {v.x(), v.y(), v.z()}; }

}  // namespace

int main(int argc, char ** argv)
{
  const bool plain = argc == 5 && std::string(argv[4]) == "plain";
  if (argc != 4 && !plain) {
    std::fprintf(stderr, "usage: bullet_probe MODEL.yaml WARM_UP STEPS [plain]\n");
    return 2;
  }
  const auto model = ambf_adf::parse_file(argv[1]);
  if (!model) {
    std::fprintf(stderr, "%s\n", ambf_adf::to_string(model.error()).c_str());
    return 1;
  }
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity({0.0, 0.0, -9.8});
  if (!plain) {
    world.getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    world.getSolverInfo().m_warmstartingFactor = 1.0;
  }
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;
  for (const auto & body : model->bodies) {
    const auto * list = std::get_if<ambf_adf::ShapeList>(&body.collision);
    const auto * box = list && list->shapes.size() == 1
                         ? std::get_if<ambf_adf::Box>(&list->shapes[0].shape)
                         : nullptr;
    if (box == nullptr) {
      std::fprintf(stderr, "%s: expected one box\n", body.header.name.c_str());
      return 1;
    }
    shapes.push_back(std::make_unique<btBoxShape>(to_bullet(box->size * 0.5)));
    shapes.back()->setMargin(body.collision_margin);
    btVector3 inertia(0.0, 0.0, 0.0);
    if (body.mass > 0.0) { shapes.back()->calculateLocalInertia(body.mass, inertia); }
    btRigidBody::btRigidBodyConstructionInfo info(body.mass, nullptr, shapes.back().get(), inertia);
    info.m_startWorldTransform.setIdentity();
    info.m_startWorldTransform.setOrigin(to_bullet(body.location.position));
    info.m_friction = body.surface.friction;
    info.m_rollingFriction = plain ? 0.0 : body.surface.rolling_friction;
    info.m_restitution = body.surface.restitution;
    info.m_linearDamping = body.damping.linear;
    info.m_angularDamping = body.damping.angular;
    bodies.push_back(std::make_unique<btRigidBody>(info));
    bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(bodies.back().get());
  }
  const auto step = [&](int count) {
    for (int i = 0; i < count; ++i) { world.stepSimulation(0.001, 1, 0.001); }
  };
  step(std::atoi(argv[2]));
  const int steps = std::atoi(argv[3]);
  const double start = thread_cpu_s();
  step(steps);
  probe::report_value("step_s", (thread_cpu_s() - start) / steps);
  for (auto & body : bodies) { world.removeRigidBody(body.get()); }
  return 0;
}
