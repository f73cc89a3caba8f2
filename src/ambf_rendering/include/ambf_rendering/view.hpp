// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ambf_rendering/annotations.hpp"
#include "ambf_rendering/camera.hpp"
#include "ambf_rendering/scene.hpp"

namespace ambf_rendering
{

/// An image in memory, rows from the top.
struct Picture
{
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

/// A camera in the scene with offscreen targets, each made when it is first used.
class View
{
public:
  /// `samples`: multi-sampling of colour images, 0 or 1 for none.
  View(Scene & scene, const Lens & lens, int width, int height, unsigned samples);
  ~View();
  View(const View &) = delete;
  View & operator=(const View &) = delete;

  void place(const Eigen::Isometry3d & t_world_camera);  ///< AMBF's camera frame
  const Eigen::Isometry3d & pose() const { return pose_; }
  void set_lens(const Lens & lens);
  const Lens & lens() const { return lens_; }
  /// For people: overlays and words are drawn on colour images, too. Null: for machines, as at first.
  void annotate(const Annotations * words) { words_ = words; }
  /// Draws the grid on colour images for machines, too; those for people have it.
  void show_grid(bool shown) { grid_ = shown; }
  int width() const { return width_; }
  int height() const { return height_; }

  /// Each draws and reads back; `out` has room for width * height values (three times as many for rgb).
  void draw_colour(std::span<std::uint8_t> rgb);
  /// Distance along the view axis [m]; +infinity where nothing is (REP 118).
  void draw_depth(std::span<float> metres);
  /// The objects' identities; 0 where nothing is.
  void draw_identity(std::span<std::int32_t> identities);
  Picture picture();
  /// The object at a pixel, 0 if nothing is there: as `draw_identity`, but of one pixel.
  std::int32_t identity_at(int x, int y);
  /// Draws colours and reads nothing back: the engine's part of `draw_colour`, for measurements.
  void draw_only();

  Ogre::Camera & ogre() { return *camera_; }

private:
  void update_colour();
  Ogre::RenderTexture & target(
    Ogre::TexturePtr & texture, Ogre::PixelFormat format, const char * scheme_name,
    unsigned samples, Ogre::uint32 layers);

  Scene & scene_;
  Lens lens_;
  int width_, height_;
  unsigned samples_;
  Eigen::Isometry3d pose_ = Eigen::Isometry3d::Identity();
  Ogre::Camera * camera_ = nullptr;
  Ogre::SceneNode * node_ = nullptr;
  Ogre::TexturePtr colour_, depth_, identity_;
  const Annotations * words_ = nullptr;
  bool grid_ = false;
  std::vector<std::uint8_t> bytes_;
};

/// Points an Ogre camera like an AMBF camera.
void aim(
  Ogre::Camera & camera, const Eigen::Isometry3d & t_world_camera, const Lens & lens,
  double aspect);

/// Writes a PNG; the error says why it could not.
ambf_adf::expected<void, std::string> write_png(const Picture & picture, const std::string & file);
ambf_adf::expected<Picture, std::string> read_image(const std::string & file);

}  // namespace ambf_rendering
