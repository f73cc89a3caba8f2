// The program that `ros2 bag info` runs: bag_info [-t] [-s STORAGE] BAG
#include <unistd.h>

#include <cstdio>
#include <string>

#include "bag_reader.hpp"
#include "bag_text.hpp"
#include "topic_filter.hpp"

int main(int argc, char ** argv) {
  using namespace rosbag2_transport::detail;
  bool names_only = false;
  std::string storage;
  for (int option; (option = ::getopt(argc, argv, "ts:")) != -1;) {
    if (option == 't') { names_only = true; }
    if (option == 's') { storage = optarg; }
    if (option == '?') { return 2; }
  }
  if (optind + 1 != argc) {
    std::fprintf(stderr, "usage: bag_info [-t] [-s STORAGE] BAG\n");
    return 2;
  }
  try {
    const BagReader bag(argv[optind], storage);
    for (const auto & problem : bag.problems()) { std::fprintf(stderr, "[WARN] [ros2bag]: %s\n", problem.c_str()); }
    if (!names_only) {
      std::printf("%s\n", describe_bag(bag.metadata(), bag.size()).c_str());
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
