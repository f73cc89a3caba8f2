// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_rendering/materials.hpp"

#include <array>
#include <cstdio>
#include <stdexcept>

#include "shaders.hpp"

namespace ambf_rendering
{

namespace
{

const char * const kGroup = "ambf";

void make_program(const std::string & name, const std::string & source, Ogre::GpuProgramType type)
{
  auto program =
    Ogre::HighLevelGpuProgramManager::getSingleton().createProgram(name, kGroup, "glsl", type);
  program->setSource(source);
  program->load();
  if (program->hasCompileError()) {
    throw std::runtime_error("the GL driver does not compile the shader '" + name + "'");
  }
}

}  // namespace

/// Gives every material the technique of a scheme that it does not know itself.
class Materials::Schemes : public Ogre::MaterialManager::Listener
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
Materials::Materials() { make_all(); }

Materials::~Materials()
{
  for (const auto & [name, material] : schemes_->techniques) {
    Ogre::MaterialManager::getSingleton().removeListener(schemes_.get(), name);
  }
}

void Materials::use_programs(
  Ogre::Pass & pass, const std::string & vertex, const std::string & fragment) const
{
  pass.setVertexProgram(vertex);
  pass.setFragmentProgram(fragment);
  const auto name = [](
                      const Ogre::GpuProgramParametersSharedPtr & parameters, const char * constant,
                      Ogre::GpuProgramParameters::AutoConstantType type, Ogre::uint32 extra = 0) {
    if (parameters->_findNamedConstantDefinition(constant, false)) {
      parameters->setNamedAutoConstant(constant, type, extra);
    }
  };
  using P = Ogre::GpuProgramParameters;
  for (const auto & parameters :
       {pass.getVertexProgramParameters(), pass.getFragmentProgramParameters()}) {
    name(parameters, "world", P::ACT_WORLD_MATRIX);
    name(parameters, "world_view", P::ACT_WORLDVIEW_MATRIX);
    name(parameters, "world_view_projection", P::ACT_WORLDVIEWPROJ_MATRIX);
    name(parameters, "eye", P::ACT_CAMERA_POSITION);
    name(parameters, "diffuse", P::ACT_SURFACE_DIFFUSE_COLOUR);
    name(parameters, "specular", P::ACT_SURFACE_SPECULAR_COLOUR);
    name(parameters, "emission", P::ACT_SURFACE_EMISSIVE_COLOUR);
    name(parameters, "shininess", P::ACT_SURFACE_SHININESS);
    name(parameters, "identity", P::ACT_CUSTOM, 0);
    name(parameters, "flip", P::ACT_RENDER_TARGET_FLIPPING);
  }
}

void Materials::make_all()
{
  const std::string version = "#version 330 core\n";
  using Ogre::GPT_FRAGMENT_PROGRAM;
  using Ogre::GPT_VERTEX_PROGRAM;
  make_program("surface.vert", shaders::surface_vertex, GPT_VERTEX_PROGRAM);
  make_program("surface.frag", version + shaders::surface_fragment, GPT_FRAGMENT_PROGRAM);
  make_program(
    "textured.frag", version + "#define TEXTURED\n" + shaders::surface_fragment,
    GPT_FRAGMENT_PROGRAM);
  make_program("depth.frag", shaders::depth_fragment, GPT_FRAGMENT_PROGRAM);
  make_program("identity.frag", shaders::identity_fragment, GPT_FRAGMENT_PROGRAM);
  make_program("caster.frag", shaders::caster_fragment, GPT_FRAGMENT_PROGRAM);
  make_program("backdrop.frag", shaders::backdrop_fragment, GPT_FRAGMENT_PROGRAM);
  make_program("grid.frag", shaders::grid_fragment, GPT_FRAGMENT_PROGRAM);
  make_program("line.vert", shaders::line_vertex, GPT_VERTEX_PROGRAM);
  make_program("line.frag", shaders::line_fragment, GPT_FRAGMENT_PROGRAM);
  make_program("text.vert", shaders::text_vertex, GPT_VERTEX_PROGRAM);
  make_program("text.frag", shaders::text_fragment, GPT_FRAGMENT_PROGRAM);

  auto & materials = Ogre::MaterialManager::getSingleton();
  const auto make =
    [&](const std::string & name, const std::string & vertex, const std::string & fragment) {
      auto material = materials.create(name, kGroup);
      Ogre::Pass * pass = material->getTechnique(0)->getPass(0);
      pass->setCullingMode(Ogre::CULL_NONE);
      use_programs(*pass, vertex, fragment);
      return material;
    };
  schemes_ = std::make_unique<Schemes>();
  for (const auto & [name, fragment] : std::map<std::string, std::string>{
         {scheme::depth, "depth.frag"},
         {scheme::identity, "identity.frag"},
         {scheme::caster, "caster.frag"}}) {
    auto material = make(name, "surface.vert", fragment);
    if (name == scheme::caster) {
      material->getTechnique(0)->getPass(0)->setDepthBias(-2.0F, -2.0F);  // away from the light
    }
    material->load();
    schemes_->techniques.emplace(name, material);
    materials.addListener(schemes_.get(), name);
  }

  Ogre::Pass * backdrop =
    make("backdrop", "surface.vert", "backdrop.frag")->getTechnique(0)->getPass(0);
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
  grid->getFragmentProgramParameters()->setNamedConstant(
    "line_colour", Ogre::Vector4(0.16F, 0.19F, 0.24F, 0.4F));
  grid->getFragmentProgramParameters()->setNamedConstant("spacing", 0.1F);

  Ogre::Pass * text = make("text", "text.vert", "text.frag")->getTechnique(0)->getPass(0);
  text->setSceneBlending(Ogre::SBT_TRANSPARENT_ALPHA);
  text->setDepthCheckEnabled(false);
  text->setDepthWriteEnabled(false);
  auto * glyphs = text->createTextureUnitState();
  glyphs->setTextureAddressingMode(Ogre::TAM_CLAMP);
  glyphs->setTextureFiltering(Ogre::TFO_NONE);

  Ogre::Pass * through =
    make("line_through", "line.vert", "line.frag")->getTechnique(0)->getPass(0);
  through->setDepthCheckEnabled(false);
  through->setDepthWriteEnabled(false);

  // A first material of each kind makes the parameters that all others of its kind share.
  for (const bool map : {false, true}) {
    auto material =
      make(map ? "textured" : "plain", "surface.vert", map ? "textured.frag" : "surface.frag");
    auto parameters = material->getTechnique(0)->getPass(0)->getFragmentProgramParameters();
    parameters->setNamedConstant("sky", Ogre::Vector4(0.66F, 0.70F, 0.76F, 1));
    parameters->setNamedConstant("ground", Ogre::Vector4(0.30F, 0.29F, 0.28F, 1));
    parameters->setNamedConstant("shadow_map0", 0);
    parameters->setNamedConstant("shadow_map1", 1);
    if (map) { parameters->setNamedConstant("colour_map", 2); }
    (map ? textured_ : plain_) = parameters;
  }
}

Ogre::MaterialPtr Materials::surface(
  const ambf_adf::Material & colour, const Ogre::TexturePtr & map)
{
  std::string name;
  char text[32];
  const auto add = [&](double value) {
    std::snprintf(text, sizeof(text), "%.4f ", value);
    name += text;
  };
  for (const auto & c : {colour.diffuse, colour.specular, colour.emission}) {
    for (int k = 0; k < 3; ++k) { add(c[k]); }
  }
  add(colour.shininess);
  add(colour.alpha);
  if (map) { name += map->getName(); }
  auto & materials = Ogre::MaterialManager::getSingleton();
  if (auto known = materials.getByName(name, kGroup)) { return known; }
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
  surfaces_.push_back(material);
  return material;
}

Ogre::MaterialPtr Materials::named(const std::string & name)
{
  return Ogre::MaterialManager::getSingleton().getByName(name, kGroup);
}

void Materials::set_shadow_map(int index, const Ogre::TexturePtr & map)
{
  const auto at = static_cast<std::size_t>(index);
  if (shadow_maps_.size() <= at) { shadow_maps_.resize(at + 1); }
  shadow_maps_[at] = map;
  for (const auto & material : surfaces_) {
    material->getTechnique(0)
      ->getPass(0)
      ->getTextureUnitState(static_cast<unsigned short>(index))
      ->setTexture(map);
  }
}

void Materials::illuminate(const Illumination & light)
{
  constexpr std::size_t n = shaders::kMaxLights;
  std::array<float, 4 * n> position{}, axis{}, colour{}, fade{}, spot{};
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
    spot[4 * i] = source.exponent;
  }
  for (const auto & parameters : {plain_, textured_}) {
    parameters->setNamedConstant("light_count", static_cast<float>(count));
    parameters->setNamedConstant("light_position", position.data(), n, 4);
    parameters->setNamedConstant("light_axis", axis.data(), n, 4);
    parameters->setNamedConstant("light_colour", colour.data(), n, 4);
    parameters->setNamedConstant("light_fade", fade.data(), n, 4);
    parameters->setNamedConstant("light_spot", spot.data(), n, 4);
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
}  // namespace ambf_rendering
