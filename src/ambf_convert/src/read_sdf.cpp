// SPDX-License-Identifier: BSD-3-Clause
#include <map>

#include <sdf/sdf.hh>

#include "ambf_adf/paths.hpp"
#include "readers.hpp"

namespace ambf_convert
{
namespace
{

namespace fs = std::filesystem;
using ambf_adf::JointType;
using ambf_adf::PlacedShape;
using ambf_adf::ProblemKind;
using ambf_adf::Severity;

/// SDF writes 1e16 where it means no limit.
constexpr double endless = 1e15;
/// Rays of one sensor that ADF lists one by one.
constexpr std::uint64_t most_rays = 4096;

// The library's own types of vectors and poses are named differently in its versions.
using SdfPose = std::decay_t<decltype(std::declval<sdf::Link>().RawPose())>;
using SdfVector = std::decay_t<decltype(std::declval<SdfPose>().Pos())>;

Vector3d to_eigen(const SdfVector & v) { return {v.X(), v.Y(), v.Z()}; }

Isometry3d to_eigen(const SdfPose & pose)
{
  const auto & q = pose.Rot();
  return isometry(
    to_eigen(pose.Pos()), Eigen::Quaterniond(q.W(), q.X(), q.Y(), q.Z()).normalized().toRotationMatrix());
}

template <class Color>
ambf_adf::Rgb to_rgb(const Color & c)
{
  return {static_cast<double>(c.R()), static_cast<double>(c.G()), static_cast<double>(c.B())};
}

class SdfReader
{
public:
  SdfReader(XmlSource & source, const fs::path & file) : source_(source), file_(file.string()) {}

  Assembly read()
  {
    assembly_.file = file_;
    sdf::Root root;
    load(root);
    if (source_.failed()) { return {}; }
    if (const auto * model = root.Model()) {
      assembly_.name = model->Name();
      assembly_.ignore_inter_collision = !model->SelfCollide();
      // Of a model that stands for itself only the pose as written means anything.
      read_model(*model, "", to_eigen(model->RawPose()), false);
    }
    if (root.WorldCount() > 0) { read_world(*root.WorldByIndex(0)); }
    if (root.WorldCount() > 1) {
      warn("", "", "several worlds", "the first is taken");
    }
    if (assembly_.links.empty() && assembly_.lights.empty()) {
      source_.error(
        *source_.root(), ProblemKind::MissingKey, "no link", "a model of at least one link");
    }
    check_units(source_, assembly_);
    return std::move(assembly_);
  }

private:
  void load(sdf::Root & root)
  {
    sdf::Console::Instance()->SetQuiet(true);
    sdf::ParserConfig config;
    config.SetWarningsPolicy(sdf::EnforcementPolicy::LOG);
    config.SetUnrecognizedElementsPolicy(sdf::EnforcementPolicy::ERR);
    config.SetDeprecatedElementsPolicy(sdf::EnforcementPolicy::LOG);
    config.SetFindCallback([this](const std::string & name) { return find_model(name); });
    // The text that was looked through is what is read; where it includes others stands in their addresses.
    for (const auto & error : root.LoadSdfString(source_.text(), config)) {
      const bool unknown = error.Message().find("not defined in SDF") != std::string::npos;
      ambf_adf::Problem problem;
      problem.severity = unknown ? Severity::Warning : Severity::Error;
      problem.kind = unknown ? ProblemKind::UnknownKey : ProblemKind::BadValue;
      const std::string from = error.FilePath().value_or("");
      problem.file = is_path(from) ? from : file_;
      problem.where = {error.LineNumber().value_or(0), 1};
      problem.key = error.XmlPath().value_or("");
      problem.found = error.Message();
      problem.hint = unknown ? "it is left out" : "the words are libsdformat's";
      source_.problems().push_back(std::move(problem));
    }
  }

  /// The folder of an included model.
  std::string find_model(const std::string & name) const
  {
    const auto colon = name.find("://");
    const std::string rest = colon == std::string::npos ? name : name.substr(colon + 3);
    for (const char * inside : {"", "/model.config", "/model.sdf"}) {
      const auto found = find_mesh(name + inside, file_);
      if (found.exists) {
        return std::string(inside).empty() ? found.path : fs::path(found.path).parent_path().string();
      }
    }
    return {};
  }

