// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ambf_convert/convert.hpp"
#include "outline.hpp"

#include <tinyxml2.h>

namespace ambf_convert
{

Written write_urdf(const Model & model, const WriteOptions & options);
Written write_sdf(const Model & model, const WriteOptions & options);
Written write_mjcf(const Model & model, const WriteOptions & options);

/// How a mesh file is named in a file that will stand in `folder`: an address as it is, else a path relative to
/// the folder, or absolute where they have nothing in common.
std::string mesh_name(
  const ambf_adf::MeshFile & mesh, const std::string & resource_base,
  const std::filesystem::path & folder);
/// file:// and the absolute path, or the address as it is.
std::string mesh_address(const ambf_adf::MeshFile & mesh, const std::string & resource_base);

/// All shapes of a body, with meshes of the whole body as parts that carry its scale.
std::vector<ambf_adf::PlacedShape> visuals_of(const ambf_adf::RigidBody & body);
std::vector<ambf_adf::PlacedShape> collisions_of(const ambf_adf::RigidBody & body);

/// An element with attributes, for trees that are built from the top down.
class Element
{
public:
  Element(tinyxml2::XMLDocument & document, const char * name);
  Element child(const char * name) const;
  Element & set(const char * attribute, const std::string & value);
  Element & set(const char * attribute, double value);
  Element & set(const char * attribute, const Vector3d & value);
  /// A child that holds nothing but a text.
  Element & put(const char * name, const std::string & text);
  Element & put(const char * name, double value);
  Element & comment(const std::string & text);

private:
  explicit Element(tinyxml2::XMLElement * element) : element_(element) {}
  tinyxml2::XMLElement * element_;
};

/// The document with a declaration and the line that says who wrote it.
std::string print(tinyxml2::XMLDocument & document);

}  // namespace ambf_convert
