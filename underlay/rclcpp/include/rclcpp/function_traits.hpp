// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <tuple>

namespace rclcpp::function_traits {

/// Argument and return types of anything callable: function, lambda, functor, std::bind result.
template <typename FunctionT> struct function_traits
: function_traits<decltype(&std::remove_reference_t<FunctionT>::operator())> {};

template <typename ReturnTypeT, typename... Args> struct function_traits<ReturnTypeT(Args...)> {
  using arguments = std::tuple<Args...>;
  static constexpr std::size_t arity = sizeof...(Args);
  template <std::size_t N> using argument_type = typename std::tuple_element<N, arguments>::type;
  using return_type = ReturnTypeT;
};

template <typename ReturnTypeT, typename... Args> struct function_traits<ReturnTypeT (*)(Args...)>
: function_traits<ReturnTypeT(Args...)> {};

template <typename ClassT, typename ReturnTypeT, typename... Args>
struct function_traits<ReturnTypeT (ClassT::*)(Args...)> : function_traits<ReturnTypeT(Args...)> {};

template <typename ClassT, typename ReturnTypeT, typename... Args>
struct function_traits<ReturnTypeT (ClassT::*)(Args...) const> : function_traits<ReturnTypeT(Args...)> {};

template <typename ClassT, typename ReturnTypeT, typename... Args>
struct function_traits<ReturnTypeT (ClassT::*)(Args...) noexcept> : function_traits<ReturnTypeT(Args...)> {};

template <typename ClassT, typename ReturnTypeT, typename... Args>
struct function_traits<ReturnTypeT (ClassT::*)(Args...) const noexcept> : function_traits<ReturnTypeT(Args...)> {};

// The result of std::bind hides the signature of what was bound; its type is the library's own.
template <typename ClassT, typename ReturnTypeT, typename... Args, typename... FArgs>
struct function_traits<std::_Bind<ReturnTypeT (ClassT::*(FArgs...))(Args...)>> : function_traits<ReturnTypeT(Args...)> {
};
template <typename ClassT, typename ReturnTypeT, typename... Args, typename... FArgs>
struct function_traits<std::_Bind<ReturnTypeT (ClassT::*(FArgs...))(Args...) const>>
: function_traits<ReturnTypeT(Args...)> {};
template <typename ReturnTypeT, typename... Args, typename... FArgs>
struct function_traits<std::_Bind<ReturnTypeT (*(FArgs...))(Args...)>> : function_traits<ReturnTypeT(Args...)> {};

template <typename FunctionT> struct function_traits<FunctionT &> : function_traits<FunctionT> {};
template <typename FunctionT> struct function_traits<FunctionT &&> : function_traits<FunctionT> {};
template <typename FunctionT> struct function_traits<const FunctionT> : function_traits<FunctionT> {};

// A callable with an overloaded or templated call operator has no single signature: no traits.

template <typename FunctorAT, typename FunctorBT> struct same_arguments
: std::is_same<typename function_traits<FunctorAT>::arguments, typename function_traits<FunctorBT>::arguments> {};

}  // namespace rclcpp::function_traits
