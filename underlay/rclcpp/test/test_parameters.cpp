// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "rcl_interfaces/msg/floating_point_range.hpp"
#include "rcl_interfaces/msg/integer_range.hpp"
#include "rclcpp/rclcpp.hpp"

using rcl_interfaces::msg::ParameterDescriptor;
using rcl_interfaces::msg::SetParametersResult;
using rclcpp::Parameter;
using rclcpp::ParameterValue;

namespace {

class Parameters : public ::testing::Test {
protected:
  void SetUp() override { rclcpp::init(0, nullptr); }

  void TearDown() override { rclcpp::shutdown(); }

  static rclcpp::Node::SharedPtr make_node(const rclcpp::NodeOptions & options = rclcpp::NodeOptions()) {
    return std::make_shared<rclcpp::Node>("node", "/ns", options);
  }
};

ParameterDescriptor dynamic() {
  ParameterDescriptor descriptor;
  descriptor.dynamic_typing = true;
  return descriptor;
}

}  // namespace

TEST(ParameterValues, KeepTheirTypeAndValueThroughAMessage) {
  const std::vector<ParameterValue> values{ParameterValue(), ParameterValue(true), ParameterValue(7),
    ParameterValue(int64_t{1} << 40), ParameterValue(1.5f), ParameterValue(2.5), ParameterValue("text"),
    ParameterValue(std::vector<uint8_t>{1, 255}), ParameterValue(std::vector<bool>{true, false}),
    ParameterValue(std::vector<int>{1, 2}), ParameterValue(std::vector<int64_t>{1, 2}),
    ParameterValue(std::vector<float>{1.5f}), ParameterValue(std::vector<double>{1.5}),
    ParameterValue(std::vector<std::string>{"a", "b"})};
  for (const ParameterValue & value : values) {
    EXPECT_EQ(value, ParameterValue(value.to_value_msg())) << rclcpp::to_string(value);
  }
  EXPECT_EQ(ParameterValue(std::vector<int>{1, 2}), ParameterValue(std::vector<int64_t>{1, 2}));
  EXPECT_NE(ParameterValue(1), ParameterValue(1.0));
}

TEST(ParameterValues, RefuseAMessageOfAnUnknownType) {
  rcl_interfaces::msg::ParameterValue message;
  message.type = 99;
  EXPECT_THROW(ParameterValue{message}, std::runtime_error);
}

TEST(ParameterValues, AreReadByTheirCppTypeOrTheirParameterType) {
  EXPECT_EQ(ParameterValue(7).get<int>(), 7);
  EXPECT_EQ(ParameterValue(7).get<uint8_t>(), 7);
  EXPECT_EQ(ParameterValue(7).get<rclcpp::PARAMETER_INTEGER>(), 7);
  EXPECT_EQ(ParameterValue(1.5).get<float>(), 1.5);
  EXPECT_EQ(ParameterValue("a").get<std::string>(), "a");
  EXPECT_EQ(ParameterValue("a").get<const char *>(), "a");
  EXPECT_EQ(ParameterValue(std::vector<int>{1, 2}).get<std::vector<int>>(), (std::vector<int64_t>{1, 2}));
  EXPECT_THROW(ParameterValue(7).get<bool>(), rclcpp::ParameterTypeException);
  try {
    ParameterValue(7).get<double>();
    FAIL();
  } catch (const rclcpp::ParameterTypeException & ex) { EXPECT_STREQ(ex.what(), "expected [double] got [integer]"); }
}

TEST(ParameterValues, AreShownAsText) {
  EXPECT_EQ(to_string(ParameterValue()), "not set");
  EXPECT_EQ(to_string(ParameterValue(true)), "true");
  EXPECT_EQ(to_string(ParameterValue(-3)), "-3");
  EXPECT_EQ(to_string(ParameterValue(0.5)), "0.500000");
  EXPECT_EQ(to_string(ParameterValue("word")), "word");
  EXPECT_EQ(to_string(ParameterValue(std::vector<uint8_t>{0x52, 0x0a})), "[0x52, 0xa]");
  EXPECT_EQ(to_string(ParameterValue(std::vector<bool>{true, false})), "[true, false]");
  EXPECT_EQ(to_string(ParameterValue(std::vector<int>{1, -2})), "[1, -2]");
  EXPECT_EQ(to_string(ParameterValue(std::vector<double>{1.5, 2})), "[1.5, 2]");
  EXPECT_EQ(to_string(ParameterValue(std::vector<std::string>{"a", "b"})), "[a, b]");
  std::stringstream stream;
  stream << Parameter("p", true) << rclcpp::PARAMETER_BYTE_ARRAY;
  EXPECT_EQ(stream.str(), "{\"name\": \"p\", \"type\": \"bool\", \"value\": \"true\"}byte_array");
  EXPECT_EQ(std::to_string(std::vector<Parameter>{Parameter("a", 1), Parameter("b", "x")}),
    "{\"a\": {\"type\": \"integer\", \"value\": \"1\"}, "
    "\"b\": {\"type\": \"string\", \"value\": \"x\"}}");
}

