// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iostream>

#include "ambf_adf/keys.hpp"
#include "commands.hpp"

namespace
{

using ambf_adf::KeyBlock;
using ambf_adf::KeyInfo;

const char * const page_start =
  R"(<!-- Made by: ./ambf exec adf keys --markdown > docs/adf_reference.md (a test compares) -->
# ADF: every key

What may stand in an ADF file, as this simulator reads it. [What an ADF file is](adf.md) explains the
format and has a world to copy. The tool prints the same in a terminal: `adf keys`, or `adf keys joint`.

- A key of a map inside a map is written with a slash: `friction/static` is `static` in the map
  `friction`. `[]` stands for each item of a list.
- A *pose* is `{position: {x: 0, y: 0, z: 0}, orientation: {r: 0, p: 0, y: 0}}`: metres, and roll,
  pitch, yaw in radians about fixed axes. Either part may be left out.
- **Bold** keys must be there where the map or the kind that they belong to is used. Keys that are struck through are accepted, with a warning, and have no effect.
- An empty default means that the meaning says what happens without the key.
- What the reader does not know is a warning with the nearest known key; it is kept when a file is written.
)";

std::string type_of(const KeyInfo & key)
{
  // The sentence form of messages, without its articles.
  std::string type = key.type;
  for (const std::string article : {"a ", "A "}) {
    for (auto at = type.find(article); at != std::string::npos; at = type.find(article, at + 1)) {
      if (at == 0 || type[at - 1] == ' ') { type.erase(at, article.size()); }
    }
  }
  return type;
}

std::string anchor(const std::string & name)
{
  std::string result = name;
  std::replace(result.begin(), result.end(), ' ', '-');
  return result;
}

std::string title(std::string name)
{
  name[0] = static_cast<char>(name[0] >= 'a' && name[0] <= 'z' ? name[0] - 'a' + 'A' : name[0]);
  return name;
}

std::string no_effect(const std::string & why)
{
  return "No effect: " + why + (why.ends_with('?') ? "" : ".");
}

void print_markdown(const KeyBlock & block)
{
  std::cout << "\n## " << title(block.name) << "\n\n" << block.about;
  if (!block.listed_by.empty()) { std::cout << " Listed by `" << block.listed_by << "`."; }
  for (std::size_t i = 0; i < block.includes.size(); ++i) {
    std::cout << (i == 0 ? " Also the keys of " : " and of ") << "[" << block.includes[i] << "](#"
              << anchor(block.includes[i]) << ")";
  }
  std::cout << (block.includes.empty() ? "" : ".")
            << "\n\n| key | type | unit | default | meaning |\n|---|---|---|---|---|\n";
  for (const KeyInfo & key : block.keys) {
    const char * mark = !key.effective ? "~~" : key.required ? "**" : "";
    const std::string fallback = key.fallback.empty() ? "" : "`" + key.fallback + "`";
    std::cout << "| " << mark << "`" << key.path << "`" << mark << " | "
              << (key.effective ? type_of(key) : "") << " | " << key.unit << " | " << fallback
              << " | " << (key.effective ? key.meaning : no_effect(key.meaning)) << " |\n";
  }
}

void print_text(const KeyBlock & block)
{
  std::cout << "\n" << title(block.name);
  if (!block.listed_by.empty()) { std::cout << " (listed by '" << block.listed_by << "')"; }
  std::cout << ": " << block.about << "\n";
  for (std::size_t i = 0; i < block.includes.size(); ++i) {
    std::cout << (i == 0 ? "Also the keys of '" : " and of '") << block.includes[i] << "'";
  }
  std::cout << (block.includes.empty() ? "" : ".\n");
  for (const KeyInfo & key : block.keys) {
    std::cout << "  " << key.path;
    if (!key.effective) {
      std::cout << ": no effect: " << key.meaning << "\n";
      continue;
    }
    std::cout << ": " << type_of(key) << (key.unit.empty() ? "" : " [" + key.unit + "]")
              << (key.fallback.empty() ? "" : ", default " + key.fallback)
              << (key.required ? ", required" : "") << "\n      " << key.meaning << "\n";
  }
}

}  // namespace

int run_keys(const std::vector<std::string> & arguments)
{
  bool markdown = false;
  std::string wanted;
  for (const auto & argument : arguments) {
    if (argument == "--markdown") {
      markdown = true;
    } else if (argument.starts_with("-")) {
      std::cerr << "adf keys: unknown option '" << argument << "'; see adf --help\n";
      return exit_usage;
    } else {
      wanted += (wanted.empty() ? "" : " ") + argument;
    }
  }
  std::vector<KeyBlock> blocks = ambf_adf::key_reference();
  if (!wanted.empty()) {
    std::string names;
    for (const auto & block : blocks) { names += (names.empty() ? "" : ", ") + block.name; }
    std::erase_if(blocks, [&](const KeyBlock & block) { return block.name != wanted; });
    if (blocks.empty()) {
      std::cerr << "adf keys: no block '" << wanted << "'; there are: " << names << "\n";
      return exit_usage;
    }
  }
  if (markdown && wanted.empty()) { std::cout << page_start; }
  for (const auto & block : blocks) { markdown ? print_markdown(block) : print_text(block); }
  return exit_good;
}