  /// Where an element stands, by its kind and name.
  ambf_adf::Mark mark_of(const std::string & kind, const std::string & name) const
  {
    const auto find = [&](const auto & self, const XMLElement & element) -> const XMLElement * {
      for (auto * child = element.FirstChildElement(); child != nullptr;
           child = child->NextSiblingElement()) {
        if (kind == child->Name() && name == source_name(*child)) { return child; }
        if (const auto * inside = self(self, *child)) { return inside; }
      }
      return nullptr;
    };
    const auto * found = kind.empty() ? nullptr : find(find, *source_.root());
    return found == nullptr ? ambf_adf::Mark{} : source_.mark(*found);
  }

  /// Elements of a text have no file, and the library names it in brackets.
  static bool is_path(const std::string & file)
  {
    std::error_code error;
    return fs::is_regular_file(file, error);
  }

  static std::string source_name(const XMLElement & element)
  {
    const char * name = element.Attribute("name");
    return name == nullptr ? "" : name;
  }

  void warn(
    const std::string & kind, const std::string & name, const std::string & found,
    const std::string & hint)
  {
    source_.problems().push_back(
      {Severity::Warning, ProblemKind::Unsupported, file_, mark_of(kind, name),
       kind.empty() ? "" : kind + " '" + name + "'", found, "something that ADF can say", hint});
  }

  template <class Object>
  Isometry3d pose_in(const Object & object, const std::string & frame)
  {
    SdfPose pose;
    const auto errors = object.SemanticPose().Resolve(pose, frame);
    if (errors.empty()) { return to_eigen(pose); }
    source_.problems().push_back(
      {Severity::Error, ProblemKind::UnresolvedReference, file_, {}, object.Name(),
       errors.front().Message(), "a pose that can be found", ""});
    return Isometry3d::Identity();
  }

  void read_world(const sdf::World & world)
  {
    assembly_.name = world.Name();
    assembly_.gravity = to_eigen(world.Gravity());
    bool alone = world.ModelCount() > 0;
    for (std::uint64_t i = 0; i < world.ModelCount(); ++i) {
      const auto & model = *world.ModelByIndex(i);
      alone = alone && !model.SelfCollide() && (world.ModelCount() == 1 || model.LinkCount() == 1);
      read_model(
        model, world.ModelCount() == 1 ? "" : model.Name() + "::", pose_in(model, "world"), false);
    }
    assembly_.ignore_inter_collision = alone && world.ModelCount() == 1;
    for (std::uint64_t i = 0; i < world.LightCount(); ++i) {
      read_light(*world.LightByIndex(i), "", pose_in(*world.LightByIndex(i), "world"));
    }
    if (world.ActorCount() > 0) { warn("world", world.Name(), "actors", "they are left out"); }
  }

  void read_model(
    const sdf::Model & model, const std::string & prefix, const Isometry3d & t_world_model,
    bool still)
  {
    still = still || model.Static();
    for (std::uint64_t i = 0; i < model.LinkCount(); ++i) {
      const auto & link = *model.LinkByIndex(i);
      read_link(link, prefix, t_world_model * pose_in(link, "__model__"), still);
    }
    for (std::uint64_t i = 0; i < model.ModelCount(); ++i) {
      const auto & inner = *model.ModelByIndex(i);
      read_model(
        inner, prefix + inner.Name() + "::", t_world_model * pose_in(inner, "__model__"), still);
    }
    for (std::uint64_t i = 0; i < model.JointCount(); ++i) {
      read_joint(*model.JointByIndex(i), prefix, t_world_model);
    }
    if (model.Element() && model.Element()->HasElement("plugin")) {
      warn("model", model.Name(), "plugins", "they are left out");
    }
  }

