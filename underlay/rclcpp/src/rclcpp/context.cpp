// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/context.hpp"

#include "logging_mutex.hpp"
#include "rcl/init.h"
#include "rcl/logging.h"
#include "rcl_check.hpp"
#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/logging.hpp"
#include "ros_arguments.hpp"

namespace rclcpp {

std::shared_ptr<std::recursive_mutex> detail::get_global_logging_mutex() {
  // Never destroyed, as a context may be the last thing that the process destroys.
  static auto * mutex = new std::shared_ptr<std::recursive_mutex>(std::make_shared<std::recursive_mutex>());
  return *mutex;
}

namespace {

/// The contexts between init() and shutdown(), for the signal handler.
struct LiveContexts {
  std::mutex mutex;
  std::vector<std::pair<const Context *, std::weak_ptr<Context>>> contexts;
};

// Never destroyed, as a context may be the last thing that the process destroys.
LiveContexts & live_contexts() {
  static LiveContexts * contexts = new LiveContexts;
  return *contexts;
}

/// Logging is configured by the first context that wants it and torn down by the last.
size_t logging_users = 0;

void output_handler(const rcutils_log_location_t * location, int severity, const char * name,
  rcutils_time_point_value_t timestamp, const char * format, va_list * args) {
  std::lock_guard<std::recursive_mutex> guard(*detail::get_global_logging_mutex());
  rcl_logging_multiple_output_handler(location, severity, name, timestamp, format, args);
}

void finalize_rcl_context(rcl_context_t * context) {
  if (rcl_context_is_valid(context)) {
    RCUTILS_LOG_ERROR_NAMED("rclcpp", "rcl context unexpectedly not shutdown during cleanup");
  } else if (context->impl) {
    detail::log_failure(rcl_context_fini(context), "failed to finalize context");
  }
  delete context;
}

void configure_logging(rcl_context_t & context, const InitOptions & options) {
  std::lock_guard<std::recursive_mutex> guard(*detail::get_global_logging_mutex());
  if (logging_users == 0) {
    detail::check(rcl_logging_configure_with_output_handler(&context.global_arguments,
                    rcl_init_options_get_allocator(options.get_rcl_init_options()), output_handler),
      "failed to configure logging");
  } else {
    RCLCPP_WARN(rclcpp::get_logger("rclcpp"), "logging was initialized more than once");
  }
  ++logging_users;
}

}  // namespace

Context::~Context() {
  // shutdown() may be overridden, so it is named; a destructor must not throw.
  try {
    Context::shutdown("context destructor was called while still not shutdown");
    Context::clean_up();
  } catch (const std::exception & exc) {
    RCLCPP_ERROR(get_logger("rclcpp"), "unhandled exception in ~Context(): %s", exc.what());
  } catch (...) { RCLCPP_ERROR(get_logger("rclcpp"), "unhandled exception in ~Context()"); }
}

void Context::init(int argc, char const * const * argv, const InitOptions & init_options) {
  std::lock_guard<std::recursive_mutex> init_lock(init_mutex_);
  if (this->is_valid()) { throw ContextAlreadyInitialized(); }
  this->clean_up();
  std::shared_ptr<rcl_context_t> rcl_context(
    new rcl_context_t(rcl_get_zero_initialized_context()), finalize_rcl_context);
  detail::check(
    rcl_init(argc, argv, init_options.get_rcl_init_options(), rcl_context.get()), "failed to initialize rcl");
  std::atomic_store(&rcl_context_, rcl_context);
  try {
    if (init_options.auto_initialize_logging()) {
      configure_logging(*rcl_context, init_options);
      logging_configured_ = true;
    }
    detail::refuse_unknown_ros_arguments(argv, rcl_context->global_arguments);
    init_options_ = init_options;
  } catch (...) {
    Context::shutdown("init failed");
    clean_up();
    throw;
  }
  std::lock_guard<std::mutex> lock(live_contexts().mutex);
  live_contexts().contexts.emplace_back(this, this->shared_from_this());
}

bool Context::is_valid() const {
  // Without the lock: a shutdown callback may wait for a thread that asks this.
  auto rcl_context = std::atomic_load(&rcl_context_);
  return rcl_context && rcl_context_is_valid(rcl_context.get());
}

size_t Context::get_domain_id() const {
  size_t domain_id = 0;
  detail::check(rcl_context_get_domain_id(rcl_context_.get(), &domain_id), "failed to get domain id from context");
  return domain_id;
}

std::string Context::shutdown_reason() const {
  std::lock_guard<std::recursive_mutex> lock(init_mutex_);
  return shutdown_reason_;
}

bool Context::shutdown(const std::string & reason) {
  // The lock also makes a second caller wait until the first is through.
  std::lock_guard<std::recursive_mutex> init_lock(init_mutex_);
  if (!this->is_valid()) { return false; }
  run_callbacks(pre_shutdown_callbacks_);
  detail::check(rcl_shutdown(rcl_context_.get()), "failed to shut down rcl");
  shutdown_reason_ = reason;
  run_callbacks(on_shutdown_callbacks_);
  {
    // So that no sleeper is between its check and its wait.
    std::lock_guard<std::mutex> lock(interrupt_mutex_);
  }
  interrupt_condition_variable_.notify_all();
  {
    std::lock_guard<std::mutex> lock(live_contexts().mutex);
    auto & contexts = live_contexts().contexts;
    const auto is_this = [this](const auto & entry) { return entry.first == this; };
    contexts.erase(std::remove_if(contexts.begin(), contexts.end(), is_this), contexts.end());
  }
  if (logging_configured_) {
    std::lock_guard<std::recursive_mutex> guard(*detail::get_global_logging_mutex());
    logging_configured_ = false;
    if (--logging_users == 0 && rcl_logging_fini() != RCL_RET_OK) {
      RCUTILS_SAFE_FWRITE_TO_STDERR("[rclcpp] failed to fini logging\n");
      rcl_reset_error();
    }
  }
  return true;
}

ShutdownCallbackHandle Context::add_callback(Callbacks & list, OnShutdownCallback callback) {
  std::lock_guard<std::recursive_mutex> lock(callbacks_mutex_);
  list.push_back(std::make_shared<OnShutdownCallback>(std::move(callback)));
  ShutdownCallbackHandle handle;
  handle.callback = list.back();
  return handle;
}

bool Context::remove_callback(Callbacks & list, const ShutdownCallbackHandle & handle) {
  std::lock_guard<std::recursive_mutex> lock(callbacks_mutex_);
  auto it = std::find(list.begin(), list.end(), handle.callback.lock());
  if (it == list.end()) { return false; }
  list.erase(it);
  return true;
}

std::vector<Context::OnShutdownCallback> Context::copy_callbacks(const Callbacks & list) const {
  std::lock_guard<std::recursive_mutex> lock(callbacks_mutex_);
  std::vector<OnShutdownCallback> copy;
  for (const auto & callback : list) { copy.push_back(*callback); }
  return copy;
}

void Context::run_callbacks(const Callbacks & list) const {
  // Under the lock, so that after remove_..._callback() a callback is certain not to run.
  std::lock_guard<std::recursive_mutex> lock(callbacks_mutex_);
  for (const auto & callback : Callbacks(list)) { (*callback)(); }
}

bool Context::sleep_for(const std::chrono::nanoseconds & nanoseconds) {
  // A far deadline would overflow the clock's representation.
  constexpr std::chrono::nanoseconds longest = std::chrono::hours(24 * 365 * 100);
  std::unique_lock<std::mutex> lock(interrupt_mutex_);
  interrupt_condition_variable_.wait_for(lock, std::min(nanoseconds, longest), [this]() { return !this->is_valid(); });
  return this->is_valid();
}

void Context::clean_up() {
  shutdown_reason_ = "";
  {
    std::lock_guard<std::recursive_mutex> lock(sub_contexts_mutex_);
    sub_contexts_.clear();
  }
  std::atomic_store(&rcl_context_, std::shared_ptr<rcl_context_t>());
}

std::vector<Context::SharedPtr> get_contexts() {
  std::lock_guard<std::mutex> lock(live_contexts().mutex);
  std::vector<Context::SharedPtr> shared;
  for (const auto & [key, weak] : live_contexts().contexts) {
    if (auto context = weak.lock()) { shared.push_back(context); }
  }
  return shared;
}

contexts::DefaultContext::SharedPtr contexts::get_global_default_context() {
  static DefaultContext::SharedPtr default_context = DefaultContext::make_shared();
  return default_context;
}

}  // namespace rclcpp
