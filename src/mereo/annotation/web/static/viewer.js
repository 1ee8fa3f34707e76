/** A shape on a canvas: what is seen of its pieces, and which piece is where. Draws only when something changed. */

import { Camera } from "./camera.js";
import { length, minus, plus, times } from "./linear.js";
import { depthOf, isCutAway, Painter, slotOf, STILL } from "./painter.js";
import { bounds } from "./pieces.js";
import { theme } from "./colors.js";

/**
 * @typedef {import("./linear.js").Vector} Vector
 * @typedef {import("./pieces.js").Piece} Piece
 * @typedef {{piece: Piece, point: Vector, depth: number}} Hit
 */

const SLOW = 30;
const EASY = 20;
const HASTE = [
  { scale: 1, few: false },
  { scale: 1, few: true },
  { scale: 0.7, few: true },
  { scale: 0.5, few: true },
  { scale: 0.35, few: true },
];
const SMALL = 3;
const REST = 150; // milliseconds without a movement, after which the picture is made as good as it can be
const VEIL = 0.22;
const VEILED = 16; // so many frames make a veil of what is drawn as scattered dots

export class Viewer {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.painter = new Painter(canvas);
    this.camera = new Camera();
    this.camera.changed = () => this.render(true);
    /** @type {Piece[]} */ this.pieces = [];
    /** @type {Map<number, Vector>} */ this.colors = new Map();
    /** @type {Set<number>} */ this.chosen = new Set();
    /** @type {Set<number>} */ this.hidden = new Set();
    /** @type {Set<number>} */ this.lit = new Set();
    /** @type {number | null} */ this.hovered = null;
    /** @type {import("./painter.js").Section} */ this.section = null;
    this.explosion = 0;
    this.seeThrough = false;
    this.turn = 0;
    this.haste = 0;
    this.pace = this.calmPace = 20;
    this.easy = 0;
    this.patience = 30;
    this.drawn = 0;
    this.last = 0;
    this.hurried = this.judged = false;
    this.dressed = this.waiting = this.moving = this.readable = false;
    /** @type {(() => void)[]} */ this.afterwards = [];
    this.box = bounds([]);
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.dark.addEventListener("change", () => this.dress());
    new ResizeObserver(() => this.resize()).observe(canvas);
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => this.restore());
    this.resize();
  }

  /** @param {Piece[]} pieces */
  load(pieces) {
    const first = this.pieces.length === 0;
    this.pieces = pieces;
    this.painter.held.load(pieces);
    this.box = bounds(pieces);
    const alive = new Set(pieces.map(({ id }) => id));
    for (const kept of [this.chosen, this.hidden]) for (const id of kept) if (!alive.has(id)) kept.delete(id);
    if (this.hovered !== null && !alive.has(this.hovered)) this.hovered = null;
    this.camera.radius = length(minus(this.box.high, this.box.low)) / 2;
    if (first) this.frame();
    this.dress();
  }

  restore() {
    this.painter.begin();
    this.painter.held.load(this.pieces);
    this.resize();
    this.dress();
  }

  resize() {
    const ratio = Math.min(devicePixelRatio, 2);
    const { clientWidth, clientHeight } = this.canvas;
    if (!clientWidth || !clientHeight) return;
    this.painter.resize(Math.round(clientWidth * ratio), Math.round(clientHeight * ratio));
    this.camera.width = clientWidth;
    this.camera.height = clientHeight;
    this.turn = 0;
    this.moving = false;
    this.draw(performance.now()); // a canvas of another size is black until it is drawn
  }

  /** Look at some pieces, or at all of them. @param {Piece[]} pieces */
  frame(pieces = this.pieces) {
    const { low, high } = bounds(pieces);
    this.camera.frame(times(plus(low, high), 0.5), Math.max(length(minus(high, low)) / 2, this.camera.radius * 0.1));
  }

  /** What pieces look like has changed. */
  dress() {
    this.dressed = false;
    this.render(false);
  }

  /** Where a piece is moved to by the exploded view. @param {Piece} piece @returns {Vector} */
  shiftOf(piece) {
    const middle = times(plus(this.box.low, this.box.high), 0.5);
    return times(minus(piece.mesh.center, middle), this.explosion);
  }

  /** @param {Piece} piece */
  isVisible(piece) {
    return !this.hidden.has(piece.id);
  }

  /** @param {boolean} moving whether more is about to follow */
  render(moving) {
    this.turn = 0;
    this.readable = false;
    this.moving = moving;
    this.hurried &&= moving;
    this.await();
  }

  await() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame((now) => this.beat(now));
  }

  /** Whether the picture is as it stays, so that it can be looked up what is where. */
  get resting() {
    return this.turn > 0;
  }

  /** The browser is ready for another frame. @param {number} now */
  beat(now) {
    this.waiting = false;
    if (this.hurried && !this.judged) this.adapt(now - this.last);
    this.judged = true;
    if (this.moving || !this.hurried || now - this.last > Math.max(REST, 4 * this.pace)) this.draw(now);
    else this.await();
  }

  /** @param {number} now */
  draw(now) {
    if (!this.painter.full[0]) return;
    if (!this.pieces.length) {
      this.painter.blank(theme(this.dark.matches));
      return;
    }
    if (this.turn) this.calmPace += 0.5 * (Math.min(now - this.last, 200) - this.calmPace);
    if (this.moving && !this.hurried && this.calmPace > 3 * SLOW) this.haste = Math.max(this.haste, SMALL);
    this.last = now;
    if (!this.dressed) this.painter.held.dress(this.looks());
    this.dressed = true;
    this.hurried = this.moving;
    this.judged = false;
    this.painter.paint(this.camera, theme(this.dark.matches), this.how(this.moving ? 0 : this.turn + 1));
    this.drawn++;
    this.readable = !this.moving && !this.seeThrough;
    for (const act of this.afterwards) act();
    if (this.moving) this.moving = false;
    else this.turn++;
    if (this.turn < (this.seeThrough ? VEILED : this.calmPace > SLOW ? STILL / 3 : STILL)) this.await();
    else this.painter.held.thin();
  }

  /** Draw fewer triangles, then fewer pixels, while turning where the machine is slow. @param {number} taken milliseconds */
  adapt(taken) {
    this.pace += 0.25 * (Math.min(taken, 200) - this.pace);
    this.easy = this.pace < EASY ? this.easy + 1 : 0;
    const slow = this.pace > SLOW && this.haste < HASTE.length - 1;
    if (!slow && !(this.easy > this.patience && this.haste > 0)) return;
    this.haste += slow ? 1 : -1;
    if (slow) this.patience *= 2;
    this.pace = SLOW * 0.8;
    this.easy = 0;
  }

  /** @param {number} turn @returns {import("./painter.js").How} */
  how(turn) {
    const { section, seeThrough: clear } = this;
    const { scale, few } = turn ? HASTE[0] : HASTE[this.haste];
    return { turn, scale, few, section, clear, ground: this.explosion ? null : this.box };
  }

  looks() {
    const { neutral } = theme(this.dark.matches);
    return this.pieces.map((piece) => {
      const chosen = this.chosen.has(piece.id);
      const solid = !this.seeThrough || chosen || this.lit.has(piece.id);
      return {
        color: this.colors.get(piece.id) ?? neutral,
        alpha: this.isVisible(piece) ? (solid ? 1 : VEIL) : 0,
        shift: this.shiftOf(piece),
        chosen,
        hovered: this.hovered === piece.id,
      };
    });
  }

  /** Have the numbers of pixels at hand as the page shows them, with what is seen through as solid. */
  prepare() {
    if (this.readable) return;
    if (!this.dressed) this.painter.held.dress(this.looks());
    this.dressed = true;
    this.painter.stageFrame(this.camera, theme(this.dark.matches), this.how(1), [0, 0], true);
    this.readable = true;
  }

  /** What is at a place of the canvas. @param {number} x @param {number} y @returns {Hit | null} */
  pick(x, y) {
    this.prepare();
    const ratio = this.painter.width / this.camera.width;
    const [column, row] = [Math.floor(x * ratio), Math.floor(y * ratio)];
    if (column < 0 || row < 0 || column >= this.painter.width || row >= this.painter.height) return null;
    const [number, depth] = this.painter.read(column, row, 1, 1);
    const piece = this.pieces[slotOf(number)];
    if (!piece) return null;
    const far = depthOf(depth);
    return { piece, depth: far, point: minus(this.camera.point(x, y, far), this.shiftOf(piece)) };
  }

  /**
   * All pieces that show a pixel within a region.
   * @param {{left: number, top: number, right: number, bottom: number}} box @param {(x: number, y: number) => boolean} within
   * @param {boolean} behind whether those count whose middle is in it, though something is before them
   * @returns {Set<number>}
   */
  within(box, within, behind) {
    this.prepare();
    const ratio = this.painter.width / this.camera.width;
    const left = Math.max(0, Math.floor(box.left * ratio));
    const top = Math.max(0, Math.floor(box.top * ratio));
    const width = Math.min(this.painter.width, Math.ceil(box.right * ratio)) - left;
    const height = Math.min(this.painter.height, Math.ceil(box.bottom * ratio)) - top;
    const found = new Set();
    if (width > 0 && height > 0) {
      const numbers = this.painter.read(left, top, width, height);
      for (let at = 0; at < width * height; at++) {
        const piece = this.pieces[slotOf(numbers[4 * at])];
        if (!piece || found.has(piece.id)) continue;
        const row = top + height - 1 - Math.floor(at / width);
        if (within((left + (at % width) + 0.5) / ratio, (row + 0.5) / ratio)) found.add(piece.id);
      }
    }
    if (behind) {
      for (const piece of this.pieces.filter((one) => this.isVisible(one))) {
        const middle = plus(piece.mesh.center, this.shiftOf(piece));
        const { x, y } = this.camera.project(middle);
        if (!isCutAway(this.section, middle) && within(x, y)) found.add(piece.id);
      }
    }
    return found;
  }
}
