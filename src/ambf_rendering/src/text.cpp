// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_rendering/text.hpp"

#include <cmath>
#include <cstdint>
#include <memory>

#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include FT_FREETYPE_H

namespace ambf_rendering
{

namespace
{

/// The font of one width that this machine takes for DejaVu Sans Mono, which it is where it is installed.
constexpr const char * kFont = "DejaVu Sans Mono,monospace:scalable=true";

constexpr int kFirst = 32, kLast = 126;  // letters of ASCII
constexpr int kSolid = kLast + 1;        // a cell that is all ink, for the panel behind the letters
constexpr int kCellsPerRow = 16, kRows = 8;

/// Letters of one size in the atlas, one per cell [px].
struct LetterSize
{
  unsigned letter;
  int baseline;  ///< below the top of a line
  int cell_width, cell_height;
  int atlas_top;
};
constexpr LetterSize kSmall{13, 12, 16, 24, 0};
constexpr LetterSize kLarge{26, 24, 32, 48, kRows * kSmall.cell_height};
constexpr int kAtlasWidth = kCellsPerRow * kLarge.cell_width;
constexpr int kAtlasHeight = kLarge.atlas_top + kRows * kLarge.cell_height;

/// The file of that font; empty where there is no font at all.
std::string font_file()
{
  const std::unique_ptr<FcConfig, void (*)(FcConfig *)> config(
    FcInitLoadConfigAndFonts(), FcConfigDestroy);
  const auto name = reinterpret_cast<const FcChar8 *>(kFont);
  const std::unique_ptr<FcPattern, void (*)(FcPattern *)> wanted(
    FcNameParse(name), FcPatternDestroy);
  if (
    !config || !wanted ||
    FcConfigSubstitute(config.get(), wanted.get(), FcMatchPattern) == FcFalse) {
    return {};
  }
  FcDefaultSubstitute(wanted.get());
  FcResult result = FcResultNoMatch;
  const std::unique_ptr<FcPattern, void (*)(FcPattern *)> found(
    FcFontMatch(config.get(), wanted.get(), &result), FcPatternDestroy);
  FcChar8 * file = nullptr;
  if (!found || FcPatternGetString(found.get(), FC_FILE, 0, &file) != FcResultMatch) { return {}; }
  return reinterpret_cast<const char *>(file);
}

/// All letters of a size, each into its cell.
void draw_letters(std::vector<std::uint8_t> & atlas, FT_Face face, const LetterSize & size)
{
  if (FT_Set_Pixel_Sizes(face, 0, size.letter) != 0) { return; }
  const auto put = [&](int cell, int x, int y, std::uint8_t value) {
    if (x < 0 || y < 0 || x >= size.cell_width || y >= size.cell_height) { return; }
    const int column = (cell % kCellsPerRow) * size.cell_width + x,
              row = size.atlas_top + (cell / kCellsPerRow) * size.cell_height + y;
    atlas[static_cast<std::size_t>(row * kAtlasWidth + column)] = value;
  };
  for (int letter = kFirst; letter <= kLast; ++letter) {
    if (FT_Load_Char(face, static_cast<FT_ULong>(letter), FT_LOAD_RENDER) != 0) { continue; }
    const FT_GlyphSlot glyph = face->glyph;
    for (int y = 0; y < static_cast<int>(glyph->bitmap.rows); ++y) {
      for (int x = 0; x < static_cast<int>(glyph->bitmap.width); ++x) {
        put(
          letter - kFirst, glyph->bitmap_left + x, size.baseline - glyph->bitmap_top + y,
          glyph->bitmap.buffer[y * glyph->bitmap.pitch + x]);
      }
    }
  }
  for (int y = 0; y < size.cell_height; ++y) {
    for (int x = 0; x < size.cell_width; ++x) { put(kSolid - kFirst, x, y, 255); }
  }
}

/// Rows of a grey picture with the letters of both sizes, or nothing if the font cannot be read.
std::vector<std::uint8_t> draw_atlas(const std::string & file)
{
  FT_Library library = nullptr;
  FT_Face face = nullptr;
  std::vector<std::uint8_t> atlas;
  if (FT_Init_FreeType(&library) != 0) { return atlas; }
  if (FT_New_Face(library, file.c_str(), 0, &face) == 0) {
    atlas.assign(static_cast<std::size_t>(kAtlasWidth * kAtlasHeight), 0);
    draw_letters(atlas, face, kSmall);
    draw_letters(atlas, face, kLarge);
  }
  if (face != nullptr) { FT_Done_Face(face); }
  FT_Done_FreeType(library);
  return atlas;
}

}  // namespace

TextLayer::TextLayer(
  Engine & engine, Ogre::SceneManager & scene,
  const std::function<void(const std::string &)> & warn)
: engine_(engine)
{
  object_ = scene.createManualObject(engine.unique("text"));
  object_->setDynamic(true);
  object_->setVisibilityFlags(layer::overlays);
  object_->setRenderQueueGroup(Ogre::RENDER_QUEUE_OVERLAY);
  object_->setCastShadows(false);
  object_->setVisible(false);
  scene.getRootSceneNode()->createChildSceneNode()->attachObject(object_);
  load_font(warn);
}

TextLayer::~TextLayer()
{
  if (!glyphs_) { return; }
  engine_.materials()
    .named("text")
    ->getTechnique(0)
    ->getPass(0)
    ->getTextureUnitState(0)
    ->setBlank();
  Ogre::TextureManager::getSingleton().remove(glyphs_);
}

void TextLayer::load_font(const std::function<void(const std::string &)> & warn)
{
  const std::string file = font_file();
  std::vector<std::uint8_t> atlas = draw_atlas(file);
  if (atlas.empty()) {
    if (warn) {
      warn(
        "no text on pictures: fontconfig knows no font that can be read; install "
        "fonts-dejavu-core");
    }
    return;
  }
  Ogre::Image image;
  image.loadDynamicImage(atlas.data(), kAtlasWidth, kAtlasHeight, 1, Ogre::PF_L8);
  glyphs_ = Ogre::TextureManager::getSingleton().loadImage(
    engine_.unique("glyphs"), "ambf", image, Ogre::TEX_TYPE_2D, 0);
  engine_.materials()
    .named("text")
    ->getTechnique(0)
    ->getPass(0)
    ->getTextureUnitState(0)
    ->setTexture(glyphs_);
}

void TextLayer::show(const std::vector<Label> & labels, int width, int height)
{
  if (labels.empty() || !glyphs_ || width < 1 || height < 1) { return hide(); }
  if (object_->getSections().empty()) {
    object_->begin(engine_.materials().named("text"), Ogre::RenderOperation::OT_TRIANGLE_LIST);
  } else {
    object_->beginUpdate(0);
  }
  Ogre::uint32 count = 0;
  // A rectangle of the picture with a cell of the atlas, from its corner or (`solid`) its middle only.
  const auto quad = [&](
                      double left, double top, double w, double h, const LetterSize & size,
                      int letter, const Ogre::ColourValue & c) {
    const int cell = letter - kFirst;
    const bool solid = letter == kSolid;
    const double u = cell % kCellsPerRow * size.cell_width + (solid ? size.cell_width / 2 : 0);
    const double v =
      size.atlas_top + cell / kCellsPerRow * size.cell_height + (solid ? size.cell_height / 2 : 0);
    for (const auto & [i, j] : {std::pair(0, 0), {1, 0}, {1, 1}, {0, 1}}) {
      object_->position(
        static_cast<float>(2.0 * (left + i * w) / width - 1.0),
        static_cast<float>(1.0 - 2.0 * (top + j * h) / height), 0.0F);
      object_->colour(c);
      object_->textureCoord(
        static_cast<float>((u + (solid ? 0.0 : i * w)) / kAtlasWidth),
        static_cast<float>((v + (solid ? 0.0 : j * h)) / kAtlasHeight));
    }
    object_->quad(count, count + 1, count + 2, count + 3);
    count += 4;
  };
  const Ogre::ColourValue panel(0.05F, 0.07F, 0.1F, 0.55F);
  for (const auto & label : labels) {
    const double top = std::round(label.top);
    double left = std::round(label.left);
    const LetterSize & size = label.scale > 1 ? kLarge : kSmall;
    const double scale = label.scale > 1 ? 2.0 : 1.0;
    const double advance = scale * kAdvance, line = scale * kLineHeight;
    quad(
      left, top, advance * static_cast<double>(label.text.size()) + 6.0, line, size, kSolid, panel);
    left += 3.0;
    for (const char c : label.text) {
      const int letter = c < kFirst || c > kLast ? '?' : c;
      if (letter != ' ') {
        quad(left, top + 1.0, advance + 2.0 * scale, line, size, letter, label.colour);
      }
      left += advance;
    }
  }
  object_->end();
  object_->setBoundingBox(Ogre::AxisAlignedBox::BOX_INFINITE);
  object_->setVisible(true);
}

}  // namespace ambf_rendering
