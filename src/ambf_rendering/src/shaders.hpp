// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace ambf_rendering::shaders
{

/// Lights beyond this number are left out, with a warning.
inline constexpr int kMaxLights = 6;
/// Of these, so many cast shadows.
inline constexpr int kMaxShadows = 2;

extern const char * const surface_vertex;
extern const char * const surface_fragment;  ///< define TEXTURED for a colour map
extern const char * const depth_fragment;
extern const char * const identity_fragment;
extern const char * const caster_fragment;
extern const char * const backdrop_fragment;
extern const char * const grid_fragment;
extern const char * const line_vertex;
extern const char * const line_fragment;
extern const char * const text_vertex;  ///< places in the picture, -1 .. 1
extern const char * const text_fragment;

}  // namespace ambf_rendering::shaders
