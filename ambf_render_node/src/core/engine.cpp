#include "engine.hpp"

#include <array>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "shaders.hpp"

namespace ambf_render
{

namespace
{

const char * const kGroup = "ambf";
std::atomic<bool> engine_exists{false};

void make_program(
  const std::string & name, const std::string & source, Ogre::GpuProgramType type)
{
  auto program = Ogre::HighLevelGpuProgramManager::getSingleton().createProgram(
    name, kGroup, "glsl", type);
  program->setSource(source);
  program->load();
  if (program->hasCompileError()) {
    throw std::runtime_error("the GL driver does not compile the shader '" + name + "'");
  }
}

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
    if (level >= Ogre::LML_WARNING && warn_) {warn_("Ogre: " + message);}
    skip = true;
  }

private:
  std::function<void(const std::string &)> warn_;
};

/// Gives every material the technique of a scheme that it does not know itself.
class Engine::Schemes : public Ogre::MaterialManager::Listener
{
public:
  Ogre::Technique * handleSchemeNotFound(
    unsigned short, const Ogre::String & name, Ogre::Material *, unsigned short,
    const Ogre::Renderable *) override
  {
    const auto it = techniques.find(name);
    return it == techniques.end() ? nullptr : it->second->getTechnique(0);
  }
  std::map<std::string, Ogre::MaterialPtr> techniques;
};

ambf_adf::expected<std::unique_ptr<Engine>, std::string> Engine::create(const EngineOptions & options)
{
  if (engine_exists.exchange(true)) {
    return tl::unexpected(std::string(
        "this process draws already (Ogre exists once per process): start another process for a "
        "second renderer"));
  }
  std::unique_ptr<Engine> engine(new Engine);
  auto display = Display::open(options.display);
  if (!display) {return tl::unexpected(display.error());}
  engine->display_.emplace(std::move(*display));
  try {
    engine->start_ogre(options);
    engine->make_materials();
  } catch (const Ogre::Exception & error) {
    return tl::unexpected("OpenGL cannot be used: " + error.getDescription());
  } catch (const std::exception & error) {
    return tl::unexpected("OpenGL cannot be used: " + std::string(error.what()));
  }
  return engine;
}

Engine::~Engine()
{
  surface_materials_.clear();
  shadow_maps_.clear();
  plain_.reset();
  textured_.reset();
  if (schemes_ && root_) {
    for (const auto & [name, material] : schemes_->techniques) {
      Ogre::MaterialManager::getSingleton().removeListener(schemes_.get(), name);
    }
    schemes_->techniques.clear();
  }
  root_.reset();
  schemes_.reset();
  if (log_ && logger_) {log_->getDefaultLog()->removeListener(logger_.get());}
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
  if (system == nullptr) {throw std::runtime_error("Ogre's GL3Plus render system is missing");}
  root_->setRenderSystem(system);
  root_->initialise(false);
  Ogre::NameValuePairList parameters{{"hidden", "true"}, {"vsync", "false"}};
  window_ = root_->createRenderWindow("ambf", 16, 16, false, &parameters);
  window_->setAutoUpdated(false);
  renderer_ = system->getCapabilities()->getDeviceName();
  Ogre::ResourceGroupManager::getSingleton().createResourceGroup(kGroup);
  Ogre::MaterialManager::getSingleton().setDefaultTextureFiltering(Ogre::TFO_TRILINEAR);
}

void Engine::use_programs(
  Ogre::Pass & pass, const std::string & vertex, const std::string & fragment) const
{
  pass.setVertexProgram(vertex);
  pass.setFragmentProgram(fragment);
  const auto name = [](const Ogre::GpuProgramParametersSharedPtr & parameters, const char * constant,
      Ogre::GpuProgramParameters::AutoConstantType type, Ogre::uint32 extra = 0) {
      if (parameters->_findNamedConstantDefinition(constant, false)) {
        parameters->setNamedAutoConstant(constant, type, extra);
      }
    };
  using P = Ogre::GpuProgramParameters;
  for (const auto & parameters : {pass.getVertexProgramParameters(), pass.getFragmentProgramParameters()}) {
    name(parameters, "world", P::ACT_WORLD_MATRIX);
    name(parameters, "world_view", P::ACT_WORLDVIEW_MATRIX);
    name(parameters, "world_view_projection", P::ACT_WORLDVIEWPROJ_MATRIX);
    name(parameters, "eye", P::ACT_CAMERA_POSITION);
    name(parameters, "diffuse", P::ACT_SURFACE_DIFFUSE_COLOUR);
    name(parameters, "specular", P::ACT_SURFACE_SPECULAR_COLOUR);
    name(parameters, "emission", P::ACT_SURFACE_EMISSIVE_COLOUR);
    name(parameters, "shininess", P::ACT_SURFACE_SHININESS);
    name(parameters, "identity", P::ACT_CUSTOM, 0);
  }
}

