// SPDX-License-Identifier: BSD-3-Clause
#include "shaders.hpp"

// Colours of descriptions are sRGB; light is added up in linear space and the sum converted back.

namespace ambf_rendering::shaders
{

const char * const surface_vertex = R"(#version 330 core
in vec4 vertex;
in vec3 normal;
in vec2 uv0;
uniform mat4 world;
uniform mat4 world_view;
uniform mat4 world_view_projection;
out vec3 place;
out vec3 facing;
out vec2 uv;
out float distance_ahead;
void main()
{
  place = (world * vertex).xyz;
  facing = mat3(world) * normal;
  uv = uv0;
  distance_ahead = -(world_view * vertex).z;
  gl_Position = world_view_projection * vertex;
}
)";

const char * const surface_fragment = R"(
in vec3 place;
in vec3 facing;
in vec2 uv;
out vec4 colour;

uniform vec4 diffuse;
uniform vec4 specular;
uniform vec4 emission;
uniform float shininess;
uniform vec4 eye;
uniform float light_count;
uniform vec4 light_position[6];   // w = 0: a direction towards the light
uniform vec4 light_axis[6];       // w: cosine of the outer cone; below -1 no cone
uniform vec4 light_colour[6];     // w: cosine of the inner cone
uniform vec4 light_fade[6];       // constant, linear, quadratic attenuation; w: shadow map or -1
uniform vec4 light_spot[6];       // x: exponent of the fall-off from the axis
uniform mat4 shadow_matrix[2];
uniform vec4 shadow_size[2];      // 1 / pixels, offset along the normal [m]
uniform sampler2DShadow shadow_map0;
uniform sampler2DShadow shadow_map1;
uniform vec4 sky;
uniform vec4 ground;
#ifdef TEXTURED
uniform sampler2D colour_map;
#endif

// Polynomials and roots in place of powers: a processor that draws needs less time for them.
vec3 to_linear(vec3 c) { return c * (c * (c * 0.305306 + 0.682171) + 0.012523); }
vec3 to_srgb(vec3 c)
{
  vec3 a = sqrt(c), b = sqrt(a), d = sqrt(b);
  return 0.662003 * a + 0.684122 * b - 0.323584 * d - 0.022541 * c;
}

float lit(sampler2DShadow map, vec4 at, float texel)
{
  if (at.w <= 0.0) return 1.0;
  vec3 p = at.xyz / at.w;
  p = vec3(0.5 + 0.5 * p.x, 0.5 - 0.5 * p.y, 0.5 + 0.5 * p.z);
  if (any(lessThan(p, vec3(0.0))) || any(greaterThan(p, vec3(1.0)))) return 1.0;
  float sum = 0.0;
  // Four places, each of which the sampler blends from four texels.
  for (int i = -1; i <= 1; i += 2)
    for (int j = -1; j <= 1; j += 2)
      sum += texture(map, vec3(p.xy + texel * vec2(i, j), p.z));
  return 0.25 * sum;
}

vec3 surroundings(vec3 direction)
{
  return mix(ground.rgb, sky.rgb, smoothstep(-0.35, 0.75, direction.z));
}

