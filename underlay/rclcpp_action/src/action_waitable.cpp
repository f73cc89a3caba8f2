// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp_action/detail/action_waitable.hpp"

#include "rclcpp/detail/cpp_callback_trampoline.hpp"

namespace rclcpp_action::detail {

bool ActionWaitable::choose(std::initializer_list<std::pair<bool, size_t>> ready) {
  const auto first = std::find_if(ready.begin(), ready.end(), [](const auto & entity) { return entity.first; });
  next_ = first == ready.end() ? none : first->second;
  return first != ready.end();
}

std::shared_ptr<void> ActionWaitable::take_data() {
  const size_t entity = next_.exchange(none);
  if (entity == none) { return nullptr; }
  auto taken = std::make_shared<Taken>();
  taken->entity = entity;
  const rcl_ret_t ret = take(*taken);
  if (ret == RCL_RET_ACTION_CLIENT_TAKE_FAILED || ret == RCL_RET_ACTION_SERVER_TAKE_FAILED) {
    // Another thread was faster.
    rcl_reset_error();
    return nullptr;
  }
  check(ret, "error taking from the action");
  return taken;
}

std::shared_ptr<void> ActionWaitable::take_data_by_entity_id(size_t id) {
  if (id >= functions_.size()) { throw std::runtime_error("there is no such entity: " + std::to_string(id)); }
  next_ = id;
  return take_data();
}

void ActionWaitable::execute(const std::shared_ptr<void> & data) {
  if (data) { handle(*std::static_pointer_cast<Taken>(data)); }
}

void ActionWaitable::set_on_ready_callback(std::function<void(size_t, int)> callback) {
  if (!callback) { throw std::invalid_argument("The callback passed to set_on_ready_callback is not callable."); }
  constexpr auto trampoline = rclcpp::detail::cpp_callback_trampoline<std::function<void(size_t)>>;
  std::lock_guard lock(functions_mutex_);
  for (size_t entity = 0; entity < functions_.size(); ++entity) {
    std::function<void(size_t)> for_entity = [callback, entity](size_t count) {
      try {
        callback(count, static_cast<int>(entity));
      } catch (const std::exception & ex) {
        // rmw calls this from a thread of its own, where nobody would catch it.
        RCLCPP_ERROR(rclcpp::get_logger("rclcpp_action"), "user-provided 'on ready' callback threw: %s", ex.what());
      }
    };
    // rmw must never see a function while it is being replaced: attach the new one first.
    check(attach(entity, trampoline, &for_entity), "failed to set the on ready callback");
    functions_[entity] = for_entity;
    check(attach(entity, trampoline, &functions_[entity]), "failed to set the on ready callback");
  }
  functions_set_ = true;
}

void ActionWaitable::clear_on_ready_callback() {
  std::lock_guard lock(functions_mutex_);
  if (!functions_set_) { return; }
  for (size_t entity = 0; entity < functions_.size(); ++entity) {
    check(attach(entity, nullptr, nullptr), "failed to set the on ready callback");
    functions_[entity] = nullptr;
  }
  functions_set_ = false;
}

}  // namespace rclcpp_action::detail
