// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "rclcpp_components/node_factory.hpp"
#include "rclcpp_components/visibility_control.hpp"

namespace rclcpp_components {
namespace detail {

using FactoryMaker = std::function<std::shared_ptr<NodeFactory>()>;

/// Registers a class while its library is loaded. One static object per class.
class RegisteredComponent {
public:
  RegisteredComponent(const char * class_name, FactoryMaker make_factory);

  ~RegisteredComponent();

  RegisteredComponent(const RegisteredComponent &) = delete;
  RegisteredComponent & operator=(const RegisteredComponent &) = delete;
};

/// Loads a library, if it is not loaded yet, and makes the factory of one of its classes.
/**
 * Libraries stay loaded: nodes may leave threads or static data behind that need their code.
 * \param library_path a path, or a file name that the dynamic linker finds.
 * \return nullptr if the library registers no such class.
 * \throws std::runtime_error with the reason of the dynamic linker if it cannot be loaded.
 */
std::shared_ptr<NodeFactory> load_factory(const std::string & library_path, const std::string & class_name);

}  // namespace detail
}  // namespace rclcpp_components