  void read_link(
    const sdf::Link & source, const std::string & prefix, const Isometry3d & t_world_link,
    bool still)
  {
    Link link;
    link.body.header.name = prefix + source.Name();
    link.body.header.where = mark_of("link", source.Name());
    link.body.damping = {0.0, 0.0};
    link.body.surface.friction = 1.0;
    link.body.surface.rolling_friction = 0.0;
    link.body.surface.restitution = 0.0;
    link.t_world_link = t_world_link;
    link.still = still;
    const auto & inertial = source.Inertial();
    const auto & m = inertial.MassMatrix();
    Matrix3d tensor;
    tensor << m.Ixx(), m.Ixy(), m.Ixz(), m.Ixy(), m.Iyy(), m.Iyz(), m.Ixz(), m.Iyz(), m.Izz();
    if (!still) { link.set_inertial(m.Mass(), to_eigen(inertial.Pose()), tensor); }
    for (std::uint64_t i = 0; i < source.VisualCount(); ++i) {
      const auto & visual = *source.VisualByIndex(i);
      if (auto shape = shape_of(*visual.Geom(), "visual", visual.Name())) {
        link.visuals.push_back(
          {*shape, pose_of(pose_in(visual, source.Name())), visual.Name(), material_of(visual)});
      }
    }
    for (std::uint64_t i = 0; i < source.CollisionCount(); ++i) {
      const auto & collision = *source.CollisionByIndex(i);
      if (auto shape = shape_of(*collision.Geom(), "collision", collision.Name())) {
        link.collisions.push_back(
          {*shape, pose_of(pose_in(collision, source.Name())), collision.Name(), {}});
      }
      if (i == 0) { read_surface(collision, link.body.surface); }
    }
    read_link_elements(source, link.body);
    const auto [known, fresh] =
      links_.try_emplace(link.body.header.name, static_cast<int>(assembly_.links.size()));
    if (fresh) { assembly_.links.push_back(std::move(link)); }
    for (std::uint64_t i = 0; i < source.SensorCount(); ++i) {
      const auto & sensor = *source.SensorByIndex(i);
      read_sensor(sensor, prefix + source.Name(), pose_in(sensor, source.Name()));
    }
    for (std::uint64_t i = 0; i < source.LightCount(); ++i) {
      const auto & light = *source.LightByIndex(i);
      read_light(light, prefix + source.Name(), pose_in(light, source.Name()));
    }
  }

  static void read_link_elements(const sdf::Link & source, ambf_adf::RigidBody & body)
  {
    const auto element = source.Element();
    if (!element) { return; }
    if (element->HasElement("velocity_decay")) {
      const auto decay = element->GetElement("velocity_decay");
      body.damping = {decay->Get<double>("linear"), decay->Get<double>("angular")};
    }
    if (element->HasElement("gravity") && !element->Get<bool>("gravity")) {
      body.gravity = Vector3d::Zero();
    }
  }

  static void read_surface(const sdf::Collision & collision, ambf_adf::Surface & surface)
  {
    const auto element = collision.Element();
    if (!element || !element->HasElement("surface")) { return; }
    const auto all = element->GetElement("surface");
    if (all->HasElement("friction") && all->GetElement("friction")->HasElement("ode")) {
      surface.friction = all->GetElement("friction")->GetElement("ode")->Get<double>("mu");
    }
    if (all->HasElement("bounce")) {
      surface.restitution = all->GetElement("bounce")->Get<double>("restitution_coefficient");
    }
  }

  std::optional<ambf_adf::Material> material_of(const sdf::Visual & visual)
  {
    const auto * source = visual.Material();
    if (source == nullptr) { return std::nullopt; }
    if (!source->ScriptUri().empty() || source->PbrMaterial() != nullptr) {
      warn("visual", visual.Name(), "a texture or a script of a material", "its colours are taken");
    }
    ambf_adf::Material material;
    material.diffuse = to_rgb(source->Diffuse());
    material.specular = to_rgb(source->Specular());
    material.emission = to_rgb(source->Emissive());
    material.alpha = static_cast<double>(source->Diffuse().A()) *
                     (1.0 - static_cast<double>(visual.Transparency()));
    return material;
  }

