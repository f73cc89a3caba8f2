// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_adf/mesh.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>
#include <unordered_map>

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <assimp/Importer.hpp>

#include "mesh_vertices.hpp"
#include "scalars.hpp"

namespace ambf_adf
{
namespace
{

namespace fs = std::filesystem;

std::string extension(const fs::path & file) { return lower(file.extension().string()); }

Eigen::Affine3f to_eigen(const aiMatrix4x4 & m)
{
  Eigen::Affine3f t;
  t.matrix() << m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3, m.c4, m.d1, m.d2,
    m.d3, m.d4;
  return t;
}

/// Assimp turns 3DS and DAE scenes y-up at the root node. ADF meshes are used in the file's own
/// axes, so only the unit scale of that turn is kept.
Eigen::Affine3f root_transform(const aiScene & scene, const std::string & type)
{
  const Eigen::Affine3f root = to_eigen(scene.mRootNode->mTransformation);
  if (type != ".3ds" && type != ".dae") { return root; }
  const float scale = std::cbrt(std::abs(root.linear().determinant()));
  Eigen::Affine3f unit = Eigen::Affine3f::Identity();
  unit.linear() *= type == ".dae" ? scale : 1.0f;
  return unit;
}

Rgb color(
  const aiMaterial & material, const char * key, unsigned type, unsigned index,
  const Rgb & fallback)
{
  aiColor3D c;
  return material.Get(key, type, index, c) == AI_SUCCESS ? Rgb(c.r, c.g, c.b) : fallback;
}

Mesh::MeshMaterial to_material(const aiMaterial & source)
{
  Mesh::MeshMaterial result;
  aiString text;
  if (source.Get(AI_MATKEY_NAME, text) == AI_SUCCESS) { result.name = text.C_Str(); }
  result.color.diffuse = color(source, AI_MATKEY_COLOR_DIFFUSE, result.color.diffuse);
  result.color.specular = color(source, AI_MATKEY_COLOR_SPECULAR, result.color.specular);
  result.color.emission = color(source, AI_MATKEY_COLOR_EMISSIVE, result.color.emission);
  float value = 0.0f;
  if (source.Get(AI_MATKEY_OPACITY, value) == AI_SUCCESS) {
    result.color.alpha = static_cast<double>(value);
  }
  if (source.Get(AI_MATKEY_SHININESS, value) == AI_SUCCESS && value >= 0.0f && value <= 1000.0f) {
    result.color.shininess = static_cast<unsigned>(value);
  }
  if (source.GetTexture(aiTextureType_DIFFUSE, 0, &text) == AI_SUCCESS) {
    result.diffuse_texture = text.C_Str();
  }
  return result;
}

void append_part(
  Mesh & mesh, const aiMesh & part, const Eigen::Affine3f & t, std::vector<std::uint32_t> & lines)
{
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  const Eigen::Matrix3f normal_matrix = t.linear().inverse().transpose();
  for (unsigned i = 0; i < part.mNumVertices; ++i) {
    const aiVector3D & v = part.mVertices[i];
    mesh.vertices.push_back(t * Eigen::Vector3f(v.x, v.y, v.z));
    const aiVector3D n = part.HasNormals() ? part.mNormals[i] : aiVector3D();
    mesh.normals.push_back((normal_matrix * Eigen::Vector3f(n.x, n.y, n.z)).normalized());
    const aiVector3D uv = part.HasTextureCoords(0) ? part.mTextureCoords[0][i] : aiVector3D();
    mesh.texture_coordinates.emplace_back(uv.x, uv.y);
  }
  Mesh::Part entry;
  entry.name = part.mName.C_Str();
  entry.first_triangle = static_cast<std::uint32_t>(mesh.triangles.size() / 3);
  entry.material = part.mMaterialIndex;
  for (unsigned f = 0; f < part.mNumFaces; ++f) {
    const aiFace & face = part.mFaces[f];
    for (unsigned i = 0; i < face.mNumIndices; ++i) {
      if (face.mNumIndices == 3) {
        mesh.triangles.push_back(first + face.mIndices[i]);
      } else if (face.mNumIndices == 2) {
        lines.push_back(first + face.mIndices[i]);
      }
    }
  }
  entry.triangle_count =
    static_cast<std::uint32_t>(mesh.triangles.size() / 3) - entry.first_triangle;
  if (entry.triangle_count > 0) { mesh.parts.push_back(std::move(entry)); }
}

void append_node(
  Mesh & mesh, const aiScene & scene, const aiNode & node, const Eigen::Affine3f & t,
  std::vector<std::uint32_t> & lines)
{
  for (unsigned i = 0; i < node.mNumMeshes; ++i) {
    append_part(mesh, *scene.mMeshes[node.mMeshes[i]], t, lines);
  }
  for (unsigned i = 0; i < node.mNumChildren; ++i) {
    append_node(
      mesh, scene, *node.mChildren[i], t * to_eigen(node.mChildren[i]->mTransformation), lines);
  }
}

struct GridHash
{
  std::size_t operator()(const std::array<std::int64_t, 3> & cell) const
  {
    std::uint64_t h = 0;
    for (const std::int64_t c : cell) {
      h = (h ^ static_cast<std::uint64_t>(c)) * 0x9E3779B97F4A7C15ull;
      h ^= h >> 29;
    }
    return static_cast<std::size_t>(h);
  }
};

std::array<std::int64_t, 3> cell_of(const Eigen::Vector3f & p, double weld_distance)
{
  std::array<std::int64_t, 3> cell{};
  for (int i = 0; i < 3; ++i) {
    if (weld_distance > 0.0) {
      cell[static_cast<std::size_t>(i)] = std::llround(static_cast<double>(p[i]) / weld_distance);
    } else {
      const float value = p[i] + 0.0f;  // -0 and 0 are one place
      std::int32_t bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      cell[static_cast<std::size_t>(i)] = bits;
    }
  }
  return cell;
}

void unify(Mesh & mesh, const std::vector<std::uint32_t> & lines, double weld_distance)
{
  std::unordered_map<std::array<std::int64_t, 3>, std::uint32_t, GridHash> places;
  mesh.to_unified.reserve(mesh.vertices.size());
  for (const auto & vertex : mesh.vertices) {
    const auto [place, is_new] = places.try_emplace(
      cell_of(vertex, weld_distance), static_cast<std::uint32_t>(mesh.unified.size()));
    if (is_new) { mesh.unified.push_back(vertex.cast<double>()); }
    mesh.to_unified.push_back(place->second);
    mesh.bounds.extend(vertex.cast<double>());
  }
  for (std::size_t i = 0; i + 2 < mesh.triangles.size(); i += 3) {
    const std::uint32_t a = mesh.to_unified[mesh.triangles[i]];
    const std::uint32_t b = mesh.to_unified[mesh.triangles[i + 1]];
    const std::uint32_t c = mesh.to_unified[mesh.triangles[i + 2]];
    if (a != b && b != c && c != a) {
      mesh.unified_triangles.insert(mesh.unified_triangles.end(), {a, b, c});
    }
  }
  for (std::size_t i = 0; i + 1 < lines.size(); i += 2) {
    const std::uint32_t a = mesh.to_unified[lines[i]];
    const std::uint32_t b = mesh.to_unified[lines[i + 1]];
    if (a != b) { mesh.unified_lines.insert(mesh.unified_lines.end(), {a, b}); }
  }
}

bool all_finite(const Mesh & mesh)
{
  for (const auto & v : mesh.vertices) {
    if (!v.allFinite()) { return false; }
  }
  return true;
}

}  // namespace

expected<Mesh, MeshError> load_mesh(const fs::path & file, double weld_distance)
{
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    return unexpected(MeshError{file.string(), "no such file"});
  }
  Assimp::Importer importer;
  // Colours and animations of exotic formats are no use here; skipping them saves time.
  importer.SetPropertyInteger(
    AI_CONFIG_PP_RVC_FLAGS, aiComponent_ANIMATIONS | aiComponent_CAMERAS | aiComponent_LIGHTS);
  const aiScene * scene = importer.ReadFile(
    file.string(), aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_RemoveComponent);
  if (scene == nullptr || scene->mRootNode == nullptr) {
    return unexpected(MeshError{file.string(), importer.GetErrorString()});
  }
  Mesh mesh;
  std::vector<std::uint32_t> lines;
  append_node(mesh, *scene, *scene->mRootNode, root_transform(*scene, extension(file)), lines);
  if (mesh.triangles.empty() && lines.empty()) {
    return unexpected(MeshError{file.string(), "the file holds no triangles"});
  }
  if (!all_finite(mesh)) {
    return unexpected(
      MeshError{file.string(), "the file holds vertices that are not finite numbers"});
  }
  for (unsigned i = 0; i < scene->mNumMaterials; ++i) {
    mesh.materials.push_back(to_material(*scene->mMaterials[i]));
  }
  bool has_normals = false, has_coordinates = false;
  for (unsigned i = 0; i < scene->mNumMeshes; ++i) {
    has_normals = has_normals || scene->mMeshes[i]->HasNormals();
    has_coordinates = has_coordinates || scene->mMeshes[i]->HasTextureCoords(0);
  }
  if (!has_normals) { mesh.normals.clear(); }
  if (!has_coordinates) { mesh.texture_coordinates.clear(); }
  unify(mesh, lines, weld_distance);
  mesh.file_to_unified = map_file_vertices(file, extension(file), mesh);
  return mesh;
}

