// SPDX-License-Identifier: BSD-3-Clause
#include "mesh_vertices.hpp"

#include <array>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>

namespace ambf_adf
{
namespace
{

std::string read_bytes(const std::filesystem::path & file)
{
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream bytes;
  bytes << stream.rdbuf();
  return bytes.str();
}

template <class Value>
bool take(const std::string & bytes, std::size_t at, Value & value)
{
  if (at + sizeof(Value) > bytes.size()) { return false; }
  std::memcpy(&value, bytes.data() + at, sizeof(Value));
  return true;
}

// 3DS is a tree of chunks (id, length, content). Vertex lists are at
// main/editor/object/mesh/vertices.
constexpr std::uint16_t main_chunk = 0x4D4D, editor_chunk = 0x3D3D, object_chunk = 0x4000,
                        mesh_chunk = 0x4100, vertex_chunk = 0x4110;

void collect_chunks(
  const std::string & bytes, std::size_t begin, std::size_t end,
  std::vector<Eigen::Vector3f> & vertices)
{
  while (begin + 6 <= end) {
    std::uint16_t id = 0;
    std::uint32_t length = 0;
    take(bytes, begin, id);
    take(bytes, begin + 2, length);
    if (length < 6 || length > end - begin) { return; }
    const std::size_t content = begin + 6;
    const std::size_t next = begin + length;
    if (id == main_chunk || id == editor_chunk || id == mesh_chunk) {
      collect_chunks(bytes, content, next, vertices);
    } else if (id == object_chunk) {
      const std::size_t name_end = bytes.find('\0', content);
      if (name_end < next) { collect_chunks(bytes, name_end + 1, next, vertices); }
    } else if (id == vertex_chunk) {
      std::uint16_t count = 0;
      take(bytes, content, count);
      std::array<float, 3> p{};
      for (std::size_t i = 0, at = content + 2;
           i < count && at + sizeof p <= next && take(bytes, at, p); ++i, at += sizeof p) {
        vertices.emplace_back(p[0], p[1], p[2]);
      }
    }
    begin = next;
  }
}

std::uint32_t nearest(const Mesh & mesh, const Eigen::Vector3d & point)
{
  std::uint32_t best = 0;
  double best_distance = std::numeric_limits<double>::infinity();
  for (std::uint32_t i = 0; i < mesh.unified.size(); ++i) {
    const double distance = (mesh.unified[i] - point).squaredNorm();
    if (distance < best_distance) {
      best_distance = distance;
      best = i;
    }
  }
  return best;
}

}  // namespace

std::vector<Eigen::Vector3f> obj_vertices(const std::string & text)
{
  std::vector<Eigen::Vector3f> vertices;
  std::istringstream stream(text);
  std::string line;
  while (std::getline(stream, line)) {
    std::istringstream words(line);
    std::string key;
    float x = 0.0f, y = 0.0f, z = 0.0f;
    if (words >> key && key == "v" && words >> x >> y >> z) { vertices.emplace_back(x, y, z); }
  }
  return vertices;
}

std::vector<Eigen::Vector3f> three_ds_vertices(const std::string & bytes)
{
  std::vector<Eigen::Vector3f> vertices;
  collect_chunks(bytes, 0, bytes.size(), vertices);
  return vertices;
}

std::vector<std::uint32_t> map_file_vertices(
  const std::filesystem::path & file, const std::string & type, const Mesh & mesh)
{
  if (type != ".obj" && type != ".3ds") { return mesh.to_unified; }
  const std::string bytes = read_bytes(file);
  const auto stored = type == ".obj" ? obj_vertices(bytes) : three_ds_vertices(bytes);
  std::map<std::array<double, 3>, std::uint32_t> places;
  for (std::uint32_t i = 0; i < mesh.unified.size(); ++i) {
    places.try_emplace({mesh.unified[i].x(), mesh.unified[i].y(), mesh.unified[i].z()}, i);
  }
  std::vector<std::uint32_t> result;
  result.reserve(stored.size());
  for (const auto & vertex : stored) {
    const Eigen::Vector3d p = vertex.cast<double>();
    const auto place = places.find({p.x(), p.y(), p.z()});
    // Assimp's node transforms round 3DS places in the last bits; unused vertices exist in OBJ
    // files.
    result.push_back(place != places.end() ? place->second : nearest(mesh, p));
  }
  return result;
}

}  // namespace ambf_adf