  std::optional<ambf_adf::Primitive> shape_of(
    const sdf::Geometry & geometry, const std::string & kind, const std::string & name)
  {
    switch (geometry.Type()) {
      case sdf::GeometryType::BOX:
        return ambf_adf::Box{to_eigen(geometry.BoxShape()->Size())};
      case sdf::GeometryType::SPHERE:
        return ambf_adf::Sphere{geometry.SphereShape()->Radius()};
      case sdf::GeometryType::CYLINDER:
        return ambf_adf::Cylinder{
          geometry.CylinderShape()->Radius(), geometry.CylinderShape()->Length(),
          ambf_adf::Axis::Z};
      case sdf::GeometryType::CAPSULE: {
        const double radius = geometry.CapsuleShape()->Radius();
        return ambf_adf::Capsule{
          radius, geometry.CapsuleShape()->Length() + 2.0 * radius, ambf_adf::Axis::Z};
      }
      case sdf::GeometryType::ELLIPSOID: {
        const Vector3d radii = to_eigen(geometry.EllipsoidShape()->Radii());
        warn(kind, name, "an ellipsoid", "a ball of the mean radius is taken");
        return ambf_adf::Sphere{radii.mean()};
      }
      case sdf::GeometryType::PLANE:
        return ambf_adf::Plane{to_eigen(geometry.PlaneShape()->Normal()).normalized(), 0.0};
      case sdf::GeometryType::MESH: {
        const auto & mesh = *geometry.MeshShape();
        if (!mesh.Submesh().empty()) { warn(kind, name, "a part of a mesh", "the whole is taken"); }
        // Addresses of files that were included are relative to those.
        return ambf_adf::MeshPart{
          find_mesh(mesh.Uri(), is_path(mesh.FilePath()) ? mesh.FilePath() : file_),
          to_eigen(mesh.Scale()),
          {}};
      }
      case sdf::GeometryType::EMPTY:
        return std::nullopt;
      default:
        warn(kind, name, "a shape that ADF does not have", "it is left out");
        return std::nullopt;
    }
  }

  int link_named(const std::string & prefix, const std::string & name, const sdf::Joint & joint)
  {
    if (name == "world") { return -1; }
    const auto found = links_.find(prefix + name);
    if (found != links_.end()) { return found->second; }
    source_.problems().push_back(
      {Severity::Error, ProblemKind::UnresolvedReference, file_, mark_of("joint", joint.Name()),
       "joint '" + joint.Name() + "'", "'" + name + "', which is no link", "a link of the model",
       ""});
    return -2;
  }

  void read_joint(
    const sdf::Joint & source, const std::string & prefix, const Isometry3d & t_world_model)
  {
    Tie tie;
    tie.joint.header.name = prefix + source.Name();
    tie.joint.header.where = mark_of("joint", source.Name());
    std::string parent, child;
    if (!source.ResolveParentLink(parent).empty() || !source.ResolveChildLink(child).empty()) {
      parent = source.ParentLinkName();
      child = source.ChildLinkName();
    }
    tie.parent = link_named(prefix, parent, source);
    tie.child = link_named(prefix, child, source);
    if (tie.parent == -2 || tie.child < 0) { return; }
    const Isometry3d t_world_joint = t_world_model * pose_in(source, "__model__");
    const auto in_link = [&](int link) {
      return link < 0 ? t_world_joint
                      : Isometry3d(
                          assembly_.links[static_cast<std::size_t>(link)].t_world_link.inverse() *
                          t_world_joint);
    };
    tie.t_parent_joint = in_link(tie.parent);
    tie.t_child_joint = in_link(tie.child);
    if (set_type(source, tie)) { assembly_.ties.push_back(std::move(tie)); }
  }

  Vector3d axis_of(const sdf::Joint & joint, unsigned index)
  {
    SdfVector axis;
    const auto * source = joint.Axis(index);
    if (source == nullptr || !source->ResolveXyz(axis).empty()) { return Vector3d::UnitZ(); }
    return to_eigen(axis).normalized();
  }

