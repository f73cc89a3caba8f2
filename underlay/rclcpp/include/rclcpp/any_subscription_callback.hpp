// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <variant>

#include "rclcpp/allocator/allocator_common.hpp"
#include "rclcpp/function_traits.hpp"
#include "rclcpp/message_info.hpp"
#include "rclcpp/serialization.hpp"

namespace rclcpp {

namespace detail {

template <typename T> struct is_std_function : std::false_type {};
template <typename SignatureT> struct is_std_function<std::function<SignatureT>> : std::true_type {};

/// The four ways in which a callback can be given a message.
template <typename MessageT, typename DeleterT> struct CallbackForms {
  using UniquePtr = std::unique_ptr<MessageT, DeleterT>;
  using ConstRef = std::function<void(const MessageT &, const MessageInfo &)>;
  using Unique = std::function<void(UniquePtr, const MessageInfo &)>;
  using SharedConst = std::function<void(const std::shared_ptr<const MessageT> &, const MessageInfo &)>;
  using Shared = std::function<void(const std::shared_ptr<MessageT> &, const MessageInfo &)>;

  /// The form that a callback with this first argument wants; void: none of them.
  template <typename ArgumentT, typename Plain = std::decay_t<ArgumentT>> using of =
    std::conditional_t<std::is_same_v<Plain, UniquePtr>, Unique,
      std::conditional_t<std::is_same_v<Plain, std::shared_ptr<const MessageT>>, SharedConst,
        std::conditional_t<std::is_same_v<Plain, std::shared_ptr<MessageT>>, Shared,
          std::conditional_t<std::is_same_v<Plain, MessageT>, ConstRef, void>>>>;
};

}  // namespace detail

/// A subscription callback of any of the supported signatures.
template <typename MessageT, typename AllocatorT = std::allocator<void>> class AnySubscriptionCallback {
  using MessageAllocTraits = allocator::AllocRebind<MessageT, AllocatorT>;
  using MessageAlloc = typename MessageAllocTraits::allocator_type;
  using MessageDeleter = allocator::Deleter<MessageAlloc, MessageT>;
  using MessageUniquePtr = std::unique_ptr<MessageT, MessageDeleter>;
  static constexpr bool is_generic = std::is_same_v<MessageT, SerializedMessage>;

  // A generic subscription's message is the serialized one, so the second set needs another type.
  struct NoMessage {};
  using Serialized = std::conditional_t<is_generic, NoMessage, SerializedMessage>;
  using Forms = detail::CallbackForms<MessageT, MessageDeleter>;
  using SerializedForms = detail::CallbackForms<Serialized, std::default_delete<Serialized>>;

public:
  explicit AnySubscriptionCallback(const AllocatorT & allocator = AllocatorT()) : message_allocator_(allocator) {
    allocator::set_allocator_for_deleter(&message_deleter_, &message_allocator_);
  }

  AnySubscriptionCallback(const AnySubscriptionCallback & other)
  : callback_variant_(other.callback_variant_), message_allocator_(other.message_allocator_) {
    allocator::set_allocator_for_deleter(&message_deleter_, &message_allocator_);
  }

  template <typename CallbackT> AnySubscriptionCallback & set(CallbackT callback) {
    using Traits = function_traits::function_traits<CallbackT>;
    static_assert(Traits::arity == 1 || Traits::arity == 2,
      "a subscription callback takes the message and optionally a rclcpp::MessageInfo");
    using Argument = typename Traits::template argument_type<0>;
    using Typed = typename Forms::template of<Argument>;
    using Form = std::conditional_t<std::is_void_v<Typed>, typename SerializedForms::template of<Argument>, Typed>;
    static_assert(!std::is_void_v<Form>,
      "the callback's first argument must be the message type of the subscription or "
      "rclcpp::SerializedMessage: const T &, std::unique_ptr<T>, std::shared_ptr<const T> or "
      "std::shared_ptr<T>");
    if constexpr (std::is_pointer_v<CallbackT> || detail::is_std_function<CallbackT>::value) {
      if (!callback) { throw std::invalid_argument("AnySubscriptionCallback::set(): callback cannot be nullptr"); }
    }
    if constexpr (Traits::arity == 2) {
      callback_variant_ = Form(std::move(callback));
    } else {
      callback_variant_ = Form([callback = std::move(callback)](auto && message, const MessageInfo &) mutable {
        callback(std::forward<decltype(message)>(message));
      });
    }
    return *this;
  }

  /// A message from the middleware.
  void dispatch(std::shared_ptr<MessageT> message, const MessageInfo & info) {
    // Beside this reference only the executor holds the message, and just to drop it.
    call<Forms>(message, info, [&]() {
      return message.use_count() <= 2 ? make_unique(std::move(*message)) : make_unique(std::as_const(*message));
    });
  }

  /// A message from the middleware that was left in its wire form.
  template <bool typed_subscription = !is_generic>
  std::enable_if_t<typed_subscription> dispatch(std::shared_ptr<SerializedMessage> message, const MessageInfo & info) {
    call<SerializedForms>(message, info, [&]() { return std::make_unique<SerializedMessage>(*message); });
  }

  /// A message of this process that others may be reading too.
  void dispatch_intra_process(std::shared_ptr<const MessageT> message, const MessageInfo & info) {
    if (is_serialized_message_callback()) {
      dispatch_serialized(*message, info);
    } else {
      call<Forms>(message, info, [&]() { return make_unique(*message); });
    }
  }

  /// A message of this process that now belongs to this subscription.
  void dispatch_intra_process(MessageUniquePtr message, const MessageInfo & info) {
    if (is_serialized_message_callback()) {
      dispatch_serialized(*message, info);
    } else {
      call<Forms>(message, info, [&]() { return std::move(message); });
    }
  }

  /// Only callbacks that ask for shared_ptr<const T> share; the others own what they get.
  bool use_take_shared_method() const { return std::holds_alternative<typename Forms::SharedConst>(callback_variant_); }

  bool is_serialized_message_callback() const { return is_generic || callback_variant_.index() > 4; }

private:
  /// Call with the message as it is where the form allows, else with one of its own.
  template <typename FormsT, typename PointerT, typename MakeUniqueT>
  void call(PointerT & message, const MessageInfo & info, MakeUniqueT make_own) {
    std::visit(
      [&](auto & callback) {
        using Form = std::decay_t<decltype(callback)>;
        constexpr bool is_unique = std::is_same_v<Form, typename FormsT::Unique>;
        constexpr bool is_shared =
          std::is_same_v<Form, typename FormsT::Shared> || std::is_same_v<Form, typename FormsT::SharedConst>;
        if constexpr (std::is_same_v<Form, typename FormsT::ConstRef>) {
          callback(*message, info);
        } else if constexpr (is_shared && std::is_invocable_v<Form, PointerT &, MessageInfo>) {
          callback(message, info);
        } else if constexpr (is_unique || is_shared) {
          callback(make_own(), info);
        } else {
          throw std::runtime_error("the message's form does not fit the form of the subscription callback");
        }
      },
      callback_variant_);
  }

  template <typename FromT> MessageUniquePtr make_unique(FromT && from) {
    MessageT * pointer = MessageAllocTraits::allocate(message_allocator_, 1);
    MessageAllocTraits::construct(message_allocator_, pointer, std::forward<FromT>(from));
    return MessageUniquePtr(pointer, message_deleter_);
  }

  void dispatch_serialized(const MessageT & message, const MessageInfo & info) {
    if constexpr (!is_generic) {
      auto serialized = std::make_shared<SerializedMessage>();
      Serialization<MessageT>().serialize_message(&message, serialized.get());
      dispatch(std::move(serialized), info);
    }
  }

  std::variant<std::monostate, typename Forms::ConstRef, typename Forms::Unique, typename Forms::SharedConst,
    typename Forms::Shared, typename SerializedForms::ConstRef, typename SerializedForms::Unique,
    typename SerializedForms::SharedConst, typename SerializedForms::Shared>
    callback_variant_;
  MessageAlloc message_allocator_;
  MessageDeleter message_deleter_;
};

}  // namespace rclcpp
