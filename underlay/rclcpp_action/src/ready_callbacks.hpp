#pragma once

#include <array>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>

#include "rcl/error_handling.h"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"
#include "rmw/types.h"

namespace rclcpp_action {

// Lets rcl call one function of an events executor for each of the entities of a waitable.
template <size_t EntityCount> class ReadyCallbacks {
public:
  // Attach: rcl_ret_t(size_t entity, rmw_event_callback_t callback, const void * user_data).
  template <typename AttachT> void set(std::function<void(size_t, int)> callback, AttachT attach) {
    if (!callback) { throw std::invalid_argument("The callback passed to set_on_ready_callback is not callable."); }
    std::lock_guard lock(mutex_);
    for (size_t entity = 0; entity < EntityCount; ++entity) {
      std::function<void(size_t)> for_entity = [callback, entity](size_t count) {
        try {
          callback(count, static_cast<int>(entity));
        } catch (const std::exception & ex) {
          // rmw calls this from a thread of its own, where nobody would catch it.
          RCLCPP_ERROR(rclcpp::get_logger("rclcpp_action"), "user-provided 'on ready' callback threw: %s", ex.what());
        }
      };
      // rmw must never see a function while it is being replaced: attach the new one first.
      check(attach(entity, trampoline, &for_entity));
      functions_[entity] = for_entity;
      check(attach(entity, trampoline, &functions_[entity]));
    }
    set_ = true;
  }

  template <typename AttachT> void clear(AttachT attach) {
    std::lock_guard lock(mutex_);
    if (!set_) { return; }
    for (size_t entity = 0; entity < EntityCount; ++entity) {
      check(attach(entity, nullptr, nullptr));
      functions_[entity] = nullptr;
    }
    set_ = false;
  }

private:
  static void trampoline(const void * user_data, size_t count) {
    (*static_cast<const std::function<void(size_t)> *>(user_data))(count);
  }

  static void check(rcl_ret_t ret) {
    if (ret != RCL_RET_OK) { rclcpp::exceptions::throw_from_rcl_error(ret, "failed to set the on ready callback"); }
  }

  std::mutex mutex_;
  std::array<std::function<void(size_t)>, EntityCount> functions_;
  bool set_{false};
};

}  // namespace rclcpp_action
