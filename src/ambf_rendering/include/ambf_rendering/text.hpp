// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ambf_rendering/engine.hpp"

namespace ambf_rendering
{

/// A line of text on a picture.
struct Label
{
  double left = 0.0, top = 0.0;  ///< [px] of the picture
  std::string text;
  Ogre::ColourValue colour = Ogre::ColourValue::White;
  int scale = 1;  ///< or 2: letters of twice the size
};

/// Text over everything, in the letters of an installed font. It is filled for one picture, shown while
/// that is drawn, and hidden again.
class TextLayer
{
public:
  /// Where no font is found, this says so through `warn` and nothing is ever shown.
  TextLayer(
    Engine & engine, Ogre::SceneManager & scene,
    const std::function<void(const std::string &)> & warn);
  ~TextLayer();
  TextLayer(const TextLayer &) = delete;
  TextLayer & operator=(const TextLayer &) = delete;

  void show(const std::vector<Label> & labels, int width, int height);
  void hide() { object_->setVisible(false); }

  static constexpr int kLineHeight = 17;  ///< at scale 1 [px]
  static constexpr int kAdvance = 8;      ///< of a letter at scale 1 [px]; all are equally wide

private:
  void load_font(const std::function<void(const std::string &)> & warn);

  Engine & engine_;
  Ogre::ManualObject * object_ = nullptr;
  Ogre::TexturePtr glyphs_;
};

}  // namespace ambf_rendering
