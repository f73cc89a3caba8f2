// Copyright 2026 AMBF for ROS 2 developers
// SPDX-License-Identifier: BSD-3-Clause
//
// Parameters of one node: values, declarations, ranges, setting, callbacks, lists, overrides.

#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "ambf_conformance/observe.hpp"
#include "rclcpp/rclcpp.hpp"

using namespace std::chrono_literals;
using observe::outcome;
using observe::Say;
using rcl_interfaces::msg::ParameterDescriptor;
using rclcpp::Parameter;
using rclcpp::ParameterValue;

namespace
{

std::string shown(const rcl_interfaces::msg::SetParametersResult & r)
{
  return (r.successful ? "accepted" : "refused") +
         (r.reason.empty() ? std::string{} : " \"" + r.reason + "\"");
}

rclcpp::Node::SharedPtr fresh(const rclcpp::NodeOptions & options = rclcpp::NodeOptions())
{
  return std::make_shared<rclcpp::Node>("parameters", options);
}

void values()
{
  observe::area("values");
  const std::vector<Parameter> all = {
    Parameter("nothing"),
    Parameter("flag", true),
    Parameter("whole", 7),
    Parameter("real", 0.5),
    Parameter("text", "abc"),
    Parameter("bytes", std::vector<std::uint8_t>{1, 255}),
    Parameter("flags", std::vector<bool>{true, false}),
    Parameter("wholes", std::vector<std::int64_t>{1, -2}),
    Parameter("ints", std::vector<int>{3, 4}),
    Parameter("reals", std::vector<double>{0.25, 1e-9}),
    Parameter("floats", std::vector<float>{0.5f}),
    Parameter("texts", std::vector<std::string>{"a", "b c"})};
  for (const auto & p : all) { Say{p.get_name(), p.get_type_name(), p.value_to_string()}; }
  std::ostringstream streamed;
  streamed << all[2] << " " << all[4];
  Say{"streamed", streamed.str()};
  std::ostringstream list;
  list << std::vector<Parameter>{all[1], all[2]};
  Say{"list streamed", list.str()};
  Say{"json", rclcpp::_to_json_dict_entry(all[3])};
  Say{"round trip", Parameter::from_parameter_msg(all[11].to_parameter_msg()) == all[11]};
  Say{"value", rclcpp::to_string(ParameterValue(3.5)), rclcpp::to_string(ParameterValue("q"))};
  std::ostringstream type;
  type << rclcpp::ParameterType::PARAMETER_DOUBLE_ARRAY;
  Say{"type streamed", type.str(), rclcpp::to_string(rclcpp::PARAMETER_NOT_SET)};
  Say{
    "equal", Parameter("a", 1) == Parameter("a", 1), Parameter("a", 1) != Parameter("b", 1),
    ParameterValue(1) == ParameterValue(1.0)};
  Say{
    "float becomes", Parameter("f", 0.5f).get_type_name(), "char array",
    Parameter("c", "x").get_type_name()};
  Say{"as_double of an integer", outcome([&] { (void)all[2].as_double(); })};
  Say{"as_int of a double", outcome([&] { (void)all[3].as_int(); })};
  Say{"as_string of nothing", outcome([&] { (void)all[0].as_string(); })};
  Say{"get_value<double> of an integer", outcome([&] { (void)all[2].get_value<double>(); })};
  Say{"value.get<bool> of a string", outcome([] { (void)ParameterValue("x").get<bool>(); })};
  Say{"get_value<int>", all[2].get_value<int>(), all[8].get_value<std::vector<int64_t>>().size()};
}

void declarations()
{
  observe::area("declarations");
  auto node = fresh();
  Say{"plain", node->declare_parameter("a", 5), node->declare_parameter<std::string>("s", "x")};
  Say{"list", node->declare_parameter("v", std::vector<double>{1, 2}).size()};
  Say{"twice", outcome([&] { node->declare_parameter("a", 6); })};
  Say{"empty name", outcome([&] { node->declare_parameter("", 6); })};
  Say{"dot in name", outcome([&] { node->declare_parameter("group.inner", 6); })};
  Say{"space in name", outcome([&] { node->declare_parameter("two words", 6); })};
  Say{"typed without value", outcome([&] { node->declare_parameter<double>("unset"); })};
  Say{"left declared", node->has_parameter("unset")};
  Say{
    "by type", outcome([&] { node->declare_parameter("later", rclcpp::PARAMETER_DOUBLE); }),
    node->has_parameter("later")};
  Say{"read by type", outcome([&] { (void)node->get_parameter("later"); })};
  double later = -1.0;
  Say{"get into", outcome([&] { Say{"returned", node->get_parameter("later", later)}; }), later};
  Say{"get_or", node->get_parameter_or("later", later, 2.5), later};
  Say{
    "set later", shown(node->set_parameter(Parameter("later", 1.5))),
    node->get_parameter("later").as_double()};
  Say{"by type NOT_SET", outcome([&] {
        node->declare_parameter("never", rclcpp::PARAMETER_NOT_SET);
      })};
  Say{"value not set", outcome([&] { node->declare_parameter("never2", ParameterValue{}); })};
  ParameterDescriptor dynamic;
  dynamic.dynamic_typing = true;
  Say{
    "dynamic not set", outcome([&] { node->declare_parameter("free", ParameterValue{}, dynamic); }),
    node->get_parameter("free").get_type_name()};
  Say{"undeclared", outcome([&] { (void)node->get_parameter("nobody"); })};
  int into = 3;
  Say{"undeclared into", node->get_parameter("nobody", into), into};
  Say{
    "undeclared or", node->get_parameter_or("nobody", into, 9), into,
    node->get_parameter_or<int>("nobody", 11)};
  Say{"wrong type into", outcome([&] {
        std::string text;
        (void)node->get_parameter("a", text);
      })};
  Say{"value of undeclared set", outcome([&] { node->set_parameter(Parameter("nobody", 1)); })};
  const auto group = node->declare_parameters<int>("pid", {{"p", 1}, {"i", 2}});
  Say{"group", observe::join(group), observe::join(node->list_parameters({"pid"}, 0).names)};
  std::map<std::string, int> found;
  Say{"get group", node->get_parameters("pid", found), found.size(), found["i"]};
  Say{"get several", node->get_parameters({"a", "s"}).size(), outcome([&] {
        node->get_parameters({"a", "nobody"});
      })};
  std::vector<int> types;
  for (const auto t : node->get_parameter_types({"a", "s", "free"})) { types.push_back(t); }
  Say{"types", observe::join(types)};
  Say{
    "describe", outcome([&] {
      const auto d = node->describe_parameter("a");
      Say{"description", d.name, static_cast<int>(d.type), d.read_only, d.dynamic_typing};
    }),
    outcome([&] { (void)node->describe_parameter("nobody"); })};
}

void ranges()
{
  observe::area("ranges");
  auto node = fresh();
  ParameterDescriptor whole;
  whole.integer_range.resize(1);
  whole.integer_range[0].from_value = 0;
  whole.integer_range[0].to_value = 10;
  whole.integer_range[0].step = 3;
  node->declare_parameter("whole", 3, whole);
  for (const int v : {0, 1, 6, 9, 10, 11, -1}) {
    Say{"integer " + std::to_string(v), shown(node->set_parameter(Parameter("whole", v)))};
  }
  ParameterDescriptor real;
  real.floating_point_range.resize(1);
  real.floating_point_range[0].from_value = -1.0;
  real.floating_point_range[0].to_value = 1.0;
  real.floating_point_range[0].step = 0.25;
  node->declare_parameter("real", 0.0, real);
  for (const double v : {0.5, 0.3, 1.0, 1.0000001, -1.0, -0.75, 0.0}) {
    Say{"double " + std::to_string(v), shown(node->set_parameter(Parameter("real", v)))};
  }
  Say{
    "double nan",
    shown(node->set_parameter(Parameter("real", std::numeric_limits<double>::quiet_NaN())))};
  Say{
    "declared outside", outcome([&] { node->declare_parameter("outside", 99, whole); }),
    node->has_parameter("outside")};
  ParameterDescriptor fixed;
  fixed.read_only = true;
  node->declare_parameter("fixed", 1, fixed);
  Say{"read only", shown(node->set_parameter(Parameter("fixed", 2)))};
  Say{"undeclare read only", outcome([&] { node->undeclare_parameter("fixed"); })};
  Say{"wrong type", shown(node->set_parameter(Parameter("whole", "text")))};
  Say{"integer into double", shown(node->set_parameter(Parameter("real", 1)))};
  Say{"not set", shown(node->set_parameter(Parameter("whole")))};
  Say{"undeclare static", outcome([&] { node->undeclare_parameter("whole"); })};
  ParameterDescriptor dynamic;
  dynamic.dynamic_typing = true;
  node->declare_parameter("dynamic", 1, dynamic);
  Say{"other type", shown(node->set_parameter(Parameter("dynamic", "text")))};
  Say{
    "delete by not set", shown(node->set_parameter(Parameter("dynamic"))),
    node->has_parameter("dynamic")};
  node->declare_parameter("dynamic2", 1, dynamic);
  Say{
    "undeclare dynamic", outcome([&] { node->undeclare_parameter("dynamic2"); }),
    node->has_parameter("dynamic2")};
  Say{"undeclare nobody", outcome([&] { node->undeclare_parameter("nobody"); })};
}

void setting()
{
  observe::area("setting several");
  auto node = fresh();
  node->declare_parameter("a", 1);
  node->declare_parameter("b", 1);
  const auto each = node->set_parameters({Parameter("a", 2), Parameter("b", "x")});
  Say{"one by one", shown(each[0]), shown(each[1]), node->get_parameter("a").as_int()};
  Say{
    "with undeclared", outcome([&] {
      node->set_parameters({Parameter("a", 3), Parameter("nobody", 1), Parameter("b", 3)});
    }),
    node->get_parameter("a").as_int(), node->get_parameter("b").as_int()};
  Say{
    "atomically", shown(node->set_parameters_atomically({Parameter("a", 4), Parameter("b", "x")})),
    node->get_parameter("a").as_int()};
  Say{
    "atomically undeclared",
    outcome([&] { node->set_parameters_atomically({Parameter("a", 5), Parameter("nobody", 1)}); }),
    node->get_parameter("a").as_int()};
  Say{
    "atomically good",
    shown(node->set_parameters_atomically({Parameter("a", 6), Parameter("b", 7)})),
    node->get_parameter("b").as_int()};
  Say{"nothing", shown(node->set_parameters_atomically({})), node->set_parameters({}).size()};
  Say{
    "same twice", shown(node->set_parameters_atomically({Parameter("a", 8), Parameter("a", 9)})),
    node->get_parameter("a").as_int()};

  auto open = fresh(rclcpp::NodeOptions().allow_undeclared_parameters(true));
  Say{
    "allowed undeclared", shown(open->set_parameter(Parameter("x", 1))),
    open->get_parameter("x").as_int(), open->get_parameter("y").get_type_name()};
  Say{"type change", shown(open->set_parameter(Parameter("x", "now text")))};
  Say{"delete", shown(open->set_parameter(Parameter("x"))), open->has_parameter("x")};
}

void callbacks()
{
  observe::area("callbacks");
  auto node = fresh();
  std::vector<std::string> calls;
  std::string refuse;
  const auto names = [](const std::vector<Parameter> & list) {
    std::string text;
    for (const auto & p : list) { text += " " + p.get_name() + "=" + p.value_to_string(); }
    return text;
  };
  auto pre = node->add_pre_set_parameters_callback([&](std::vector<Parameter> & list) {
    calls.push_back("pre" + names(list));
    for (const auto & p : list) {
      if (p.get_name() == "a") {
        list.emplace_back("follower", p.as_int() * 10);
        break;
      }
    }
  });
  auto first = node->add_on_set_parameters_callback([&](const std::vector<Parameter> & list) {
    calls.push_back("on 1" + names(list));
    rcl_interfaces::msg::SetParametersResult result;
    result.successful = true;
    return result;
  });
  auto second = node->add_on_set_parameters_callback([&](const std::vector<Parameter> & list) {
    calls.push_back("on 2" + names(list));
    rcl_interfaces::msg::SetParametersResult result;
    result.successful = refuse.empty();
    result.reason = refuse;
    return result;
  });
  auto post = node->add_post_set_parameters_callback(
    [&](const std::vector<Parameter> & list) { calls.push_back("post" + names(list)); });
  const auto show = [&](const std::string & what) {
    Say{what, observe::join(calls, " | ")};
    calls.clear();
  };
  node->declare_parameter("follower", 0);
  show("declare");
  node->declare_parameter("a", 1);
  show("declare with a pre-set callback");
  Say{
    "set", shown(node->set_parameter(Parameter("a", 2))), node->get_parameter("follower").as_int()};
  show("set");
  refuse = "not today";
  Say{"refused", shown(node->set_parameter(Parameter("a", 3))), node->get_parameter("a").as_int()};
  show("refused");
  Say{
    "declaration refused", outcome([&] { node->declare_parameter("b", 1); }),
    node->has_parameter("b")};
  refuse.clear();
  calls.clear();
  Say{"removing", outcome([&] {
        node->remove_on_set_parameters_callback(second.get());
        node->remove_pre_set_parameters_callback(pre.get());
        node->remove_post_set_parameters_callback(post.get());
      })};
  Say{"removing twice", outcome([&] { node->remove_on_set_parameters_callback(second.get()); })};
  node->set_parameter(Parameter("a", 4));
  show("after removing");
  first.reset();
  node->set_parameter(Parameter("a", 5));
  show("after dropping the handle");

  std::string inner;
  auto meddler = node->add_on_set_parameters_callback([&](const std::vector<Parameter> &) {
    inner = outcome([&] { node->set_parameter(Parameter("a", 9)); });
    inner += " / " + outcome([&] { node->declare_parameter("inner", 1); });
    inner += " / " + outcome([&] { node->undeclare_parameter("a"); });
    inner += " / " + outcome([&] { (void)node->get_parameter("a"); });
    rcl_interfaces::msg::SetParametersResult result;
    result.successful = true;
    return result;
  });
  node->set_parameter(Parameter("follower", 1));
  Say{"changing within a callback", inner};
  meddler.reset();
  auto emptied =
    node->add_pre_set_parameters_callback([](std::vector<Parameter> & list) { list.clear(); });
  Say{"emptied by pre-set", shown(node->set_parameter(Parameter("a", 20)))};
}

void lists()
{
  observe::area("lists");
  auto node = fresh(rclcpp::NodeOptions().start_parameter_services(false));
  for (const auto * name : {"top", "arm.gain", "arm.joint.rate", "arm.joint.limit", "leg.gain"}) {
    node->declare_parameter(name, 1);
  }
  const auto show =
    [&](const std::string & what, const std::vector<std::string> & prefixes, std::uint64_t depth) {
      const auto r = node->list_parameters(prefixes, depth);
      Say{what, "names", observe::join(r.names, ","), "prefixes", observe::join(r.prefixes, ",")};
    };
  show("all", {}, 0);
  show("all, depth 1", {}, 1);
  show("all, depth 2", {}, 2);
  show("arm", {"arm"}, 0);
  show("arm, depth 1", {"arm"}, 1);
  show("arm, depth 2", {"arm"}, 2);
  show("arm.joint", {"arm.joint"}, 0);
  show("ar", {"ar"}, 0);
  show("exact", {"arm.gain"}, 0);
  show("two", {"arm.joint", "leg"}, 0);
}

void overrides()
{
  observe::area("overrides");
  auto node = fresh(
    rclcpp::NodeOptions().parameter_overrides({{"gain", 2.5}, {"count", "wrong"}, {"extra", 1}}));
  Say{"override wins", node->declare_parameter("gain", 1.0)};
  Say{
    "wrong type", outcome([&] { node->declare_parameter("count", 1); }),
    node->has_parameter("count")};
  Say{"not declared by itself", node->has_parameter("extra")};
  Say{"ignored", node->declare_parameter("gain2", 1.0, ParameterDescriptor(), true)};
  Say{"required and given", node->declare_parameter<int>("extra")};
  Say{"interface", node->get_node_parameters_interface()->get_parameter_overrides().size()};
  auto automatic = fresh(rclcpp::NodeOptions()
                           .parameter_overrides({{"gain", 2.5}, {"deep.inner", "x"}})
                           .automatically_declare_parameters_from_overrides(true));
  Say{"automatic", automatic->has_parameter("gain"), automatic->has_parameter("deep.inner")};
  Say{"their type can change", shown(automatic->set_parameter(Parameter("gain", "text")))};
  Say{"declared again", outcome([&] { automatic->declare_parameter("gain", 1.0); })};
  auto arguments = fresh(rclcpp::NodeOptions().arguments(
    {"--ros-args", "-p", "gain:=3.5", "-p", "parameters:only:=7", "-p", "other:only:=8", "-p",
     "list:=[1, 2]", "-p", "word:=abc", "-p", "yes:=true"}));
  Say{
    "arguments",
    arguments->declare_parameter("gain", 1.0),
    arguments->declare_parameter("only", 0),
    arguments->declare_parameter("word", ""),
    arguments->declare_parameter("yes", false),
    arguments->declare_parameter("list", std::vector<std::int64_t>{}).size()};
  auto both = fresh(rclcpp::NodeOptions()
                      .arguments({"--ros-args", "-p", "gain:=3.5"})
                      .parameter_overrides({{"gain", 4.5}}));
  Say{"options over arguments", both->declare_parameter("gain", 1.0)};
}

}  // namespace

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  values();
  declarations();
  ranges();
  setting();
  callbacks();
  lists();
  overrides();
  rclcpp::shutdown();
  return 0;
}
