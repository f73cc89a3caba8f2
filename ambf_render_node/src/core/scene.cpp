// SPDX-License-Identifier: BSD-3-Clause
#include "scene.hpp"

#include <algorithm>
#include <cmath>

#include "shaders.hpp"

namespace ambf_render
{

namespace
{

/// Bodies larger than this that cannot move are surroundings: shadows need not cover them.
constexpr double kSurroundings = 1.2;  // [m]
/// A fixed body that is as wide as this in both directions is a floor, or a room with one; a table is not.
constexpr float kFloor = 2.0F;  // [m]

ambf_adf::Material coloured(double r, double g, double b, double alpha = 1.0)
{
  ambf_adf::Material material;
  material.diffuse = {r, g, b};
  material.alpha = alpha;
  return material;
}

void set_identity(const std::vector<Ogre::Entity *> & entities, std::uint32_t identity)
{
  const auto byte = [&](int shift) {
    return static_cast<float>((identity >> shift) & 0xffU) / 255.0F;
  };
  const Ogre::Vector4 value(byte(16), byte(8), byte(0), 1.0F);
  for (Ogre::Entity * entity : entities) {
    for (std::size_t i = 0; i < entity->getNumSubEntities(); ++i) {
      entity->getSubEntity(i)->setCustomParameter(0, value);
    }
  }
}

}  // namespace

Scene::Scene(Engine & engine, Warn warn) : engine_(engine), library_(engine, warn)
{
  ogre_ = engine_.root().createSceneManager();
  text_ = std::make_unique<TextLayer>(engine_, *ogre_, warn);
  shadows_ = std::make_unique<ShadowCaster>(engine_, *ogre_);

  const auto sphere = engine_.mesh(engine_.unique("backdrop"), to_surface(ambf_adf::Sphere{1.0}));
  backdrop_ = ogre_->createEntity(sphere);
  backdrop_->setMaterial(engine_.materials().named("backdrop"));
  backdrop_->setRenderQueueGroup(Ogre::RENDER_QUEUE_BACKGROUND);
  backdrop_->setVisibilityFlags(layer::surroundings);
  backdrop_->setCastShadows(false);
  backdrop_node_ = ogre_->getRootSceneNode()->createChildSceneNode();
  backdrop_node_->attachObject(backdrop_);

  const auto plane = engine_.mesh(engine_.unique("grid"), to_surface(ambf_adf::Plane{}));
  grid_ = ogre_->createEntity(plane);
  grid_->setMaterial(engine_.materials().named("grid"));
  grid_->setVisibilityFlags(layer::grid);
  ogre_->getRootSceneNode()->createChildSceneNode()->attachObject(grid_);
}

Scene::~Scene()
{
  soft_bodies_.clear();
  shadows_.reset();
  text_.reset();
  engine_.root().destroySceneManager(ogre_);
}

bool Scene::has(const std::string & model_name) const { return models_.count(model_name) > 0; }

void Scene::add(const ambf_adf::Model & model)
{
  models_.insert(model.name);
  for (const auto & body : model.bodies) { add_body(body, model.name); }
  for (const auto & soft : model.soft_bodies) { add_soft(soft, model.name); }
  for (const auto & ghost : model.ghost_objects) { add_ghost(ghost, model.name); }
  for (const auto & volume : model.volumes) {
    library_.warn_once(
      "volume " + volume.header.qualified,
      "volume '" + volume.header.name + "' is not drawn: volumes are not supported");
  }
  grid_->setVisible(grid_wanted_ && !has_floor());
  touch();
}

void Scene::remove(const std::string & model_name)
{
  models_.erase(model_name);
  for (auto & body : bodies_) {
    if (!body.used || body.model != model_name) { continue; }
    destroy(body.node);
    body_by_name_.erase(body.qualified);
    body = Body{};
  }
  for (auto & soft : soft_bodies_) {
    if (soft.model != model_name) { continue; }
    soft_by_name_.erase(soft.qualified);
    soft = SoftBody{};
  }
  std::erase_if(ghosts_, [&](const Ghost & ghost) {
    if (ghost.shown.model != model_name) { return false; }
    destroy(ghost.shown.node);
    return true;
  });
  std::set<const Ogre::Mesh *> used;
  const auto keep = [&](const Body & body) {
    for (const auto * entity : body.entities) { used.insert(entity->getMesh().get()); }
  };
  for (const auto & body : bodies_) { keep(body); }
  for (const auto & ghost : ghosts_) { keep(ghost.shown); }
  library_.keep_only(used);
  grid_->setVisible(grid_wanted_ && !has_floor());
  touch();
}

void Scene::destroy(Ogre::SceneNode * node)
{
  std::vector<Ogre::MovableObject *> attached(
    node->getAttachedObjects().begin(), node->getAttachedObjects().end());
  for (auto * object : attached) { ogre_->destroyMovableObject(object); }
  std::vector<Ogre::Node *> children(node->getChildren().begin(), node->getChildren().end());
  for (auto * child : children) { destroy(static_cast<Ogre::SceneNode *>(child)); }
  ogre_->destroySceneNode(node);
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
  return entity;
}

void Scene::draw_shapes(
  std::vector<Ogre::Entity *> & out, Ogre::SceneNode & node, const ambf_adf::ShapeList & list,
  const std::optional<ambf_adf::Material> & material)
{
  for (const auto & shape : list.shapes) {
    if (const auto * part = std::get_if<ambf_adf::MeshPart>(&shape.shape)) {
      draw_mesh_part(out, node, *part, shape, material);
      continue;
    }
    Ogre::Entity * entity = attach(node, library_.primitive(shape.shape), shape.offset, 1.0);
    entity->setMaterial(engine_.materials().surface(
      shape.material.value_or(material.value_or(ambf_adf::Material{})), nullptr));
    out.push_back(entity);
  }
}

void Scene::draw_mesh_part(
  std::vector<Ogre::Entity *> & out, Ogre::SceneNode & node, const ambf_adf::MeshPart & part,
  const ambf_adf::PlacedShape & placed, const std::optional<ambf_adf::Material> & material)
{
  const auto loaded = library_.load(part.mesh.path);
  if (!loaded) {
    library_.warn_once(
      "mesh " + part.mesh.path, "the mesh '" + part.mesh.file + "' cannot be drawn: " +
                                  loaded.error() + "; magenta crosses are shown for it");
    Ogre::Entity * entity = attach(node, library_.missing(), placed.offset, 0.1);
    entity->setMaterial(engine_.materials().surface(placeholder_colour(), nullptr));
    out.push_back(entity);
    return;
  }
  const SharedMesh & shared = **loaded;
  Ogre::Entity * entity = attach(node, shared.mesh, placed.offset, 1.0);
  entity->getParentSceneNode()->setScale(to_ogre(part.scale));
  for (std::size_t i = 0; i < shared.parts.size(); ++i) {
    const auto & own = shared.parts[i];
    // The part's colour, the body's, the file's.
    const auto & colour = placed.material ? placed.material : material;
    entity->getSubEntity(i)->setMaterial(
      engine_.materials().surface(colour && !own.broken ? *colour : own.material, own.texture));
  }
  out.push_back(entity);
}

void Scene::draw_placeholder(Body & body, double size)
{
  Ogre::Entity * entity = attach(*body.node, library_.missing(), {}, size);
  entity->setMaterial(engine_.materials().surface(placeholder_colour(), nullptr));
  body.entities.push_back(entity);
}

void Scene::draw_mesh(
  Body & body, const ambf_adf::RigidBody & source, const ambf_adf::MeshFile & file)
{
  if (file.file.empty()) { return; }  // a frame without a shape
  const auto loaded = file.path.empty() ? tl::unexpected(std::string("there is no such file"))
                                        : library_.load(file.path);
  if (!loaded) {
    const auto * shapes = std::get_if<ambf_adf::ShapeList>(&source.collision);
    library_.warn_once(
      "mesh " + (file.path.empty() ? file.file : file.path),
      "body '" + source.header.name + "': the mesh '" + file.file +
        "' cannot be drawn: " + loaded.error() + "; this body and others with it are shown as " +
        (shapes ? "their collision shapes" : "magenta crosses"));
    if (shapes) {
      draw_shapes(
        body.entities, *body.node, *shapes, source.visual.material.value_or(placeholder_colour()));
    } else {
      draw_placeholder(body, 0.1 * source.scale);
    }
    return;
  }
  const SharedMesh * shared = *loaded;
  Ogre::Entity * entity = attach(*body.node, shared->mesh, {}, source.scale);
  for (std::size_t i = 0; i < shared->parts.size(); ++i) {
    const auto & part = shared->parts[i];
    // A description's colour tints a texture, as in AMBF.
    const auto & material =
      source.visual.material && !part.broken ? *source.visual.material : part.material;
    entity->getSubEntity(i)->setMaterial(engine_.materials().surface(material, part.texture));
  }
  body.entities.push_back(entity);
}

Scene::Body Scene::draw(const ambf_adf::RigidBody & source, const std::string & model)
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
      draw_shapes(body.entities, *body.node, *list, source.visual.material);
    }
  }
  for (const Ogre::Entity * entity : body.entities) {
    const Ogre::Node * node = entity->getParentNode();
    const Ogre::Vector3 & scale = node->getScale();
    const float largest = std::max({std::abs(scale.x), std::abs(scale.y), std::abs(scale.z)});
    body.radius =
      std::max(body.radius, node->getPosition().length() + largest * entity->getBoundingRadius());
  }
  return body;
}