void Engine::make_materials()
{
  const std::string version = "#version 330 core\n";
  using Ogre::GPT_FRAGMENT_PROGRAM;
  using Ogre::GPT_VERTEX_PROGRAM;
  make_program("surface.vert", shaders::surface_vertex, GPT_VERTEX_PROGRAM);
  make_program("surface.frag", version + shaders::surface_fragment, GPT_FRAGMENT_PROGRAM);
  make_program(
    "textured.frag", version + "#define TEXTURED\n" + shaders::surface_fragment, GPT_FRAGMENT_PROGRAM);
  make_program("depth.frag", shaders::depth_fragment, GPT_FRAGMENT_PROGRAM);
  make_program("identity.frag", shaders::identity_fragment, GPT_FRAGMENT_PROGRAM);
  make_program("caster.frag", shaders::caster_fragment, GPT_FRAGMENT_PROGRAM);
  make_program("backdrop.frag", shaders::backdrop_fragment, GPT_FRAGMENT_PROGRAM);
  make_program("grid.frag", shaders::grid_fragment, GPT_FRAGMENT_PROGRAM);
  make_program("line.vert", shaders::line_vertex, GPT_VERTEX_PROGRAM);
  make_program("line.frag", shaders::line_fragment, GPT_FRAGMENT_PROGRAM);

  auto & materials = Ogre::MaterialManager::getSingleton();
  const auto make = [&](const std::string & name, const std::string & vertex, const std::string & fragment) {
      auto material = materials.create(name, kGroup);
      Ogre::Pass * pass = material->getTechnique(0)->getPass(0);
      pass->setCullingMode(Ogre::CULL_NONE);
      use_programs(*pass, vertex, fragment);
      return material;
    };
  schemes_ = std::make_unique<Schemes>();
  for (const auto & [name, fragment] : std::map<std::string, std::string>{
      {scheme::depth, "depth.frag"}, {scheme::identity, "identity.frag"}, {scheme::caster, "caster.frag"}})
  {
    auto material = make(name, "surface.vert", fragment);
    if (name == scheme::caster) {
      material->getTechnique(0)->getPass(0)->setDepthBias(-2.0F, -2.0F);  // away from the light
    }
    material->load();
    schemes_->techniques.emplace(name, material);
    materials.addListener(schemes_.get(), name);
  }

  Ogre::Pass * backdrop = make("backdrop", "surface.vert", "backdrop.frag")->getTechnique(0)->getPass(0);
  backdrop->setDepthCheckEnabled(false);
  backdrop->setDepthWriteEnabled(false);
  const auto sky = backdrop->getFragmentProgramParameters();
  sky->setNamedConstant("zenith", Ogre::Vector4(0.42F, 0.53F, 0.66F, 1));
  sky->setNamedConstant("horizon", Ogre::Vector4(0.83F, 0.87F, 0.91F, 1));
  sky->setNamedConstant("nadir", Ogre::Vector4(0.60F, 0.63F, 0.67F, 1));

  Ogre::Pass * grid = make("grid", "surface.vert", "grid.frag")->getTechnique(0)->getPass(0);
  grid->setSceneBlending(Ogre::SBT_TRANSPARENT_ALPHA);
  grid->setDepthWriteEnabled(false);
  grid->setDepthBias(4.0F, 1.0F);
  grid->getFragmentProgramParameters()->setNamedConstant("line_colour", Ogre::Vector4(0.16F, 0.19F, 0.24F, 0.4F));
  grid->getFragmentProgramParameters()->setNamedConstant("spacing", 0.1F);

  make("line", "line.vert", "line.frag");
  Ogre::Pass * through = make("line_through", "line.vert", "line.frag")->getTechnique(0)->getPass(0);
  through->setDepthCheckEnabled(false);
  through->setDepthWriteEnabled(false);

  // A first material of each kind makes the parameters that all others of its kind share.
  for (const bool map : {false, true}) {
    auto material = make(
      map ? "textured" : "plain", "surface.vert", map ? "textured.frag" : "surface.frag");
    auto parameters = material->getTechnique(0)->getPass(0)->getFragmentProgramParameters();
    parameters->setNamedConstant("sky", Ogre::Vector4(0.66F, 0.70F, 0.76F, 1));
    parameters->setNamedConstant("ground", Ogre::Vector4(0.30F, 0.29F, 0.28F, 1));
    parameters->setNamedConstant("shadow_map0", 0);
    parameters->setNamedConstant("shadow_map1", 1);
    if (map) {parameters->setNamedConstant("colour_map", 2);}
    (map ? textured_ : plain_) = parameters;
  }
}

