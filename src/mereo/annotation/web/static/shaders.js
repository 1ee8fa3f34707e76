/** The programs that draw: pieces into color and numbers, and these into a picture. */

const HEAD = `#version 300 es
precision highp float;
precision highp int;
`;

/** Every vertex looks up what its piece is like: two texels, its paint and where it is moved to. */
const PIECE_VERTEX = `
layout(location = 0) in vec3 position;
layout(location = 1) in uint piece;
uniform mat4 seen;
uniform vec3 eye;
uniform highp sampler2D looks;
out vec3 away;
flat out vec4 paint;
flat out uint mark;
void main() {
  ivec2 at = ivec2(int(piece & 1023u), 2 * int(piece >> 10u));
  paint = texelFetch(looks, at, 0);
  vec4 moved = texelFetch(looks, at + ivec2(0, 1), 0);
  mark = (piece + 1u) | (uint(moved.w) << 24u);
  vec3 place = position + moved.xyz;
  away = place - eye;
  gl_Position = paint.a > 0.0 ? seen * vec4(place, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}`;

/** In haste there is no number beside the color: its alpha tells pieces apart, well enough for the lines between them. */
const PIECE_FRAGMENT = `
in vec3 away;
flat in vec4 paint;
flat in uint mark;
uniform vec3 eye, ahead, key, fill;
uniform vec4 plane;
uniform float turn;
uniform bool solid;
layout(location = 0) out vec4 color;
#ifndef HASTE
layout(location = 1) out uvec2 number;
#endif
#ifdef CLEAR
float chance(vec2 at, float turn) {
  return fract(52.9829189 * fract(dot(at + 5.588238 * turn, vec2(0.06711056, 0.00583715))));
}
#endif
void main() {
  bool veiled = false;
#ifdef CLEAR
  if (dot(plane.xyz, away + eye) > plane.w) discard;
  if (!solid && chance(gl_FragCoord.xy + 17.0 * float(mark & 15u), turn) > paint.a) discard;
  veiled = !solid && paint.a < 1.0;
#endif
  vec3 normal = cross(dFdx(away), dFdy(away));
  normal *= inversesqrt(dot(normal, normal) + 1e-30);
  float light = 0.45 + 0.09 * normal.z + 0.55 * max(dot(normal, key), 0.0) + 0.17 * max(dot(normal, fill), 0.0);
  vec3 lit = paint.rgb * min(light, 1.12);
#ifdef CLEAR
  if (plane.w < 1e9 && !gl_FrontFacing) lit = mix(paint.rgb, vec3(0.5), 0.18) * (0.72 - 0.1 * dot(normal, ahead));
#endif
#ifdef HASTE
  uint code = (mark >> 24u << 6u) | (veiled ? 63u : 1u + 37u * (mark & 0xffffffu) % 62u);
  color = vec4(lit, float(code) / 255.0);
#else
  color = vec4(lit, 1.0);
  number = uvec2(veiled ? mark | 0x80000000u : mark, floatBitsToUint(1.0 / gl_FragCoord.w));
#endif
}`;

/** A soft shadow where the shape stands. */
const GROUND_VERTEX = `
uniform mat4 seen;
uniform vec4 room;
uniform float floor;
out vec2 at;
void main() {
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
  at = corner * (room.zw + 0.9 * max(room.z, room.w));
  gl_Position = seen * vec4(room.xy + at, floor, 1.0);
}`;

const GROUND_FRAGMENT = `
in vec2 at;
uniform vec4 room;
uniform vec3 shade;
uniform float dark;
layout(location = 0) out vec4 color;
#ifndef HASTE
layout(location = 1) out uvec2 number;
#endif
void main() {
  float soft = 0.8 * max(room.z, room.w);
  vec2 outside = max(abs(at) - room.zw * 0.55, 0.0);
  float fade = clamp(1.0 - length(outside) / soft, 0.0, 1.0);
  color = vec4(shade, dark * fade * fade * (3.0 - 2.0 * fade));
#ifndef HASTE
  number = uvec2(0u);
#endif
}`;

