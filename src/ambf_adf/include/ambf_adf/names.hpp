// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ambf_adf
{

/// `World` belongs to the world's own topics.
inline constexpr std::string_view reserved_topic_name = "World";
inline constexpr std::string_view default_namespace = "/ambf/env/";

/// AMBF's published name: all white space removed ("base link" -> "baselink").
std::string published_name(std::string_view name);

/// One token of a ROS 2 topic name made from any text: letters, digits and single underscores, not
/// starting with a digit. White space is dropped as AMBF does; every other character that ROS does
/// not allow becomes '_', and rows of underscores become one (ROS 2 forbids "__"). A leading digit
/// and the reserved word get the prefix "_" and the suffix "_" respectively; an empty name becomes
/// "_".
std::string topic_token(std::string_view name);

/// Absolute ROS-legal namespace with a closing slash; each part goes through topic_token without
/// the rule for the reserved word. Empty parts vanish; nothing at all gives "/".
std::string topic_namespace(std::string_view ns);

/// Namespace as AMBF resolves it: `inner` replaces `outer` if it starts with '/', else it is
/// appended; the result starts and ends with '/', rows of slashes collapse. Characters are kept.
std::string join_namespace(std::string_view outer, std::string_view inner);

/// topic_namespace(ns) + topic_token(name), e.g. "/ambf/env/psm/baselink".
std::string topic_name(std::string_view ns, std::string_view name);

/// Does `wanted` mean what is called `full`? It is the whole name, or its end from a slash on:
/// "baselink" and "psm/baselink" mean "/ambf/env/psm/baselink". White space and a closing slash
/// of `wanted` do not count.
bool is_name_of(std::string_view wanted, std::string_view full);

/// Is it a legal absolute ROS 2 topic name?
bool is_legal_topic_name(std::string_view topic);

/// Smallest number of insertions, deletions, replacements and swaps of neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// At most `most` of the known names that may have been meant, the likeliest first: those that hold
/// the name, then those with the fewest letters to change.
std::vector<std::string> nearest_names(
  std::string_view name, const std::vector<std::string> & known, std::size_t most = 3);

}  // namespace ambf_adf