TEST(ParameterValues, WrongReadsOfAParameterThrowTwoUnrelatedTypes) {
  const Parameter parameter("p", 1);
  EXPECT_EQ(parameter.as_int(), 1);
  EXPECT_THROW(parameter.as_double(), rclcpp::ParameterTypeException);
  EXPECT_THROW(parameter.get_value<rclcpp::PARAMETER_DOUBLE>(), rclcpp::ParameterTypeException);
  try {
    parameter.get_value<double>();
    FAIL();
  } catch (const rclcpp::exceptions::InvalidParameterTypeException & ex) {
    EXPECT_STREQ(ex.what(), "parameter 'p' has invalid type: expected [double] got [integer]");
  }
  EXPECT_EQ(parameter.get_value<Parameter>(), parameter);
  EXPECT_EQ(parameter.get_value<ParameterValue>(), ParameterValue(1));
  EXPECT_EQ(Parameter::from_parameter_msg(parameter.to_parameter_msg()), parameter);
}

TEST_F(Parameters, AreDeclaredReadAndSet) {
  const auto node = make_node();
  EXPECT_EQ(node->declare_parameter("number", 5), 5);
  EXPECT_EQ(node->declare_parameter<std::string>("text", "a"), "a");
  EXPECT_EQ(node->declare_parameter("more", std::vector<double>{1.0}), std::vector<double>{1.0});
  EXPECT_TRUE(node->has_parameter("number"));
  EXPECT_FALSE(node->has_parameter("none"));
  EXPECT_EQ(node->get_parameter("number").as_int(), 5);
  int number = 0;
  EXPECT_TRUE(node->get_parameter("number", number));
  EXPECT_EQ(number, 5);
  EXPECT_FALSE(node->get_parameter("none", number));
  EXPECT_EQ(node->get_parameter_or<int>("none", 9), 9);
  double wrong = 0.0;
  EXPECT_THROW(node->get_parameter("number", wrong), rclcpp::exceptions::InvalidParameterTypeException);
  EXPECT_TRUE(node->set_parameter(Parameter("number", 6)).successful);
  EXPECT_EQ(node->get_parameter("number").as_int(), 6);

  EXPECT_THROW(node->get_parameter("none"), rclcpp::exceptions::ParameterNotDeclaredException);
  EXPECT_THROW(node->set_parameter(Parameter("none", 1)), rclcpp::exceptions::ParameterNotDeclaredException);
  EXPECT_THROW(node->declare_parameter("number", 1), rclcpp::exceptions::ParameterAlreadyDeclaredException);
  EXPECT_THROW(node->declare_parameter("", 1), rclcpp::exceptions::InvalidParametersException);
  EXPECT_THROW(node->set_parameter(Parameter("", 1)), rclcpp::exceptions::InvalidParametersException);
}

TEST_F(Parameters, OfEveryNodeAreStocksOwn) {
  const auto node = make_node();
  const auto names = node->list_parameters({}, 0).names;
  EXPECT_EQ(names,
    (std::vector<std::string>{"qos_overrides./parameter_events.publisher.depth",
      "qos_overrides./parameter_events.publisher.durability", "qos_overrides./parameter_events.publisher.history",
      "qos_overrides./parameter_events.publisher.reliability", "start_type_description_service", "use_sim_time"}));
}