const PAGE_VERTEX = `
void main() {
  gl_Position = vec4(float((gl_VertexID << 1) & 2) * 2.0 - 1.0, float(gl_VertexID & 2) * 2.0 - 1.0, 0.0, 1.0);
}`;

/** Lines where one piece ends and another begins, but for veils; those around chosen ones in the color of choice. */
const PAGE_FRAGMENT = `
uniform sampler2D colors;
uniform highp usampler2D numbers;
uniform float weight;
uniform vec3 line, chosen;
out vec4 color;
#ifdef HASTE
const uint CHOSEN = 0x40u, PICKED = 0xc0u;
uint at(ivec2 place) {
  return uint(255.0 * texelFetch(colors, place, 0).a + 0.5);
}
bool parts(uint one, uint other) {
  return one != other && (one & 63u) != 63u && (other & 63u) != 63u;
}
#else
const uint CHOSEN = 0x01000000u, PICKED = 0x03000000u;
uint at(ivec2 place) {
  return texelFetch(numbers, place, 0).r;
}
bool parts(uint one, uint other) {
  return one != other && ((one | other) & 0x80000000u) == 0u;
}
#endif
void main() {
  ivec2 place = ivec2(gl_FragCoord.xy);
  uint here = at(place), right = at(place + ivec2(1, 0)), above = at(place + ivec2(0, 1));
  vec3 found = texelFetch(colors, place, 0).rgb;
  if (parts(here, right) || parts(here, above)) {
    bool picked = ((here | right | above) & PICKED) != 0u;
    found = mix(found, picked ? chosen : line, picked ? 0.95 : 0.55);
  } else if ((here & CHOSEN) != 0u) {
    bool rim = parts(here, at(place + ivec2(2, 0))) || parts(here, at(place + ivec2(0, 2)))
      || parts(here, at(place - ivec2(1, 0))) || parts(here, at(place - ivec2(0, 1)));
    if (rim) found = mix(found, chosen, 0.8);
  }
  color = vec4(found, weight);
}`;

/** @param {WebGL2RenderingContext} gl @param {number} kind @param {string} source */
function compiled(gl, kind, source) {
  const shader = /** @type {WebGLShader} */ (gl.createShader(kind));
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) {
    throw new Error(gl.getShaderInfoLog(shader) ?? "a shader could not be compiled");
  }
  return shader;
}

/** A program with the places of its uniforms. @param {WebGL2RenderingContext} gl */
function program(gl, /** @type {string} */ vertex, /** @type {string} */ fragment) {
  const made = /** @type {WebGLProgram} */ (gl.createProgram());
  gl.attachShader(made, compiled(gl, gl.VERTEX_SHADER, vertex));
  gl.attachShader(made, compiled(gl, gl.FRAGMENT_SHADER, fragment));
  gl.linkProgram(made);
  /** @type {Record<string, WebGLUniformLocation | null>} */
  const at = {};
  for (let one = 0; one < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); one++) {
    const name = gl.getActiveUniform(made, one)?.name ?? "";
    at[name] = gl.getUniformLocation(made, name);
  }
  return { made, at };
}

/**
 * All programs, each made when it is first wanted. Whole pieces have one of their own, since a test for what is left out
 * slows every pixel.
 */
export function programs(/** @type {WebGL2RenderingContext} */ gl) {
  /** @type {Map<string, ReturnType<typeof program>>} */ const made = new Map();
  const all = (/** @type {string} */ head) => {
    const one = (/** @type {string} */ vertex, /** @type {string} */ fragment) => {
      const found = made.get(fragment) ?? program(gl, HEAD + vertex, fragment);
      made.set(fragment, found);
      return found;
    };
    return {
      whole: () => one(PIECE_VERTEX, head + PIECE_FRAGMENT),
      clear: () => one(PIECE_VERTEX, `${head}#define CLEAR\n${PIECE_FRAGMENT}`),
      ground: () => one(GROUND_VERTEX, head + GROUND_FRAGMENT),
      page: () => one(PAGE_VERTEX, head + PAGE_FRAGMENT),
    };
  };
  return { calm: all(HEAD), haste: all(`${HEAD}#define HASTE\n`) };
}
