/** An eye that goes around a point: z is up, the front of a shape looks towards -y. */

import { clamp, cross, dot, lens, minus, plus, product, sight, times, unit } from "./linear.js";

const SLOPE = Math.tan((32 * Math.PI) / 360);
const STEEP = Math.PI / 2 - 0.01;

/** @typedef {import("./linear.js").Vector} Vector */

export class Camera {
  constructor() {
    /** @type {Vector} */ this.target = [0, 0, 0];
    this.distance = 3;
    this.azimuth = 0.6;
    this.elevation = 0.36;
    this.radius = 1;
    this.width = this.height = 1;
    /** @type {() => void} */ this.changed = () => {};
  }

  /** Look at a ball as a whole. @param {Vector} center @param {number} radius */
  frame(center, radius) {
    this.target = center;
    this.distance = (1.12 * radius) / (SLOPE * Math.min(1, this.width / this.height));
    this.changed();
  }

  /** @param {number} across radians @param {number} up radians */
  turn(across, up) {
    this.azimuth += across;
    this.elevation = clamp(this.elevation + up, -STEEP, STEEP);
    this.changed();
  }

  /** @param {number} azimuth @param {number} elevation */
  look(azimuth, elevation) {
    this.azimuth = azimuth;
    this.elevation = clamp(elevation, -STEEP, STEEP);
    this.changed();
  }

  /** Move the target with the picture. @param {number} x pixels @param {number} y pixels */
  pan(x, y) {
    const { right, up } = this.axes();
    const step = (2 * SLOPE * this.distance) / this.height;
    this.target = plus(this.target, plus(times(right, -x * step), times(up, y * step)));
    this.changed();
  }

  /** @param {number} factor below one goes nearer */
  zoom(factor) {
    this.distance = clamp(this.distance * factor, this.radius * 0.02, this.radius * 40);
    this.changed();
  }

  /** Where the eye is and its directions, world frame. */
  axes() {
    const level = Math.cos(this.elevation);
    /** @type {Vector} */
    const ahead = [-Math.sin(this.azimuth) * level, Math.cos(this.azimuth) * level, -Math.sin(this.elevation)];
    const right = unit(cross(ahead, [0, 0, 1]));
    const up = cross(right, ahead);
    return { eye: minus(this.target, times(ahead, this.distance)), ahead, right, up };
  }

  /** From the world to the picture. @param {[number, number]} shift pixels */
  matrix(shift = [0, 0]) {
    const { eye, right, up, ahead } = this.axes();
    const near = Math.max(this.distance - 4 * this.radius, this.distance * 0.01);
    const far = this.distance + 6 * this.radius;
    const moved = /** @type {[number, number]} */ ([(2 * shift[0]) / this.width, (2 * shift[1]) / this.height]);
    return product(lens(SLOPE, this.width / this.height, near, far, moved), sight(eye, right, up, ahead));
  }

  /** The direction in which a pixel lies. @param {number} x @param {number} y */
  ray(x, y) {
    const { right, up, ahead } = this.axes();
    const across = ((2 * x) / this.width - 1) * SLOPE * (this.width / this.height);
    const above = (1 - (2 * y) / this.height) * SLOPE;
    return plus(ahead, plus(times(right, across), times(up, above)));
  }

  /** What is seen at a pixel at a depth. @param {number} x @param {number} y @param {number} depth along the view */
  point(x, y, depth) {
    return plus(this.axes().eye, times(this.ray(x, y), depth));
  }

  /** Where a point is in the picture, in pixels, and how deep. @param {Vector} point */
  project(point) {
    const { eye, right, up, ahead } = this.axes();
    const away = minus(point, eye);
    const depth = dot(away, ahead);
    const scale = this.height / (2 * SLOPE * depth);
    return { x: this.width / 2 + dot(away, right) * scale, y: this.height / 2 - dot(away, up) * scale, depth };
  }

  /** Where a box is in the picture, in pixels; nothing where some of it is behind the eye. @param {Vector} low @param {Vector} high */
  around(low, high) {
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((corner) =>
      this.project(/** @type {Vector} */ ([0, 1, 2].map((axis) => ((corner >> axis) & 1 ? high : low)[axis]))),
    );
    if (corners.some(({ depth }) => depth <= 0)) return null;
    const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
    return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
  }
}