void main()
{
  vec3 albedo = diffuse.rgb;
  float alpha = diffuse.a;
#ifdef TEXTURED
  vec4 sampled = texture(colour_map, vec2(uv.x, 1.0 - uv.y));
  albedo *= sampled.rgb;
  alpha *= sampled.a;
#endif
  albedo = to_linear(albedo);
  vec3 view = normalize(eye.xyz - place);
  vec3 n = normalize(facing);
  if (dot(n, view) < 0.0) n = -n;  // both sides are drawn
  float gloss = 0.35 * dot(specular.rgb, vec3(0.333));
  vec3 sum = to_linear(emission.rgb) + albedo * 0.62 * surroundings(n);
  vec3 shine = vec3(0.0);
  for (int i = 0; i < int(light_count + 0.5); ++i) {
    vec3 to = light_position[i].xyz - place * light_position[i].w;
    float far = length(to);
    to /= far;
    float incidence = dot(n, to);
    if (incidence <= 0.0) continue;
    float along = dot(-to, light_axis[i].xyz);
    float cone = smoothstep(light_axis[i].w, light_colour[i].w, along);
    if (light_spot[i].x > 0.0) cone *= pow(max(along, 1e-4), light_spot[i].x);
    vec3 fade = light_fade[i].xyz;
    float amount = cone / max(fade.x + far * (fade.y + far * fade.z), 1e-3);
    if (light_fade[i].w > -0.5 && amount > 0.0) {
      vec4 from = vec4(place, 1.0);
      if (light_fade[i].w < 0.5) {
        from.xyz += n * shadow_size[0].y;
        amount *= lit(shadow_map0, shadow_matrix[0] * from, shadow_size[0].x);
      } else {
        from.xyz += n * shadow_size[1].y;
        amount *= lit(shadow_map1, shadow_matrix[1] * from, shadow_size[1].x);
      }
    }
    vec3 light = light_colour[i].rgb * amount;
    sum += albedo * light * incidence;
    float power = max(shininess, 4.0);
    float highlight = pow(max(dot(n, normalize(to + view)), 0.0), power) * (power + 8.0) / 40.0;
    shine += light * incidence * highlight;
  }
  float rim = pow(1.0 - max(dot(n, view), 0.0), 5.0);
  float fresnel = gloss * (0.12 + 0.88 * rim);
  sum += gloss * shine * mix(vec3(1.0), albedo, 0.25) + fresnel * surroundings(reflect(-view, n));
  // Straight up to 0.8, then rolled off: colours stay what the description says.
  vec3 over = max(sum - 0.8, vec3(0.0));
  sum = min(sum, vec3(0.8)) + 0.2 * over / (over + 0.2);
  colour = vec4(to_srgb(sum), alpha);
}
)";

const char * const depth_fragment = R"(#version 330 core
in float distance_ahead;
out vec4 colour;
void main() { colour = vec4(distance_ahead, 0.0, 0.0, 1.0); }
)";

const char * const identity_fragment = R"(#version 330 core
uniform vec4 identity;
out vec4 colour;
void main() { colour = vec4(identity.rgb, 1.0); }
)";

const char * const caster_fragment = R"(#version 330 core
out vec4 colour;
void main() { colour = vec4(1.0); }
)";

const char * const backdrop_fragment = R"(#version 330 core
in vec3 place;
uniform vec4 eye;
uniform vec4 zenith;
uniform vec4 horizon;
uniform vec4 nadir;
out vec4 colour;
void main()
{
  float up = normalize(place - eye.xyz).z;
  vec3 c = up > 0.0 ? mix(horizon.rgb, zenith.rgb, sqrt(up)) :
    mix(horizon.rgb, nadir.rgb, sqrt(min(-up * 2.0, 1.0)));
  colour = vec4(c, 1.0);
}
)";

const char * const grid_fragment = R"(#version 330 core
in vec3 place;
uniform vec4 eye;
uniform vec4 line_colour;
uniform float spacing;
out vec4 colour;
float lines(vec2 p, float step)
{
  vec2 cell = p / step;
  vec2 width = max(fwidth(cell), vec2(1e-5));
  vec2 near = abs(fract(cell - 0.5) - 0.5) / width;
  // Lines closer than three pixels would shimmer.
  vec2 calm = clamp(1.0 - 3.0 * width, 0.0, 1.0);
  vec2 cover = clamp(1.2 - near, 0.0, 1.0) * calm;
  return max(cover.x, cover.y);
}
void main()
{
  float cover = max(0.45 * lines(place.xy, spacing), lines(place.xy, 10.0 * spacing));
  float fade = clamp(1.0 - length(place - eye.xyz) / (60.0 * spacing), 0.0, 1.0);
  colour = vec4(line_colour.rgb, line_colour.a * cover * fade);
}
)";

const char * const line_vertex = R"(#version 330 core
in vec4 vertex;
in vec4 colour;
uniform mat4 world_view_projection;
out vec4 tint;
void main()
{
  tint = colour;
  gl_Position = world_view_projection * vertex;
}
)";

const char * const line_fragment = R"(#version 330 core
in vec4 tint;
out vec4 colour;
void main() { colour = tint; }
)";

const char * const text_vertex = R"(#version 330 core
in vec4 vertex;
in vec4 colour;
in vec2 uv0;
uniform float flip;
out vec4 tint;
out vec2 uv;
void main()
{
  tint = colour;
  uv = uv0;
  gl_Position = vec4(vertex.x, flip * vertex.y, 0.0, 1.0);
}
)";

const char * const text_fragment = R"(#version 330 core
in vec4 tint;
in vec2 uv;
uniform sampler2D glyphs;
out vec4 colour;
void main() { colour = vec4(tint.rgb, tint.a * texture(glyphs, uv).r); }
)";

}  // namespace ambf_rendering::shaders
