// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/executor.hpp"

#include "./executors/wait_collection.hpp"
#include "rclcpp/node.hpp"
#include "rcpputils/scope_exit.hpp"

namespace rclcpp {

using std::chrono::nanoseconds;

Executor::Executor(const ExecutorOptions & options)
: context_(options.context),
  members_(std::make_unique<detail::ExecutorMembers>()),
  collection_(
    std::make_unique<detail::WaitCollection>(context_, interrupt_guard_condition_, shutdown_guard_condition_)) {
  shutdown_callback_handle_ =
    context_->add_on_shutdown_callback([weak = GuardCondition::WeakPtr{shutdown_guard_condition_}]() {
      if (auto condition = weak.lock()) { condition->trigger(); }
    });
}

Executor::~Executor() {
  if (!context_->remove_on_shutdown_callback(shutdown_callback_handle_)) {
    RCLCPP_ERROR(get_logger("rclcpp"), "failed to remove registered on_shutdown callback");
  }
}

Executor::SpinSession::SpinSession(Executor & executor, const char * function) : executor_(executor) {
  if (executor_.spinning.exchange(true)) {
    throw std::runtime_error(std::string(function) + " called while already spinning");
  }
  std::lock_guard<std::mutex> lock(executor_.mutex_);
  executor_.in_session_ = true;
  executor_.collection_->acquire();
}

Executor::SpinSession::~SpinSession() {
  {
    std::lock_guard<std::mutex> lock(executor_.mutex_);
    executor_.collection_->release();
    executor_.in_session_ = false;
  }
  executor_.spinning.store(false);
}

void Executor::trigger_entity_recollect(bool notify) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (in_session_) {
      entities_need_rebuild_.store(true);
    } else {
      collection_->rebuild(*members_);
    }
  }
  if (notify) { interrupt_guard_condition_->trigger(); }
}

void Executor::add_callback_group(CallbackGroup::SharedPtr group_ptr, NodeBasePtr, bool notify) {
  members_->add_group(group_ptr);
  trigger_entity_recollect(notify);
}

void Executor::remove_callback_group(CallbackGroup::SharedPtr group_ptr, bool notify) {
  members_->remove_group(group_ptr);
  trigger_entity_recollect(notify);
}

void Executor::add_node(NodeBasePtr node_ptr, bool notify) {
  members_->add_node(node_ptr);
  trigger_entity_recollect(notify);
}

void Executor::add_node(std::shared_ptr<Node> node, bool notify) { add_node(node->get_node_base_interface(), notify); }

void Executor::remove_node(NodeBasePtr node_ptr, bool notify) {
  members_->remove_node(node_ptr);
  trigger_entity_recollect(notify);
}

void Executor::remove_node(std::shared_ptr<Node> node_ptr, bool notify) {
  remove_node(node_ptr->get_node_base_interface(), notify);
}

std::vector<CallbackGroup::WeakPtr> Executor::get_all_callback_groups() {
  const auto current = members_->refresh();
  return {current.groups.begin(), current.groups.end()};
}

std::vector<CallbackGroup::WeakPtr> Executor::get_manually_added_callback_groups() {
  const auto current = members_->refresh();
  return {current.groups.begin(), current.groups.begin() + current.manual_groups};
}

std::vector<CallbackGroup::WeakPtr> Executor::get_automatically_added_callback_groups_from_nodes() {
  const auto current = members_->refresh();
  return {current.groups.begin() + current.manual_groups, current.groups.end()};
}

void Executor::spin_node_once_nanoseconds(NodeBasePtr node, nanoseconds timeout) {
  add_node(node, false);
  RCPPUTILS_SCOPE_EXIT({ remove_node(node, false); });
  spin_once(timeout);
}

void Executor::spin_node_some(NodeBasePtr node) {
  add_node(node, false);
  RCPPUTILS_SCOPE_EXIT({ remove_node(node, false); });
  spin_some();
}

void Executor::spin_node_some(std::shared_ptr<Node> node) { spin_node_some(node->get_node_base_interface()); }

void Executor::spin_node_all(NodeBasePtr node, nanoseconds max_duration) {
  add_node(node, false);
  RCPPUTILS_SCOPE_EXIT({ remove_node(node, false); });
  spin_all(max_duration);
}

void Executor::spin_node_all(std::shared_ptr<Node> node, nanoseconds max_duration) {
  spin_node_all(node->get_node_base_interface(), max_duration);
}

void Executor::spin_some(nanoseconds max_duration) { spin_some_impl(max_duration, false); }

void Executor::spin_all(nanoseconds max_duration) {
  if (max_duration < nanoseconds(0)) { throw std::invalid_argument("max_duration must be greater than or equal to 0"); }
  spin_some_impl(max_duration, true);
}

void Executor::spin_some_impl(nanoseconds max_duration, bool exhaustive) {
  const auto start = std::chrono::steady_clock::now();
  const auto time_left = [&]() {
    return max_duration == nanoseconds(0) || std::chrono::steady_clock::now() - start < max_duration;
  };
  SpinSession session(*this, exhaustive ? "spin_all()" : "spin_some()");
  wait_for_work(nanoseconds(0));
  while (keep_spinning() && time_left()) {
    AnyExecutable any_executable;
    if (get_next_ready_executable(any_executable)) {
      execute_any_executable(any_executable);
      continue;
    }
    if (!exhaustive) { break; }
    wait_for_work(nanoseconds(0));
    if (!collection_->has_ready()) { break; }
  }
}

