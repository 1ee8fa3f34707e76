/** All keys, in one table: what they do, and how the sheet of help tells it. */

import { make } from "./elements.js";

/**
 * @typedef {{keys: string, does: string, run: (event: KeyboardEvent) => void, group: string, label?: string, icon?: string,
 *   needs?: "act"}} Binding
 */

/** What a key press is called in the table: `Ctrl+Z`, `Shift+H`, `?`. @param {KeyboardEvent} event */
export function called(event) {
  const letter = /^[a-z]$/i.test(event.key);
  const key = event.key === " " ? "Space" : letter ? event.key.toUpperCase() : event.key;
  const shift = event.shiftKey && (letter || key.length > 1) ? "Shift+" : "";
  return (event.ctrlKey || event.metaKey ? "Ctrl+" : "") + (event.altKey ? "Alt+" : "") + shift + key;
}

/** Whether a key belongs to a field that is written in. @param {EventTarget | null} target */
const isField = (target) => target instanceof HTMLElement && Boolean(target.closest("input:not([type=range]), textarea, select, dialog"));

/** @param {Binding[]} bindings @param {boolean} may whether this page may change anything */
export function listen(bindings, may) {
  /** @type {Map<string, Binding>} */
  const table = new Map();
  for (const one of bindings) for (const key of one.keys.split(" ")) if (may || one.needs !== "act") table.set(key, one);
  addEventListener("keydown", (event) => {
    if (isField(event.target)) return;
    const found = table.get(called(event));
    if (!found) return;
    const pressed = event.target instanceof HTMLElement && event.target.closest("button, a, summary");
    if (pressed && (event.key === "Enter" || event.key === " ")) return;
    const canvas = event.target instanceof HTMLCanvasElement || event.target === document.body;
    if (!canvas && /^(Shift\+)?(Tab|Arrow)/.test(called(event))) return;
    found.run(event);
    if (event.key !== "Tab") event.preventDefault();
  });
}

/** The sheet that tells all keys. @param {HTMLDialogElement} sheet @param {Binding[]} bindings @param {boolean} may */
export function drawHelp(sheet, bindings, may) {
  const groups = [...new Set(bindings.map(({ group }) => group))];
  const shown = bindings.filter((one) => may || one.needs !== "act");
  sheet.replaceChildren(
    make("form", { method: "dialog", class: "row between" }, make("h2", {}, "All keys"), make("button", { class: "quiet" }, "Close")),
    make(
      "div",
      { class: "sheet" },
      ...groups.filter((group) => shown.some((one) => one.group === group)).map((group) =>
        make(
          "section",
          {},
          make("h3", {}, group),
          make("dl", {}, ...shown.filter((one) => one.group === group).flatMap((one) => [
            make("dt", {}, ...one.keys.split(" ").map((key) => make("kbd", {}, key.replace("Arrow", "")))),
            make("dd", {}, one.does),
          ])),
        ),
      ),
      make("section", {}, make("h3", {}, "Mouse and fingers"), make("dl", {},
        make("dt", {}, "drag"), make("dd", {}, "turn (one finger)"),
        make("dt", {}, "right drag"), make("dd", {}, "move (two fingers, or Shift and drag)"),
        make("dt", {}, "wheel"), make("dd", {}, "nearer and farther (pinch)"),
        make("dt", {}, "click"), make("dd", {}, "select a piece, or not; with Alt the one behind it"),
        make("dt", {}, "Alt"), make("dd", {}, "with box and lasso: also what is hidden behind"))),
    ),
  );
}
