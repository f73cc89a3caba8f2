// SPDX-License-Identifier: BSD-3-Clause
// The reference of all keys: complete beside the reader's source, and in words.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "ambf_adf/keys.hpp"
#include "ambf_adf/parse.hpp"

namespace
{

namespace fs = std::filesystem;
using ambf_adf::KeyBlock;
using ambf_adf::KeyInfo;

const std::vector<KeyBlock> & reference()
{
  static const auto blocks = ambf_adf::key_reference();
  return blocks;
}

const KeyInfo * find(const std::string & block, const std::string & path)
{
  for (const auto & b : reference()) {
    for (const auto & key : b.keys) {
      if (b.name == block && key.path == path) { return &key; }
    }
  }
  return nullptr;
}

std::string read(const fs::path & file)
{
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The last parts of all paths; the names that the source asks for are among them.
std::set<std::string> names()
{
  std::set<std::string> result;
  for (const auto & block : reference()) {
    for (const auto & key : block.keys) {
      const auto slash = key.path.rfind('/');
      result.insert(slash == std::string::npos ? key.path : key.path.substr(slash + 1));
    }
  }
  return result;
}

/// Keys in the text of the reader: arguments of its calls, and tables and lists of keys.
std::set<std::string> keys_in_source(const std::string & source)
{
  std::set<std::string> found;
  const auto collect = [&](const std::string & text, const std::regex & pattern) {
    for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
      found.insert((*it)[1]);
    }
  };
  collect(
    source,
    std::regex(
      R"re((?:\.|->)(?:number|integer|boolean|text|vector|triple|pose|words|integers|list|)re"
      R"re(map|ineffective|known|has|get|require)\(\s*"([^"]+)")re"));
  collect(source, std::regex(R"re(\{"([^"]+)", &)re"));
  collect(source, std::regex(R"re((?:read_[a-z_]+|length|part)\([a-z, ]*"([^"]+)")re"));
  collect(source, std::regex(R"re(listed_blocks\(top, root, "([^"]+)")re"));
  const std::regex loop(R"re(for \(const char \* \w+ :\s*\{([^}]*)\})re");
  const std::regex word(R"re("([^"]+)")re");
  for (std::sregex_iterator it(source.begin(), source.end(), loop), end; it != end; ++it) {
    collect((*it)[1], word);
  }
  return found;
}

TEST(Keys, EveryKeyInTheSourceOfTheReaderIsInTheReference)
{
  const auto known = names();
  // Parts of vectors and poses, which the reference tells as one; and words that are no keys.
  const std::set<std::string> parts{"position", "orientation"};
  const std::set<std::string> words{"FORCE",  "force",    "Force",    "EFFORT",  "effort",
                                    "Effort", "VELOCITY", "velocity", "Velocity"};
  std::size_t checked = 0;
  for (const auto & file : fs::directory_iterator(AMBF_ADF_SOURCE)) {
    const std::string name = file.path().filename().string();
    if (!name.starts_with("read_") || file.path().extension() != ".cpp") { continue; }
    for (const auto & key : keys_in_source(read(file.path()))) {
      ++checked;
      EXPECT_TRUE(known.contains(key) || parts.contains(key) || words.contains(key))
        << name << " reads the key '" << key
        << "', and no sample in keys.cpp makes the reader ask for it: add it to a sample";
    }
  }
  EXPECT_GT(checked, 200u);
}

TEST(Keys, EveryKeyHasAMeaning)
{
  for (const auto & block : reference()) {
    EXPECT_FALSE(block.keys.empty()) << block.name;
    for (const auto & key : block.keys) {
      EXPECT_FALSE(key.meaning.empty())
        << block.name << ": " << key.path << ": add a line to src/key_meanings*.cpp";
    }
  }
}

TEST(Keys, NoMeaningIsLeftOver)
{
  for (const auto & meaning : ambf_adf::unused_meanings()) {
    ADD_FAILURE() << meaning << ": the reader does not ask for it; delete it in key_meanings*.cpp";
  }
}

TEST(Keys, TypesAndDefaultsAreTheReaders)
{
  const auto check =
    [](const char * block, const char * path, const char * type, const char * fallback) {
      const KeyInfo * key = find(block, path);
      ASSERT_NE(key, nullptr) << block << ": " << path;
      EXPECT_EQ(key->type, type) << path;
      EXPECT_EQ(key->fallback, fallback) << path;
    };
  check("rigid body", "mass", "a number, 0 or more", "1");
  check("rigid body", "friction/static", "a number, 0 or more", "0.5");
  check("world file", "gravity", "a map {x, y, z} of numbers", "0, 0, -9.8");
  check("joint", "max motor impulse", "a number, 0 or more", "0.1");
  check("joint", "enable motor", "true or false", "true");
  check("soft body", "passive", "true or false", "true");
  check("every object", "passive", "true or false", "false");
  check("camera", "location", "a pose, or a map {x, y, z} of numbers", "0, 0, 0");
  check("vehicle", "wheels[]/radius", "a number, 0 or more", "0.1");
  check("shape and look", "compound shape[]/geometry/x", "a number", "");
  EXPECT_TRUE(find("joint", "type")->required);
  EXPECT_FALSE(find("joint", "controller gains")->effective);
  EXPECT_TRUE(find("sensor", "friction")->effective);
}

/// The reference and the parser agree from outside: a key of the reference is no unknown key.
TEST(Keys, TheParserKnowsTheKeysOfBodies)
{
  for (const char * block : {"every object", "shape and look", "rigid body"}) {
    for (const auto & b : reference()) {
      for (const auto & key : b.keys) {
        if (b.name != block || key.path.find_first_of("/[") != std::string::npos) { continue; }
        const auto model =
          ambf_adf::parse_text("bodies: [B]\nB: {mass: 1, ? " + key.path + " : }\n", "text");
        for (const auto & warning : model ? model->warnings : model.error()) {
          EXPECT_NE(warning.kind, ambf_adf::ProblemKind::UnknownKey) << to_string(warning);
        }
      }
    }
  }
}

}  // namespace