void Scene::add_body(const ambf_adf::RigidBody & source, const std::string & model)
{
  const Handle handle = bodies_.size();
  bodies_.push_back(draw(source, model));
  body_by_name_[bodies_.back().qualified] = handle;
  if (const auto * list = std::get_if<ambf_adf::ShapeList>(&source.collision)) {
    auto & added = bodies_.back();
    draw_shapes(added.collision, *added.node, *list, coloured(0.1, 0.8, 0.3, 0.35));
    for (Ogre::Entity * entity : added.collision) {
      entity->setVisibilityFlags(layer::overlays);
      entity->setVisible(collision_shown_);
      // Often the same triangles as the visual: drawn a little nearer, so that they do not flicker.
      for (auto * part : entity->getSubEntities()) {
        part->getMaterial()->getTechnique(0)->getPass(0)->setDepthBias(4.0F, 2.0F);
      }
    }
  }
  identify(handle, static_cast<std::uint32_t>(handle + 1));
}

void Scene::add_ghost(const ambf_adf::GhostObject & source, const std::string & model)
{
  ambf_adf::RigidBody shown;
  shown.header = source.header;
  shown.location = source.location;
  shown.mass = 0.0;
  shown.scale = source.scale;
  shown.visual = source.visual;
  shown.collision = source.collision;
  ghosts_.push_back({draw(shown, model), source.parent, source.location.isometry()});
  for (Ogre::Entity * entity : ghosts_.back().shown.entities) {
    entity->setVisibilityFlags(layer::ghosts);
    entity->setCastShadows(false);
  }
}

