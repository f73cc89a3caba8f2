// SPDX-License-Identifier: BSD-3-Clause
// Reads a URDF from the standard input with urdfdom, as rviz2 does; prints the links that have a visual.

#include <iostream>
#include <iterator>
#include <string>

#include <urdf_parser/urdf_parser.h>

int main()
{
  const std::string text(
    (std::istreambuf_iterator<char>(std::cin)), std::istreambuf_iterator<char>());
  const auto model = urdf::parseURDF(text);
  if (!model || !model->getRoot()) { return 1; }
  for (const auto & [name, link] : model->links_) {
    if (link->visual) { std::cout << name << "\n"; }
  }
  return 0;
}