TEST_F(Parameters, WithStaticTypeKeepIt) {
  const auto node = make_node();
  node->declare_parameter("x", 1.0);
  const auto result = node->set_parameter(Parameter("x", 1));
  EXPECT_FALSE(result.successful);
  EXPECT_EQ(result.reason,
    "Wrong parameter type, parameter {x} is of type {double}, "
    "setting it to {integer} is not allowed.");
  EXPECT_FALSE(node->set_parameter(Parameter("x")).successful);
  EXPECT_THROW(node->undeclare_parameter("x"), rclcpp::exceptions::InvalidParameterTypeException);
  EXPECT_THROW(node->undeclare_parameter("none"), rclcpp::exceptions::ParameterNotDeclaredException);
  EXPECT_THROW(node->declare_parameter("y", ParameterValue()), rclcpp::exceptions::InvalidParameterTypeException);
}

TEST_F(Parameters, WithoutAValueCannotBeRead) {
  const auto node = make_node();
  EXPECT_THROW(
    node->declare_parameter<double>("x"), rclcpp::exceptions::UninitializedStaticallyTypedParameterException);
  EXPECT_NO_THROW(node->declare_parameter("y", rclcpp::PARAMETER_DOUBLE));
  EXPECT_THROW(node->get_parameter("y"), rclcpp::exceptions::ParameterUninitializedException);
  Parameter parameter;
  EXPECT_FALSE(node->get_parameter("y", parameter));
  EXPECT_TRUE(node->set_parameter(Parameter("y", 2.0)).successful);
  EXPECT_EQ(node->get_parameter("y").as_double(), 2.0);
  EXPECT_THROW(node->declare_parameter("z", rclcpp::PARAMETER_NOT_SET), std::invalid_argument);
  EXPECT_THROW(node->declare_parameter("z", rclcpp::PARAMETER_BOOL, dynamic()), std::invalid_argument);
}

TEST_F(Parameters, WithDynamicTypeChangeItAndCanBeRemoved) {
  const auto node = make_node();
  node->declare_parameter("x", ParameterValue(1), dynamic());
  EXPECT_TRUE(node->set_parameter(Parameter("x", "now text")).successful);
  EXPECT_EQ(node->describe_parameter("x").type, rclcpp::PARAMETER_STRING);
  EXPECT_TRUE(node->set_parameter(Parameter("x")).successful);
  EXPECT_FALSE(node->has_parameter("x"));
  node->declare_parameter("y", ParameterValue(), dynamic());
  EXPECT_EQ(node->get_parameter("y").get_type(), rclcpp::PARAMETER_NOT_SET);
  node->undeclare_parameter("y");
  EXPECT_FALSE(node->has_parameter("y"));
}

TEST_F(Parameters, ThatAreReadOnlyStayAsDeclared) {
  const auto node = make_node();
  ParameterDescriptor descriptor;
  descriptor.read_only = true;
  node->declare_parameter("x", 1, descriptor);
  const auto result = node->set_parameter(Parameter("x", 2));
  EXPECT_FALSE(result.successful);
  EXPECT_EQ(result.reason, "parameter 'x' cannot be set because it is read-only");
  EXPECT_THROW(node->undeclare_parameter("x"), rclcpp::exceptions::ParameterImmutableException);
}

