// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "world_impl.hpp"

namespace ambf_dynamics
{

inline void take_names(
  ObjectNames & names, const ambf_adf::ObjectHeader & header, ModelHandle model)
{
  names.identifier = header.identifier;
  names.name = header.name;
  names.qualified = header.qualified;
  names.topic = header.topic;
  names.model = model;
  names.passive = header.passive;
}

inline void add_text(Hasher & h, const std::string & text)
{
  std::uint64_t word = text.size();
  for (const char c : text) { word = word * 1099511628211ull + static_cast<unsigned char>(c); }
  h.add(word, std::uint64_t{5}, std::uint64_t{6}, std::uint64_t{7});
}

inline ambf_adf::Problem unresolved_parent(
  const ambf_adf::ObjectHeader & header, const char * key, const std::string & name)
{
  auto problem = make_error(
    ambf_adf::ProblemKind::UnresolvedReference, header.identifier + "/" + key, "'" + name + "'",
    "a rigid body of this model or of the world",
    "ambf_adf::Scene::add resolves references before loading");
  problem.where = header.where;
  return problem;
}

/// Dense index of a body; valid after WorldImpl has numbered everything.
inline BodyIndex index_of(const Body & body)
{
  return static_cast<BodyIndex>(body.rigid->getUserIndex2());
}

}  // namespace ambf_dynamics
