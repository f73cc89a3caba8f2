// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_rendering/body_visual.hpp"

#include <algorithm>
#include <variant>

namespace ambf_rendering
{

namespace
{

ambf_adf::Material coloured(double r, double g, double b, double alpha)
{
  ambf_adf::Material material;
  material.diffuse = {r, g, b};
  material.alpha = alpha;
  return material;
}

}  // namespace

BodyVisual BodyPainter::draw(const ambf_adf::RigidBody & source)
{
  BodyVisual visual;
  visual.node = ogre_.getRootSceneNode()->createChildSceneNode(
    to_ogre(source.location.position), to_ogre(Eigen::Quaterniond(source.location.rotation())));
  if (source.visual.visible) {
    if (const auto * file = std::get_if<ambf_adf::MeshFile>(&source.visual.geometry)) {
      draw_mesh(visual, source, *file);
    } else if (const auto * list = std::get_if<ambf_adf::ShapeList>(&source.visual.geometry)) {
      draw_shapes(visual.entities, *visual.node, *list, source.visual.material);
    }
  }
  for (const Ogre::Entity * entity : visual.entities) {
    const Ogre::Node * node = entity->getParentNode();
    const Ogre::Vector3 & scale = node->getScale();
    const float largest = std::max({std::abs(scale.x), std::abs(scale.y), std::abs(scale.z)});
    visual.radius =
      std::max(visual.radius, node->getPosition().length() + largest * entity->getBoundingRadius());
  }
  return visual;
}

BodyVisual BodyPainter::draw(const ambf_adf::GhostObject & source)
{
  ambf_adf::RigidBody shown;
  shown.header = source.header;
  shown.location = source.location;
  shown.mass = 0.0;
  shown.scale = source.scale;
  shown.visual = source.visual;
  shown.collision = source.collision;
  BodyVisual visual = draw(shown);
  for (Ogre::Entity * entity : visual.entities) {
    entity->setVisibilityFlags(layer::ghosts);
    entity->setCastShadows(false);
  }
  return visual;
}

void BodyPainter::draw_collision(
  BodyVisual & visual, const ambf_adf::RigidBody & source, bool shown)
{
  const auto * list = std::get_if<ambf_adf::ShapeList>(&source.collision);
  if (list == nullptr) { return; }
  draw_shapes(visual.collision, *visual.node, *list, coloured(0.1, 0.8, 0.3, 0.35));
  for (Ogre::Entity * entity : visual.collision) {
    entity->setVisibilityFlags(layer::overlays);
    entity->setVisible(shown);
    // Often the same triangles as the visual: drawn a little nearer, so that they do not flicker.
    for (auto * part : entity->getSubEntities()) {
      part->getMaterial()->getTechnique(0)->getPass(0)->setDepthBias(4.0F, 2.0F);
    }
  }
}

void BodyPainter::destroy(Ogre::SceneNode * node)
{
  std::vector<Ogre::MovableObject *> attached(
    node->getAttachedObjects().begin(), node->getAttachedObjects().end());
  for (auto * object : attached) { ogre_.destroyMovableObject(object); }
  std::vector<Ogre::Node *> children(node->getChildren().begin(), node->getChildren().end());
  for (auto * child : children) { destroy(static_cast<Ogre::SceneNode *>(child)); }
  ogre_.destroySceneNode(node);
}

Ogre::Entity * BodyPainter::attach(
  Ogre::SceneNode & parent, const Ogre::MeshPtr & mesh, const ambf_adf::Pose & offset, double scale)
{
  Ogre::Entity * entity = ogre_.createEntity(mesh);
  entity->setVisibilityFlags(layer::objects);
  Ogre::SceneNode * node = parent.createChildSceneNode(
    to_ogre(offset.position), to_ogre(Eigen::Quaterniond(offset.rotation())));
  node->setScale(Ogre::Vector3(static_cast<float>(scale)));
  node->attachObject(entity);
  return entity;
}

void BodyPainter::draw_shapes(
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

void BodyPainter::draw_mesh_part(
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

void BodyPainter::draw_placeholder(BodyVisual & visual, double size)
{
  Ogre::Entity * entity = attach(*visual.node, library_.missing(), {}, size);
  entity->setMaterial(engine_.materials().surface(placeholder_colour(), nullptr));
  visual.entities.push_back(entity);
}

void BodyPainter::draw_mesh(
  BodyVisual & visual, const ambf_adf::RigidBody & source, const ambf_adf::MeshFile & file)
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
        visual.entities, *visual.node, *shapes,
        source.visual.material.value_or(placeholder_colour()));
    } else {
      draw_placeholder(visual, 0.1 * source.scale);
    }
    return;
  }
  const SharedMesh * shared = *loaded;
  Ogre::Entity * entity = attach(*visual.node, shared->mesh, {}, source.scale);
  for (std::size_t i = 0; i < shared->parts.size(); ++i) {
    const auto & part = shared->parts[i];
    // A description's colour tints a texture, as in AMBF.
    const auto & material =
      source.visual.material && !part.broken ? *source.visual.material : part.material;
    entity->getSubEntity(i)->setMaterial(engine_.materials().surface(material, part.texture));
  }
  visual.entities.push_back(entity);
}

bool move_node(
  Ogre::SceneNode & node, const Eigen::Vector3d & position, const Eigen::Quaterniond & orientation)
{
  const Ogre::Vector3 p = to_ogre(position);
  const Ogre::Quaternion q = to_ogre(orientation);
  if (p == node.getPosition() && q == node.getOrientation()) { return false; }
  node.setPosition(p);
  node.setOrientation(q);
  return true;
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

}  // namespace ambf_rendering