TEST_F(Parameters, StayWithinTheirRanges) {
  const auto node = make_node();
  ParameterDescriptor integers;
  integers.integer_range.resize(1);
  integers.integer_range[0].from_value = 10;
  integers.integer_range[0].to_value = 18;
  integers.integer_range[0].step = 5;
  node->declare_parameter("i", 10, integers);
  EXPECT_TRUE(node->set_parameter(Parameter("i", 15)).successful);
  // Stock allows the upper bound although it is no whole number of steps away.
  EXPECT_TRUE(node->set_parameter(Parameter("i", 18)).successful);
  for (const int bad : {9, 11, 19}) {
    const auto result = node->set_parameter(Parameter("i", bad));
    EXPECT_FALSE(result.successful) << bad;
    EXPECT_EQ(result.reason, "Parameter {i} doesn't comply with integer range.");
  }
  EXPECT_THROW(node->declare_parameter("j", 9, integers), rclcpp::exceptions::InvalidParameterValueException);
  EXPECT_FALSE(node->has_parameter("j"));

  integers.integer_range[0].from_value = std::numeric_limits<int64_t>::min();
  integers.integer_range[0].to_value = std::numeric_limits<int64_t>::max();
  integers.integer_range[0].step = 0;
  node->declare_parameter("wide", 0, integers);
  EXPECT_TRUE(node->set_parameter(Parameter("wide", int64_t{1} << 62)).successful);

  ParameterDescriptor doubles;
  doubles.floating_point_range.resize(1);
  doubles.floating_point_range[0].from_value = 0.0;
  doubles.floating_point_range[0].to_value = 1.0;
  doubles.floating_point_range[0].step = 0.1;
  node->declare_parameter("d", 0.0, doubles);
  EXPECT_TRUE(node->set_parameter(Parameter("d", 0.3)).successful);
  EXPECT_TRUE(node->set_parameter(Parameter("d", 1.0)).successful);
  for (const double bad : {-0.1, 0.35, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_FALSE(node->set_parameter(Parameter("d", bad)).successful) << bad;
  }
}

TEST_F(Parameters, AreSetAllOrNone) {
  const auto node = make_node();
  node->declare_parameter("a", 1);
  node->declare_parameter("b", 1);
  EXPECT_FALSE(node->set_parameters_atomically({Parameter("a", 2), Parameter("b", "text")}).successful);
  EXPECT_EQ(node->get_parameter("a").as_int(), 1);
  const auto results = node->set_parameters({Parameter("a", 2), Parameter("b", "text")});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_TRUE(results[0].successful);
  EXPECT_FALSE(results[1].successful);
  EXPECT_EQ(node->get_parameter("a").as_int(), 2);
}

TEST_F(Parameters, CallbacksRunInTheOrderPreOnPostAndLastAddedFirst) {
  const auto node = make_node();
  node->declare_parameter("a", 1);
  node->declare_parameter("b", 1);
  std::vector<std::string> order;
  const auto pre = node->add_pre_set_parameters_callback([&](std::vector<Parameter> & parameters) {
    order.push_back("pre");
    parameters.push_back(Parameter("b", 5));
  });
  const auto first = node->add_on_set_parameters_callback([&](const std::vector<Parameter> & parameters) {
    order.push_back("first " + std::to_string(parameters.size()));
    SetParametersResult result;
    result.successful = parameters[0].as_int() < 10;
    result.reason = "too large";
    return result;
  });
  const auto second = node->add_on_set_parameters_callback([&](const std::vector<Parameter> &) {
    order.push_back("second");
    SetParametersResult result;
    result.successful = true;
    return result;
  });
  const auto post =
    node->add_post_set_parameters_callback([&](const std::vector<Parameter> &) { order.push_back("post"); });

  EXPECT_TRUE(node->set_parameter(Parameter("a", 2)).successful);
  EXPECT_EQ(order, (std::vector<std::string>{"pre", "second", "first 2", "post"}));
  EXPECT_EQ(node->get_parameter("b").as_int(), 5);

  order.clear();
  const auto refused = node->set_parameter(Parameter("a", 10));
  EXPECT_FALSE(refused.successful);
  EXPECT_EQ(refused.reason, "too large");
  EXPECT_EQ(order, (std::vector<std::string>{"pre", "second", "first 2"}));

  order.clear();
  node->declare_parameter("c", 1);
  EXPECT_EQ(order, (std::vector<std::string>{"second", "first 1", "post"}));
  EXPECT_THROW(node->declare_parameter("d", 10), rclcpp::exceptions::InvalidParameterValueException);

  node->remove_on_set_parameters_callback(first.get());
  node->remove_pre_set_parameters_callback(pre.get());
  node->remove_post_set_parameters_callback(post.get());
  EXPECT_THROW(node->remove_on_set_parameters_callback(first.get()), std::runtime_error);
  order.clear();
  EXPECT_TRUE(node->set_parameter(Parameter("a", 20)).successful);
  EXPECT_EQ(order, std::vector<std::string>{"second"});
}

TEST_F(Parameters, CallbacksEndWithTheirHandle) {
  const auto node = make_node();
  node->declare_parameter("a", 1);
  int calls = 0;
  auto handle = node->add_on_set_parameters_callback([&](const std::vector<Parameter> &) {
    ++calls;
    SetParametersResult result;
    result.successful = true;
    return result;
  });
  node->set_parameter(Parameter("a", 2));
  handle.reset();
  node->set_parameter(Parameter("a", 3));
  EXPECT_EQ(calls, 1);
}

TEST_F(Parameters, CannotBeChangedWithinACallbackButCanBeRead) {
  const auto node = make_node();
  node->declare_parameter("a", 1);
  const auto handle = node->add_on_set_parameters_callback([&](const std::vector<Parameter> &) {
    EXPECT_EQ(node->get_parameter("a").as_int(), 1);
    EXPECT_THROW(node->set_parameter(Parameter("a", 3)), rclcpp::exceptions::ParameterModifiedInCallbackException);
    EXPECT_THROW(node->declare_parameter("b", 3), rclcpp::exceptions::ParameterModifiedInCallbackException);
    SetParametersResult result;
    result.successful = true;
    return result;
  });
  EXPECT_TRUE(node->set_parameter(Parameter("a", 2)).successful);
  EXPECT_EQ(node->get_parameter("a").as_int(), 2);
}

TEST_F(Parameters, ListsWithThePreSetCallbackEmptiedAreRefused) {
  const auto node = make_node();
  node->declare_parameter("a", 1);
  const auto handle =
    node->add_pre_set_parameters_callback([](std::vector<Parameter> & parameters) { parameters.clear(); });
  EXPECT_FALSE(node->set_parameter(Parameter("a", 2)).successful);
}

TEST_F(Parameters, AreListedByPrefixAndDepth) {
  const auto node = make_node();
  node->declare_parameter("arm.gain", 1.0);
  node->declare_parameter("arm.joint.rate", 1.0);
  node->declare_parameter("armature", 1.0);
  const auto shallow = node->list_parameters({"arm"}, 1);
  EXPECT_EQ(shallow.names, std::vector<std::string>{"arm.gain"});
  EXPECT_EQ(shallow.prefixes, std::vector<std::string>{"arm"});
  const auto deep = node->list_parameters({"arm"}, 0);
  EXPECT_EQ(deep.names, (std::vector<std::string>{"arm.gain", "arm.joint.rate"}));
  EXPECT_EQ(deep.prefixes, (std::vector<std::string>{"arm", "arm.joint"}));
  EXPECT_EQ(node->list_parameters({"armature"}, 1).names, std::vector<std::string>{"armature"});
  EXPECT_EQ(node->list_parameters({}, 1).names.size(), 3u);

  std::map<std::string, double> gains;
  EXPECT_TRUE(node->get_parameters("arm", gains));
  EXPECT_EQ(gains, (std::map<std::string, double>{{"gain", 1.0}, {"joint.rate", 1.0}}));
  EXPECT_FALSE(node->get_parameters("leg", gains));
}

TEST_F(Parameters, AreDescribed) {
  const auto node = make_node();
  ParameterDescriptor descriptor;
  descriptor.description = "how far";
  descriptor.additional_constraints = "even";
  node->declare_parameter("x", 2, descriptor);
  const auto found = node->describe_parameter("x");
  EXPECT_EQ(found.name, "x");
  EXPECT_EQ(found.type, rclcpp::PARAMETER_INTEGER);
  EXPECT_EQ(found.description, "how far");
  EXPECT_EQ(found.additional_constraints, "even");
  EXPECT_EQ(node->get_parameter_types({"x"}), std::vector<uint8_t>{rclcpp::PARAMETER_INTEGER});
  EXPECT_THROW(node->describe_parameter("none"), rclcpp::exceptions::ParameterNotDeclaredException);
}

TEST_F(Parameters, UndeclaredOnesCanBeAllowed) {
  const auto node = make_node(rclcpp::NodeOptions().allow_undeclared_parameters(true));
  EXPECT_EQ(node->get_parameter("x").get_type(), rclcpp::PARAMETER_NOT_SET);
  EXPECT_TRUE(node->set_parameter(Parameter("x", 1)).successful);
  EXPECT_TRUE(node->set_parameter(Parameter("x", "text")).successful);
  EXPECT_EQ(node->get_parameter("x").as_string(), "text");
  EXPECT_EQ(node->describe_parameter("y").name, "y");
}

TEST_F(Parameters, TakeOverridesFromOptionsBeforeArguments) {
  const auto options = rclcpp::NodeOptions()
                         .arguments({"--ros-args", "-p", "a:=1", "-p", "b:=1", "-p", "node:c:=3", "-p", "other:c:=4",
                           "-p", "list:=[1, 2]", "-p", "text:='5'"})
                         .parameter_overrides({Parameter("b", 2)});
  // Rules of rcl name a node of the root namespace only.
  const auto node = std::make_shared<rclcpp::Node>("node", options);
  EXPECT_EQ(node->declare_parameter("a", 0), 1);
  EXPECT_EQ(node->declare_parameter("b", 0), 2);
  EXPECT_EQ(node->declare_parameter("c", 0), 3);
  EXPECT_EQ(node->declare_parameter("list", std::vector<int64_t>{}), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(node->declare_parameter("text", ""), "5");
  EXPECT_THROW(node->declare_parameter("d", ParameterValue()), rclcpp::exceptions::InvalidParameterTypeException);
}

TEST_F(Parameters, OverridesCanBeIgnoredAndOfTheWrongTypeAreRefused) {
  const auto node = make_node(rclcpp::NodeOptions().parameter_overrides({Parameter("a", 1), Parameter("b", "text")}));
  EXPECT_EQ(node->declare_parameter("a", 7, ParameterDescriptor(), true), 7);
  EXPECT_THROW(node->declare_parameter("b", 7), rclcpp::exceptions::InvalidParameterTypeException);
  EXPECT_FALSE(node->has_parameter("b"));
}

TEST_F(Parameters, CanBeDeclaredFromOverridesWithDynamicType) {
  const auto node = make_node(rclcpp::NodeOptions()
                                .parameter_overrides({Parameter("a", 1)})
                                .automatically_declare_parameters_from_overrides(true));
  EXPECT_EQ(node->get_parameter("a").as_int(), 1);
  EXPECT_TRUE(node->describe_parameter("a").dynamic_typing);
  EXPECT_TRUE(node->set_parameter(Parameter("a", "text")).successful);
}

TEST_F(Parameters, AreDeclaredInGroups) {
  const auto node = make_node();
  const auto values = node->declare_parameters<int64_t>("g", {{"a", 1}, {"b", 2}});
  EXPECT_EQ(values, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(node->get_parameter("g.b").as_int(), 2);
  EXPECT_EQ(node->get_parameters({"g.a", "g.b"}).size(), 2u);
}

TEST_F(Parameters, FilesApplyByNameAndWildcard) {
  const std::string path = std::string(::testing::TempDir()) + "rclcpp_test_parameters.yaml";
  std::ofstream(path) << "/**:\n  ros__parameters: {all: 1, both: 1}\n"
                         "/*/node:\n  ros__parameters: {one: 2}\n"
                         "/ns/node:\n  ros__parameters: {both: 3, nested: {deep: true}}\n"
                         "/ns/other:\n  ros__parameters: {other: 4}\n"
                         "/ns/deep/*:\n  ros__parameters: {other: 5}\n";
  const auto node = make_node(rclcpp::NodeOptions().arguments({"--ros-args", "--params-file", path}));
  EXPECT_EQ(node->declare_parameter("all", 0), 1);
  EXPECT_EQ(node->declare_parameter("one", 0), 2);
  EXPECT_EQ(node->declare_parameter("both", 0), 3);
  EXPECT_EQ(node->declare_parameter("other", 0), 0);
  EXPECT_TRUE(node->declare_parameter("nested.deep", false));

  const auto map = rclcpp::parameter_map_from_yaml_file(path);
  EXPECT_EQ(map.size(), 5u);
  EXPECT_EQ(rclcpp::parameters_from_map(map, "/ns/other").size(), 3u);
  EXPECT_THROW(rclcpp::parameter_map_from_yaml_file("no_such_file.yaml"), rclcpp::exceptions::RCLError);
  std::remove(path.c_str());
}

TEST_F(Parameters, AreCopiedFromNodeToNode) {
  const auto source = std::make_shared<rclcpp::Node>("source");
  const auto destination = std::make_shared<rclcpp::Node>("destination");
  source->declare_parameter("a", 1);
  source->declare_parameter("b", 2);
  destination->declare_parameter("b", 3);
  rclcpp::copy_all_parameter_values(source, destination);
  EXPECT_EQ(destination->get_parameter("a").as_int(), 1);
  EXPECT_EQ(destination->get_parameter("b").as_int(), 3);
  rclcpp::copy_all_parameter_values(source, destination, true);
  EXPECT_EQ(destination->get_parameter("b").as_int(), 2);
}
