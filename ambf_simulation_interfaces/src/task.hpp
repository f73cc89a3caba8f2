// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

#include <rclcpp/logging.hpp>

namespace ambf_simulation_interfaces
{

/// A coroutine that nobody waits for: a service call from request to response. It runs at once.
struct Job
{
  struct promise_type
  {
    Job get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    // One call that breaks must not end the process: the world may live in it.
    void unhandled_exception()
    {
      try {
        throw;
      } catch (const std::exception & error) {
        RCLCPP_ERROR(
          rclcpp::get_logger("simulation_interfaces"), "a call was given up: %s", error.what());
      }
    }
  };
};

/// A coroutine with a result that another one waits for. It runs when it is awaited.
template <typename T>
class Task
{
public:
  struct promise_type
  {
    Task get_return_object()
    {
      return Task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept
    {
      struct Continue
      {
        bool await_ready() noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> done) noexcept
        {
          return done.promise().waiting;
        }
        void await_resume() noexcept {}
      };
      return Continue{};
    }
    void return_value(T value) { result = std::move(value); }
    void unhandled_exception() { error = std::current_exception(); }

    std::coroutine_handle<> waiting;
    std::optional<T> result;
    std::exception_ptr error;
  };

  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  Task(Task && other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task & operator=(Task &&) = delete;
  ~Task()
  {
    if (handle_) { handle_.destroy(); }
  }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiting) noexcept
  {
    handle_.promise().waiting = waiting;
    return handle_;
  }
  T await_resume()
  {
    if (handle_.promise().error) { std::rethrow_exception(handle_.promise().error); }
    return std::move(*handle_.promise().result);
  }

private:
  std::coroutine_handle<promise_type> handle_;
};

/// True as long as a coroutine runs, also where it ends by an exception.
class Mark
{
public:
  explicit Mark(bool & flag) : flag_(flag) { flag_ = true; }
  Mark(const Mark &) = delete;
  Mark & operator=(const Mark &) = delete;
  ~Mark() { flag_ = false; }

private:
  bool & flag_;
};

}  // namespace ambf_simulation_interfaces
