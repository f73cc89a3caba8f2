// SPDX-License-Identifier: BSD-3-Clause
// Same build, same model, same commands at the same steps: the same bits.

#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <random>

#include "cloth_builder.hpp"

namespace ambf_dynamics::test
{
namespace
{

using ambf_adf::JointType;

std::uint32_t steps() { return long_tier() ? 100000 : 1000; }

// A floor, a pile of shapes of all kinds, compounds, a driven four-bar that sweeps through the pile, and
// a cloth that falls over the four-bar and the pile.
ambf_adf::Model busy_model()
{
  ambf_adf::Model model;
  auto ground = floor_body();
  ground.surface = {0.6, 0.01, 0.1};
  model.bodies.push_back(ground);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> spread(-0.15, 0.15);
  for (int i = 0; i < 24; ++i) {
    const std::string name = "piece" + std::to_string(i);
    const Vector3d at(spread(random), spread(random), 0.06 + 0.09 * i);
    auto piece = box(name, 0.5, at, Vector3d(0.1, 0.12, 0.08));
    switch (i % 6) {
      case 1:
        piece.collision = shape(ambf_adf::Sphere{0.05});
        break;
      case 2:
        piece.collision = shape(ambf_adf::Cylinder{0.05, 0.1, ambf_adf::Axis::X});
        break;
      case 3:
        piece.collision = shape(ambf_adf::Capsule{0.03, 0.15, ambf_adf::Axis::Y});
        break;
      case 4:
        piece.collision = shape(ambf_adf::Cone{0.05, 0.1, ambf_adf::Axis::Z});
        break;
      case 5: {
        ambf_adf::ShapeList parts;
        parts.compound = true;
        for (const double x : {-0.05, 0.05}) {
          ambf_adf::PlacedShape part;
          part.shape = ambf_adf::Box{Vector3d(0.04, 0.12, 0.06)};
          part.offset.position = Vector3d(x, 0, 0);
          parts.shapes.push_back(part);
        }
        piece.collision = parts;
        break;
      }
      default:
        break;
    }
    piece.surface = {0.5, 0.01, 0.1};
    piece.damping = {0.04, 0.1};
    model.bodies.push_back(piece);
  }
  // Four-bar in the xz plane above the floor.
  const auto bar = [&](const std::string & name, const Vector3d & at, const Vector3d & size) {
    auto b = box(name, 1.0, at, size);
    b.surface = {0.5, 0.01, 0.1};
    model.bodies.push_back(b);
  };
  model.bodies.push_back(body("frame", 0.0, Vector3d(0, 0.4, 0)));
  bar("crank", Vector3d(-0.3, 0.0, 0.25), Vector3d(0.04, 0.04, 0.3));
  bar("coupler", Vector3d(0.0, 0.0, 0.4), Vector3d(0.6, 0.04, 0.04));
  bar("rocker", Vector3d(0.3, 0.0, 0.25), Vector3d(0.04, 0.04, 0.3));
  auto drive = joint(
    "drive", JointType::Revolute, "frame", "crank", Vector3d(-0.3, -0.4, 0.1),
    Vector3d(0, 0, -0.15));
  drive.max_motor_impulse = 0.05;
  model.joints.push_back(drive);
  model.joints.push_back(joint(
    "a", JointType::Revolute, "crank", "coupler", Vector3d(0, 0, 0.15), Vector3d(-0.3, 0, 0)));
  model.joints.push_back(joint(
    "b", JointType::Revolute, "coupler", "rocker", Vector3d(0.3, 0, 0), Vector3d(0, 0, 0.15)));
  model.joints.push_back(joint(
    "ground", JointType::Revolute, "frame", "rocker", Vector3d(0.3, -0.4, 0.1),
    Vector3d(0, 0, -0.15)));
  for (auto & j : model.joints) { j.ignore_inter_collision = true; }
  auto sheet = cloth("sheet", Vector3d(0.1, -0.2, 0.5));
  sheet.config.kDF = 0.5;
  model.soft_bodies.push_back(sheet);
  return model;
}

void command(World & world, std::uint64_t step)
{
  const double t = 0.001 * static_cast<double>(step);
  world.set_joint_command(0, JointMode::Position, 0.7 * std::sin(2.0 * t));
  if (step % 500 == 250) {
    BodyCommand push;
    push.mode = BodyMode::Wrench;
    push.force = Vector3d(2.0, 1.0, 4.0);
    world.set_body_command(3, push);
  }
  if (step % 500 == 300) {
    BodyCommand release;
    release.mode = BodyMode::Release;
    world.set_body_command(3, release);
  }
}

std::vector<std::uint64_t> run(World & world, std::uint64_t until)
{
  std::vector<std::uint64_t> hashes;
  while (world.state().step < until) {
    command(world, world.state().step);
    EXPECT_EQ(world.step(), StepStatus::Ok) << world.divergence().reason;
    hashes.push_back(world.state().hash);
  }
  return hashes;
}

class Determinism : public testing::TestWithParam<SolverKind>
{
protected:
  Parameters parameters() const
  {
    Parameters p;
    p.solver = GetParam();
    return p;
  }
  std::uint32_t length() const { return GetParam() == SolverKind::Dantzig ? 300 : steps(); }

