// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_adf/write.hpp"

#include <cstdio>

#include "ambf_adf/parse.hpp"
#include "ambf_adf/scene.hpp"
#include "corpus.hpp"
#include "random_model.hpp"

using namespace ambf_adf;

namespace
{

/// Where two models differ, for messages.
std::string difference(const Model & a, const Model & b)
{
  std::string text;
  const auto compare = [&](const char * list, const auto & x, const auto & y) {
    if (x.size() != y.size()) {
      text += std::string(list) + ": sizes differ; ";
      return;
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!(x[i] == y[i])) {
        text += std::string(list) + ": " + x[i].header.identifier +
                (x[i].header == y[i].header ? "" : " (header)") + "; ";
      }
    }
  };
  compare("bodies", a.bodies, b.bodies);
  compare("soft bodies", a.soft_bodies, b.soft_bodies);
  compare("ghosts", a.ghost_objects, b.ghost_objects);
  compare("joints", a.joints, b.joints);
  compare("sensors", a.sensors, b.sensors);
  compare("actuators", a.actuators, b.actuators);
  compare("vehicles", a.vehicles, b.vehicles);
  compare("volumes", a.volumes, b.volumes);
  compare("cameras", a.cameras, b.cameras);
  compare("lights", a.lights, b.lights);
  return text + (a.extensions == b.extensions
                   ? ""
                   : "extensions\n" + a.extensions + "\n---\n" + b.extensions);
}

void expect_round_trip(const Model & model, const std::string & what)
{
  ParseOptions options;
  options.check_files = false;
  const std::string text = write(model);
  const auto again = parse_text(text, model.name, model.resource_base, options);
  ASSERT_TRUE(again) << what << "\n" << to_string(again.error()) << text;
  ASSERT_TRUE(*again == model) << what << ": " << difference(model, *again) << "\n"
                               << (text.size() < 20000 ? text : "");
  EXPECT_EQ(write(*again), text) << what;
}

}  // namespace

TEST(Write, RandomModelsComeBackEqual)
{
  const unsigned rounds = test::long_tier() ? 5000 : 100;
  for (unsigned seed = 0; seed < rounds; ++seed) {
    expect_round_trip(test::RandomModel(seed).make(), "seed " + std::to_string(seed));
    if (HasFatalFailure()) { return; }
  }
}

TEST(Write, EveryCorpusModelComesBackEqual)
{
  SKIP_WITHOUT_CORPUS();
  for (const auto & file : test::corpus_files()) {
    const auto kind = file_kind(test::corpus() / file);
    if (kind && *kind == FileKind::Model) {
      const auto model = parse_file(test::corpus() / file);
      ASSERT_TRUE(model) << file;
      expect_round_trip(*model, file);
    }
  }
}

TEST(Write, ACopyWithNewNamesComesBackEqual)
{
  SKIP_WITHOUT_CORPUS();
  for (const char * file :
       {"robots/blender-psm.yaml", "grippers/pr2 gripper.yaml",
        "grippers/resistive/gripper3/gripper.yaml"}) {
    const auto model = parse_file(test::corpus() / "descriptions/multi-bodies" / file);
    ASSERT_TRUE(model) << file;
    Scene scene;
    AddOptions options;
    options.pose = Pose{{1, 2, 3}, {0.1, 0.2, 0.3}};
    ASSERT_TRUE(scene.add(*model, options));
    const auto copy = scene.add(*model, options);
    ASSERT_TRUE(copy);
    expect_round_trip(*copy, file);
  }
}

TEST(Write, WorldComesBackEqual)
{
  ParseOptions options;
  options.check_files = false;
  const auto world = parse_world_text(
    "environment: floor.yaml\nmax iterations: 5\ngravity: {x: 0, y: 0, z: -3}\nlights: [l]\nl: "
    "{location: {x: 1, y: 2, z: 3}}\n"
    "cameras: [c]\nc: {location: {x: 1, y: 0, z: 0}, publish image: true}\nmy key: [1]\n"
    "skybox: {path: sky, right: r, left: l, top: t, bottom: b, front: f, back: k}\n",
    "w", "/base", options);
  ASSERT_TRUE(world) << to_string(world.error());
  const auto again = parse_world_text(write(*world), "w", "/base", options);
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_TRUE(*again == *world) << write(*world);
}

TEST(Write, OurOwnOutputHasNoWarnings)
{
  ParseOptions options;
  options.check_files = false;
  const auto model = parse_text(write(test::RandomModel(1).make()), "m", "", options);
  ASSERT_TRUE(model);
  for (const auto & warning : model->warnings) {
    EXPECT_TRUE(
      warning.kind == ProblemKind::UnknownKey || warning.kind == ProblemKind::UnresolvedReference ||
      warning.kind == ProblemKind::DuplicateName || warning.kind == ProblemKind::IneffectiveKey ||
      warning.kind == ProblemKind::UnusedKey)
      << to_string(warning);
  }
}

TEST(Write, EveryCharacterOfAForeignKeySurvives)
{
  // As a key, in a value, and in a name of ours; at the start, in the middle and at the end.
  std::vector<std::string> characters = {"\\N",     "\\_",     "\\L",        "\\P",
                                         "\\uFEFF", "\\u00E4", "\\U0001F600"};
  for (int c = 0; c < 0x100; ++c) {
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\x%02X", static_cast<unsigned>(c));
    characters.emplace_back(escape);
  }
  for (const std::string & c : characters) {
    for (const std::string & text :
         {c, c + "a", "a" + c, "a" + c + "b", "a" + c + c, "a " + c + " b"}) {
      const std::string yaml = "bodies: [\"B" + text + "\"]\n\"B" + text + "\": {name: \"n" + text +
                               "\", mass: 1.0, \"k" + text + "\": \"" + text +
                               "\", list of mine: [\"" + text + "\"]}\n";
      const auto model = parse_text(yaml, "m", "");
      ASSERT_TRUE(model) << yaml << to_string(model.error());
      expect_round_trip(*model, yaml);
      if (HasFatalFailure()) { return; }
    }
  }
}

TEST(Write, UnwritablePlacesGiveAReason)
{
  const auto result = write_file(Model{}, "/nonexistent/folder/m.yaml");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ProblemKind::Io);
}

TEST(Write, AddressesOfPackagesStayAddresses)
{
  ParseOptions options;
  options.check_files = false;
  const auto model = parse_text(
    "low resolution path: package://strangers/solid\nbodies: [A]\n"
    "A: {mass: 1, mesh: 'package://strangers/a.obj', collision mesh: b.obj}\n",
    "m", "/base", options);
  ASSERT_TRUE(model) << to_string(model.error());
  const std::string text = write(*model);
  EXPECT_NE(text.find("package://strangers/a.obj"), std::string::npos) << text;
  EXPECT_NE(text.find("low resolution path: package://strangers/solid"), std::string::npos) << text;
  const auto again = parse_text(text, "m", "/base", options);
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(*again, *model) << text;
  const auto & collision = std::get<CollisionMesh>(again->bodies[0].collision);
  EXPECT_EQ(collision.mesh.path, "package://strangers/solid/b.obj");
}
