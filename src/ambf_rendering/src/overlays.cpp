// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_rendering/overlays.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace ambf_rendering
{

namespace
{

using Eigen::Vector3d;

const Ogre::ColourValue kRed(0.95F, 0.15F, 0.1F), kGreen(0.2F, 0.8F, 0.2F), kBlue(0.2F, 0.4F, 1.0F),
  kYellow(1.0F, 0.8F, 0.1F), kCyan(0.1F, 0.8F, 0.8F), kMagenta(0.9F, 0.1F, 0.8F),
  kOrange(1.0F, 0.55F, 0.1F);

/// Length of the arrow for a newton [m].
constexpr double kForceScale = 0.01;

constexpr std::array<std::pair<const char *, bool OverlaySettings::*>, 8> kSwitches{
  {{"frames", &OverlaySettings::frames},
   {"joints", &OverlaySettings::joints},
   {"contacts", &OverlaySettings::contacts},
   {"rays", &OverlaySettings::rays},
   {"collision", &OverlaySettings::collision},
   {"names", &OverlaySettings::names},
   {"rates", &OverlaySettings::rates},
   {"hands", &OverlaySettings::hands}}};

}  // namespace

bool OverlaySettings::set(const std::string & name, bool on)
{
  for (const auto & [known, flag] : kSwitches) {
    if (name == known) {
      this->*flag = on;
      return true;
    }
  }
  return false;
}

std::vector<std::string> OverlaySettings::shown() const
{
  std::vector<std::string> result;
  for (const auto & [name, flag] : kSwitches) {
    if (this->*flag) { result.emplace_back(name); }
  }
  return result;
}

std::string OverlaySettings::names_of_all()
{
  std::string all;
  for (const auto & [name, flag] : kSwitches) {
    all += (all.empty() ? "" : ", ") + std::string(name);
  }
  return all;
}

Overlays::Overlays(Scene & scene) : scene_(scene)
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
      bodies_.push_back({body.header.qualified, body.header.name, false});
      qualified[body.header.identifier] = qualified[body.header.qualified] = body.header.qualified;
      scale[body.header.qualified] = body.scale;
    }
    for (const auto & soft : model.soft_bodies) {
      bodies_.push_back({soft.header.qualified, soft.header.name, true});
    }
    for (const auto & joint : model.joints) {
      const auto parent = qualified.find(joint.parent);
      if (parent == qualified.end()) { continue; }
      joints_.push_back(
        {parent->second, scale[parent->second] * joint.parent_pivot,
         joint.parent_axis.normalized()});
    }
    for (const auto & sensor : model.sensors) {
      const auto parent = qualified.find(sensor.parent);
      if (parent == qualified.end()) { continue; }
      const auto rays = rays_on_body(sensor, parent->second, meshes_);
      rays_.insert(rays_.end(), rays.begin(), rays.end());
    }
  }
  size_ = std::clamp(0.15 * scene_.focus().radius, 0.01, 0.3);
}

void Overlays::line(const Vector3d & from, const Vector3d & to, const Ogre::ColourValue & colour)
{
  lines_->position(to_ogre(from));
  lines_->colour(colour);
  lines_->position(to_ogre(to));
  lines_->colour(colour);
  empty_ = false;
}

void Overlays::axes(const Eigen::Isometry3d & pose, double length)
{
  const std::array<const Ogre::ColourValue *, 3> colours{&kRed, &kGreen, &kBlue};
  for (int k = 0; k < 3; ++k) {
    line(
      pose.translation(), pose * (length * Vector3d::Unit(k)).eval(),
      *colours[static_cast<std::size_t>(k)]);
  }
}

void Overlays::arrow(
  const Vector3d & from, const Vector3d & force, const Ogre::ColourValue & colour)
{
  const Vector3d tip = from + kForceScale * force;
  line(from, tip, colour);
  if (force.norm() < 1e-9) { return; }
  const Vector3d side = 0.15 * kForceScale * force.norm() * force.unitOrthogonal();
  const Vector3d neck = tip - 0.25 * kForceScale * force;
  line(tip, neck + side, colour);
  line(tip, neck - side, colour);
}

std::optional<Eigen::Isometry3d> Overlays::pose(const std::string & body) const
{
  const auto handle = scene_.body(body);
  return handle ? std::optional(scene_.pose(*handle)) : std::nullopt;
}