Ogre::MaterialPtr Engine::surface_material(
  const ambf_adf::Material & colour, const Ogre::TexturePtr & map)
{
  std::string name;
  char text[32];
  const auto add = [&](double value) {
      std::snprintf(text, sizeof(text), "%.4f ", value);
      name += text;
    };
  for (const auto & c : {colour.diffuse, colour.specular, colour.emission}) {
    for (int k = 0; k < 3; ++k) {add(c[k]);}
  }
  add(colour.shininess);
  add(colour.alpha);
  if (map) {name += map->getName();}
  auto & materials = Ogre::MaterialManager::getSingleton();
  if (auto known = materials.getByName(name, kGroup)) {return known;}
  auto material = materials.create(name, kGroup);
  Ogre::Pass * pass = material->getTechnique(0)->getPass(0);
  const auto to = [](const ambf_adf::Rgb & c, double a) {
      const Eigen::Vector3f f = c.cast<float>().cwiseMax(0.0F).cwiseMin(1.0F);
      return Ogre::ColourValue(f.x(), f.y(), f.z(), static_cast<float>(a));
    };
  pass->setDiffuse(to(colour.diffuse, colour.alpha));
  pass->setSpecular(to(colour.specular, 1.0));
  pass->setEmissive(to(colour.emission, 1.0));
  pass->setShininess(static_cast<float>(colour.shininess));
  pass->setCullingMode(Ogre::CULL_NONE);
  if (colour.alpha < 0.999) {
    pass->setSceneBlending(Ogre::SBT_TRANSPARENT_ALPHA);
    pass->setDepthWriteEnabled(false);
  }
  for (int k = 0; k < shaders::kMaxShadows; ++k) {
    auto * unit = pass->createTextureUnitState();
    unit->setTextureAddressingMode(Ogre::TAM_CLAMP);
    unit->setTextureFiltering(Ogre::FO_LINEAR, Ogre::FO_LINEAR, Ogre::FO_NONE);
    unit->setTextureCompareEnabled(true);
    unit->setTextureCompareFunction(Ogre::CMPF_LESS_EQUAL);
    if (static_cast<std::size_t>(k) < shadow_maps_.size()) {
      unit->setTexture(shadow_maps_[static_cast<std::size_t>(k)]);
    }
  }
  if (map) {
    auto * unit = pass->createTextureUnitState();
    unit->setTexture(map);
    unit->setTextureFiltering(Ogre::TFO_ANISOTROPIC);
    unit->setTextureAnisotropy(4);
  }
  use_programs(*pass, "surface.vert", map ? "textured.frag" : "surface.frag");
  pass->setFragmentProgramParameters(map ? textured_ : plain_);
  surface_materials_.push_back(material);
  return material;
}

Ogre::MaterialPtr Engine::material(const std::string & name)
{
  return Ogre::MaterialManager::getSingleton().getByName(name, kGroup);
}

