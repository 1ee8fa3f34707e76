/** The question that is asked now, with all its answers as buttons. */

import { make, words } from "./elements.js";

/**
 * @typedef {{kind: string, text: string, part: number, child: string, path: string, many: boolean, usual: number,
 *   choices: {name: string, text: string, path: string}[]}} Question
 * @typedef {{act(action: any): void, give(): void, custom(part: number): void, next(): void}} Deeds
 */

const MOST = 6;

/** @param {string} path */
const example = (path) => make("img", { src: `/example/${path.split("/").map(encodeURIComponent).join("/")}`, alt: "", class: "example", loading: "lazy" });

/**
 * Draw questions anew: the next one, or all about a part that was clicked.
 * @param {HTMLElement} place @param {Question[]} questions @param {Deeds} deeds
 * @param {{may: boolean, selected: number, again: boolean}} how
 */
export function drawQuestions(place, questions, deeds, { may, selected, again }) {
  const had = place.contains(document.activeElement);
  place.replaceChildren(
    ...questions.map((question) =>
      make(
        "div",
        { class: "asked", "data-kind": question.kind },
        make("h2", {}, question.text),
        !again && ["have", "group"].includes(question.kind) && example(question.path),
        may && answers(question, deeds, selected),
      ),
    ),
    ...(may && again ? [make("button", { class: "quiet", onclick: deeds.next }, "Back to the next question", make("kbd", {}, "Q"))] : []),
  );
  if (had) /** @type {HTMLElement | null} */ (place.querySelector("button, input"))?.focus();
}

/** @param {Question} question @param {Deeds} deeds @param {number} selected */
function answers(question, deeds, selected) {
  const { part, child } = question;
  if (question.kind === "choose") {
    const key = (/** @type {number} */ at) => (at < 9 ? make("kbd", {}, String(at + 1)) : null);
    return make(
      "div",
      { class: "choices" },
      ...question.choices.map((choice, at) =>
        make(
          "button",
          { class: "choice", "data-answer": at + 1, onclick: () => deeds.act({ type: "choose", part, child: choice.name }) },
          example(choice.path), make("span", {}, choice.text), key(at),
        ),
      ),
    );
  }
  if (question.kind === "have") {
    const have = (/** @type {number} */ count) => deeds.act({ type: "have", part, child, count });
    if (!question.many) {
      return make(
        "div",
        { class: "row" },
        make("button", { "data-answer": "y", onclick: () => have(1) }, "Yes", make("kbd", {}, "Y")),
        make("button", { "data-answer": "n", onclick: () => have(0) }, "No", make("kbd", {}, "N")),
      );
    }
    const more = make("input", { type: "number", min: 0, max: 64, value: question.usual, "aria-label": `How many ${words(child)}` });
    return make(
      "div",
      { class: "row counts" },
      ...Array.from({ length: MOST + 1 }, (_, count) =>
        make("button", { "data-answer": count, class: count === question.usual ? "usual" : "", onclick: () => have(count) }, String(count)),
      ),
      make(
        "form",
        { class: "row tight", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); have(Number(more.value)); } },
        more, make("button", {}, "Take"),
      ),
    );
  }
  if (question.kind === "group") {
    return make(
      "div",
      { class: "row" },
      make("button", { class: "main", "data-answer": "enter", disabled: selected === 0, onclick: deeds.give },
        selected ? `Give ${selected === 1 ? "1 piece" : `${selected} pieces`}` : "Select pieces", make("kbd", {}, "Enter")),
      make("button", { class: "quiet", onclick: () => deeds.custom(part) }, "Add a part of another name"),
    );
  }
  return make("div", { class: "row" }, make("button", { class: "quiet", onclick: () => deeds.custom(part) }, "Add a part of another name"));
}
