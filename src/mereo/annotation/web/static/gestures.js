/**
 * Mouse, pen and fingers on the canvas. Without a tool they turn (one finger, left), move (two fingers, right, middle or
 * with Shift) and go nearer (pinch, wheel). A tool takes the left button for itself.
 */

/**
 * @typedef {{x: number, y: number, alt: boolean, add: boolean}} Spot
 * @typedef {{down(spot: Spot): void, move(spot: Spot): void, up(spot: Spot): void, drop(): void}} Tool
 * @typedef {{click(spot: Spot): void, hover(spot: Spot | null): void}} Ears
 */

const STILL = 4;

export class Gestures {
  /** @param {HTMLElement} element @param {import("./camera.js").Camera} camera @param {Ears} ears */
  constructor(element, camera, ears) {
    this.element = element;
    this.camera = camera;
    this.ears = ears;
    /** @type {Tool | null} */ this.tool = null;
    /** @type {Map<number, PointerEvent>} */ this.down = new Map();
    this.travelled = 0;
    this.using = false;
    element.addEventListener("pointerdown", (event) => this.pressed(event));
    element.addEventListener("pointermove", (event) => this.moved(event));
    for (const name of ["pointerup", "pointercancel"]) {
      element.addEventListener(name, (event) => this.released(/** @type {PointerEvent} */ (event)));
    }
    element.addEventListener("pointerleave", () => this.ears.hover(null));
    element.addEventListener("contextmenu", (event) => event.preventDefault());
    element.addEventListener("wheel", (event) => this.rolled(event), { passive: false });
  }

  /** @param {PointerEvent} event @returns {Spot} */
  spot(event) {
    const { left, top } = this.element.getBoundingClientRect();
    const add = event.shiftKey || event.ctrlKey || event.metaKey;
    return { x: event.clientX - left, y: event.clientY - top, alt: event.altKey, add };
  }

  /** @param {PointerEvent} event */
  pressed(event) {
    this.element.setPointerCapture(event.pointerId);
    this.element.focus({ preventScroll: true });
    this.down.set(event.pointerId, event);
    if (this.down.size === 1) this.travelled = 0;
    else this.travelled = STILL + 1;
    if (this.using && this.down.size > 1) {
      this.using = false; // a second finger means to move the picture
      this.tool?.drop();
    }
    if (this.tool && event.button === 0 && this.down.size === 1) {
      this.using = true;
      this.tool.down(this.spot(event));
    }
  }

  /** @param {PointerEvent} event */
  moved(event) {
    const before = this.down.get(event.pointerId);
    if (!before) {
      this.ears.hover(this.spot(event));
      return;
    }
    const [x, y] = [event.clientX - before.clientX, event.clientY - before.clientY];
    const apart = this.apart();
    this.down.set(event.pointerId, event);
    this.travelled += Math.hypot(x, y);
    if (this.using && this.down.size === 1) {
      this.tool?.move(this.spot(event));
      return;
    }
    if (this.down.size === 2) {
      this.camera.pan(x / 2, y / 2);
      if (apart) this.camera.zoom(apart / (this.apart() || apart));
    } else if (event.buttons & 6 || event.shiftKey) this.camera.pan(x, y);
    else if (this.travelled > STILL) this.camera.turn(-x * 0.008, y * 0.008);
  }

  /** @param {PointerEvent} event */
  released(event) {
    const was = this.down.delete(event.pointerId);
    if (!was) return;
    if (this.using) {
      this.using = false;
      this.tool?.up(this.spot(event));
    } else if (event.type === "pointerup" && event.button === 0 && this.travelled <= STILL) {
      this.ears.click(this.spot(event));
    }
  }

  /** @param {WheelEvent} event */
  rolled(event) {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 18 : 1;
    this.camera.zoom(Math.exp(event.deltaY * lines * 0.0012));
  }

  /** How far two fingers are from each other. */
  apart() {
    const [one, other] = this.down.values();
    return other ? Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) : 0;
  }
}