void Executor::spin_once(nanoseconds timeout) {
  SpinSession session(*this, "spin_once()");
  spin_once_impl(timeout);
}

void Executor::spin_once_impl(nanoseconds timeout) {
  AnyExecutable any_executable;
  if (get_next_executable(any_executable, timeout)) { execute_any_executable(any_executable); }
}

FutureReturnCode Executor::spin_until_future_complete_impl(
  nanoseconds timeout, const std::function<std::future_status(nanoseconds)> & wait_for_future) {
  const auto is_complete = [&wait_for_future]() {
    return wait_for_future(nanoseconds(0)) == std::future_status::ready;
  };
  if (is_complete()) { return FutureReturnCode::SUCCESS; }
  const auto end = std::chrono::steady_clock::now() + timeout;
  auto left = timeout;
  SpinSession session(*this, "spin_until_future_complete()");
  while (keep_spinning()) {
    spin_once_impl(left);
    if (is_complete()) { return FutureReturnCode::SUCCESS; }
    if (timeout < nanoseconds(0)) { continue; }
    left = end - std::chrono::steady_clock::now();
    if (left <= nanoseconds(0)) { return FutureReturnCode::TIMEOUT; }
  }
  return FutureReturnCode::INTERRUPTED;
}

void Executor::cancel() {
  spinning.store(false);
  try {
    interrupt_guard_condition_->trigger();
  } catch (const exceptions::RCLError & error) {
    throw std::runtime_error(std::string("Failed to trigger guard condition in cancel: ") + error.what());
  }
}

void Executor::wait_for_work(nanoseconds timeout) {
  if (entities_need_rebuild_.exchange(false)) { collection_->rebuild(*members_); }
  collection_->wait(timeout);
}

bool Executor::get_next_ready_executable(AnyExecutable & any_executable) {
  using Next = detail::WaitCollection::Next;
  const auto next = collection_->take_next(any_executable);
  // A piece of work like any other: who spins once has spun once.
  if (next == Next::Notification) { entities_need_rebuild_.store(true); }
  return next != Next::Nothing;
}

bool Executor::get_next_executable(AnyExecutable & any_executable, nanoseconds timeout) {
  if (get_next_ready_executable(any_executable)) { return true; }
  wait_for_work(timeout);
  return keep_spinning() && get_next_ready_executable(any_executable);
}

void Executor::execute_any_executable(AnyExecutable & any_exec) {
  if (!spinning.load()) { return; }
  if (any_exec.timer) {
    any_exec.timer->execute_callback(any_exec.data);
  } else if (any_exec.subscription) {
    execute_subscription(any_exec.subscription);
  } else if (any_exec.service) {
    execute_service(any_exec.service);
  } else if (any_exec.client) {
    execute_client(any_exec.client);
  } else if (any_exec.waitable) {
    const std::shared_ptr<void> data = std::move(any_exec.data);
    any_exec.waitable->execute(data);
  }
  if (any_exec.callback_group) {
    any_exec.callback_group->can_be_taken_from().store(true);
    // From here on another thread may hold the group: the destructor must not release it again.
    any_exec.callback_group.reset();
  }
}

namespace {

/// Take and handle; an error of the middleware is reported, one of the callback passes through.
template <typename TakeT, typename HandleT>
void take_and_do_error_handling(const char * action, const char * name, TakeT && take, HandleT && handle) {
  bool taken = false;
  try {
    taken = take();
  } catch (const exceptions::RCLError & error) {
    RCLCPP_ERROR(get_logger("rclcpp"), "executor %s '%s' unexpectedly failed: %s", action, name, error.what());
  }
  // Several threads, or several events, may have been told of the same message.
  if (taken) { handle(); }
}

}  // namespace

void Executor::execute_subscription(SubscriptionBase::SharedPtr subscription) {
  const char * topic = subscription->get_topic_name();
  MessageInfo message_info;
  message_info.get_rmw_message_info().from_intra_process = false;
  switch (subscription->get_delivered_message_kind()) {
    case DeliveredMessageKind::ROS_MESSAGE: {
      auto message = subscription->create_message();
      take_and_do_error_handling(
        "taking a message from topic", topic,
        [&]() { return subscription->take_type_erased(message.get(), message_info); },
        [&]() { subscription->handle_message(message, message_info); });
      return subscription->return_message(message);
    }
    case DeliveredMessageKind::SERIALIZED_MESSAGE: {
      auto message = subscription->create_serialized_message();
      take_and_do_error_handling(
        "taking a serialized message from topic", topic,
        [&]() { return subscription->take_serialized(*message, message_info); },
        [&]() { subscription->handle_serialized_message(message, message_info); });
      return subscription->return_serialized_message(message);
    }
    default: throw std::runtime_error("Delivered message kind is not supported");
  }
}

void Executor::execute_service(ServiceBase::SharedPtr service) {
  auto header = service->create_request_header();
  auto request = service->create_request();
  take_and_do_error_handling(
    "taking a service server request from service", service->get_service_name(),
    [&]() { return service->take_type_erased_request(request.get(), *header); },
    [&]() { service->handle_request(header, request); });
}

void Executor::execute_client(ClientBase::SharedPtr client) {
  auto header = client->create_request_header();
  auto response = client->create_response();
  take_and_do_error_handling(
    "taking a service client response from service", client->get_service_name(),
    [&]() { return client->take_type_erased_response(response.get(), *header); },
    [&]() { client->handle_response(header, response); });
}

}  // namespace rclcpp