struct MeshCache::Impl
{
  struct Entry
  {
    std::shared_ptr<const Mesh> mesh;
    fs::file_time_type time;
    std::uintmax_t size = 0;
  };
  mutable std::mutex mutex;
  std::map<std::string, Entry> meshes;
};

MeshCache::MeshCache() : impl_(std::make_unique<Impl>()) {}
MeshCache::~MeshCache() = default;

expected<std::shared_ptr<const Mesh>, MeshError> MeshCache::get(const fs::path & file)
{
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(file, error);
  const std::string key = (error ? file : canonical).string();
  const auto time = fs::last_write_time(file, error);
  const auto size = error ? 0 : fs::file_size(file, error);
  if (error) { return unexpected(MeshError{file.string(), "no such file"}); }
  {
    const std::lock_guard lock(impl_->mutex);
    const auto known = impl_->meshes.find(key);
    if (known != impl_->meshes.end() && known->second.time == time && known->second.size == size) {
      return known->second.mesh;
    }
  }
  auto loaded = load_mesh(file);
  if (!loaded) { return unexpected(std::move(loaded.error())); }
  auto mesh = std::make_shared<const Mesh>(std::move(*loaded));
  const std::lock_guard lock(impl_->mutex);
  impl_->meshes[key] = {mesh, time, size};
  return mesh;
}

void MeshCache::drop_unused()
{
  const std::lock_guard lock(impl_->mutex);
  std::erase_if(
    impl_->meshes, [](const auto & entry) { return entry.second.mesh.use_count() == 1; });
}

std::size_t MeshCache::size() const
{
  const std::lock_guard lock(impl_->mutex);
  return impl_->meshes.size();
}

}  // namespace ambf_adf
