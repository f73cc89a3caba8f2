// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_rendering/view.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

namespace ambf_rendering
{

void aim(
  Ogre::Camera & camera, const Eigen::Isometry3d & t_world_camera, const Lens & lens, double aspect)
{
  Ogre::SceneNode * node = camera.getParentSceneNode();
  node->setPosition(to_ogre(Eigen::Vector3d(t_world_camera.translation())));
  node->setOrientation(
    to_ogre(Eigen::Quaterniond(t_world_camera.linear() * drawing_from_camera())));
  camera.setNearClipDistance(static_cast<float>(lens.near_plane));
  camera.setFarClipDistance(static_cast<float>(lens.far_plane));
  camera.setCustomProjectionMatrix(true, to_ogre_matrix(projection(lens, aspect)));
}

View::View(Scene & scene, const Lens & lens, int width, int height, unsigned samples)
: scene_(scene), lens_(lens), width_(width), height_(height), samples_(samples > 1 ? samples : 0)
{
  camera_ = scene_.ogre().createCamera(scene_.engine().unique("view"));
  node_ = scene_.ogre().getRootSceneNode()->createChildSceneNode();
  node_->attachObject(camera_);
  place(pose_);
}

View::~View()
{
  if (scene_.engine().lost()) { return; }
  for (const auto & texture : {colour_, depth_, identity_}) {
    if (!texture) { continue; }
    texture->getBuffer()->getRenderTarget()->removeAllViewports();
    Ogre::TextureManager::getSingleton().remove(texture);
  }
  scene_.ogre().destroyCamera(camera_);
  scene_.ogre().destroySceneNode(node_);
}

void View::place(const Eigen::Isometry3d & t_world_camera)
{
  pose_ = t_world_camera;
  aim(*camera_, pose_, lens_, static_cast<double>(width_) / height_);
}

void View::set_lens(const Lens & lens)
{
  lens_ = lens;
  place(pose_);
}

Ogre::RenderTexture & View::target(
  Ogre::TexturePtr & texture, Ogre::PixelFormat format, const char * scheme_name, unsigned samples,
  Ogre::uint32 layers)
{
  if (!texture) {
    texture = Ogre::TextureManager::getSingleton().createManual(
      scene_.engine().unique("target"), "ambf", Ogre::TEX_TYPE_2D, static_cast<unsigned>(width_),
      static_cast<unsigned>(height_), 0, format, Ogre::TU_RENDERTARGET, nullptr, false, samples);
    Ogre::RenderTexture * made = texture->getBuffer()->getRenderTarget();
    made->setAutoUpdated(false);
    Ogre::Viewport * viewport = made->addViewport(camera_);
    viewport->setBackgroundColour(Ogre::ColourValue(0, 0, 0, 0));
    viewport->setMaterialScheme(scheme_name);
    viewport->setVisibilityMask(layers);
    viewport->setOverlaysEnabled(false);
  }
  scene_.surround(*node_, lens_);
  return *texture->getBuffer()->getRenderTarget();
}

void View::update_colour()
{
  scene_.update_shadows();
  const Ogre::uint32 layers = layer::objects | layer::ghosts | layer::surroundings |
                              (words_ ? layer::overlays : 0) | (words_ || grid_ ? layer::grid : 0);
  Ogre::RenderTexture & colour =
    target(colour_, Ogre::PF_BYTE_RGBA, scheme::colour, samples_, layers);
  colour.getViewport(0)->setVisibilityMask(layers);
  if (words_) {
    scene_.text().show(lay_out(*words_, pose_, lens_, width_, height_), width_, height_);
  }
  colour.update();
  scene_.text().hide();
}

void View::draw_only()
{
  update_colour();
  // Drawing is asynchronous: without this a measurement would count half of it.
  std::array<std::uint8_t, 4> pixel{};
  colour_->getBuffer()->getRenderTarget()->copyContentsToMemory(
    Ogre::Box(0, 0, 1, 1), Ogre::PixelBox(1, 1, 1, Ogre::PF_BYTE_RGBA, pixel.data()));
}

void View::draw_colour(std::span<std::uint8_t> rgb)
{
  update_colour();
  bytes_.resize(4 * static_cast<std::size_t>(width_ * height_));
  colour_->getBuffer()->blitToMemory(Ogre::PixelBox(
    static_cast<unsigned>(width_), static_cast<unsigned>(height_), 1, Ogre::PF_BYTE_RGBA,
    bytes_.data()));
  for (std::size_t i = 0; i < bytes_.size() / 4; ++i) {
    rgb[3 * i] = bytes_[4 * i];
    rgb[3 * i + 1] = bytes_[4 * i + 1];
    rgb[3 * i + 2] = bytes_[4 * i + 2];
  }
}

void View::draw_depth(std::span<float> metres)
{
  target(depth_, Ogre::PF_FLOAT32_R, scheme::depth, 0, layer::objects).update();
  depth_->getBuffer()->blitToMemory(Ogre::PixelBox(
    static_cast<unsigned>(width_), static_cast<unsigned>(height_), 1, Ogre::PF_FLOAT32_R,
    metres.data()));
  for (float & value : metres) {
    if (value <= 0.0F) { value = std::numeric_limits<float>::infinity(); }
  }
}

void View::draw_identity(std::span<std::int32_t> identities)
{
  target(identity_, Ogre::PF_BYTE_RGBA, scheme::identity, 0, layer::objects).update();
  bytes_.resize(4 * static_cast<std::size_t>(width_ * height_));
  identity_->getBuffer()->blitToMemory(Ogre::PixelBox(
    static_cast<unsigned>(width_), static_cast<unsigned>(height_), 1, Ogre::PF_BYTE_RGBA,
    bytes_.data()));
  for (std::size_t i = 0; i < identities.size(); ++i) {
    identities[i] = bytes_[4 * i] << 16 | bytes_[4 * i + 1] << 8 | bytes_[4 * i + 2];
  }
}

std::int32_t View::identity_at(int x, int y)
{
  if (x < 0 || y < 0 || x >= width_ || y >= height_) { return 0; }
  std::vector<std::int32_t> all(static_cast<std::size_t>(width_ * height_));
  draw_identity(all);
  return all[static_cast<std::size_t>(y * width_ + x)];
}

Picture View::picture()
{
  Picture result{width_, height_, {}};
  result.rgb.resize(3 * static_cast<std::size_t>(width_ * height_));
  draw_colour(result.rgb);
  return result;
}

ambf_adf::expected<void, std::string> write_png(const Picture & picture, const std::string & file)
{
  try {
    std::vector<std::uint8_t> copy = picture.rgb;
    Ogre::Image image;
    image.loadDynamicImage(
      copy.data(), static_cast<unsigned>(picture.width), static_cast<unsigned>(picture.height), 1,
      Ogre::PF_BYTE_RGB);
    const Ogre::DataStreamPtr stream = image.encode("png");
    std::ofstream out(file, std::ios::binary);
    const std::string bytes = stream->getAsString();
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!out.flush()) { return tl::unexpected(file + ": cannot be written"); }
    return {};
  } catch (const Ogre::Exception & error) {
    return tl::unexpected(file + ": " + error.getDescription());
  }
}

ambf_adf::expected<Picture, std::string> read_image(const std::string & file)
{
  std::ifstream in(file, std::ios::binary);
  if (!in) { return tl::unexpected(file + ": cannot be read"); }
  std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  try {
    Ogre::DataStreamPtr stream(new Ogre::MemoryDataStream(bytes.data(), bytes.size(), false, true));
    Ogre::Image image;
    image.load(stream, std::filesystem::path(file).extension().string().substr(1));
    Picture picture{static_cast<int>(image.getWidth()), static_cast<int>(image.getHeight()), {}};
    picture.rgb.resize(3 * static_cast<std::size_t>(image.getWidth()) * image.getHeight());
    Ogre::PixelUtil::bulkPixelConversion(
      image.getPixelBox(),
      Ogre::PixelBox(
        image.getWidth(), image.getHeight(), 1, Ogre::PF_BYTE_RGB, picture.rgb.data()));
    return picture;
  } catch (const Ogre::Exception & error) {
    return tl::unexpected(file + ": " + error.getDescription());
  }
}

}  // namespace ambf_rendering
