/** Box, lasso and knife: what is drawn over the picture, and what it comes to. */

import { dot, minus, plus, times, unit } from "./linear.js";

/**
 * @typedef {import("./linear.js").Vector} Vector
 * @typedef {import("./gestures.js").Spot} Spot
 * @typedef {import("./viewer.js").Viewer} Viewer
 * @typedef {(found: Set<number>, add: boolean) => void} Take
 */

const NEAR = 3;

/** A line over the picture. @param {SVGPolylineElement} line @param {{x: number, y: number}[]} points */
function show(line, points) {
  line.setAttribute("points", points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" "));
}

/** @param {{x: number, y: number}[]} points */
function around(points) {
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** Whether a place is within a closed line, by how often a ray crosses it. */
export function isWithin(/** @type {{x: number, y: number}[]} */ line, /** @type {number} */ x, /** @type {number} */ y) {
  let within = false;
  for (let at = 0, before = line.length - 1; at < line.length; before = at++) {
    const [a, b] = [line[at], line[before]];
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) within = !within;
  }
  return within;
}

/** Chooses what shows within a box. */
export class Box {
  /** @param {Viewer} viewer @param {SVGPolylineElement} line @param {Take} take */
  constructor(viewer, line, take) {
    Object.assign(this, { viewer, line, take });
    /** @type {Spot[]} */ this.corners = [];
  }

  /** @param {Spot} spot */
  down(spot) {
    this.corners = [spot, spot];
  }

  /** @param {Spot} spot */
  move(spot) {
    this.corners[1] = spot;
    const { left, top, right, bottom } = around(this.corners);
    show(this.line, [{ x: left, y: top }, { x: right, y: top }, { x: right, y: bottom }, { x: left, y: bottom }, { x: left, y: top }]);
  }

  /** @param {Spot} spot */
  up(spot) {
    this.corners[1] = spot;
    const box = around(this.corners);
    show(this.line, []);
    const within = (/** @type {number} */ x, /** @type {number} */ y) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    this.take(this.viewer.within(box, within, spot.alt), spot.add);
  }

  drop() {
    show(this.line, []);
  }

  leave() {
    this.drop();
  }
}

/** Chooses what shows within a line that is drawn freely. */
export class Lasso {
  /** @param {Viewer} viewer @param {SVGPolylineElement} line @param {Take} take */
  constructor(viewer, line, take) {
    Object.assign(this, { viewer, line, take });
    /** @type {Spot[]} */ this.drawn = [];
  }

  /** @param {Spot} spot */
  down(spot) {
    this.drawn = [spot];
  }

  /** @param {Spot} spot */
  move(spot) {
    this.drawn.push(spot);
    show(this.line, [...this.drawn, this.drawn[0]]);
  }

  /** @param {Spot} spot */
  up(spot) {
    show(this.line, []);
    if (this.drawn.length < 3) return;
    this.take(this.viewer.within(around(this.drawn), (x, y) => isWithin(this.drawn, x, y), spot.alt), spot.add);
  }

  drop() {
    show(this.line, []);
  }

  leave() {
    this.drop();
  }
}

/** Draws a path on the surface of one piece, by dragging or from point to point. */
export class Knife {
  /** @param {Viewer} viewer @param {SVGPolylineElement} line @param {(said: string) => void} say */
  constructor(viewer, line, say) {
    Object.assign(this, { viewer, line, say });
    /** @type {import("./pieces.js").Piece | null} */ this.piece = null;
    /** @type {Vector[]} */ this.path = [];
    /** @type {Vector[]} */ this.views = [];
    this.before = 0;
    this.redraw = () => this.draw();
    viewer.afterwards.push(this.redraw);
  }

  /** @param {Spot} spot */
  down(spot) {
    this.before = this.path.length;
    this.add(spot, 0);
  }

  /** What the finger that is down has drawn does not count. */
  drop() {
    while (this.path.length > this.before) this.back();
  }

  /** @param {Spot} spot */
  move(spot) {
    this.add(spot, NEAR);
  }

  up() {
    if (this.path.length > 1) this.say("Enter cuts along the line, Backspace takes a point back, Escape leaves.");
  }

  /** Add the point of the surface that is seen at a place, where it is on the piece that is being cut. */
  add(/** @type {{x: number, y: number}} */ spot, /** @type {number} */ apart) {
    const hit = this.viewer.pick(spot.x, spot.y);
    if (!hit || (this.piece && hit.piece.id !== this.piece.id)) return false;
    this.piece = hit.piece;
    const last = this.path[this.path.length - 1];
    if (last && apart) {
      const before = this.viewer.camera.project(plus(last, this.viewer.shiftOf(hit.piece)));
      if (Math.hypot(before.x - spot.x, before.y - spot.y) < apart) return false;
    }
    this.path.push(hit.point);
    this.views.push(unit(this.viewer.camera.ray(spot.x, spot.y)));
    this.draw();
    return true;
  }

  back() {
    this.path.pop();
    this.views.pop();
    if (!this.path.length) this.piece = null;
    this.draw();
  }

  draw() {
    const { piece } = this;
    if (!piece) return show(this.line, []);
    const shift = this.viewer.shiftOf(piece);
    return show(this.line, smoothed(this.path).map((point) => this.viewer.camera.project(plus(point, shift))));
  }

  /** What is to be cut, or nothing where the path is too short. */
  cut() {
    if (!this.piece || this.path.length < 2) return null;
    const direction = unit(this.views.reduce(plus, /** @type {Vector} */ ([0, 0, 0])));
    return { piece: this.piece.id, path: smoothed(this.path), direction };
  }

  leave() {
    this.path = [];
    this.views = [];
    this.piece = null;
    this.draw();
    this.viewer.afterwards = this.viewer.afterwards.filter((one) => one !== this.redraw);
  }
}

/** A path without the trembling of a hand: its ends stay, what is straight has few points. @param {Vector[]} path */
export function smoothed(path) {
  let calm = path;
  if (path.length > 6) {
    for (let round = 0; round < 3; round++) {
      const before = calm;
      calm = before.map((point, at) =>
        at === 0 || at === before.length - 1
          ? point
          : plus(times(point, 0.5), times(plus(before[at - 1], before[at + 1]), 0.25)),
      );
    }
  }
  const length = calm.slice(1).reduce((sum, point, at) => sum + Math.sqrt(square(minus(point, calm[at]))), 0);
  return thinned(calm, (length * 0.002) ** 2);
}

/** @param {Vector} a */
const square = (a) => dot(a, a);

/** Leave out what lies on the line between its neighbors. @returns {Vector[]} */
function thinned(/** @type {Vector[]} */ path, /** @type {number} */ near) {
  if (path.length < 3) return path;
  const [first, last] = [path[0], path[path.length - 1]];
  const along = minus(last, first);
  let [far, at] = [-1, 0];
  for (let one = 1; one < path.length - 1; one++) {
    const away = minus(path[one], first);
    const share = Math.min(1, Math.max(0, dot(away, along) / (square(along) || 1)));
    const apart = square(minus(away, times(along, share)));
    if (apart > far) [far, at] = [apart, one];
  }
  if (far <= near) return [first, last];
  return [...thinned(path.slice(0, at + 1), near).slice(0, -1), ...thinned(path.slice(at), near)];
}