  /// Hashes of a run that nothing disturbs, made once per solver.
  const std::vector<std::uint64_t> & reference() const
  {
    static std::map<SolverKind, std::vector<std::uint64_t>> known;
    auto & hashes = known[GetParam()];
    if (hashes.empty()) {
      auto world = world_of(busy_model(), parameters());
      hashes = run(*world, length());
    }
    return hashes;
  }
};

TEST_P(Determinism, WorldsThatStepInTurnsRepeatTheRun)
{
  // A stranger in between: what worlds share in a process must not matter.
  auto a = world_of(busy_model(), parameters());
  auto b = world_of(busy_model(), parameters());
  ambf_adf::Model other;
  other.bodies.push_back(floor_body());
  other.bodies.push_back(box("b", 1.0, Vector3d(0, 0, 0.2), Vector3d::Constant(0.1)));
  auto stranger = world_of(other);
  for (std::uint64_t step = 0; step < length(); ++step) {
    run(*a, step + 1);
    stranger->step();
    run(*b, step + 1);
    ASSERT_EQ(a->state().hash, reference()[step]) << "step " << step;
    ASSERT_EQ(b->state().hash, reference()[step]) << "step " << step;
  }
  EXPECT_GT(a->state().contacts.size(), 10u);  // it was about contacts
}

TEST_P(Determinism, TwoProcessesAgree)
{
  const std::uint64_t expected = reference().back();
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto world = world_of(busy_model(), parameters());
    run(*world, length());
    const std::uint64_t hash = world->state().hash;
    const bool written =
      write(pipe_ends[1], &hash, sizeof(hash)) == static_cast<ssize_t>(sizeof(hash));
    _exit(written ? 0 : 1);
  }
  close(pipe_ends[1]);
  std::uint64_t hash = 0;
  ASSERT_EQ(read(pipe_ends[0], &hash, sizeof(hash)), static_cast<ssize_t>(sizeof(hash)));
  int status = 0;
  waitpid(child, &status, 0);
  close(pipe_ends[0]);
  EXPECT_EQ(hash, expected);
}

TEST_P(Determinism, ResetRepeatsTheRun)
{
  auto world = world_of(busy_model(), parameters());
  const std::uint64_t start = world->state().hash;
  run(*world, length() / 2);
  world->reset();
  EXPECT_EQ(world->state().hash, start);
  EXPECT_TRUE(run(*world, length()) == reference());
}

TEST_P(Determinism, RestoreInTheMiddleOfContactContinuesTheRun)
{
  const std::uint64_t middle = length() / 2;
  auto world = world_of(busy_model(), parameters());
  run(*world, middle);
  const auto saved = world->save();
  const std::uint64_t at_save = world->state().hash;
  EXPECT_EQ(at_save, reference()[middle - 1]);
  EXPECT_GT(world->state().contacts.size(), 5u);
  const std::vector<std::uint64_t> rest(
    reference().begin() + static_cast<std::ptrdiff_t>(middle), reference().end());
  // In the same world, after it went on.
  run(*world, middle + length() / 10);
  ASSERT_TRUE(world->restore(saved));
  EXPECT_EQ(world->state().hash, at_save);
  EXPECT_EQ(world->save(), saved);
  EXPECT_TRUE(run(*world, length()) == rest);
  // In a fresh world.
  auto fresh = world_of(busy_model(), parameters());
  ASSERT_TRUE(fresh->restore(saved));
  EXPECT_TRUE(run(*fresh, length()) == rest);
}

TEST_P(Determinism, SavingEveryHundredStepsDoesNotAlterTheRun)
{
  auto saving = world_of(busy_model(), parameters());
  std::vector<std::uint64_t> hashes;
  while (saving->state().step < length()) {
    const auto part = run(*saving, std::min<std::uint64_t>(saving->state().step + 100, length()));
    hashes.insert(hashes.end(), part.begin(), part.end());
    saving->save();
  }
  EXPECT_TRUE(hashes == reference());
}

TEST_P(Determinism, HistoryOfAddingAndRemovingLeavesNoTrace)
{
  // Objects that came, collided and went must not change what the others do afterwards.
  auto plain = world_of(busy_model(), parameters());
  auto other = make_world(parameters());
  ASSERT_TRUE(other);
  ambf_adf::Model guest;
  for (int i = 0; i < 5; ++i) {
    guest.bodies.push_back(
      box("guest" + std::to_string(i), 1.0, Vector3d(0.05 * i, 0, 0.3), Vector3d::Constant(0.2)));
  }
  auto before = (*other)->add_model(guest);
  ASSERT_TRUE(before);
  ASSERT_TRUE((*other)->add_model(busy_model()));
  (*other)->step(50);
  ASSERT_TRUE((*other)->remove_model(before->handle));
  (*other)->reset();
  const auto expected = run(*plain, 500);
  EXPECT_EQ(run(**other, 500), expected);
}

INSTANTIATE_TEST_SUITE_P(
  Solvers, Determinism,
  testing::Values(SolverKind::DirectJoints, SolverKind::SequentialImpulse, SolverKind::Dantzig),
  [](const auto & kind) {
    switch (kind.param) {
      case SolverKind::DirectJoints:
        return "DirectJoints";
      case SolverKind::SequentialImpulse:
        return "SequentialImpulse";
      default:
        return "Dantzig";
    }
  });

TEST(Restore, RefusesWhatDoesNotFit)
{
  auto world = world_of(busy_model());
  auto saved = world->save();
  const std::uint64_t hash = world->state().hash;
  ambf_adf::Model small;
  small.bodies.push_back(body("b", 1.0, Vector3d::Zero()));
  auto other = world_of(small);
  EXPECT_FALSE(other->restore(saved));
  EXPECT_FALSE(world->restore({}));
  saved.resize(saved.size() / 2);
  EXPECT_FALSE(world->restore(saved));
  EXPECT_EQ(world->state().hash, hash);
}

}  // namespace
}  // namespace ambf_dynamics::test
