// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <rclcpp/rclcpp.hpp>

#include "ambf_node_support/declared.hpp"

namespace ambf_node_support
{
namespace
{

class DeclaredParameters : public ::testing::Test
{
protected:
  static void SetUpTestSuite() { rclcpp::init(0, nullptr); }
  static void TearDownTestSuite() { rclcpp::shutdown(); }

  static rclcpp::Node::SharedPtr node(const std::vector<rclcpp::Parameter> & given = {})
  {
    return std::make_shared<rclcpp::Node>(
      "declared", rclcpp::NodeOptions().parameter_overrides(given));
  }
  /// What is said when a parameter is declared that was given so; empty: it was taken.
  static std::string refusal(
    const rclcpp::Parameter & given, const std::function<void(Declared &)> & declare)
  {
    const auto one = node({given});
    Declared declared(*one);
    try {
      declare(declared);
    } catch (const std::invalid_argument & error) {
      return error.what();
    }
    return {};
  }
};

TEST_F(DeclaredParameters, HaveTheirFallbackUnlessSomebodyGaveAValue)
{
  const auto one = node({{"rate", 5.0}, {"names", std::vector<std::string>{"a", "", "b"}}});
  Declared declared(*one);
  EXPECT_EQ(declared.real("rate", 30.0, 1.0, 100.0, "[Hz]"), 5.0);
  EXPECT_EQ(declared.whole("count", 3, 0, 9, "of them"), 3);
  EXPECT_TRUE(declared.flag("on", true, "or off"));
  EXPECT_EQ(declared.words("names", {}, "of things"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(one->describe_parameter("rate").floating_point_range.at(0).to_value, 100.0);
  EXPECT_EQ(one->describe_parameter("count").description, "of them");
}

TEST_F(DeclaredParameters, OutsideTheirRangeAreRefusedByNameWithWhatIsExpected)
{
  const auto rate = [](Declared & d) { d.real("rate", 30.0, 1.0, 100.0, "how often [Hz]"); };
  const std::string expected =
    "parameter 'rate': expected a number with a point, 1 to 100 (how often [Hz])";
  EXPECT_EQ(refusal({"rate", 0.5}, rate), expected);
  EXPECT_EQ(refusal({"rate", std::numeric_limits<double>::quiet_NaN()}, rate), expected);
  EXPECT_EQ(refusal({"rate", "fast"}, rate), expected);
  EXPECT_EQ(refusal({"rate", 2.0}, rate), "");
}

TEST_F(DeclaredParameters, WithChoicesNameThemAll)
{
  const auto mode = [](Declared & d) {
    d.choice<int>("mode", "slow", {{"fast", 2}, {"slow", 1}}, "how it goes");
  };
  EXPECT_EQ(
    refusal({"mode", "lazy"}, mode), "parameter 'mode': found 'lazy', expected one of fast, slow");
  const auto one = node({{"mode", "fast"}});
  Declared declared(*one);
  EXPECT_EQ(declared.choice<int>("mode", "slow", {{"fast", 2}, {"slow", 1}}, "how it goes"), 2);
  EXPECT_EQ(one->describe_parameter("mode").description, "how it goes: fast, slow");
  EXPECT_EQ(declared.one_of("kind", "a", {"a", "b"}, "which"), "a");
}

TEST_F(DeclaredParameters, ThatBecomePartsOfTopicsHaveOnlyTheirLetters)
{
  const auto token = [](Declared & d) { d.token("arm", "which arm"); };
  for (const char * wrong : {"", "1a", "a b", "a/b", "\xc3\xbc"}) {
    EXPECT_NE(refusal({"arm", wrong}, token).find("parameter 'arm': found '"), std::string::npos)
      << wrong;
  }
  EXPECT_EQ(refusal({"arm", "PSM_1"}, token), "");
  EXPECT_EQ(refusal({"arm", ""}, [](Declared & d) { d.token("arm", "which", true); }), "");
}

TEST_F(DeclaredParameters, CanBeChangedOnlyWhereThatWasAskedFor)
{
  const auto one = node();
  Declared(*one).word("fixed", "a", "text");
  Declared(*one, false).word("free", "a", "text");
  EXPECT_FALSE(one->set_parameter({"fixed", "b"}).successful);
  EXPECT_TRUE(one->set_parameter({"free", "b"}).successful);
}

}  // namespace
}  // namespace ambf_node_support
