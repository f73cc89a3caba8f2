// SPDX-License-Identifier: BSD-3-Clause
// What urdfdom reads is the reference: forward kinematics of files, and whether it takes what we write.

#include <cstdlib>
#include <map>
#include <random>

#include <gtest/gtest.h>
#include <urdf_parser/urdf_parser.h>

#include "ambf_adf/parse.hpp"
#include "ambf_adf/placement.hpp"
#include "ambf_convert/convert.hpp"
#include "random_mechanism.hpp"
#include "temporary_folder.hpp"

namespace
{

namespace fs = std::filesystem;
using Eigen::Isometry3d;
using Eigen::Vector3d;

std::string text_of(const fs::path & file)
{
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

Isometry3d to_eigen(const urdf::Pose & pose)
{
  Isometry3d t = Isometry3d::Identity();
  double x, y, z, w;
  pose.rotation.getQuaternion(x, y, z, w);
  t.linear() = Eigen::Quaterniond(w, x, y, z).toRotationMatrix();
  t.translation() = Vector3d(pose.position.x, pose.position.y, pose.position.z);
  return t;
}

using Positions = std::map<std::string, double>;
using Poses = std::map<std::string, Isometry3d>;

void walk(const urdf::Link & link, const Isometry3d & t, const Positions & q, Poses & poses)
{
  poses[link.name] = t;
  for (const auto & joint : link.child_joints) {
    Isometry3d moved = t * to_eigen(joint->parent_to_joint_origin_transform);
    const Vector3d axis(joint->axis.x, joint->axis.y, joint->axis.z);
    const auto found = q.find(joint->name);
    const double value = found == q.end() ? 0.0 : found->second;
    if (joint->type == urdf::Joint::REVOLUTE || joint->type == urdf::Joint::CONTINUOUS) {
      moved.linear() =
        moved.linear() * Eigen::AngleAxisd(value, axis.normalized()).toRotationMatrix();
    } else if (joint->type == urdf::Joint::PRISMATIC) {
      moved.translation() += moved.linear() * (value * axis.normalized());
    }
    for (const auto & child : link.child_links) {
      if (child->name == joint->child_link_name) { walk(*child, moved, q, poses); }
    }
  }
}

/// Poses of the bodies of an ADF tree from a root at its location.
Poses forward(const ambf_adf::Model & model, const Positions & q)
{
  std::map<std::string, Isometry3d> by_identifier;
  std::map<std::string, bool> is_child;
  for (const auto & joint : model.joints) { is_child[joint.child] = true; }
  for (const auto & body : model.bodies) {
    if (!is_child[body.header.identifier]) {
      by_identifier[body.header.identifier] = body.location.isometry();
    }
  }
  for (bool moved = true; moved;) {
    moved = false;
    for (const auto & joint : model.joints) {
      if (by_identifier.count(joint.child) != 0 || by_identifier.count(joint.parent) == 0) {
        continue;
      }
      const auto value = q.find(joint.header.name);
      by_identifier[joint.child] =
        by_identifier[joint.parent] *
        ambf_adf::child_in_parent(joint, value == q.end() ? 0.0 : value->second);
      moved = true;
    }
  }
  Poses poses;
  for (const auto & body : model.bodies) {
    if (by_identifier.count(body.header.identifier) != 0) {
      poses[body.header.name] = by_identifier[body.header.identifier];
    }
  }
  return poses;
}

/// The largest difference over all links that both know, for random joint positions.
void expect_same_kinematics(const fs::path & file)
{
  const auto reference = urdf::parseURDF(text_of(file));
  ASSERT_TRUE(reference && reference->getRoot()) << file;
  const auto model = ambf_convert::read_file(file);
  ASSERT_TRUE(model) << file << "\n" << to_string(model.error());
  std::mt19937 random(1);
  std::uniform_real_distribution<double> value(-3.0, 3.0);
  for (int k = 0; k < 20; ++k) {
    Positions q;
    for (const auto & [name, joint] : reference->joints_) { q[name] = value(random); }
    Poses wanted;
    walk(*reference->getRoot(), Isometry3d::Identity(), q, wanted);
    const Poses found = forward(*model, q);
    EXPECT_FALSE(found.empty());
    for (const auto & [name, t] : found) {
      if (wanted.count(name) == 0) { continue; }  // a part of the world
      EXPECT_LT((t.matrix() - wanted.at(name).matrix()).cwiseAbs().maxCoeff(), 1e-9)
        << file << ": " << name;
    }
  }
}

}  // namespace

TEST(Urdfdom, TakesWhatIsWrittenAndHasTheSameKinematics)
{
  const test::TemporaryFolder folder("urdfdom");
  for (unsigned seed = 0; seed < 50; ++seed) {
    const auto model = test::RandomMechanism(seed).make(false);
    const auto file = folder / "random.urdf";
    ASSERT_TRUE(ambf_convert::write_file(model, file, ambf_convert::Format::Urdf));
    expect_same_kinematics(file);
    const auto reference = urdf::parseURDF(text_of(file));
    for (const auto & body : model.bodies) {
      const auto link = reference->getLink(body.header.name);
      ASSERT_TRUE(link) << body.header.name;
      EXPECT_EQ(link->inertial ? link->inertial->mass : 0.0, body.mass);
    }
  }
}

/// Robots of others: every .urdf below the folders of AMBF_URDF_FOLDERS, separated by colons.
TEST(Urdfdom, HasTheSameKinematicsForEveryFileOfOthers)
{
  const char * const folders = std::getenv("AMBF_URDF_FOLDERS");
  if (folders == nullptr) { GTEST_SKIP() << "AMBF_URDF_FOLDERS names no folders with robots"; }
  std::istringstream list(folders);
  int count = 0;
  for (std::string folder; std::getline(list, folder, ':');) {
    for (const auto & entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".urdf") { continue; }
      if (!urdf::parseURDF(text_of(entry.path()))) { continue; }  // broken on purpose
      expect_same_kinematics(entry.path());
      ++count;
    }
  }
  EXPECT_GT(count, 0);
  std::cout << count << " files\n";
}
