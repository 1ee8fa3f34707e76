/** What a hand does to pieces: selecting, hiding, looking through, taking them apart, and holding a tool. */

import { byId, counted } from "./elements.js";
import { Box, Knife, Lasso } from "./tools.js";

/** @typedef {import("./gestures.js").Spot} Spot */

export class Hand {
  /** @param {import("./viewer.js").Viewer} viewer @param {(said: string) => void} say @param {() => void} selected */
  constructor(viewer, say, selected) {
    this.viewer = viewer;
    this.say = say;
    this.selected = selected;
    /** @type {Knife | null} */ this.knife = null;
    /** @type {string | null} */ this.holds = null;
    this.cross = { x: 0, y: 0 };
    /** Whether a box or lasso was begun by keys. */ this.drawing = false;
    byId("explode")?.addEventListener("input", () => this.explode(Number(byId("explode").value)));
    for (const name of ["axis", "section"]) byId(name)?.addEventListener("input", () => this.section());
  }

  /** @param {Spot} spot */
  click(spot) {
    const hit = spot.alt ? this.behind(spot) : this.viewer.pick(spot.x, spot.y);
    if (hit) this.toggle(hit.piece.id);
  }

  /** What lies behind what is seen at a place. @param {Spot} spot */
  behind(spot) {
    const { viewer } = this;
    const front = viewer.pick(spot.x, spot.y);
    if (!front) return null;
    viewer.hidden.add(front.piece.id);
    viewer.dress();
    const found = viewer.pick(spot.x, spot.y);
    viewer.hidden.delete(front.piece.id);
    viewer.dress();
    return found ?? front;
  }

  /** @param {number} id */
  toggle(id) {
    const { chosen } = this.viewer;
    if (!chosen.delete(id)) chosen.add(id);
    this.say(chosen.size ? `${counted(chosen.size, "piece")} selected` : "");
    this.selected();
  }

  /** @param {Spot | null} spot */
  hover(spot) {
    if (spot && !this.viewer.resting) return;
    const found = spot ? (this.viewer.pick(spot.x, spot.y)?.piece.id ?? null) : null;
    if (found === this.viewer.hovered) return;
    this.viewer.hovered = found;
    this.viewer.canvas.style.cursor = this.holds ? "crosshair" : found === null ? "grab" : "pointer";
    this.viewer.dress();
  }

  /** @param {Set<number>} found @param {boolean} add */
  take(found, add) {
    if (!add) this.viewer.chosen.clear();
    for (const id of found) this.viewer.chosen.add(id);
    this.say(`${counted(this.viewer.chosen.size, "piece")} selected`);
    this.selected();
  }