void Scene::add_soft(const ambf_adf::SoftBody & source, const std::string & model)
{
  const auto & file = source.collision_mesh;
  const auto mesh = library_.files().get(file.path);
  if (!mesh || (*mesh)->unified_triangles.empty()) {
    library_.warn_once(
      "soft " + source.header.qualified,
      "soft body '" + source.header.name + "' is not drawn: the mesh '" + file.file + "' " +
        (mesh ? "has no triangles" : "cannot be read: " + mesh.error().reason));
    return;
  }
  const Handle handle = soft_bodies_.size();
  soft_by_name_[source.header.qualified] = handle;
  soft_bodies_.push_back(
    {source.header.qualified, model,
     std::make_unique<SoftVisual>(engine_, *ogre_, library_, source, **mesh)});
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

void Scene::place(
  Handle body, const Eigen::Vector3d & position, const Eigen::Quaterniond & orientation)
{
  Ogre::SceneNode * node = bodies_[body].node;
  const Ogre::Vector3 p = to_ogre(position);
  const Ogre::Quaternion q = to_ogre(orientation);
  // Shadows are drawn anew only for what moves.
  if (p == node->getPosition() && q == node->getOrientation()) { return; }
  node->setPosition(p);
  node->setOrientation(q);
  touch();
}

Eigen::Isometry3d Scene::pose(Handle body) const
{
  const Ogre::SceneNode * node = bodies_[body].node;
  const auto & p = node->getPosition();
  const auto & q = node->getOrientation();
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  t.translation() = Eigen::Vector3f(p.x, p.y, p.z).cast<double>();
  t.linear() =
    Eigen::Quaternionf(q.w, q.x, q.y, q.z).cast<double>().normalized().toRotationMatrix();
  return t;
}

void Scene::place_ghosts()
{
  for (const auto & ghost : ghosts_) {
    const auto parent = body(ghost.parent);
    const Eigen::Isometry3d t =
      parent ? pose(*parent) * ghost.t_parent_ghost : ghost.t_parent_ghost;
    const Ogre::Vector3 p = to_ogre(Eigen::Vector3d(t.translation()));
    const Ogre::Quaternion q = to_ogre(Eigen::Quaterniond(t.linear()));
    Ogre::SceneNode * node = ghost.shown.node;
    if (p == node->getPosition() && q == node->getOrientation()) { continue; }
    node->setPosition(p);
    node->setOrientation(q);
    ++version_;  // casts no shadow
  }
}

void Scene::deform(Handle soft_body, std::span<const float> nodes)
{
  SoftBody & soft = soft_bodies_[soft_body];
  if (!soft.visual) { return; }
  if (!soft.visual->deform(nodes)) {
    library_.warn_once(
      "nodes " + soft.qualified, "soft body '" + soft.qualified + "': found " +
                                   std::to_string(nodes.size() / 3) + " nodes, expected " +
                                   std::to_string(soft.visual->node_count()) +
                                   " as in its mesh; it is drawn as it was");
    return;
  }
  touch();
}

void Scene::identify(Handle body, std::uint32_t identity)
{
  set_identity(bodies_[body].entities, identity);
}

void Scene::identify_soft(Handle soft_body, std::uint32_t identity)
{
  set_identity({soft_bodies_[soft_body].visual->entity()}, identity);
}

void Scene::show(Handle body, bool visible)
{
  for (auto * entity : bodies_[body].entities) { entity->setVisible(visible); }
  touch();
}

void Scene::set_lamps(const std::vector<Lamp> & lamps)
{
  if (lamps.size() > static_cast<std::size_t>(shaders::kMaxLights)) {
    library_.warn_once(
      "lights", std::to_string(lamps.size()) + " lights: only the first " +
                  std::to_string(shaders::kMaxLights) + " shine");
  }
  if (lamps == lamps_) { return; }
  lamps_ = lamps;
  touch();
}

void Scene::show_surroundings(bool backdrop, bool grid)
{
  backdrop_->setVisible(backdrop);
  grid_wanted_ = grid;
  grid_->setVisible(grid_wanted_ && !has_floor());
}

bool Scene::has_floor() const
{
  const auto spans = [](const Ogre::Entity * entity) {
    const Ogre::Vector3 size = entity->getWorldBoundingBox(true).getSize();
    return size.x >= kFloor && size.y >= kFloor;
  };
  return std::any_of(bodies_.begin(), bodies_.end(), [&](const Body & body) {
    return body.used && body.mass == 0.0 &&
           std::any_of(body.entities.begin(), body.entities.end(), spans);
  });
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
    for (auto * entity : body.collision) { entity->setVisible(shown); }
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
    if (body.used && !body.entities.empty() && !surroundings) { merge(body); }
  }
  for (const auto & soft : soft_bodies_) {
    if (soft.visual) { box.merge(soft.visual->bounds()); }
  }
  for (const auto & body : bodies_) {
    if (box.isNull() && body.used && !body.entities.empty()) { merge(body); }
  }
  if (!box.isFinite()) { return {}; }
  const Ogre::Vector3 c = box.getCenter();
  return {
    {c.x, c.y, c.z}, std::clamp(0.5 * static_cast<double>(box.getSize().length()), 0.05, 4.0)};
}