  /// False: ADF has no such joint.
  bool set_type(const sdf::Joint & source, Tie & tie)
  {
    switch (source.Type()) {
      case sdf::JointType::FIXED:
        tie.joint.type = JointType::Fixed;
        return true;
      case sdf::JointType::BALL:
        tie.joint.type = JointType::PointToPoint;
        return true;
      case sdf::JointType::CONTINUOUS:
        tie.joint.type = JointType::Continuous;
        break;
      case sdf::JointType::PRISMATIC:
        tie.joint.type = JointType::Prismatic;
        break;
      case sdf::JointType::SCREW:
        warn("joint", source.Name(), "a screw", "it turns and does not travel");
        [[fallthrough]];
      case sdf::JointType::REVOLUTE:
        tie.joint.type = JointType::Revolute;
        break;
      case sdf::JointType::UNIVERSAL:
        make_universal(source, tie);
        return true;
      default:
        warn(
          "joint", source.Name(), "a joint of a kind that ADF does not have", "it is left out");
        return false;
    }
    tie.axis = axis_of(source, 0);
    if (const auto * axis = source.Axis(0)) { read_axis(source, *axis, tie.joint); }
    return true;
  }

  void read_axis(const sdf::Joint & source, const sdf::JointAxis & axis, ambf_adf::Joint & joint)
  {
    joint.damping = axis.Damping();
    if (axis.Friction() != 0.0) {
      warn("joint", source.Name(), "friction of a joint", "it is left out");
    }
    if (std::abs(axis.Lower()) < endless && std::abs(axis.Upper()) < endless) {
      joint.limits = ambf_adf::JointLimits{axis.Lower(), axis.Upper()};
    } else if (std::abs(axis.Lower()) < endless || std::abs(axis.Upper()) < endless) {
      warn("joint", source.Name(), "a limit on one side", "it is left out");
    }
    if (axis.Effort() >= 0.0 && axis.Effort() < endless) {
      joint.max_effort = axis.Effort();
      joint.max_motor_impulse = axis.Effort() * 0.001;
    }
    if (axis.MaxVelocity() >= 0.0 && axis.MaxVelocity() < endless) {
      warn("joint", source.Name(), "a limit of velocity", "it is left out");
    }
    if (axis.SpringStiffness() != 0.0) {
      joint.type = slides(joint.type) ? JointType::LinearSpring : JointType::TorsionSpring;
      joint.stiffness = axis.SpringStiffness();
      joint.equilibrium = axis.SpringReference();
    }
  }

  /// Two axes at right angles are x and y of a joint with six freedoms, the others locked.
  void make_universal(const sdf::Joint & source, Tie & tie)
  {
    const Vector3d x = axis_of(source, 0);
    Vector3d y = axis_of(source, 1);
    if (std::abs(x.dot(y)) > 1e-6) {
      warn("joint", source.Name(), "axes that are not at right angles", "the second is turned");
    }
    y = (y - x.dot(y) * x).normalized();
    Matrix3d frame;
    frame << x, y, x.cross(y);
    const Isometry3d turn = isometry(Vector3d::Zero(), frame);
    tie.t_parent_joint = tie.t_parent_joint * turn;
    tie.t_child_joint = tie.t_child_joint * turn;
    tie.axis = Vector3d::UnitZ();
    tie.joint.type = JointType::SixDof;
    tie.joint.six_dof.emplace();
    auto & p = *tie.joint.six_dof;
    p.low = {};
    p.high = {};
    for (unsigned i = 0; i < 2; ++i) {
      const auto * axis = source.Axis(i);
      const bool limited = axis != nullptr && std::abs(axis->Lower()) < endless;
      p.low.angular[i] = limited ? axis->Lower() : 1.0;
      p.high.angular[i] = limited ? axis->Upper() : -1.0;
    }
  }

