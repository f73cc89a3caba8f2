#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <typeindex>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "rcl/context.h"
#include "rcl/guard_condition.h"
#include "rcl/wait.h"
#include "rclcpp/init_options.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp
{

class ContextAlreadyInitialized : public std::runtime_error
{
public:
  ContextAlreadyInitialized()
  : std::runtime_error("context is already initialized") {}
};

/// Names one shutdown callback, so that it can be removed again.
class ShutdownCallbackHandle
{
  friend class Context;

public:
  using ShutdownCallbackType = std::function<void ()>;

private:
  std::weak_ptr<ShutdownCallbackType> callback;
};

using OnShutdownCallbackHandle = ShutdownCallbackHandle;
using PreShutdownCallbackHandle = ShutdownCallbackHandle;

/// One life of the client library, from init() to shutdown(). Nodes belong to a context.
class Context : public std::enable_shared_from_this<Context>
{
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(Context)

  using OnShutdownCallback = OnShutdownCallbackHandle::ShutdownCallbackType;
  using PreShutdownCallback = PreShutdownCallbackHandle::ShutdownCallbackType;

  RCLCPP_PUBLIC
  Context();
  RCLCPP_PUBLIC
  virtual ~Context();

  RCLCPP_PUBLIC
  virtual void init(
    int argc, char const * const * argv,
    const rclcpp::InitOptions & init_options = rclcpp::InitOptions());

  RCLCPP_PUBLIC
  bool is_valid() const;
  RCLCPP_PUBLIC
  const rclcpp::InitOptions & get_init_options() const;
  RCLCPP_PUBLIC
  rclcpp::InitOptions get_init_options();
  RCLCPP_PUBLIC
  size_t get_domain_id() const;

  /// Why the context was shut down; empty while it is valid.
  RCLCPP_PUBLIC
  std::string shutdown_reason() const;

  /// End the context: pre-shutdown callbacks, rcl_shutdown, on-shutdown callbacks, wake sleepers.
  RCLCPP_PUBLIC
  virtual bool shutdown(const std::string & reason);

  RCLCPP_PUBLIC
  virtual OnShutdownCallback on_shutdown(OnShutdownCallback callback);
  RCLCPP_PUBLIC
  virtual OnShutdownCallbackHandle add_on_shutdown_callback(OnShutdownCallback callback);
  RCLCPP_PUBLIC
  virtual bool remove_on_shutdown_callback(
    const OnShutdownCallbackHandle & callback_handle);
  RCLCPP_PUBLIC
  virtual PreShutdownCallbackHandle add_pre_shutdown_callback(PreShutdownCallback callback);
  RCLCPP_PUBLIC
  virtual bool remove_pre_shutdown_callback(
    const PreShutdownCallbackHandle & callback_handle);

  RCLCPP_PUBLIC
  std::vector<OnShutdownCallback> get_on_shutdown_callbacks() const;
  RCLCPP_PUBLIC
  std::vector<PreShutdownCallback> get_pre_shutdown_callbacks() const;

  /// Null before init().
  RCLCPP_PUBLIC
  std::shared_ptr<rcl_context_t> get_rcl_context();

  /// Sleep that ends early, and returns false, when the context shuts down.
  RCLCPP_PUBLIC
  bool sleep_for(const std::chrono::nanoseconds & nanoseconds);

  /// The one object of this type that belongs to the context; made at the first call.
  template<typename SubContext, typename ... Args>
  std::shared_ptr<SubContext> get_sub_context(Args && ... args)
  {
    std::lock_guard<std::recursive_mutex> lock(sub_contexts_mutex_);
    std::shared_ptr<void> & slot = sub_contexts_[std::type_index(typeid(SubContext))];
    if (!slot) {
      slot = std::shared_ptr<SubContext>(
        new SubContext(std::forward<Args>(args) ...), [](SubContext * p) {delete p;});
    }
    return std::static_pointer_cast<SubContext>(slot);
  }

protected:
  RCLCPP_PUBLIC
  virtual void clean_up();

private:
  RCLCPP_DISABLE_COPY(Context)

  using Callbacks = std::vector<std::shared_ptr<ShutdownCallbackHandle::ShutdownCallbackType>>;

  ShutdownCallbackHandle add_shutdown_callback(Callbacks & list, OnShutdownCallback callback);
  bool remove_shutdown_callback(Callbacks & list, const ShutdownCallbackHandle & handle);
  std::vector<OnShutdownCallback> copy_shutdown_callbacks(const Callbacks & list) const;
  void run_shutdown_callbacks(const Callbacks & list) const;
  void interrupt_all_sleep_for();

  mutable std::recursive_mutex init_mutex_;
  std::shared_ptr<rcl_context_t> rcl_context_;
  rclcpp::InitOptions init_options_;
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

/// Copies of the contexts that are initialised and not yet shut down.
RCLCPP_PUBLIC
std::vector<Context::SharedPtr> get_contexts();

}  // namespace rclcpp