void Engine::set_shadow_map(int index, const Ogre::TexturePtr & map)
{
  const auto at = static_cast<std::size_t>(index);
  if (shadow_maps_.size() <= at) {shadow_maps_.resize(at + 1);}
  shadow_maps_[at] = map;
  for (const auto & material : surface_materials_) {
    material->getTechnique(0)->getPass(0)->getTextureUnitState(static_cast<unsigned short>(index))->setTexture(map);
  }
}

void Engine::illuminate(const Illumination & light)
{
  constexpr std::size_t n = shaders::kMaxLights;
  std::array<float, 4 * n> position{}, axis{}, colour{}, fade{};
  const std::size_t count = std::min(n, light.sources.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto & source = light.sources[i];
    for (std::size_t k = 0; k < 3; ++k) {
      const auto e = static_cast<Eigen::Index>(k);
      position[4 * i + k] = source.position[e];
      axis[4 * i + k] = source.axis[e];
      colour[4 * i + k] = source.colour[e];
      fade[4 * i + k] = source.fade[e];
    }
    position[4 * i + 3] = source.position[3];
    axis[4 * i + 3] = source.cosine_outer;
    colour[4 * i + 3] = source.cosine_inner;
    fade[4 * i + 3] = static_cast<float>(source.shadow);
  }
  for (const auto & parameters : {plain_, textured_}) {
    parameters->setNamedConstant("light_count", static_cast<float>(count));
    parameters->setNamedConstant("light_position", position.data(), n, 4);
    parameters->setNamedConstant("light_axis", axis.data(), n, 4);
    parameters->setNamedConstant("light_colour", colour.data(), n, 4);
    parameters->setNamedConstant("light_fade", fade.data(), n, 4);
    if (!light.shadow_matrices.empty()) {
      parameters->setNamedConstant(
        "shadow_matrix", light.shadow_matrices.data(), light.shadow_matrices.size());
    }
    std::array<float, 8> sizes{};
    for (std::size_t i = 0; i < std::min<std::size_t>(2, light.shadow_sizes.size()); ++i) {
      sizes[4 * i] = light.shadow_sizes[i].x();
      sizes[4 * i + 1] = light.shadow_sizes[i].y();
    }
    parameters->setNamedConstant("shadow_size", sizes.data(), 2, 4);
  }
}

ambf_adf::expected<Ogre::TexturePtr, std::string> Engine::texture(const std::string & file)
{
  auto & textures = Ogre::TextureManager::getSingleton();
  if (auto known = textures.getByName(file, kGroup)) {return known;}
  std::ifstream in(file, std::ios::binary);
  if (!in) {return tl::unexpected(file + ": cannot be read");}
  std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  try {
    Ogre::DataStreamPtr stream(new Ogre::MemoryDataStream(bytes.data(), bytes.size(), false, true));
    std::string ending = std::filesystem::path(file).extension().string();
    Ogre::Image image;
    image.load(stream, ending.empty() ? ending : ending.substr(1));
    return textures.loadImage(file, kGroup, image, Ogre::TEX_TYPE_2D, Ogre::MIP_UNLIMITED);
  } catch (const Ogre::Exception & error) {
    return tl::unexpected(file + ": " + error.getDescription());
  }
}

Ogre::MeshPtr Engine::mesh(const std::string & name, const Surface & surface, bool dynamic)
{
  auto & buffers = Ogre::HardwareBufferManager::getSingleton();
  const auto usage = dynamic ? Ogre::HardwareBuffer::HBU_DYNAMIC_WRITE_ONLY : Ogre::HardwareBuffer::HBU_STATIC_WRITE_ONLY;
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
  auto uv = buffers.createVertexBuffer(8, data->vertexCount, Ogre::HardwareBuffer::HBU_STATIC_WRITE_ONLY);
  uv->writeData(0, uv->getSizeInBytes(), surface.texture_coordinates.data(), true);
  data->vertexBufferBinding->setBinding(1, uv);
  auto indices = buffers.createIndexBuffer(
    Ogre::HardwareIndexBuffer::IT_32BIT, surface.triangles.size(), Ogre::HardwareBuffer::HBU_STATIC_WRITE_ONLY);
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
    for (int c = 0; c < 4; ++c) {out[static_cast<std::size_t>(r)][c] = f(r, c);}
  }
  return out;
}

}  // namespace ambf_render
