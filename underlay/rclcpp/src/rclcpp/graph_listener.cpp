// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/graph_listener.hpp"

#include "rcl_check.hpp"

#include <set>

namespace rclcpp::graph_listener {

using detail::check;

namespace {

void * handle_of(const node_interfaces::NodeGraphInterface & node_graph) {
  return rcl_guard_condition_get_rmw_handle(node_graph.get_graph_guard_condition())->data;
}

}  // namespace

GraphListener::GraphListener(const std::shared_ptr<Context> & parent_context)
: weak_parent_context_(parent_context), interrupt_(std::make_shared<GuardCondition>(parent_context)) {}

void GraphListener::start_if_not_started() {
  auto context = weak_parent_context_.lock();
  if (!context) { return; }
  // Outside the lock, which shutdown() takes while the context holds that of its callbacks.
  std::call_once(ends_with_context_, [&]() {
    context->on_shutdown([weak_this = weak_from_this()]() {
      if (auto listener = weak_this.lock()) { listener->shutdown(); }
    });
  });
  std::lock_guard<std::mutex> lock(start_mutex_);
  if (!thread_.joinable() && !stop_) {
    const rcl_ret_t ret =
      rcl_wait_set_init(&wait_set_, 0, 2, 0, 0, 0, 0, context->get_rcl_context().get(), rcl_get_default_allocator());
    if (ret != RCL_RET_OK && !context->is_valid()) {
      // Shut down: nothing will change any more, and that is no error of whoever asks.
      rcl_reset_error();
      return;
    }
    check(ret, "failed to initialize wait set");
    thread_ = std::thread(&GraphListener::run, this);
  }
}

void GraphListener::change_nodes(const std::function<void()> & change) {
  std::lock_guard<std::mutex> barrier(barrier_mutex_);
  interrupt_->trigger();
  std::lock_guard<std::mutex> lock(nodes_mutex_);
  change();
}

void GraphListener::add_node(node_interfaces::NodeGraphInterface * node_graph) {
  change_nodes([&]() { nodes_.push_back(node_graph); });
}

void GraphListener::remove_node(node_interfaces::NodeGraphInterface * node_graph) {
  change_nodes([&]() { nodes_.erase(std::remove(nodes_.begin(), nodes_.end(), node_graph), nodes_.end()); });
}

void GraphListener::shutdown() {
  std::lock_guard<std::mutex> lock(start_mutex_);
  stop_ = true;
  if (!thread_.joinable()) { return; }
  interrupt_->trigger();
  thread_.join();
  std::lock_guard<std::mutex> nodes_lock(nodes_mutex_);
  for (auto * node_graph : nodes_) { node_graph->notify_shutdown(); }
  detail::log_failure(rcl_wait_set_fini(&wait_set_), "failed to finalize wait set of the graph listener");
}

void GraphListener::run() {
  try {
    while (!stop_) {
      // Lets through whoever wants to change the nodes.
      { std::lock_guard<std::mutex> barrier(barrier_mutex_); }
      std::lock_guard<std::mutex> lock(nodes_mutex_);
      wait_once();
    }
  } catch (const std::exception & exc) { RCUTILS_LOG_ERROR_NAMED("rclcpp", "the graph listener ends: %s", exc.what()); }
}

void GraphListener::wait_once() {
  if (wait_set_.size_of_guard_conditions < nodes_.size() + 1) {
    check(rcl_wait_set_resize(&wait_set_, 0, 2 * (nodes_.size() + 1), 0, 0, 0, 0), "failed to resize wait set");
  }
  check(rcl_wait_set_clear(&wait_set_), "failed to clear wait set");
  const auto add = [this](const rcl_guard_condition_t * condition, size_t * index) {
    check(rcl_wait_set_add_guard_condition(&wait_set_, condition, index), "failed to add guard condition to wait set");
  };
  add(&interrupt_->get_rcl_guard_condition(), nullptr);
  std::vector<size_t> indices(nodes_.size());
  for (size_t i = 0; i < nodes_.size(); ++i) { add(nodes_[i]->get_graph_guard_condition(), &indices[i]); }
  const rcl_ret_t ret = rcl_wait(&wait_set_, -1);
  if (ret == RCL_RET_TIMEOUT) { return; }
  check(ret, "failed to wait for graph changes");
  // The middleware may have one condition for all nodes of a context, and marks the first of its entries only.
  std::set<void *> changed;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (wait_set_.guard_conditions[indices[i]]) { changed.insert(handle_of(*nodes_[i])); }
  }
  for (auto * node_graph : nodes_) {
    if (changed.count(handle_of(*node_graph))) { node_graph->notify_graph_change(); }
  }
}

}  // namespace rclcpp::graph_listener
