// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp_components/detail/component_registry.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace rclcpp_components {
namespace detail {

namespace {

struct Entry {
  const RegisteredComponent * component;
  // Where the library is mapped: two libraries may hold classes of the same name.
  const void * library;
  std::string class_name;
  FactoryMaker make_factory;
};

struct Registry {
  std::mutex mutex;
  std::vector<Entry> entries;
};

Registry & registry() {
  // Never destroyed: libraries unregister their classes when the process ends, in any order.
  static Registry & instance = *new Registry;
  return instance;
}

}  // namespace

RegisteredComponent::RegisteredComponent(const char * class_name, FactoryMaker make_factory) {
  Dl_info info{};
  dladdr(this, &info);
  std::lock_guard lock(registry().mutex);
  registry().entries.push_back({this, info.dli_fbase, class_name, std::move(make_factory)});
}

RegisteredComponent::~RegisteredComponent() {
  std::lock_guard lock(registry().mutex);
  auto & entries = registry().entries;
  entries.erase(
    std::remove_if(entries.begin(), entries.end(), [this](const Entry & entry) { return entry.component == this; }),
    entries.end());
}

std::shared_ptr<NodeFactory> load_factory(const std::string & library_path, const std::string & class_name) {
  // All symbols now: a library that lacks one is refused here instead of ending the process later.
  void * handle = dlopen(library_path.c_str(), RTLD_NOW | RTLD_LOCAL);
  link_map * map = nullptr;
  if (handle == nullptr || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) {
    const char * reason = dlerror();
    throw std::runtime_error(
      "Could not load library " + library_path + ": " + (reason != nullptr ? reason : "unknown reason"));
  }
  const void * library = reinterpret_cast<const void *>(map->l_addr);
  FactoryMaker make_factory;
  {
    std::lock_guard lock(registry().mutex);
    for (const Entry & entry : registry().entries) {
      if (entry.library == library && entry.class_name == class_name) { make_factory = entry.make_factory; }
    }
  }
  return make_factory ? make_factory() : nullptr;
}

}  // namespace detail
}  // namespace rclcpp_components
