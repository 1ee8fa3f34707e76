/** Parts that a model or the grammar proposes, to be taken over one by one. */

import { paint, partColor } from "./colors.js";
import { byId, make, words } from "./elements.js";

/** @typedef {{label: string, place: number[], pieces: number[], confidence: number, actions: any[]}} Offer */

/** What a proposed part is called: by number where there are several. @param {Offer} one @param {Offer[]} all */
const called = (one, all) => {
  const name = words(one.label.split("/").at(-1) ?? "");
  const alike = all.filter((other) => other.label === one.label);
  return alike.length > 1 ? `${name} ${alike.indexOf(one) + 1}` : name;
};

export class Proposals {
  /** @param {HTMLElement} place @param {any} work */
  constructor(place, work) {
    this.place = place;
    this.work = work;
    this.number = -1;
  }

  /** Open the list or close it. */
  async toggle() {
    this.place.hidden = !this.place.hidden;
    document.querySelector('[data-tool="propose"]')?.setAttribute("aria-pressed", String(!this.place.hidden));
    this.number = -1;
    this.place.replaceChildren(make("h2", {}, "Proposed"), make("p", { class: "soft" }, "Looking for shapes that are like this one…"));
    await this.renew();
    /** @type {HTMLElement | null} */ (this.place.querySelector("button"))?.focus();
  }

  /** Ask again, if the work went on since; while more is on its way, later. */
  async renew() {
    if (this.place.hidden || this.number === this.work.view.number || this.work.outbox.letters.length) return;
    this.number = this.work.view.number;
    const answer = await fetch(`/api/work/${this.work.id}/proposals`);
    const found = await answer.json();
    if (this.number !== this.work.view.number) return;
    this.draw(answer.ok && !this.work.state.finished ? found.parts : [], answer.ok ? "Nothing more is proposed." : found.error);
  }

  /** @param {Offer[]} offers @param {string} otherwise */
  draw(offers, otherwise) {
    const had = this.place.contains(document.activeElement);
    this.place.replaceChildren(
      make("h2", {}, "Proposed"),
      offers.length ? make("ul", {}, ...offers.map((one, at) => this.row(one, at, offers))) : make("p", { class: "soft" }, otherwise),
    );
    if (had) (this.place.querySelector("button") ?? byId("canvas")).focus();
  }

  /** @param {Offer} one @param {number} at @param {Offer[]} offers */
  row(one, at, offers) {
    const color = partColor(at + 1);
    const dot = make("i", { class: "dot" });
    dot.style.background = paint(color);
    const light = () => this.light(one, color);
    const leave = () => this.work.paint();
    const name = called(one, offers);
    return make(
      "li",
      { onmouseenter: light, onmouseleave: leave, onfocusin: light, onfocusout: leave, title: words(one.label.replaceAll("/", " / ")) },
      dot, make("span", {}, name), make("small", {}, `${Math.round(100 * one.confidence)} %`),
      make("button", { onclick: () => this.take(one), "aria-label": `Take ${name}` }, "take"),
    );
  }

  /** @param {Offer} one @param {import("./linear.js").Vector} color */
  light(one, color) {
    const { viewer } = this.work;
    for (const piece of one.pieces) {
      viewer.colors.set(piece, color);
      viewer.lit.add(piece);
    }
    viewer.dress();
  }

  /** Take a part over by its actions, which fit as long as nothing else was done. @param {Offer} one */
  take(one) {
    const { work } = this;
    if (work.outbox.letters.length || this.number !== work.view.number) return work.say("Wait until all is saved.");
    for (const action of one.actions) work.act(action);
  }
}
