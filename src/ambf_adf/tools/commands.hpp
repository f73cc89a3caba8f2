// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

/// Exit codes of the tool.
inline constexpr int exit_good = 0;
inline constexpr int exit_errors = 1;
inline constexpr int exit_usage = 2;

/// `adf check FILE|FOLDER...`
int run_check(const std::vector<std::string> & arguments);
/// `adf graph FILE [-o FILE]`
int run_graph(const std::vector<std::string> & arguments);
/// `adf keys [--markdown] [BLOCK]`
int run_keys(const std::vector<std::string> & arguments);
