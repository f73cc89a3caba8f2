// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "ambf_adf/model.hpp"

namespace ambf_adf
{

/// Headers of everything that has topics: all objects but joints, in a fixed order.
std::vector<ObjectHeader *> headers_with_topics(Model & model);

/// Gives each object its topic; where two objects of the model would share one, the later gets a
/// number. Returns the objects that did.
std::vector<const ObjectHeader *> assign_topics(Model & model);

}  // namespace ambf_adf
