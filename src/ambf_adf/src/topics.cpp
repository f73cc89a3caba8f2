// SPDX-License-Identifier: BSD-3-Clause
#include "topics.hpp"

#include <map>
#include <set>
#include <string>

#include "ambf_adf/names.hpp"

namespace ambf_adf
{

std::vector<ObjectHeader *> headers_with_topics(Model & model)
{
  std::vector<ObjectHeader *> headers;
  const auto add = [&](auto & objects) {
    for (auto & object : objects) { headers.push_back(&object.header); }
  };
  add(model.bodies);
  add(model.soft_bodies);
  add(model.ghost_objects);
  add(model.sensors);
  add(model.actuators);
  add(model.vehicles);
  add(model.volumes);
  add(model.cameras);
  add(model.lights);
  return headers;
}

std::vector<const ObjectHeader *> assign_topics(Model & model)
{
  std::vector<const ObjectHeader *> numbered;
  std::set<std::string> topics;
  std::map<std::string, int> last_number;  // per topic, so that many equal names cost no search
  for (ObjectHeader * header : headers_with_topics(model)) {
    header->topic = topic_name(header->ns, header->name);
    if (topics.insert(header->topic).second) { continue; }
    int & number = last_number[header->topic];
    while (!topics.insert(header->topic).second) {
      header->topic = topic_name(header->ns, header->name + "_" + std::to_string(++number));
    }
    numbered.push_back(header);
  }
  for (auto & joint : model.joints) {
    joint.header.topic.clear();  // joints are published by their bodies
  }
  return numbered;
}

void complete_headers(Model & model)
{
  std::vector<ObjectHeader *> headers = headers_with_topics(model);
  for (auto & joint : model.joints) { headers.push_back(&joint.header); }
  for (ObjectHeader * header : headers) {
    header->ns = header->ns.empty() ? model.ns : header->ns;
    header->name = published_name(header->name.empty() ? header->identifier : header->name);
    header->qualified = header->ns + header->identifier;
  }
  assign_topics(model);
}

}  // namespace ambf_adf
