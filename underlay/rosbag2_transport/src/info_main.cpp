// SPDX-License-Identifier: BSD-3-Clause
// The program that `ros2 bag info` runs: bag_info [-t] [-v] [-s STORAGE] BAG
#include <unistd.h>

#include <cstdio>
#include <map>
#include <set>
#include <string>

#include "bag_reader.hpp"
#include "bag_text.hpp"
#include "topic_filter.hpp"

using namespace rosbag2_transport::detail;

namespace {

/// Requests and responses by event topic; what both sides of a call report counts once.
ServiceCalls count_calls(BagReader & bag) {
  // Where CDR has the fields of service_msgs/ServiceEventInfo, behind its header of 4 bytes.
  constexpr std::size_t kType = 4, kClient = 16, kClientSize = 16, kNumber = 36, kNumberSize = 8;
  constexpr char kResponseSent = 2;
  std::map<std::string, std::pair<std::set<std::string>, std::set<std::string>>> seen;
  for (bag.seek(0); const auto message = bag.next();) {
    const auto & topic = bag.metadata().topics[message->topic].topic;
    const std::string_view data = message->data;
    if (!is_service_event_topic(topic.name, topic.type) || data.size() < kNumber + kNumberSize) { continue; }
    auto & [requests, responses] = seen[topic.name];
    (data[kType] < kResponseSent ? requests : responses)
      .insert(std::string(data.substr(kClient, kClientSize)) + std::string(data.substr(kNumber, kNumberSize)));
  }
  ServiceCalls calls;
  for (const auto & [topic, both] : seen) { calls[topic] = {both.first.size(), both.second.size()}; }
  return calls;
}

}  // namespace

int main(int argc, char ** argv) {
  bool names_only = false, verbose = false;
  std::string storage;
  for (int option; (option = ::getopt(argc, argv, "tvs:")) != -1;) {
    if (option == 't') { names_only = true; }
    if (option == 'v') { verbose = true; }
    if (option == 's') { storage = optarg; }
    if (option == '?') { return 2; }
  }
  if (optind + 1 != argc) {
    std::fprintf(stderr, "usage: bag_info [-t] [-v] [-s STORAGE] BAG\n");
    return 2;
  }
  try {
    BagReader bag(argv[optind], storage);
    for (const auto & problem : bag.problems()) { std::fprintf(stderr, "[WARN] [ros2bag]: %s\n", problem.c_str()); }
    if (verbose || !names_only) {
      const auto calls = verbose ? count_calls(bag) : ServiceCalls{};
      std::printf("%s\n", describe_bag(bag.metadata(), bag.size(), calls).c_str());
      return 0;
    }
    for (const auto & [topic, count] : bag.metadata().topics) {
      if (!is_service_event_topic(topic.name, topic.type)) { std::printf("%s\n", topic.name.c_str()); }
    }
    return 0;
  } catch (const std::exception & error) {
    std::fprintf(stderr, "[ERROR] [ros2bag]: %s\n", error.what());
    return 1;
  }
}
