// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <Ogre.h>

#include "ambf_rendering/display.hpp"
#include "ambf_rendering/materials.hpp"
#include "ambf_rendering/surface.hpp"
#include "ambf_rendering/x_errors.hpp"

namespace ambf_rendering
{

struct EngineOptions
{
  DisplayChoice display = DisplayChoice::Auto;
  /// Gets Ogre's own warnings and errors.
  std::function<void(const std::string &)> warn;
};

/// Ogre with our materials: one per process, and every call from the thread that made it.
class Engine
{
public:
  /// Fails with a reason where there is no display, no GL driver, or another engine in this process. There
  /// is none any more after one that was lost.
  static ambf_adf::expected<std::unique_ptr<Engine>, std::string> create(
    const EngineOptions & options);
  ~Engine();
  Engine(const Engine &) = delete;
  Engine & operator=(const Engine &) = delete;

  Ogre::Root & root() { return *root_; }
  const std::string & renderer() const { return renderer_; }
  /// No graphics processor: every pixel costs processor time.
  bool draws_in_software() const;
  const Display & display() const { return *display_; }
  /// The X server is gone, or has ended our connection. Nothing of Ogre may be called any more, not even
  /// to clear up: what there is stays behind in memory.
  bool lost() { return x_.lost(); }
  /// What the X server refused since the last call.
  std::vector<std::string> x_news() { return x_.take_news(); }

  Materials & materials() { return *materials_; }
  /// An image file as texture; the error says why not.
  ambf_adf::expected<Ogre::TexturePtr, std::string> texture(const std::string & file);
  /// A surface as mesh of vertex buffers. `dynamic`: positions and normals will be rewritten.
  Ogre::MeshPtr mesh(const std::string & name, const Surface & surface, bool dynamic = false);
  /// A name that nothing else has.
  std::string unique(const std::string & stem) { return stem + "#" + std::to_string(++count_); }

private:
  Engine() = default;
  void start_ogre(const EngineOptions & options);

  class Logger;
  XErrors x_;
  std::optional<Display> display_;
  std::unique_ptr<Ogre::LogManager> log_;
  std::unique_ptr<Logger> logger_;
  std::unique_ptr<Ogre::Root> root_;
  std::unique_ptr<Materials> materials_;
  Ogre::RenderWindow * window_ = nullptr;  ///< hidden; holds the GL context
  std::string renderer_;
  std::uint64_t count_ = 0;
};

/// The name of a file in the state that it is in: another one once it was written to.
std::string stamped(const std::string & file);

Ogre::Vector3 to_ogre(const Eigen::Vector3d & v);
Ogre::Quaternion to_ogre(const Eigen::Quaterniond & q);
Ogre::Matrix4 to_ogre_matrix(const Eigen::Matrix4d & m);

}  // namespace ambf_rendering