  void read_sensor(
    const sdf::Sensor & source, const std::string & link, const Isometry3d & t_link_sensor)
  {
    if (const auto * camera = source.CameraSensor()) {
      ambf_adf::Camera result;
      result.header.name = source.Name();
      result.parent = link;
      look_along_x(result, t_link_sensor);
      const double wide = camera->ImageWidth(), high = camera->ImageHeight();
      result.field_view_angle =
        2.0 * std::atan(std::tan(0.5 * camera->HorizontalFov().Radian()) * high / wide);
      result.near_plane = camera->NearClip();
      result.far_plane = camera->FarClip();
      result.visible = false;
      result.image = {
        true,
        1,
        {static_cast<int>(camera->ImageWidth()), static_cast<int>(camera->ImageHeight())}};
      assembly_.cameras.push_back(std::move(result));
      return;
    }
    ambf_adf::Sensor result;
    result.header.name = source.Name();
    result.parent = link;
    result.location = pose_of(t_link_sensor);
    if (const auto * lidar = source.LidarSensor()) {
      result.range = lidar->RangeMax();
      result.rays = rays_of(source, *lidar);
      assembly_.sensors.push_back(std::move(result));
    } else if (source.Type() == sdf::SensorType::CONTACT) {
      result.type = ambf_adf::SensorType::Contact;
      assembly_.sensors.push_back(std::move(result));
    } else {
      warn("sensor", source.Name(), "a sensor of the type " + source.TypeStr(), "it is left out");
    }
  }

  ambf_adf::RayArray rays_of(const sdf::Sensor & sensor, const sdf::Lidar & lidar)
  {
    ambf_adf::RayArray array;
    const std::uint64_t across = std::max(1U, lidar.HorizontalScanSamples());
    const std::uint64_t up = std::max(1U, lidar.VerticalScanSamples());
    std::uint64_t skip = 1;
    while ((across / skip + 1) * up > most_rays) { ++skip; }
    if (skip > 1) {
      warn("sensor", sensor.Name(), "more than 4096 rays", "each of " + std::to_string(skip) + " is taken");
    }
    const auto angle = [](double from, double to, std::uint64_t i, std::uint64_t count) {
      return count < 2 ? from : from + (to - from) * static_cast<double>(i) / static_cast<double>(count - 1);
    };
    for (std::uint64_t v = 0; v < up; ++v) {
      const double elevation = angle(
        lidar.VerticalScanMinAngle().Radian(), lidar.VerticalScanMaxAngle().Radian(), v, up);
      for (std::uint64_t h = 0; h < across; h += skip) {
        const double azimuth = angle(
          lidar.HorizontalScanMinAngle().Radian(), lidar.HorizontalScanMaxAngle().Radian(), h,
          across);
        array.rays.push_back(
          {Vector3d::Zero(),
           {std::cos(elevation) * std::cos(azimuth), std::cos(elevation) * std::sin(azimuth),
            std::sin(elevation)}});
      }
    }
    return array;
  }

  void read_light(
    const sdf::Light & source, const std::string & link, const Isometry3d & t_parent_light)
  {
    ambf_adf::Light light;
    light.header.name = source.Name();
    light.parent = link;
    light.location = t_parent_light.translation();
    light.direction = t_parent_light.linear() * to_eigen(source.Direction());
    light.attenuation_constant = source.ConstantAttenuationFactor();
    light.attenuation_linear = source.LinearAttenuationFactor();
    light.attenuation_quadratic = source.QuadraticAttenuationFactor();
    light.shadow_quality = source.CastShadows() ? 3 : 0;
    if (source.Type() == sdf::LightType::SPOT) {
      light.cutoff_angle = 0.5 * source.SpotOuterAngle().Radian();
      light.spot_exponent = source.SpotFalloff();
    } else {
      light.cutoff_angle = source.Type() == sdf::LightType::DIRECTIONAL ? 1.2 : 1.5;
      warn("light", source.Name(), "a light that is no spot", "a wide spot is taken");
    }
    assembly_.lights.push_back(std::move(light));
  }

  XmlSource & source_;
  std::string file_;
  Assembly assembly_;
  std::map<std::string, int> links_;
};

}  // namespace

expected<Model, Errors> read_sdf(
  std::unique_ptr<XmlSource> source, const fs::path & file, const ReadOptions & options)
{
  Assembly assembly = SdfReader(*source, file).read();
  if (source->failed()) { return ambf_adf::unexpected(std::move(source->problems())); }
  assembly.problems = std::move(source->problems());
  return assemble(std::move(assembly), options);
}

}  // namespace ambf_convert
