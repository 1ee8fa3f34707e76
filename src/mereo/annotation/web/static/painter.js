/**
 * Draws pieces into a color and a number for each pixel, and these onto the page.
 *
 * While something moves there is one plain frame after another. When all stands still, a few more frames, each moved by
 * a part of a pixel, are laid over each other: edges become smooth, and what is seen through becomes a clear veil.
 */

import { Held } from "./held.js";
import { makeRoom, newTexture } from "./room.js";
import { programs } from "./shaders.js";
import { dot, plus, times, unit } from "./linear.js";

const FAR = 1e10;
export const STILL = 6;

/** @typedef {import("./linear.js").Vector} Vector */
/** @typedef {{normal: Vector, place: number} | null} Section */
/** @typedef {{paper: Vector, line: Vector, chosen: Vector, shade: Vector, dark: number}} Theme */

/**
 * How a frame is drawn. turn : 0 for a plain frame, else which of those laid over each other; scale : pixels drawn for
 * one of the page; few : whether fewer triangles do; clear : whether something is seen through
 * @typedef {{turn: number, scale: number, few: boolean, section: Section, clear: boolean,
 *   ground: {low: Vector, high: Vector} | null}} How
 */

/** A number below one for each frame, spread evenly. @param {number} at @param {number} base */
function spread(at, base) {
  let found = 0;
  for (let share = 1 / base; at > 0; at = Math.floor(at / base), share /= base) found += share * (at % base);
  return found;
}

