// SPDX-License-Identifier: BSD-3-Clause
#include "planner_choice.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <memory>

#include <ompl/geometric/planners/est/EST.h>
#include <ompl/geometric/planners/informedtrees/BITstar.h>
#include <ompl/geometric/planners/kpiece/KPIECE1.h>
#include <ompl/geometric/planners/prm/LazyPRMstar.h>
#include <ompl/geometric/planners/prm/PRM.h>
#include <ompl/geometric/planners/prm/PRMstar.h>
#include <ompl/geometric/planners/rrt/LazyRRT.h>
#include <ompl/geometric/planners/rrt/RRT.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/geometric/planners/rrt/RRTstar.h>
#include <ompl/geometric/planners/sbl/SBL.h>

#include "ambf_adf/names.hpp"
#include "ambf_planning/plan.hpp"

namespace ambf_planning
{
namespace
{

namespace ob = ompl::base;
namespace og = ompl::geometric;

using Make = ob::PlannerPtr (*)(const ob::SpaceInformationPtr &);

template <class Planner>
ob::PlannerPtr make(const ob::SpaceInformationPtr & si)
{
  return std::make_shared<Planner>(si);
}

struct Known
{
  const char * name;
  Make make;
};

constexpr std::array<Known, 11> known{
  {{"RRTConnect", make<og::RRTConnect>},
   {"RRT", make<og::RRT>},
   {"LazyRRT", make<og::LazyRRT>},
   {"RRTstar", make<og::RRTstar>},
   {"PRM", make<og::PRM>},
   {"PRMstar", make<og::PRMstar>},
   {"LazyPRMstar", make<og::LazyPRMstar>},
   {"KPIECE", make<og::KPIECE1>},
   {"EST", make<og::EST>},
   {"BITstar", make<og::BITstar>},
   {"SBL", make<og::SBL>}}};

/// "RRT-Connect", "rrt connect" and "RRTConnect" are one.
std::string plain(const std::string & name)
{
  std::string out;
  for (const char c : name) {
    if (c == '*') { out += "star"; }
    if (std::isalnum(static_cast<unsigned char>(c))) {
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  if (out == "rrtextend") { return "rrt"; }
  if (out == "kpiece1") { return "kpiece"; }
  return out;
}

std::string nearest(const std::string & name, const std::vector<std::string> & names)
{
  const auto distance = [&](const std::string & other) {
    return ambf_adf::edit_distance(plain(name), plain(other));
  };
  return *std::min_element(names.begin(), names.end(), [&](const auto & a, const auto & b) {
    return distance(a) < distance(b);
  });
}

std::string listed(const std::vector<std::string> & names)
{
  std::string text;
  for (const std::string & name : names) { text += (text.empty() ? "" : ", ") + name; }
  return text;
}

}  // namespace

std::vector<std::string> planner_names()
{
  std::vector<std::string> out;
  for (const Known & one : known) { out.emplace_back(one.name); }
  return out;
}

ambf_adf::expected<ob::PlannerPtr, Refused> choose_planner(
  const std::string & name, const std::map<std::string, std::string> & parameters,
  const ob::SpaceInformationPtr & si)
{
  const auto at = std::find_if(
    known.begin(), known.end(), [&](const Known & one) { return plain(one.name) == plain(name); });
  if (at == known.end()) {
    const auto names = planner_names();
    return ambf_adf::unexpected(Refused{
      false, "there is no planner '" + name + "'; did you mean '" + nearest(name, names) +
               "'? There are: " + listed(names)});
  }
  ob::PlannerPtr planner = at->make(si);
  std::vector<std::string> there;
  planner->params().getParamNames(there);
  for (const auto & [key, value] : parameters) {
    if (!planner->params().hasParam(key)) {
      return ambf_adf::unexpected(Refused{
        true, std::string(at->name) + " has no parameter '" + key + "'; it has: " + listed(there)});
    }
    bool good = false;
    try {
      good = planner->params().setParam(key, value);
    } catch (const std::exception &) {
    }
    if (!good) {
      return ambf_adf::unexpected(Refused{
        true, "parameter '" + key + "' of " + at->name + ": '" + value + "' is no value for it"});
    }
  }
  return planner;
}

bool optimises(const ob::Planner & planner) { return planner.getSpecs().optimizingPaths; }

}  // namespace ambf_planning
