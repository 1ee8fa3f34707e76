/** The tree of parts beside the shape. */

import { partPaint } from "./colors.js";
import { make, words } from "./elements.js";

/** @typedef {{number: number, name: string, parent: number | null, custom: boolean}} Part */

/** Parts below each, in their order. @param {Part[]} parts */
export function byParent(parts) {
  /** @type {Map<number | null, Part[]>} */
  const found = new Map();
  for (const part of parts) found.set(part.parent, [...(found.get(part.parent) ?? []), part]);
  return found;
}

/** How parts of one name under one parent are told apart. @param {Part} part @param {Part[]} beside */
export function titled(part, beside) {
  const alike = beside.filter((one) => one.name === part.name);
  return alike.length > 1 ? `${words(part.name)} ${alike.indexOf(part) + 1}` : words(part.name);
}

/** All parts in the order of the tree. @param {Part[]} parts @returns {Part[]} */
export function walked(parts) {
  const below = byParent(parts);
  const walk = (/** @type {Part} */ part) => [part, ...(below.get(part.number) ?? []).flatMap(walk)];
  return (below.get(null) ?? []).flatMap(walk);
}

/**
 * Draw the tree anew.
 * @param {HTMLElement} list @param {any} state @param {number | null} active @param {(part: number) => void} choose
 */
export function drawTree(list, state, active, choose) {
  const below = byParent(state.parts);
  /** @type {Map<number, number>} */ const count = new Map();
  for (const { owner } of state.pieces) if (owner !== null) count.set(owner, (count.get(owner) ?? 0) + 1);
  const inside = (/** @type {Part} */ part) => {
    const chosen = part.number === active;
    const own = count.get(part.number) ?? 0;
    const leaf = !below.has(part.number);
    const dot = make("i", { class: `dot${own ? "" : " none"}` });
    if (own) dot.style.background = partPaint(part.number);
    const title = titled(part, below.get(part.parent) ?? []);
    const row = make(
      "button",
      { class: `part${chosen ? " on" : ""}${part.custom ? " custom" : ""}`, "data-part": part.number, role: "treeitem",
        "aria-selected": chosen ? "true" : "false", tabindex: chosen || (active === null && part.parent === null) ? 0 : -1,
        onclick: () => choose(part.number) },
      dot,
      make("span", {}, title),
      make("small", {}, own ? String(own) : leaf && part.parent !== null ? "–" : ""),
    );
    const children = below.get(part.number) ?? [];
    return make("li", { role: "none" }, row, children.length ? make("ul", { role: "group" }, ...children.map(inside)) : null);
  };
  const had = list.contains(document.activeElement);
  list.replaceChildren(...(below.get(null) ?? []).map(inside));
  if (had) /** @type {HTMLElement | null} */ (list.querySelector(".part.on"))?.focus({ preventScroll: true });
  list.querySelector(".part.on")?.scrollIntoView({ block: "nearest" });
}

/** Up and down go from part to part. @param {HTMLElement} list */
export function walkable(list) {
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const rows = [...list.querySelectorAll(".part")];
    const at = rows.indexOf(/** @type {Element} */ (document.activeElement));
    /** @type {HTMLElement | undefined} */ (rows[at + step])?.focus();
  });
}
