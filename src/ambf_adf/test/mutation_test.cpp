// SPDX-License-Identifier: BSD-3-Clause
#include <chrono>
#include <ctime>
#include <fstream>
#include <random>
#include <sstream>

#include "corpus.hpp"
#include "fuzz_entry.hpp"
#include "random_model.hpp"

namespace
{

std::vector<std::string> seeds()
{
  std::vector<std::string> texts{
    "bodies: [A, B]\nA: &a {mass: 1, mesh: a.stl}\nB: {<<: *a, mass: 2}\njoints: [J]\nJ: {type: "
    "revolute, parent: A, child: B,\n"
    "  parent pivot: {x: 0, y: 0, z: 0}, child pivot: {x: 0, y: 0, z: 0}, parent axis: {x: 0, y: "
    "0, z: 1}, child axis: {x: 0, y: 0, z: 1}}\n",
    "world config: w\nmultibody configs: [a, b]\n", "input devices: [D]\nD: {hardware name: x}\n",
    "environment: e\nlights: []\n"};
  for (unsigned seed = 0; seed < 20; ++seed) {
    texts.push_back(ambf_adf::write(test::RandomModel(seed).make()));
  }
  for (const auto & file : test::corpus_files()) {
    std::ifstream stream(test::corpus() / file);
    std::ostringstream text;
    text << stream.rdbuf();
    // Long files teach no more than their beginning and slow every round down.
    texts.push_back(text.str().substr(0, 4000));
  }
  return texts;
}

class Mutator
{
public:
  explicit Mutator(std::vector<std::string> texts) : seeds_(std::move(texts)) {}

  std::string next()
  {
    std::string text = seeds_[random_() % seeds_.size()];
    for (auto n = 1 + random_() % 6; n > 0; --n) { mutate(text); }
    return text;
  }

private:
  std::size_t place(const std::string & text) { return text.empty() ? 0 : random_() % text.size(); }

  void mutate(std::string & text)
  {
    static const char * const bits[] = {
      "{",    "}",    "[",   "]",  ":",     ": ",    "- ",     "\n",
      "  ",   "*a",   "&a ", "'",  "\"",    "#",     "|",      ">",
      "~",    "null", "-1",  "0",  "1e999", "nan",   ".inf",   "true",
      "<<: ", "? ",   "!t ", "\t", "%",     "---\n", "x: 1\n", "9223372036854775808"};
    const std::size_t at = place(text);
    switch (random_() % 7) {
      case 0:
        text.erase(at, 1 + random_() % 20);
        break;
      case 1:
        text.insert(at, bits[random_() % std::size(bits)]);
        break;
      case 2:
        text.insert(at, text.substr(place(text), random_() % 200));
        break;
      case 3:
        if (!text.empty()) { text[at] = static_cast<char>(random_() % 256); }
        break;
      case 4: {  // exchange a value
        const auto colon = text.find(": ", at);
        if (colon != std::string::npos) {
          const auto end = std::min(text.find_first_of(",}\n", colon), text.size());
          text.replace(
            colon + 2, end > colon + 2 ? end - colon - 2 : 0, bits[random_() % std::size(bits)]);
        }
        break;
      }
      case 5: {  // drop a line
        const auto end = text.find('\n', at);
        const auto next = end == std::string::npos ? end : text.find('\n', end + 1);
        if (next != std::string::npos) { text.erase(end, next - end); }
        break;
      }
      default: {  // continue with another seed
        const std::string & other = seeds_[random_() % seeds_.size()];
        text = text.substr(0, at) + other.substr(other.empty() ? 0 : random_() % other.size());
      }
    }
  }

  std::vector<std::string> seeds_;
  std::mt19937 random_{20240601};
};

}  // namespace

TEST(Mutation, NoMutatedFileCrashesHangsOrComesBackChanged)
{
  using clock = std::chrono::steady_clock;
  const auto budget = test::long_tier() ? std::chrono::seconds(600) : std::chrono::seconds(4);
  Mutator mutator(seeds());
  const auto start = clock::now();
  std::size_t rounds = 0;
  // Processor time: on a busy machine a round may wait for long without being slow.
  double slowest = 0.0;
  while (clock::now() - start < budget) {
    const std::string text = mutator.next();
    const std::clock_t before = std::clock();
    const std::string complaint = test::try_everything(text);
    slowest = std::max(slowest, static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
    ASSERT_EQ(complaint, "") << "round " << rounds << "\n" << text;
    ++rounds;
  }
  RecordProperty("rounds", static_cast<int>(rounds));
  std::cout << rounds << " mutated files, slowest " << 1e3 * slowest << " ms of processor time\n";
  // Far above what a file of 20 kB takes: a hang, not a slow round.
  EXPECT_LT(slowest, 10.0);
}
