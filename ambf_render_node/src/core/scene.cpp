#include "scene.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "shaders.hpp"

namespace ambf_render
{

namespace
{

/// Bodies larger than this that cannot move are surroundings: shadows need not cover them.
constexpr double kSurroundings = 1.2;  // [m]

ambf_adf::Material coloured(double r, double g, double b, double alpha = 1.0)
{
  ambf_adf::Material material;
  material.diffuse = {r, g, b};
  material.alpha = alpha;
  return material;
}

std::string primitive_name(const ambf_adf::Primitive & shape)
{
  char text[160] = "";
  std::visit(
    [&](const auto & s) {
      using T = std::decay_t<decltype(s)>;
      if constexpr (std::is_same_v<T, ambf_adf::Box>) {
        std::snprintf(text, sizeof(text), "box %.9g %.9g %.9g", s.size.x(), s.size.y(), s.size.z());
      } else if constexpr (std::is_same_v<T, ambf_adf::Sphere>) {
        std::snprintf(text, sizeof(text), "sphere %.9g", s.radius);
      } else if constexpr (std::is_same_v<T, ambf_adf::Plane>) {
        std::snprintf(
          text, sizeof(text), "plane %.9g %.9g %.9g %.9g", s.normal.x(), s.normal.y(), s.normal.z(), s.offset);
      } else {
        std::snprintf(
          text, sizeof(text), "round %zu %.9g %.9g %d", ambf_adf::Primitive(s).index(), s.radius, s.height,
          static_cast<int>(s.axis));
      }
    }, shape);
  return text;
}

void set_identity(const std::vector<Ogre::Entity *> & entities, std::uint32_t identity)
{
  const auto byte = [&](int shift) {return static_cast<float>((identity >> shift) & 0xffU) / 255.0F;};
  const Ogre::Vector4 value(byte(16), byte(8), byte(0), 1.0F);
  for (Ogre::Entity * entity : entities) {
    for (std::size_t i = 0; i < entity->getNumSubEntities(); ++i) {
      entity->getSubEntity(i)->setCustomParameter(0, value);
    }
  }
}

}  // namespace

Scene::Scene(Engine & engine, Warn warn)
: engine_(engine), warn_(std::move(warn))
{
  ogre_ = engine_.root().createSceneManager();
  shadows_ = std::make_unique<ShadowCaster>(engine_, *ogre_);

  const auto sphere = engine_.mesh(engine_.unique("backdrop"), to_surface(ambf_adf::Sphere{1.0}));
  backdrop_ = ogre_->createEntity(sphere);
  backdrop_->setMaterial(engine_.material("backdrop"));
  backdrop_->setRenderQueueGroup(Ogre::RENDER_QUEUE_BACKGROUND);
  backdrop_->setVisibilityFlags(layer::surroundings);
  backdrop_->setCastShadows(false);
  backdrop_node_ = ogre_->getRootSceneNode()->createChildSceneNode();
  backdrop_node_->attachObject(backdrop_);

  const auto plane = engine_.mesh(engine_.unique("grid"), to_surface(ambf_adf::Plane{}));
  grid_ = ogre_->createEntity(plane);
  grid_->setMaterial(engine_.material("grid"));
  grid_->setVisibilityFlags(layer::surroundings);
  ogre_->getRootSceneNode()->createChildSceneNode()->attachObject(grid_);
}

Scene::~Scene()
{
  shadows_.reset();
  engine_.root().destroySceneManager(ogre_);
  const auto drop = [](const Ogre::MeshPtr & mesh) {Ogre::MeshManager::getSingleton().remove(mesh);};
  for (auto & [name, shared] : meshes_) {drop(shared.mesh);}
  for (auto & [name, mesh] : primitives_) {drop(mesh);}
  for (auto & soft : soft_bodies_) {
    if (soft.used) {drop(soft.mesh);}
  }
}

void Scene::warn_once(const std::string & key, const std::string & text)
{
  if (warned_.insert(key).second && warn_) {warn_(text);}
}

bool Scene::has(const std::string & model_name) const {return models_.count(model_name) > 0;}

void Scene::add(const ambf_adf::Model & model)
{
  models_.insert(model.name);
  for (const auto & body : model.bodies) {add_body(body, model.name);}
  for (const auto & soft : model.soft_bodies) {add_soft(soft, model.name);}
  for (const auto & volume : model.volumes) {
    warn_once("volume " + volume.header.qualified,
      "volume '" + volume.header.name + "' is not drawn: volumes are not supported");
  }
  moved_ = true;
}

void Scene::remove(const std::string & model_name)
{
  models_.erase(model_name);
  for (auto & body : bodies_) {
    if (!body.used || body.model != model_name) {continue;}
    destroy(body.node);
    body_by_name_.erase(body.qualified);
    body = Body{};
  }
  for (auto & soft : soft_bodies_) {
    if (!soft.used || soft.model != model_name) {continue;}
    destroy(soft.node);
    Ogre::MeshManager::getSingleton().remove(soft.mesh);
    soft_by_name_.erase(soft.qualified);
    soft = SoftBody{};
  }
  moved_ = true;
}

void Scene::destroy(Ogre::SceneNode * node)
{
  std::vector<Ogre::MovableObject *> attached(
    node->getAttachedObjects().begin(), node->getAttachedObjects().end());
  for (auto * object : attached) {ogre_->destroyMovableObject(object);}
  std::vector<Ogre::Node *> children(node->getChildren().begin(), node->getChildren().end());
  for (auto * child : children) {destroy(static_cast<Ogre::SceneNode *>(child));}
  ogre_->destroySceneNode(node);
}

const Scene::SharedMesh * Scene::load(const std::string & file)
{
  if (const auto it = meshes_.find(file); it != meshes_.end()) {return &it->second;}
  const auto mesh = files_.get(file);
  if (!mesh) {
    warn_once(file, mesh.error().file + ": " + mesh.error().reason);
    return nullptr;
  }
  const Surface surface = to_surface(**mesh);
  if (surface.triangles.empty()) {
    warn_once(file, file + ": the mesh has no triangles");
    return nullptr;
  }
  SharedMesh shared;
  shared.mesh = engine_.mesh(engine_.unique(file), surface);
  for (const auto & part : surface.parts) {
    ambf_adf::Material material;
    Ogre::TexturePtr map;
    if (part.material < (*mesh)->materials.size()) {
      const auto & own = (*mesh)->materials[part.material];
      material = own.color;
      if (!own.diffuse_texture.empty()) {
        const auto path = std::filesystem::path(file).parent_path() / own.diffuse_texture;
        if (auto texture = engine_.texture(path.string())) {
          map = *texture;
          // Exporters write black or grey beside a texture and mean the texture.
          if (material.diffuse.maxCoeff() < 0.05) {material.diffuse.setOnes();}
        } else {
          warn_once(path.string(), "texture is drawn in plain magenta: " + texture.error());
          material = coloured(1.0, 0.0, 1.0);
        }
      }
    }
    shared.materials.push_back(material);
    shared.textures.push_back(map);
  }
  return &meshes_.emplace(file, std::move(shared)).first->second;
}

Ogre::MeshPtr Scene::primitive_mesh(const ambf_adf::Primitive & shape)
{
  const std::string name = primitive_name(shape);
  auto & mesh = primitives_[name];
  if (!mesh) {mesh = engine_.mesh(engine_.unique(name), to_surface(shape));}
  return mesh;
}

Ogre::Entity * Scene::attach(
  Ogre::SceneNode & parent, const Ogre::MeshPtr & mesh, const ambf_adf::Pose & offset, double scale)
{
  Ogre::Entity * entity = ogre_->createEntity(mesh);
  entity->setVisibilityFlags(layer::objects);
  Ogre::SceneNode * node = parent.createChildSceneNode(
    to_ogre(offset.position), to_ogre(Eigen::Quaterniond(offset.rotation())));
  node->setScale(Ogre::Vector3(static_cast<float>(scale)));
  node->attachObject(entity);
  for (const auto * sub : mesh->getSubMeshes()) {triangles_ += sub->indexData->indexCount / 3;}
  return entity;
}

void Scene::draw_shapes(
  std::vector<Ogre::Entity *> & out, Ogre::SceneNode & node, const ambf_adf::ShapeList & list,
  const ambf_adf::Material & material)
{
  for (const auto & shape : list.shapes) {
    Ogre::Entity * entity = attach(node, primitive_mesh(shape.shape), shape.offset, 1.0);
    entity->setMaterial(engine_.surface_material(material, nullptr));
    out.push_back(entity);
  }
}

void Scene::draw_placeholder(Body & body, double size)
{
  auto & mesh = primitives_["placeholder"];
  if (!mesh) {mesh = engine_.mesh(engine_.unique("placeholder"), placeholder());}
  Ogre::Entity * entity = attach(*body.node, mesh, {}, size);
  entity->setMaterial(engine_.surface_material(coloured(1.0, 0.0, 1.0), nullptr));
  body.entities.push_back(entity);
}

void Scene::draw_mesh(Body & body, const ambf_adf::RigidBody & source, const ambf_adf::MeshFile & file)
{
  if (file.file.empty()) {return;}  // a frame without a shape
  const SharedMesh * shared = file.path.empty() ? nullptr : load(file.path);
  if (shared == nullptr) {
    const auto * shapes = std::get_if<ambf_adf::ShapeList>(&source.collision);
    warn_once(
      "body " + source.header.qualified, "body '" + source.header.name + "': the mesh '" + file.file +
      "' cannot be drawn; it is shown as " + (shapes ? "its collision shape" : "a magenta cross"));
    if (shapes) {
      draw_shapes(body.entities, *body.node, *shapes, source.visual.material.value_or(coloured(1.0, 0.0, 1.0)));
    } else {
      draw_placeholder(body, 0.1 * source.scale);
    }
    return;
  }
  Ogre::Entity * entity = attach(*body.node, shared->mesh, {}, source.scale);
  for (std::size_t i = 0; i < shared->materials.size(); ++i) {
    const auto & material = source.visual.material ? *source.visual.material : shared->materials[i];
    // A description's colour tints a texture, as in AMBF.
    entity->getSubEntity(i)->setMaterial(engine_.surface_material(material, shared->textures[i]));
  }
  body.entities.push_back(entity);
}

void Scene::add_body(const ambf_adf::RigidBody & source, const std::string & model)
{
  Body body;
  body.used = true;
  body.qualified = source.header.qualified;
  body.model = model;
  body.mass = source.mass;
  body.node = ogre_->getRootSceneNode()->createChildSceneNode(
    to_ogre(source.location.position), to_ogre(Eigen::Quaterniond(source.location.rotation())));
  if (source.visual.visible) {
    if (const auto * file = std::get_if<ambf_adf::MeshFile>(&source.visual.geometry)) {
      draw_mesh(body, source, *file);
    } else if (const auto * list = std::get_if<ambf_adf::ShapeList>(&source.visual.geometry)) {
      draw_shapes(body.entities, *body.node, *list, source.visual.material.value_or(ambf_adf::Material{}));
    }
  }
  for (const Ogre::Entity * entity : body.entities) {
    const Ogre::Node * node = entity->getParentNode();
    body.radius = std::max(
      body.radius, node->getPosition().length() + node->getScale().x * entity->getBoundingRadius());
  }
  const Handle handle = bodies_.size();
  body_by_name_[body.qualified] = handle;
  bodies_.push_back(body);
  if (const auto * list = std::get_if<ambf_adf::ShapeList>(&source.collision)) {
    auto & added = bodies_.back();
    draw_shapes(added.collision, *added.node, *list, coloured(0.1, 0.8, 0.3, 0.35));
    for (Ogre::Entity * entity : added.collision) {
      entity->setVisibilityFlags(layer::overlays);
      entity->setVisible(collision_shown_);
      // Often the same triangles as the visual: drawn a little nearer, so that they do not flicker.
      entity->getSubEntity(0)->getMaterial()->getTechnique(0)->getPass(0)->setDepthBias(4.0F, 2.0F);
    }
  }
  identify(handle, static_cast<std::uint32_t>(handle + 1));
}

void Scene::add_soft(const ambf_adf::SoftBody & source, const std::string & model)
{
  const auto & file = source.collision_mesh;
  const auto mesh = files_.get(file.path);
  if (!mesh || (*mesh)->unified_triangles.empty()) {
    warn_once(
      "soft " + source.header.qualified, "soft body '" + source.header.name + "' is not drawn: the mesh '" +
      file.file + "' " + (mesh ? "has no triangles" : "cannot be read: " + mesh.error().reason));
    return;
  }
  SoftBody soft;
  soft.used = true;
  soft.qualified = source.header.qualified;
  soft.model = model;
  soft.node_count = (*mesh)->unified.size();
  soft.triangles = (*mesh)->unified_triangles;
  Surface surface;
  const Eigen::Isometry3d pose = source.location.isometry();
  std::vector<float> nodes;
  for (std::size_t i = 0; i < soft.node_count; ++i) {
    soft.to_node.push_back(static_cast<std::uint32_t>(i));
    const Eigen::Vector3f p = (pose * (source.scale * (*mesh)->unified[i])).cast<float>();
    nodes.insert(nodes.end(), {p.x(), p.y(), p.z()});
    surface.positions.push_back(p);
    surface.normals.push_back(Eigen::Vector3f::UnitZ());
    surface.texture_coordinates.emplace_back(0.0F, 0.0F);
  }
  // The texture coordinates of the first corner that touches a node.
  if ((*mesh)->texture_coordinates.size() == (*mesh)->vertices.size()) {
    for (std::size_t v = (*mesh)->vertices.size(); v-- > 0; ) {
      surface.texture_coordinates[(*mesh)->to_unified[v]] = (*mesh)->texture_coordinates[v];
    }
  }
  surface.triangles = soft.triangles;
  surface.parts = {{0, static_cast<std::uint32_t>(surface.triangles.size() / 3), 0}};
  soft.mesh = engine_.mesh(engine_.unique("soft"), surface, true);
  soft.node = ogre_->getRootSceneNode()->createChildSceneNode();
  soft.entity = ogre_->createEntity(soft.mesh);
  soft.entity->setVisibilityFlags(layer::objects);
  soft.entity->setVisible(source.visual.visible);
  Ogre::TexturePtr map;
  if (const SharedMesh * shared = load(file.path); shared && !shared->textures.empty()) {map = shared->textures[0];}
  soft.entity->setMaterial(
    engine_.surface_material(source.visual.material.value_or(ambf_adf::Material{}), map));
  soft.node->attachObject(soft.entity);
  const Handle handle = soft_bodies_.size();
  soft_by_name_[soft.qualified] = handle;
  soft_bodies_.push_back(std::move(soft));
  deform(handle, nodes);
  identify_soft(handle, static_cast<std::uint32_t>(0x800000U + handle));
}

std::optional<Scene::Handle> Scene::body(const std::string & qualified) const
{
  const auto it = body_by_name_.find(qualified);
  return it == body_by_name_.end() ? std::nullopt : std::optional<Handle>(it->second);
}

std::optional<Scene::Handle> Scene::soft_body(const std::string & qualified) const
{
  const auto it = soft_by_name_.find(qualified);
  return it == soft_by_name_.end() ? std::nullopt : std::optional<Handle>(it->second);
}

void Scene::place(Handle body, const Eigen::Vector3d & position, const Eigen::Quaterniond & orientation)
{
  Ogre::SceneNode * node = bodies_[body].node;
  node->setPosition(to_ogre(position));
  node->setOrientation(to_ogre(orientation));
  moved_ = true;
}

Eigen::Isometry3d Scene::pose(Handle body) const
{
  const Ogre::SceneNode * node = bodies_[body].node;
  const auto & p = node->getPosition();
  const auto & q = node->getOrientation();
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  t.translation() = Eigen::Vector3f(p.x, p.y, p.z).cast<double>();
  t.linear() = Eigen::Quaternionf(q.w, q.x, q.y, q.z).cast<double>().normalized().toRotationMatrix();
  return t;
}

void Scene::deform(Handle soft_body, std::span<const float> nodes)
{
  SoftBody & soft = soft_bodies_[soft_body];
  if (!soft.used) {return;}
  if (nodes.size() != 3 * soft.node_count) {
    warn_once(
      "nodes " + soft.qualified, "soft body '" + soft.qualified + "': found " +
      std::to_string(nodes.size() / 3) + " nodes, expected " + std::to_string(soft.node_count) +
      " as in its mesh; it is drawn as it was");
    return;
  }
  const auto node = [&](std::uint32_t i) {
      return Eigen::Vector3f(nodes[3 * i], nodes[3 * i + 1], nodes[3 * i + 2]);
    };
  std::vector<Eigen::Vector3f> normals(soft.node_count, Eigen::Vector3f::Zero());
  for (std::size_t t = 0; t + 2 < soft.triangles.size(); t += 3) {
    const auto a = soft.triangles[t], b = soft.triangles[t + 1], c = soft.triangles[t + 2];
    const Eigen::Vector3f n = (node(b) - node(a)).cross(node(c) - node(a));
    normals[a] += n;
    normals[b] += n;
    normals[c] += n;
  }
  Ogre::AxisAlignedBox bounds;
  auto buffer = soft.mesh->sharedVertexData->vertexBufferBinding->getBuffer(0);
  auto * out = static_cast<float *>(buffer->lock(Ogre::HardwareBuffer::HBL_DISCARD));
  float radius = 0.0F;
  for (const std::uint32_t i : soft.to_node) {
    const Eigen::Vector3f p = node(i), n = normals[i].normalized();
    for (const float value : {p.x(), p.y(), p.z(), n.x(), n.y(), n.z()}) {*out++ = value;}
    bounds.merge(Ogre::Vector3(p.x(), p.y(), p.z()));
    radius = std::max(radius, p.norm());
  }
  buffer->unlock();
  soft.mesh->_setBounds(bounds);
  soft.mesh->_setBoundingSphereRadius(radius);
  soft.node->needUpdate();
  moved_ = true;
}

void Scene::identify(Handle body, std::uint32_t identity) {set_identity(bodies_[body].entities, identity);}

void Scene::identify_soft(Handle soft_body, std::uint32_t identity)
{
  set_identity({soft_bodies_[soft_body].entity}, identity);
}

void Scene::show(Handle body, bool visible)
{
  for (auto * entity : bodies_[body].entities) {entity->setVisible(visible);}
  moved_ = true;
}

void Scene::set_lamps(const std::vector<Lamp> & lamps)
{
  if (lamps.size() > static_cast<std::size_t>(shaders::kMaxLights)) {
    warn_once("lights", std::to_string(lamps.size()) + " lights: only the first " +
      std::to_string(shaders::kMaxLights) + " shine");
  }
  lamps_ = lamps;
  moved_ = true;
}

void Scene::show_surroundings(bool backdrop, bool grid)
{
  backdrop_->setVisible(backdrop);
  grid_->setVisible(grid);
}

void Scene::surround(const Ogre::SceneNode & eye, const Lens & lens)
{
  backdrop_node_->setPosition(eye.getPosition());
  backdrop_node_->setScale(
    Ogre::Vector3(static_cast<float>(std::sqrt(lens.near_plane * lens.far_plane))));
}

void Scene::show_collision_shapes(bool shown)
{
  collision_shown_ = shown;
  for (auto & body : bodies_) {
    for (auto * entity : body.collision) {entity->setVisible(shown);}
  }
}

Scene::Focus Scene::focus() const
{
  Ogre::AxisAlignedBox box;
  const auto merge = [&](const Body & body) {
      const Ogre::Vector3 r(body.radius), p = body.node->_getDerivedPosition();
      box.merge(Ogre::AxisAlignedBox(p - r, p + r));
    };
  for (const auto & body : bodies_) {
    const bool surroundings = body.mass == 0.0 && body.radius > kSurroundings;
    if (body.used && !body.entities.empty() && !surroundings) {merge(body);}
  }
  for (const auto & soft : soft_bodies_) {
    if (soft.used) {box.merge(soft.mesh->getBounds());}
  }
  for (const auto & body : bodies_) {
    if (box.isNull() && body.used && !body.entities.empty()) {merge(body);}
  }
  if (!box.isFinite()) {return {};}
  const Ogre::Vector3 c = box.getCenter();
  return {{c.x, c.y, c.z}, std::clamp(0.5 * static_cast<double>(box.getSize().length()), 0.05, 4.0)};
}

void Scene::update_shadows()
{
  if (!moved_) {return;}
  moved_ = false;
  const Focus where = focus();
  // Shadows reach beyond what casts them.
  shadows_->draw(
    lamps_.empty() ? default_lamps(where.centre, where.radius) : lamps_, where.centre, 1.5 * where.radius);
}

std::size_t Scene::body_count() const
{
  return static_cast<std::size_t>(
    std::count_if(bodies_.begin(), bodies_.end(), [](const Body & body) {return body.used;}));
}

}  // namespace ambf_render
