// SPDX-License-Identifier: BSD-3-Clause
#include "readers.hpp"

namespace ambf_convert
{

// Built where libsdformat is not installed.
expected<Model, Errors> read_sdf(
  std::unique_ptr<XmlSource>, const std::filesystem::path & file, const ReadOptions &)
{
  return ambf_adf::unexpected(Errors{ambf_adf::Problem{
    ambf_adf::Severity::Error,
    ambf_adf::ProblemKind::Unsupported,
    file.string(),
    {},
    "",
    "an SDF file",
    "a build with libsdformat",
    "install libsdformat-dev and build ambf_convert again"}});
}

}  // namespace ambf_convert
