// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <typeindex>
#include <unordered_map>
#include <vector>

#include "rcl/context.h"
#include "rclcpp/init_options.hpp"
#include "rclcpp/macros.hpp"

namespace rclcpp {

class ContextAlreadyInitialized : public std::runtime_error {
public:
  ContextAlreadyInitialized() : std::runtime_error("context is already initialized") {}
};

/// Names one shutdown callback, so that it can be removed again.
class ShutdownCallbackHandle {
  friend class Context;

public:
  using ShutdownCallbackType = std::function<void()>;

private:
  std::weak_ptr<ShutdownCallbackType> callback;
};

using OnShutdownCallbackHandle = ShutdownCallbackHandle;
using PreShutdownCallbackHandle = ShutdownCallbackHandle;

/// One life of the client library, from init() to shutdown(). Nodes belong to a context.
class Context : public std::enable_shared_from_this<Context> {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(Context)

  using OnShutdownCallback = OnShutdownCallbackHandle::ShutdownCallbackType;
  using PreShutdownCallback = PreShutdownCallbackHandle::ShutdownCallbackType;

  Context() = default;
  virtual ~Context();

  virtual void init(int argc, char const * const * argv, const InitOptions & init_options = InitOptions());
  bool is_valid() const;
  const InitOptions & get_init_options() const { return init_options_; }
  InitOptions get_init_options() { return init_options_; }
  size_t get_domain_id() const;
  /// Why the context was shut down; empty while it is valid.
  std::string shutdown_reason() const;
  /// End the context: pre-shutdown callbacks, rcl_shutdown, on-shutdown callbacks, wake sleepers.
  virtual bool shutdown(const std::string & reason);

  virtual OnShutdownCallback on_shutdown(OnShutdownCallback callback) {
    add_on_shutdown_callback(callback);
    return callback;
  }
  virtual OnShutdownCallbackHandle add_on_shutdown_callback(OnShutdownCallback callback) {
    return add_callback(on_shutdown_callbacks_, std::move(callback));
  }
  virtual bool remove_on_shutdown_callback(const OnShutdownCallbackHandle & callback_handle) {
    return remove_callback(on_shutdown_callbacks_, callback_handle);
  }
  virtual PreShutdownCallbackHandle add_pre_shutdown_callback(PreShutdownCallback callback) {
    return add_callback(pre_shutdown_callbacks_, std::move(callback));
  }
  virtual bool remove_pre_shutdown_callback(const PreShutdownCallbackHandle & callback_handle) {
    return remove_callback(pre_shutdown_callbacks_, callback_handle);
  }
  std::vector<OnShutdownCallback> get_on_shutdown_callbacks() const { return copy_callbacks(on_shutdown_callbacks_); }
  std::vector<PreShutdownCallback> get_pre_shutdown_callbacks() const {
    return copy_callbacks(pre_shutdown_callbacks_);
  }

  /// Null before init().
  std::shared_ptr<rcl_context_t> get_rcl_context() { return std::atomic_load(&rcl_context_); }
  /// Sleep that ends early, and returns false, when the context shuts down.
  bool sleep_for(const std::chrono::nanoseconds & nanoseconds);

  /// The one object of this type that belongs to the context; made at the first call.
  template <typename SubContext, typename... Args> std::shared_ptr<SubContext> get_sub_context(Args &&... args) {
    std::lock_guard<std::recursive_mutex> lock(sub_contexts_mutex_);
    std::shared_ptr<void> & slot = sub_contexts_[std::type_index(typeid(SubContext))];
    if (!slot) { slot = std::shared_ptr<SubContext>(new SubContext(std::forward<Args>(args)...)); }
    return std::static_pointer_cast<SubContext>(slot);
  }

protected:
  virtual void clean_up();

private:
  using Callbacks = std::vector<std::shared_ptr<ShutdownCallbackHandle::ShutdownCallbackType>>;

  ShutdownCallbackHandle add_callback(Callbacks & list, OnShutdownCallback callback);
  bool remove_callback(Callbacks & list, const ShutdownCallbackHandle & handle);
  std::vector<OnShutdownCallback> copy_callbacks(const Callbacks & list) const;
  void run_callbacks(const Callbacks & list) const;

  mutable std::recursive_mutex init_mutex_;
  std::shared_ptr<rcl_context_t> rcl_context_;
  InitOptions init_options_;
  std::string shutdown_reason_;
  bool logging_configured_{false};

  std::recursive_mutex sub_contexts_mutex_;
  std::unordered_map<std::type_index, std::shared_ptr<void>> sub_contexts_;

  mutable std::recursive_mutex callbacks_mutex_;
  Callbacks on_shutdown_callbacks_;
  Callbacks pre_shutdown_callbacks_;

  std::condition_variable interrupt_condition_variable_;
  std::mutex interrupt_mutex_;
};

/// The contexts that are initialised and not yet shut down.
std::vector<Context::SharedPtr> get_contexts();

}  // namespace rclcpp
