// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tl/expected.hpp>

namespace ambf_adf
{

// The one alias of the package, so that std::expected (C++23) can take over by editing this file.
using tl::expected;
using tl::unexpected;

}  // namespace ambf_adf