export class Painter {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: false, alpha: false, depth: false, powerPreference: "high-performance" });
    if (!gl) throw new Error("This browser has no WebGL 2, which the viewer needs.");
    this.gl = gl;
    this.canvas = canvas;
    /** @type {[number, number]} */ this.full = [0, 0];
    this.begin();
  }

  /** Make all that the graphics card holds; also after it was lost. */
  begin() {
    const { gl } = this;
    this.programs = programs(gl);
    this.held = new Held(gl);
    this.empty = gl.createVertexArray();
    this.colors = newTexture(gl, gl.LINEAR);
    this.numbers = newTexture(gl, gl.NEAREST);
    this.sum = newTexture(gl, gl.NEAREST);
    this.depth = gl.createRenderbuffer();
    this.stage = gl.createFramebuffer();
    this.swift = gl.createFramebuffer();
    this.still = gl.createFramebuffer();
    this.corners = this.width = this.height = 0;
  }

  /** Nothing but paper. @param {Theme} theme */
  blank(theme) {
    const { gl } = this;
    this.allot(1);
    this.fit();
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.clearColor(...theme.paper, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
  }

  /** How large the picture is where nothing hurries. @param {number} width pixels @param {number} height */
  resize(width, height) {
    this.full = [width, height];
  }

  /** Have room for so many of the pixels. @param {number} scale */
  allot(scale) {
    const { gl } = this;
    const [width, height] = this.full.map((side) => Math.max(1, Math.round(side * scale)));
    if (width === this.width && height === this.height) return;
    this.width = width;
    this.height = height;
    makeRoom(gl, this, width, height);
  }

  /**
   * One frame onto the page.
   * @param {import("./camera.js").Camera} camera @param {Theme} theme
   * @param {How} how
   */
  paint(camera, theme, how) {
    const { gl } = this;
    const shift = /** @type {[number, number]} */ (
      how.turn ? [spread(how.turn, 2) - 0.5, spread(how.turn, 3) - 0.5] : [0, 0]
    );
    this.stageFrame(camera, theme, how, shift, false);
    this.fit();
    gl.bindFramebuffer(gl.FRAMEBUFFER, how.turn ? this.still : null);
    gl.viewport(0, 0, this.width, this.height);
    gl.disable(gl.DEPTH_TEST);
    if (!how.turn) this.confine(camera, theme, how);
    const { made, at } = this.programsOf(how).page();
    gl.useProgram(made);
    if (how.turn > 1) {
      gl.enable(gl.BLEND);
      gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    }
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.numbers);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.colors);
    gl.uniform1i(at.colors, 0);
    gl.uniform1i(at.numbers, 1);
    gl.uniform1f(at.weight, how.turn ? 1 / how.turn : 1);
    gl.uniform3fv(at.line, theme.line);
    gl.uniform3fv(at.chosen, theme.chosen);
    gl.bindVertexArray(this.empty);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.disable(gl.BLEND);
    gl.disable(gl.SCISSOR_TEST);
    if (how.turn) this.show();
  }

  /** Where there is only ground, draw it at once, and look for lines only around the shape: that is most of a hasty frame. */
  confine(/** @type {import("./camera.js").Camera} */ camera, /** @type {Theme} */ theme, /** @type {How} */ how) {
    const { gl, width, height } = this;
    if (!how.ground) return;
    const seen = camera.around(how.ground.low, how.ground.high);
    if (!seen) return;
    const [across, down] = [width / camera.width, height / camera.height];
    const [left, below] = [Math.floor(seen.left * across) - 2, Math.floor(height - seen.bottom * down) - 2];
    const [right, above] = [Math.ceil(seen.right * across) + 2, Math.ceil(height - seen.top * down) + 2];
    gl.clearColor(...theme.paper, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (camera.axes().eye[2] > how.ground.low[2]) this.shade(camera.matrix(), theme, how);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(left, below, right - left, above - below);
  }

  /** A canvas of the pixels that are drawn; the browser stretches it, which costs less than doing it here. */
  fit() {
    const { canvas, width, height } = this;
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
  }

  /** @param {How} how */
  programsOf(how) {
    return how.turn ? this.programs.calm : this.programs.haste;
  }

  /** What was laid over each other onto the page. */
  show() {
    const { gl, width, height } = this;
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, this.still);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
  }

  /** Colors and numbers of all pixels. solid : whether what is seen through counts as if it were not */
  stageFrame(camera, theme, how, shift, solid) {
    const { gl } = this;
    this.allot(how.scale);
    gl.bindFramebuffer(gl.FRAMEBUFFER, how.turn ? this.stage : this.swift);
    gl.viewport(0, 0, this.width, this.height);
    gl.clearBufferfv(gl.COLOR, 0, [...theme.paper, 0]);
    if (how.turn) gl.clearBufferuiv(gl.COLOR, 1, [0, 0, 0, 0]);
    gl.clearBufferfv(gl.DEPTH, 0, [1]);
    const seen = camera.matrix(shift);
    const { eye, ahead, right, up } = camera.axes();
    if (how.ground && eye[2] > how.ground.low[2]) this.shade(seen, theme, how);
    gl.enable(gl.DEPTH_TEST);
    const { clear, whole } = this.programsOf(how);
    const { made, at } = how.clear || how.section ? clear() : whole();
    gl.useProgram(made);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.held.looks);
    gl.uniform1i(at.looks, 0);
    gl.uniformMatrix4fv(at.seen, false, seen);
    gl.uniform3fv(at.eye, eye);
    if (at.ahead) gl.uniform3fv(at.ahead, ahead);
    gl.uniform3fv(at.key, unit(plus(plus(times(right, -0.5), times(up, 0.55)), plus(times(ahead, -0.6), [0, 0, 0.5]))));
    gl.uniform3fv(at.fill, unit(plus(times(right, 0.9), plus(times(ahead, -0.5), times(up, 0.1)))));
    if (at.plane) gl.uniform4fv(at.plane, how.section ? [...how.section.normal, how.section.place] : [0, 0, 0, FAR]);
    if (at.turn) gl.uniform1f(at.turn, how.turn);
    if (at.solid) gl.uniform1i(at.solid, solid ? 1 : 0);
    this.corners = this.held.bind(how.few);
    gl.drawElements(gl.TRIANGLES, this.corners, gl.UNSIGNED_INT, 0);
    gl.bindVertexArray(null);
  }

  /** The shadow on the ground. */
  shade(/** @type {Float32Array} */ seen, /** @type {Theme} */ theme, /** @type {How} */ how) {
    const { gl } = this;
    const { low, high } = /** @type {{low: Vector, high: Vector}} */ (how.ground);
    const { made, at } = this.programsOf(how).ground();
    gl.useProgram(made);
    gl.uniformMatrix4fv(at.seen, false, seen);
    const half = [(high[0] - low[0]) / 2, (high[1] - low[1]) / 2];
    gl.uniform4f(at.room, (low[0] + high[0]) / 2, (low[1] + high[1]) / 2, half[0], half[1]);
    gl.uniform1f(at.floor, low[2]);
    gl.uniform3fv(at.shade, theme.shade);
    gl.uniform1f(at.dark, theme.dark);
    gl.disable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ZERO, gl.ONE);
    gl.bindVertexArray(this.empty);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.disable(gl.BLEND);
  }

  /**
   * Slot and depth at pixels of the last frame, rows from below; slot -1 is the ground.
   * @param {number} x @param {number} y from above @param {number} width @param {number} height
   */
  read(x, y, width, height) {
    const { gl } = this;
    const found = new Uint32Array(4 * width * height);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.stage);
    gl.readBuffer(gl.COLOR_ATTACHMENT1);
    gl.readPixels(x, this.height - y - height, width, height, gl.RGBA_INTEGER, gl.UNSIGNED_INT, found);
    gl.readBuffer(gl.COLOR_ATTACHMENT0);
    return found;
  }
}

/** The slot that a number of a pixel tells. @param {number} number */
export const slotOf = (number) => (number & 0xffffff) - 1;

/** A depth as the card wrote it. @param {number} bits */
export const depthOf = (bits) => new Float32Array(new Uint32Array([bits]).buffer)[0];

/** Which side of a section a point is on. @param {Section} section @param {Vector} point */
export const isCutAway = (section, point) => section !== null && dot(section.normal, point) > section.place;
