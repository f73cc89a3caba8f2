// SPDX-License-Identifier: BSD-3-Clause
// Double Bullet inside our library and float Bullet inside another one, in one process.

#include <dlfcn.h>

#include "model_builder.hpp"

extern "C" float float_bullet_resting_height();

namespace ambf_dynamics::test
{
namespace
{

ambf_adf::Model tower()
{
  ambf_adf::Model model;
  model.bodies.push_back(floor_body());
  auto block = box("block", 1.0, Vector3d(0, 0, 1.0), Vector3d::Ones());
  ambf_adf::ShapeList parts;
  parts.compound = true;
  for (const double x : {-0.25, 0.25}) {
    ambf_adf::PlacedShape part;
    part.shape = ambf_adf::Box{Vector3d(0.5, 1.0, 1.0)};
    part.offset.position = Vector3d(x, 0, 0);
    parts.shapes.push_back(part);
  }
  block.collision = parts;
  model.bodies.push_back(block);
  return model;
}

double our_resting_height()
{
  auto world = world_of(tower());
  EXPECT_EQ(world->step(4000), StepStatus::Ok) << world->divergence().reason;
  return position(*world, 1).z();
}

class FloatBullet : public testing::Test
{
protected:
  void SetUp() override
  {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "RTLD_DEEPBIND keeps the two apart, and sanitizers do not allow it";
#endif
  }
};

TEST_F(FloatBullet, WorksBesideOursWhicheverRunsFirst)
{
  // Both come to rest at half a metre; tolerance: margins and contact slop of 1 mm.
  EXPECT_NEAR(our_resting_height(), 0.5, 2e-3);
  EXPECT_NEAR(float_bullet_resting_height(), 0.5f, 5e-2f);
  EXPECT_NEAR(our_resting_height(), 0.5, 2e-3);
  EXPECT_NEAR(float_bullet_resting_height(), 0.5f, 5e-2f);
}

TEST_F(FloatBullet, OurLibraryShowsNoneOfBulletsSymbols)
{
  // The process' global scope holds float Bullet, and not ours: its identity transform has 4-byte
  // numbers.
  void * everything = dlopen(nullptr, RTLD_NOW);
  ASSERT_NE(everything, nullptr);
  void * symbol = dlsym(everything, "_ZN23btDiscreteDynamicsWorld10setGravityERK9btVector3");
  ASSERT_NE(symbol, nullptr);
  Dl_info info{};
  ASSERT_NE(dladdr(symbol, &info), 0);
  EXPECT_EQ(std::string(info.dli_fname).find("64.so"), std::string::npos) << info.dli_fname;
}

}  // namespace
}  // namespace ambf_dynamics::test