  /** Hold a tool, or lay it away. @param {string | null} name @param {import("./gestures.js").Gestures} gestures */
  hold(name, gestures) {
    const line = byId("drawn");
    /** @type {any} */ (gestures.tool)?.leave();
    this.drawing = false;
    this.holds = name === this.holds ? null : name;
    this.knife = this.holds === "cut" ? new Knife(this.viewer, line, this.say) : null;
    const take = (/** @type {Set<number>} */ found, /** @type {boolean} */ add) => this.take(found, add);
    gestures.tool = this.knife ?? (this.holds === "box" ? new Box(this.viewer, line, take) : this.holds === "lasso" ? new Lasso(this.viewer, line, take) : null);
    this.viewer.canvas.style.cursor = this.holds ? "crosshair" : "";
    line.dataset.tool = this.holds ?? "";
    for (const button of document.querySelectorAll("[data-tool]")) {
      if (["box", "lasso", "cut"].includes(/** @type {HTMLElement} */ (button).dataset.tool ?? "")) {
        button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.tool === this.holds));
      }
    }
    this.cross = { x: this.viewer.camera.width / 2, y: this.viewer.camera.height / 2 };
    this.showCross(false);
    const said = { cut: "Draw a line over one piece, from edge to edge, or click points.", box: "Drag a box, or set two corners by arrows and Space. Shift adds, Alt takes what is hidden behind, too.", lasso: "Draw around pieces, or set points by arrows and Space, and press Enter. Shift adds, Alt takes what is hidden behind, too." };
    this.say(this.holds ? said[/** @type {"cut"} */ (this.holds)] : "");
  }

  /** Move the cross of a tool by keys. @param {number} x @param {number} y @param {any} tool */
  steer(x, y, tool) {
    const { width, height } = this.viewer.camera;
    this.cross = { x: Math.min(width - 1, Math.max(0, this.cross.x + x)), y: Math.min(height - 1, Math.max(0, this.cross.y + y)) };
    this.showCross(true);
    if (this.drawing && this.holds === "box") tool.move(this.cross);
  }

  /** Set a corner of the box or a point of the lasso at the cross; whether the box has both. @param {any} tool */
  mark(tool) {
    this.showCross(true);
    if (!this.drawing) tool.down(this.cross);
    else if (this.holds === "box") return true;
    else tool.move(this.cross);
    this.drawing = true;
    return false;
  }

  /** Take what is within the box or lasso. @param {any} tool @param {{add: boolean, alt: boolean}} how */
  close(tool, how) {
    if (!this.drawing) return this.say("Move the cross by the arrows, and set points by Space first.");
    this.drawing = false;
    return tool.up({ ...this.cross, ...how });
  }

  /** @param {boolean} shown */
  showCross(shown) {
    const cross = byId("cross");
    if (!cross) return;
    cross.toggleAttribute("hidden", !shown);
    cross.setAttribute("cx", String(this.cross.x));
    cross.setAttribute("cy", String(this.cross.y));
  }

  /** Go from piece to piece by keys; whether there is another one. @param {number} step */
  walk(step) {
    const { viewer } = this;
    const seen = viewer.pieces.filter((piece) => viewer.isVisible(piece));
    const at = seen.findIndex((piece) => piece.id === viewer.hovered);
    const next = seen[at < 0 ? (step > 0 ? 0 : seen.length - 1) : at + step];
    viewer.hovered = next?.id ?? null;
    viewer.dress();
    if (next) this.say(`Piece ${seen.indexOf(next) + 1} of ${seen.length}${viewer.chosen.has(next.id) ? ", selected" : ""}`);
    return Boolean(next);
  }

  hide() {
    const { viewer } = this;
    const gone = viewer.chosen.size ? [...viewer.chosen] : viewer.hovered === null ? [] : [viewer.hovered];
    for (const id of gone) viewer.hidden.add(id);
    viewer.chosen.clear();
    this.say(gone.length ? `${counted(gone.length, "piece")} hidden; A shows all` : "Select pieces first.");
    this.selected();
  }

  isolate() {
    const { viewer } = this;
    if (!viewer.chosen.size) return this.say("Select pieces first.");
    for (const { id } of viewer.pieces) if (!viewer.chosen.has(id)) viewer.hidden.add(id);
    return this.selected();
  }

  showAll() {
    this.viewer.hidden.clear();
    this.say("");
    this.selected();
  }

  lookThrough() {
    this.viewer.seeThrough = !this.viewer.seeThrough;
    document.querySelector('[data-tool="through"]')?.setAttribute("aria-pressed", String(this.viewer.seeThrough));
    this.viewer.dress();
  }

  /** @param {number} by */
  explode(by) {
    this.viewer.explosion = Math.min(1.5, Math.max(0, by));
    byId("explode").value = String(this.viewer.explosion);
    this.viewer.dress();
  }

  section() {
    const axis = byId("axis").value;
    byId("section").disabled = axis === "";
    const { low, high } = this.viewer.box;
    const at = Number(axis);
    const place = low[at] + Number(byId("section").value) * (high[at] - low[at]);
    const normal = /** @type {[number, number, number]} */ ([0, 1, 2].map((one) => (one === at ? 1 : 0)));
    this.viewer.section = axis === "" ? null : at === 1 ? { normal: [0, -1, 0], place: -place } : { normal, place };
    this.viewer.dress();
  }

  /** The next axis of the section. */
  turnSection() {
    const field = byId("axis");
    field.selectedIndex = (field.selectedIndex + 1) % field.options.length;
    this.section();
  }

  /** @param {number} by */
  moveSection(by) {
    byId("section").value = String(Number(byId("section").value) + by);
    this.section();
  }

  clear() {
    this.viewer.chosen.clear();
    this.say("");
    this.selected();
  }
}
