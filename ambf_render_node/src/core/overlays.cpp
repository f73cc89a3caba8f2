#include "overlays.hpp"

#include <algorithm>

namespace ambf_render
{

namespace
{

const Ogre::ColourValue kRed(0.95F, 0.15F, 0.1F), kGreen(0.2F, 0.8F, 0.2F), kBlue(0.2F, 0.4F, 1.0F),
kYellow(1.0F, 0.8F, 0.1F), kCyan(0.1F, 0.8F, 0.8F), kMagenta(0.9F, 0.1F, 0.8F);

/// Length of the arrow for a newton [m].
constexpr double kForceScale = 0.01;

}  // namespace

bool OverlaySettings::set(const std::string & name, bool on)
{
  bool * const flag = name == "frames" ? &frames : name == "joints" ? &joints :
    name == "contacts" ? &contacts : name == "rays" ? &rays : name == "collision" ? &collision : nullptr;
  if (flag != nullptr) {*flag = on;}
  return flag != nullptr;
}

Overlays::Overlays(Scene & scene)
: scene_(scene)
{
  lines_ = scene.ogre().createManualObject(scene.engine().unique("overlay"));
  lines_->setDynamic(true);
  lines_->setVisibilityFlags(layer::overlays);
  lines_->setRenderQueueGroup(Ogre::RENDER_QUEUE_9);
  lines_->setBoundingBox(Ogre::AxisAlignedBox::BOX_INFINITE);
  lines_->setVisible(false);
  scene.ogre().getRootSceneNode()->createChildSceneNode()->attachObject(lines_);
}

void Overlays::set_world(const std::vector<ambf_adf::Model> & models)
{
  bodies_.clear();
  joints_.clear();
  rays_.clear();
  for (const auto & model : models) {
    std::map<std::string, std::string> qualified;
    std::map<std::string, double> scale;
    for (const auto & body : model.bodies) {
      bodies_.push_back(body.header.qualified);
      qualified[body.header.identifier] = qualified[body.header.qualified] = body.header.qualified;
      scale[body.header.qualified] = body.scale;
    }
    for (const auto & joint : model.joints) {
      const auto parent = qualified.find(joint.parent);
      if (parent == qualified.end()) {continue;}
      joints_.push_back(
        {parent->second, scale[parent->second] * joint.parent_pivot, joint.parent_axis.normalized()});
    }
    for (const auto & sensor : model.sensors) {
      const auto parent = qualified.find(sensor.parent);
      const auto * rays = std::get_if<ambf_adf::RayArray>(&sensor.rays);
      if (parent == qualified.end() || rays == nullptr) {continue;}
      const Eigen::Isometry3d at = sensor.location.isometry();
      for (const auto & ray : rays->rays) {
        rays_.push_back(
          {parent->second, at * ray.offset, at * (ray.offset + sensor.range * ray.direction)});
      }
    }
  }
  size_ = std::clamp(0.15 * scene_.focus().radius, 0.01, 0.3);
}

void Overlays::line(
  const Eigen::Vector3d & from, const Eigen::Vector3d & to, const Ogre::ColourValue & colour)
{
  lines_->position(to_ogre(from));
  lines_->colour(colour);
  lines_->position(to_ogre(to));
  lines_->colour(colour);
  empty_ = false;
}

void Overlays::draw(
  const OverlaySettings & settings, const std::vector<ContactMark> & contacts,
  const std::vector<std::uint32_t> & ray_flags)
{
  if (settings.collision != shown_.collision) {scene_.show_collision_shapes(settings.collision);}
  shown_ = settings;
  const bool any = settings.frames || settings.joints || settings.contacts || settings.rays;
  lines_->setVisible(any);
  if (!any) {return;}
  if (lines_->getSections().empty()) {
    lines_->begin(scene_.engine().material("line_through"), Ogre::RenderOperation::OT_LINE_LIST);
  } else {
    lines_->beginUpdate(0);
  }
  empty_ = true;
  const auto pose = [&](const std::string & name) -> std::optional<Eigen::Isometry3d> {
      const auto handle = scene_.body(name);
      return handle ? std::optional(scene_.pose(*handle)) : std::nullopt;
    };
  if (settings.frames) {
    for (const auto & name : bodies_) {
      if (const auto t = pose(name)) {
        line(t->translation(), *t * Eigen::Vector3d(size_, 0, 0), kRed);
        line(t->translation(), *t * Eigen::Vector3d(0, size_, 0), kGreen);
        line(t->translation(), *t * Eigen::Vector3d(0, 0, size_), kBlue);
      }
    }
  }
  if (settings.joints) {
    for (const auto & joint : joints_) {
      if (const auto t = pose(joint.body)) {
        line(*t * (joint.pivot - size_ * joint.axis), *t * (joint.pivot + size_ * joint.axis), kYellow);
      }
    }
  }
  if (settings.contacts) {
    for (const auto & contact : contacts) {
      const Eigen::Vector3d tip = contact.position + kForceScale * contact.force;
      line(contact.position, tip, kMagenta);
      for (int axis = 0; axis < 3; ++axis) {
        const Eigen::Vector3d arm = 0.1 * size_ * Eigen::Vector3d::Unit(axis);
        line(contact.position - arm, contact.position + arm, kMagenta);
      }
    }
  }
  if (settings.rays) {
    for (std::size_t i = 0; i < rays_.size(); ++i) {
      if (const auto t = pose(rays_[i].body)) {
        // Only lists of rays are drawn: with other layouts the flags have other positions.
        const bool hit = ray_flags.size() == rays_.size() && ray_flags[i] != 0;
        line(*t * rays_[i].start, *t * rays_[i].end, hit ? kRed : kCyan);
      }
    }
  }
  // A section without lines would be an error of the engine's.
  if (empty_) {line(Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(), kCyan);}
  lines_->end();
  lines_->setBoundingBox(Ogre::AxisAlignedBox::BOX_INFINITE);
  lines_->setVisibilityFlags(layer::overlays);
}

}  // namespace ambf_render
