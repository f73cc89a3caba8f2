// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_rendering/engine.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>

namespace ambf_rendering
{

namespace
{

const char * const kGroup = "ambf";
std::atomic<bool> engine_exists{false};

/// What may not be destroyed any more, where leak checkers find it.
struct LeftBehind
{
  Ogre::LogManager * log;
  Ogre::Root * root;
  Materials * materials;
};
LeftBehind left_behind{};

}  // namespace

/// Passes Ogre's warnings on and writes no file.
class Engine::Logger : public Ogre::LogListener
{
public:
  explicit Logger(std::function<void(const std::string &)> warn) : warn_(std::move(warn)) {}
  void messageLogged(
    const Ogre::String & message, Ogre::LogMessageLevel level, bool, const Ogre::String &,
    bool & skip) override
  {
    if (level >= Ogre::LML_WARNING && warn_) { warn_("Ogre: " + message); }
    skip = true;
  }

private:
  std::function<void(const std::string &)> warn_;
};

ambf_adf::expected<std::unique_ptr<Engine>, std::string> Engine::create(
  const EngineOptions & options)
{
  if (engine_exists.exchange(true)) {
    return tl::unexpected(std::string(
      "another renderer drew in this process when this one started (Ogre exists once per process): "
      "start another process, or start again when the other has ended"));
  }
  if (Ogre::Root::getSingletonPtr() != nullptr) {  // left behind
    engine_exists.store(false);
    return tl::unexpected(
      std::string("the X server that this process drew with is gone (Ogre exists once per "
                  "process): start another process"));
  }
  std::unique_ptr<Engine> engine(new Engine);
  auto display = Display::open(options.display);
  if (!display) { return tl::unexpected(display.error()); }
  engine->display_.emplace(std::move(*display));
  try {
    engine->start_ogre(options);
    engine->materials_ = std::make_unique<Materials>();
  } catch (const std::exception & error) {
    const auto * ogre = dynamic_cast<const Ogre::Exception *>(&error);
    return tl::unexpected(
      "OpenGL cannot be used: " + (ogre ? ogre->getDescription() : error.what()) +
      "; needed is OpenGL 3.3 through GLX: Debian packages libgl1-mesa-dri and libglx-mesa0, or "
      "the graphics "
      "card's driver");
  }
  return engine;
}

Engine::~Engine()
{
  const bool was_lost = root_ && lost();
  if (!was_lost) {
    materials_.reset();
    root_.reset();
  }
  if (log_ && logger_) { log_->getDefaultLog()->removeListener(logger_.get()); }
  if (was_lost) { left_behind = {log_.release(), root_.release(), materials_.release()}; }
  log_.reset();
  display_.reset();
  engine_exists.store(false);
}

void Engine::start_ogre(const EngineOptions & options)
{
  log_ = std::make_unique<Ogre::LogManager>();
  Ogre::Log * log = log_->createLog("ambf", true, false, true);
  logger_ = std::make_unique<Logger>(options.warn);
  log->addListener(logger_.get());
  root_ = std::make_unique<Ogre::Root>("", "", "");
  const std::string plugins = AMBF_OGRE_PLUGIN_DIR "/";
  root_->loadPlugin(plugins + "RenderSystem_GL3Plus");
  root_->loadPlugin(plugins + "Codec_STBI");
  auto * system = root_->getRenderSystemByName("OpenGL 3+ Rendering Subsystem");
  if (system == nullptr) { throw std::runtime_error("Ogre's GL3Plus render system is missing"); }
  root_->setRenderSystem(system);
  root_->initialise(false);
  Ogre::NameValuePairList parameters{{"hidden", "true"}, {"vsync", "false"}};
  window_ = root_->createRenderWindow("ambf", 16, 16, false, &parameters);
  window_->setAutoUpdated(false);
  // Ogre has a connection for GL and one for windows.
  for (const char * name : {"DISPLAY", "XDISPLAY"}) {
    _XDisplay * connection = nullptr;
    window_->getCustomAttribute(name, &connection);
    x_.watch(connection);
  }
  renderer_ = system->getCapabilities()->getDeviceName();
  Ogre::ResourceGroupManager::getSingleton().createResourceGroup(kGroup);
  Ogre::MaterialManager::getSingleton().setDefaultTextureFiltering(Ogre::TFO_TRILINEAR);
}

bool Engine::draws_in_software() const
{
  for (const char * name : {"llvmpipe", "softpipe", "SWR", "Software"}) {
    if (renderer_.find(name) != std::string::npos) { return true; }
  }
  return false;
}

std::string stamped(const std::string & file)
{
  std::error_code error;
  const auto time = std::filesystem::last_write_time(file, error).time_since_epoch().count();
  const auto size = std::filesystem::file_size(file, error);
  return error ? file : file + " " + std::to_string(time) + " " + std::to_string(size);
}

ambf_adf::expected<Ogre::TexturePtr, std::string> Engine::texture(const std::string & file)
{
  auto & textures = Ogre::TextureManager::getSingleton();
  const std::string name = stamped(file);
  if (auto known = textures.getByName(name, kGroup)) { return known; }
  std::ifstream in(file, std::ios::binary);
  if (!in) { return tl::unexpected(file + ": cannot be read"); }
  std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  try {
    Ogre::DataStreamPtr stream(new Ogre::MemoryDataStream(bytes.data(), bytes.size(), false, true));
    std::string ending = std::filesystem::path(file).extension().string();
    Ogre::Image image;
    image.load(stream, ending.empty() ? ending : ending.substr(1));
    return textures.loadImage(name, kGroup, image, Ogre::TEX_TYPE_2D, Ogre::MIP_UNLIMITED);
  } catch (const Ogre::Exception & error) {
    return tl::unexpected(file + ": " + error.getDescription());
  }
}

Ogre::MeshPtr Engine::mesh(const std::string & name, const Surface & surface, bool dynamic)
{
  auto & buffers = Ogre::HardwareBufferManager::getSingleton();
  const auto usage = dynamic ? Ogre::HardwareBuffer::HBU_DYNAMIC_WRITE_ONLY
                             : Ogre::HardwareBuffer::HBU_STATIC_WRITE_ONLY;
  auto mesh = Ogre::MeshManager::getSingleton().createManual(name, kGroup);
  mesh->sharedVertexData = new Ogre::VertexData();
  auto * data = mesh->sharedVertexData;
  data->vertexCount = surface.positions.size();
  auto * layout = data->vertexDeclaration;
  layout->addElement(0, 0, Ogre::VET_FLOAT3, Ogre::VES_POSITION);
  layout->addElement(0, 12, Ogre::VET_FLOAT3, Ogre::VES_NORMAL);
  layout->addElement(1, 0, Ogre::VET_FLOAT2, Ogre::VES_TEXTURE_COORDINATES);
  std::vector<float> places;
  places.reserve(6 * surface.positions.size());
  Ogre::AxisAlignedBox bounds;
  float radius = 0.0F;
  for (std::size_t i = 0; i < surface.positions.size(); ++i) {
    const auto & p = surface.positions[i];
    const auto & q = surface.normals[i];
    places.insert(places.end(), {p.x(), p.y(), p.z(), q.x(), q.y(), q.z()});
    bounds.merge(Ogre::Vector3(p.x(), p.y(), p.z()));
    radius = std::max(radius, p.norm());
  }
  auto vertices = buffers.createVertexBuffer(24, data->vertexCount, usage);
  vertices->writeData(0, vertices->getSizeInBytes(), places.data(), true);
  data->vertexBufferBinding->setBinding(0, vertices);
  auto uv =
    buffers.createVertexBuffer(8, data->vertexCount, Ogre::HardwareBuffer::HBU_STATIC_WRITE_ONLY);
  uv->writeData(0, uv->getSizeInBytes(), surface.texture_coordinates.data(), true);
  data->vertexBufferBinding->setBinding(1, uv);
  auto indices = buffers.createIndexBuffer(
    Ogre::HardwareIndexBuffer::IT_32BIT, surface.triangles.size(),
    Ogre::HardwareBuffer::HBU_STATIC_WRITE_ONLY);
  indices->writeData(0, indices->getSizeInBytes(), surface.triangles.data(), true);
  for (const auto & part : surface.parts) {
    auto * sub = mesh->createSubMesh();
    sub->useSharedVertices = true;
    sub->indexData->indexBuffer = indices;
    sub->indexData->indexStart = 3 * static_cast<std::size_t>(part.first_triangle);
    sub->indexData->indexCount = 3 * static_cast<std::size_t>(part.triangle_count);
  }
  mesh->_setBounds(bounds);
  mesh->_setBoundingSphereRadius(radius);
  mesh->load();
  return mesh;
}

Ogre::Vector3 to_ogre(const Eigen::Vector3d & v)
{
  const Eigen::Vector3f f = v.cast<float>();
  return {f.x(), f.y(), f.z()};
}

Ogre::Quaternion to_ogre(const Eigen::Quaterniond & q)
{
  const Eigen::Quaternionf f = q.cast<float>();
  return {f.w(), f.x(), f.y(), f.z()};
}

Ogre::Matrix4 to_ogre_matrix(const Eigen::Matrix4d & m)
{
  const Eigen::Matrix4f f = m.cast<float>();
  Ogre::Matrix4 out;
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 4; ++c) { out[static_cast<std::size_t>(r)][c] = f(r, c); }
  }
  return out;
}

}  // namespace ambf_rendering