void Overlays::draw_bodies(const OverlaySettings & settings)
{
  for (const auto & body : bodies_) {
    const auto t = pose(body.qualified);
    if (t && settings.frames) { axes(*t, size_); }
    if (!settings.names) { continue; }
    if (const auto focus = body.soft ? scene_.focus(body.qualified) : std::nullopt) {
      annotations_.names.push_back({focus->centre, body.name, Ogre::ColourValue::White});
    } else if (t) {
      annotations_.names.push_back({t->translation(), body.name, Ogre::ColourValue::White});
    }
  }
  for (const auto & joint : joints_) {
    const auto t = settings.joints ? pose(joint.body) : std::nullopt;
    if (t) {
      line(
        *t * (joint.pivot - size_ * joint.axis), *t * (joint.pivot + size_ * joint.axis), kYellow);
    }
  }
}

void Overlays::draw_contacts(const std::vector<ContactMark> & contacts)
{
  for (const auto & contact : contacts) {
    arrow(contact.position, contact.force, kMagenta);
    for (int axis = 0; axis < 3; ++axis) {
      const Vector3d arm = 0.1 * size_ * Vector3d::Unit(axis);
      line(contact.position - arm, contact.position + arm, kMagenta);
    }
  }
}

void Overlays::draw_rays(const OverlayMarks & marks)
{
  const bool known = marks.ray_flags.size() == rays_.size();
  const bool measured = marks.ray_depths.size() == rays_.size();
  for (std::size_t i = 0; i < rays_.size(); ++i) {
    const auto t = pose(rays_[i].body);
    if (!t) { continue; }
    const bool hit = known && marks.ray_flags[i] != 0;
    const double depth = hit && measured ? static_cast<double>(marks.ray_depths[i]) : 0.0;
    line(*t * rays_[i].start, *t * ray_end(rays_[i], depth), hit ? kRed : kCyan);
  }
}

void Overlays::draw_hands(const std::vector<HandMark> & hands)
{
  for (const auto & hand : hands) {
    axes(hand.proxy, size_);
    axes(hand.reference, 0.6 * size_);
    // The string between the hand and what it holds.
    line(hand.proxy.translation(), hand.reference.translation(), kOrange);
    arrow(hand.proxy.translation(), hand.force, kMagenta);
    annotations_.names.push_back({hand.proxy.translation(), hand.name, kOrange});
  }
}

void Overlays::draw_selection(const std::string & selected)
{
  for (const auto & box : scene_.bounds(selected)) {
    const auto corner = [&](int k) {
      return (box.pose * Vector3d(
                           k & 1 ? box.high.x() : box.low.x(), k & 2 ? box.high.y() : box.low.y(),
                           k & 4 ? box.high.z() : box.low.z()))
        .eval();
    };
    for (int from = 0; from < 8; ++from) {
      for (const int bit : {1, 2, 4}) {
        if ((from & bit) == 0) { line(corner(from), corner(from | bit), kOrange); }
      }
    }
  }
  if (const auto focus = scene_.focus(selected)) {
    const auto known = std::find_if(bodies_.begin(), bodies_.end(), [&](const NamedBody & body) {
      return body.qualified == selected;
    });
    annotations_.names.insert(
      annotations_.names.begin(),
      {focus->centre, known == bodies_.end() ? selected : known->name, kOrange});
  }
}

void Overlays::draw(const OverlaySettings & settings, const OverlayMarks & marks)
{
  if (settings.collision != collision_shown_) { scene_.show_collision_shapes(settings.collision); }
  collision_shown_ = settings.collision;
  annotations_ = {};
  if (settings.rates) { annotations_.lines = marks.rates; }
  annotations_.captions = marks.captions;
  if (lines_->getSections().empty()) {
    lines_->begin(
      scene_.engine().materials().named("line_through"), Ogre::RenderOperation::OT_LINE_LIST);
  } else {
    lines_->beginUpdate(0);
  }
  empty_ = true;
  draw_bodies(settings);
  if (settings.contacts) { draw_contacts(marks.contacts); }
  if (settings.rays) { draw_rays(marks); }
  if (settings.hands) { draw_hands(marks.hands); }
  if (!marks.selected.empty()) { draw_selection(marks.selected); }
  lines_->setVisible(!empty_);
  // A section without lines would be an error of the engine's.
  if (empty_) { line(Vector3d::Zero(), Vector3d::Zero(), kCyan); }
  lines_->end();
  lines_->setBoundingBox(Ogre::AxisAlignedBox::BOX_INFINITE);
  lines_->setVisibilityFlags(layer::overlays);
}

}  // namespace ambf_rendering
