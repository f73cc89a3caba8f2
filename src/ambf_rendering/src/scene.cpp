// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_rendering/scene.hpp"

#include <algorithm>

#include "shaders.hpp"

namespace ambf_rendering
{

namespace
{

/// Bodies larger than this that cannot move are surroundings: shadows need not cover them.
constexpr double kSurroundings = 1.2;  // [m]
/// A fixed body that is as wide as this in both directions is a floor, or a room with one; a table is not.
constexpr float kFloor = 2.0F;  // [m]

}  // namespace

Scene::Scene(Engine & engine, Warn warn) : engine_(engine), library_(engine, warn)
{
  ogre_ = engine_.root().createSceneManager();
  text_ = std::make_unique<TextLayer>(engine_, *ogre_, warn);
  shadows_ = std::make_unique<ShadowCaster>(engine_, *ogre_);
  painter_ = std::make_unique<BodyPainter>(engine_, *ogre_, library_);
  surroundings_ = std::make_unique<Surroundings>(engine_, *ogre_);
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
  surroundings_->set_floor(has_floor());
  touch();
}

void Scene::remove(const std::string & model_name)
{
  models_.erase(model_name);
  for (auto & body : bodies_) {
    if (!body.used || body.model != model_name) { continue; }
    painter_->destroy(body.visual.node);
    body_by_name_.erase(body.qualified);
    body = Body{};
  }
  for (auto & soft : soft_bodies_) {
    if (soft.model != model_name) { continue; }
    soft_by_name_.erase(soft.qualified);
    soft = SoftBody{};
  }
  std::erase_if(ghosts_, [&](const Ghost & ghost) {
    if (ghost.model != model_name) { return false; }
    painter_->destroy(ghost.visual.node);
    return true;
  });
  std::set<const Ogre::Mesh *> used;
  const auto keep = [&](const BodyVisual & visual) {
    for (const auto * entity : visual.entities) { used.insert(entity->getMesh().get()); }
  };
  for (const auto & body : bodies_) { keep(body.visual); }
  for (const auto & ghost : ghosts_) { keep(ghost.visual); }
  library_.keep_only(used);
  surroundings_->set_floor(has_floor());
  touch();
}

void Scene::add_body(const ambf_adf::RigidBody & source, const std::string & model)
{
  const Handle handle = bodies_.size();
  bodies_.push_back(
    {source.header.qualified, model, painter_->draw(source), source.mass, /*used=*/true});
  body_by_name_[source.header.qualified] = handle;
  painter_->draw_collision(bodies_.back().visual, source, collision_shown_);
  identify(handle, static_cast<std::uint32_t>(handle + 1));
}

void Scene::add_ghost(const ambf_adf::GhostObject & source, const std::string & model)
{
  ghosts_.push_back({model, source.parent, painter_->draw(source), source.location.isometry()});
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
  // Shadows are drawn anew only for what moves.
  if (move_node(*bodies_[body].visual.node, position, orientation)) { touch(); }
}

Eigen::Isometry3d Scene::pose(Handle body) const
{
  const Ogre::SceneNode * node = bodies_[body].visual.node;
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
    // A ghost casts no shadow.
    if (move_node(*ghost.visual.node, t.translation(), Eigen::Quaterniond(t.linear()))) {
      ++version_;
    }
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
  set_identity(bodies_[body].visual.entities, identity);
}

void Scene::identify_soft(Handle soft_body, std::uint32_t identity)
{
  set_identity({soft_bodies_[soft_body].visual->entity()}, identity);
}

void Scene::show(Handle body, bool visible)
{
  for (auto * entity : bodies_[body].visual.entities) { entity->setVisible(visible); }
  touch();
}

void Scene::set_lamps(const std::vector<Lamp> & lamps)
{
  if (lamps.size() > static_cast<std::size_t>(shaders::kMaxLights)) {
    library_.warn_once(
      "lights", std::to_string(lamps.size()) +
                  " lights: found more than the renderer can draw, only the first " +
                  std::to_string(shaders::kMaxLights) + " give light");
  }
  if (lamps == lamps_) { return; }
  lamps_ = lamps;
  touch();
}

bool Scene::has_floor() const
{
  const auto spans = [](const Ogre::Entity * entity) {
    const Ogre::Vector3 size = entity->getWorldBoundingBox(true).getSize();
    return size.x >= kFloor && size.y >= kFloor;
  };
  return std::any_of(bodies_.begin(), bodies_.end(), [&](const Body & body) {
    return body.used && body.mass == 0.0 &&
           std::any_of(body.visual.entities.begin(), body.visual.entities.end(), spans);
  });
}

void Scene::show_collision_shapes(bool shown)
{
  collision_shown_ = shown;
  for (auto & body : bodies_) {
    for (auto * entity : body.visual.collision) { entity->setVisible(shown); }
  }
}

Scene::Focus Scene::focus() const
{
  Ogre::AxisAlignedBox box;
  const auto merge = [&](const Body & body) {
    const Ogre::Vector3 r(body.visual.radius), p = body.visual.node->_getDerivedPosition();
    box.merge(Ogre::AxisAlignedBox(p - r, p + r));
  };
  for (const auto & body : bodies_) {
    const bool surroundings = body.mass == 0.0 && body.visual.radius > kSurroundings;
    if (body.used && !body.visual.entities.empty() && !surroundings) { merge(body); }
  }
  for (const auto & soft : soft_bodies_) {
    if (soft.visual) { box.merge(soft.visual->bounds()); }
  }
  for (const auto & body : bodies_) {
    if (box.isNull() && body.used && !body.visual.entities.empty()) { merge(body); }
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
    for (const auto * entity : bodies_[*handle].visual.entities) {
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
    for (const auto * entities : {&body.visual.entities, &body.visual.collision}) {
      for (const auto * entity : *entities) {
        for (const auto * sub : entity->getMesh()->getSubMeshes()) {
          count += sub->indexData->indexCount / 3;
        }
      }
    }
  }
  return count;
}

}  // namespace ambf_rendering
