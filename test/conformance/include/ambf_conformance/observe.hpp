// Copyright 2026 AMBF for ROS 2 developers
// SPDX-License-Identifier: BSD-3-Clause
//
// What every conformance program shares: printing one observation per line, naming the outcome of
// an expression, and spinning until something has been observed. A program prints only what the
// client library promises or visibly does; nothing that depends on the speed of the machine.

#pragma once

#include <cxxabi.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <typeinfo>
#include <utility>
#include <vector>

namespace observe
{

using namespace std::chrono_literals;

/// Longest wait for anything that needs discovery or a message, on a loaded machine.
inline constexpr std::chrono::seconds patience{60};

/// Prints one observation. A type and not a function: the values in the braces of `Say{...}` are
/// evaluated from left to right, those between the parentheses of a call in any order.
struct Say
{
  template <typename... Values>
  explicit Say(const std::string & what, const Values &... values)
  {
    std::ostringstream line;
    line << std::boolalpha << what << ':';
    ((line << ' ' << values), ...);
    line << '\n';  // in one piece: the handler of a signal may say something at the same time
    std::cout << line.str() << std::flush;
  }
};

inline void area(const std::string & name) { std::cout << "[" << name << "]" << std::endl; }

inline std::string type_name(const std::type_info & type)
{
  int status = 0;
  const std::unique_ptr<char, void (*)(void *)> text{
    abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), std::free};
  return status == 0 ? std::string{text.get()} : std::string{type.name()};
}

/// "ok", or the dynamic type and the message of what was thrown.
template <typename Action>
std::string outcome(Action && action)
{
  try {
    std::forward<Action>(action)();
    return "ok";
  } catch (const std::exception & e) {
    std::string message;
    for (const char * c = e.what(); *c != '\0'; ++c) {
      message += *c == '\n' ? std::string{"\\n"} : std::string(1, *c);
    }
    return "throws " + type_name(typeid(e)) + " \"" + message + "\"";
  } catch (...) {
    return "throws something that is no std::exception";
  }
}

/// As outcome(), without the message: for texts that name addresses or times.
template <typename Action>
std::string outcome_type(Action && action)
{
  const std::string text = outcome(std::forward<Action>(action));
  return text.substr(0, text.find(" \""));
}

template <typename Range>
std::string join(const Range & range, const std::string & separator = " ")
{
  std::ostringstream text;
  text << std::boolalpha;
  bool first = true;
  for (const auto & element : range) {
    text << (first ? "" : separator) << element;
    first = false;
  }
  return first ? "(none)" : text.str();
}

/// Calls step() until condition() holds; false when patience ran out.
inline bool until(
  const std::function<bool()> & condition, const std::function<void()> & step,
  std::chrono::nanoseconds limit = patience)
{
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) { return false; }
    step();
  }
  return true;
}

/// Polls without spinning; for conditions that other threads bring about.
inline bool eventually(
  const std::function<bool()> & condition, std::chrono::nanoseconds limit = patience)
{
  return until(condition, [] { std::this_thread::sleep_for(5ms); }, limit);
}

/// Spins `executor` until the condition holds.
template <typename Executor>
bool spin_until(
  Executor & executor, const std::function<bool()> & condition,
  std::chrono::nanoseconds limit = patience)
{
  return until(condition, [&executor] { executor.spin_once(20ms); }, limit);
}

/// Spins `executor` for a time in which something should not happen.
template <typename Executor>
void spin_for(Executor & executor, std::chrono::nanoseconds time)
{
  until([] { return false; }, [&executor] { executor.spin_once(5ms); }, time);
}

}  // namespace observe
