// SPDX-License-Identifier: BSD-3-Clause
// Every parameter of every kind of device with values that nobody should give: the node refuses with
// words that name the parameter, or runs; nothing else happens.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <rclcpp/rclcpp.hpp>

namespace ambf_device_nodes
{
rclcpp::Node::SharedPtr make_MockDevice(const rclcpp::NodeOptions & options);
rclcpp::Node::SharedPtr make_CrtkDevice(const rclcpp::NodeOptions & options);
rclcpp::Node::SharedPtr make_JoyDevice(const rclcpp::NodeOptions & options);
rclcpp::Node::SharedPtr make_PoseDevice(const rclcpp::NodeOptions & options);
rclcpp::Node::SharedPtr make_SdlDevice(const rclcpp::NodeOptions & options);
rclcpp::Node::SharedPtr make_SpaceNavDevice(const rclcpp::NodeOptions & options);
rclcpp::Node::SharedPtr make_MockMtm(const rclcpp::NodeOptions & options);

namespace
{

using rclcpp::Parameter;
using rclcpp::ParameterType;
using rclcpp::ParameterValue;

struct Kind
{
  std::string name;
  rclcpp::Node::SharedPtr (*make)(const rclcpp::NodeOptions &);
};

/// Services and logging over topics are not what is tested, and cost most of the time.
rclcpp::NodeOptions options(const std::vector<Parameter> & parameters = {})
{
  return rclcpp::NodeOptions()
    .parameter_overrides(parameters)
    .start_parameter_services(false)
    .start_parameter_event_publisher(false)
    .enable_rosout(false);
}

bool is_of_ros(const std::string & name)
{
  return name == "use_sim_time" || name == "start_type_description_service" ||
         name.rfind("qos_overrides", 0) == 0;
}

std::vector<ParameterValue> hostile_values(ParameterType type)
{
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double inf = std::numeric_limits<double>::infinity();
  using Numbers = std::vector<double>;
  using Words = std::vector<std::string>;
  using Wholes = std::vector<std::int64_t>;
  std::vector<ParameterValue> values;
  switch (type) {
    case ParameterType::PARAMETER_DOUBLE:
      for (const double value : {0.0, -1.0, 1e-300, 1e300, nan, inf, -inf}) {
        values.emplace_back(value);
      }
      break;
    case ParameterType::PARAMETER_INTEGER:
      for (const std::int64_t value :
           {std::int64_t{0}, std::int64_t{-2}, std::int64_t{31}, std::int64_t{1} << 40}) {
        values.emplace_back(value);
      }
      break;
    case ParameterType::PARAMETER_STRING:
      for (const char * value : {"", " ", "/", "a//b", "no such thing", "ümlaut", "/a/"}) {
        values.emplace_back(std::string(value));
      }
      values.emplace_back(std::string(5000, 'x'));
      break;
    case ParameterType::PARAMETER_DOUBLE_ARRAY:
      values = {ParameterValue(Numbers{}),         ParameterValue(Numbers{nan}),
                ParameterValue(Numbers{-1.0}),     ParameterValue(Numbers{1.0, 2.0}),
                ParameterValue(Numbers(3, inf)),   ParameterValue(Numbers(4, 1.0)),
                ParameterValue(Numbers(3, 1e300)), ParameterValue(Numbers(7, 0.0)),
                ParameterValue(Numbers(1000, 1.0))};
      break;
    case ParameterType::PARAMETER_STRING_ARRAY:
      values = {ParameterValue(Words{}),          ParameterValue(Words{""}),
                ParameterValue(Words{"x"}),       ParameterValue(Words{"x=+99"}),
                ParameterValue(Words{"t=nan"}),   ParameterValue(Words{"jump 2 1"}),
                ParameterValue(Words(100, "/a")), ParameterValue(Words{"t=1 gripper=7"})};
      break;
    case ParameterType::PARAMETER_INTEGER_ARRAY:
      values = {
        ParameterValue(Wholes{}), ParameterValue(Wholes{-1}), ParameterValue(Wholes{31, 31}),
        ParameterValue(Wholes(64, 3)), ParameterValue(Wholes{std::int64_t{1} << 40})};
      break;
    default:
      break;
  }
  values.emplace_back(
    type == ParameterType::PARAMETER_BOOL ? ParameterValue(7) : ParameterValue(true));
  return values;
}

class Parameters : public ::testing::TestWithParam<Kind>
{
protected:
  static void SetUpTestSuite()
  {
    setenv("SDL_VIDEODRIVER", "dummy", 1);
    rclcpp::init(0, nullptr);
  }
  static void TearDownTestSuite() { rclcpp::shutdown(); }
};

TEST_P(Parameters, AreRefusedByNameOrTaken)
{
  const auto usual = GetParam().make(options());
  int refused = 0;
  int taken = 0;
  for (const std::string & name : usual->list_parameters({}, 0).names) {
    if (is_of_ros(name)) { continue; }
    for (const ParameterValue & value : hostile_values(usual->get_parameter(name).get_type())) {
      const std::string what = name + " := " + rclcpp::to_string(value).substr(0, 80);
      try {
        GetParam().make(options({Parameter(name, value)}));
        ++taken;
      } catch (const std::invalid_argument & error) {
        EXPECT_NE(std::string(error.what()).find('\''), std::string::npos)
          << what << ": " << error.what();
        EXPECT_NE(std::string(error.what()).find("parameter"), std::string::npos)
          << what << ": " << error.what();
        ++refused;
      } catch (const std::exception & error) {
        ADD_FAILURE() << what << ": not our words: " << error.what();
      }
    }
  }
  EXPECT_GT(refused, 20);
  EXPECT_GT(taken, 5);
}

TEST_P(Parameters, CannotBeChangedWhileItRuns)
{
  const auto node = GetParam().make(options());
  for (const std::string & name : node->list_parameters({}, 0).names) {
    if (is_of_ros(name)) { continue; }
    const auto before = node->get_parameter(name);
    for (const ParameterValue & value : hostile_values(before.get_type())) {
      EXPECT_FALSE(node->set_parameter(Parameter(name, value)).successful) << name;
    }
    EXPECT_EQ(node->get_parameter(name).get_parameter_value(), before.get_parameter_value());
    EXPECT_FALSE(node->describe_parameter(name).description.empty()) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(
  Kinds, Parameters,
  ::testing::Values(
    Kind{"mock", make_MockDevice}, Kind{"joy", make_JoyDevice}, Kind{"pose", make_PoseDevice},
    Kind{"sdl", make_SdlDevice}, Kind{"spacenav", make_SpaceNavDevice}),
  [](const auto & kind) { return kind.param.name; });

#ifdef WITH_CRTK
INSTANTIATE_TEST_SUITE_P(
  CrtkKinds, Parameters,
  ::testing::Values(Kind{"crtk", make_CrtkDevice}, Kind{"mock_mtm", make_MockMtm}),
  [](const auto & kind) { return kind.param.name; });
#endif

}  // namespace
}  // namespace ambf_device_nodes