std::vector<Scene::Bounds> Scene::bounds(const std::string & qualified) const
{
  std::vector<Bounds> result;
  const auto to = [](const Ogre::Vector3 & v) {
    return Eigen::Vector3f(v.x, v.y, v.z).cast<double>().eval();
  };
  if (const auto handle = body(qualified)) {
    for (const auto * entity : bodies_[*handle].entities) {
      const Ogre::Node * node = entity->getParentNode();
      const Ogre::Quaternion q = node->_getDerivedOrientation();
      Bounds box;
      box.pose.translation() = to(node->_getDerivedPosition());
      box.pose.linear() =
        Eigen::Quaternionf(q.w, q.x, q.y, q.z).cast<double>().normalized().toRotationMatrix();
      const auto scale = static_cast<double>(node->_getDerivedScale().x);
      box.low = scale * to(entity->getBoundingBox().getMinimum());
      box.high = scale * to(entity->getBoundingBox().getMaximum());
      result.push_back(box);
    }
  } else if (const auto soft = soft_body(qualified)) {
    const auto & box = soft_bodies_[*soft].visual->bounds();
    result.push_back({Eigen::Isometry3d::Identity(), to(box.getMinimum()), to(box.getMaximum())});
  }
  return result;
}

std::optional<Scene::Focus> Scene::focus(const std::string & qualified) const
{
  Eigen::AlignedBox3d all;
  for (const auto & box : bounds(qualified)) {
    for (int corner = 0; corner < 8; ++corner) {
      all.extend(
        box.pose * Eigen::Vector3d(
                     corner & 1 ? box.high.x() : box.low.x(),
                     corner & 2 ? box.high.y() : box.low.y(),
                     corner & 4 ? box.high.z() : box.low.z()));
    }
  }
  if (all.isEmpty()) { return std::nullopt; }
  return Focus{all.center(), std::clamp(0.5 * all.diagonal().norm(), 0.01, 10.0)};
}

void Scene::update_shadows()
{
  if (!moved_) { return; }
  moved_ = false;
  const Focus where = focus();
  // Shadows reach beyond what casts them.
  shadows_->draw(
    lamps_.empty() ? default_lamps(where.centre, where.radius) : lamps_, where.centre,
    1.5 * where.radius);
}

std::size_t Scene::body_count() const
{
  return static_cast<std::size_t>(
    std::count_if(bodies_.begin(), bodies_.end(), [](const Body & body) { return body.used; }));
}

std::size_t Scene::triangle_count() const
{
  std::size_t count = 0;
  for (const auto & body : bodies_) {
    for (const auto * entities : {&body.entities, &body.collision}) {
      for (const auto * entity : *entities) {
        for (const auto * sub : entity->getMesh()->getSubMeshes()) {
          count += sub->indexData->indexCount / 3;
        }
      }
    }
  }
  return count;
}

}  // namespace ambf_render
