/** Elements of the page, made of texts and never of markup: whatever stands in a name, it stays a text. */

/** @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/**
 * @param {string} tag @param {Record<string, any>} given attributes; `class`, `on…` and booleans as one would think
 * @param {...(Node | string | null | undefined | false)} inside
 * @returns {any}
 */
export function make(tag, given = {}, ...inside) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...inside.filter((one) => one !== null && one !== undefined && one !== false));
  return made;
}

/** A name of a template as people say it. @param {string} name */
export const words = (name) => name.replaceAll("_", " ");

/** @param {number} count @param {string} one @param {string} several */
export const counted = (count, one, several = `${one}s`) => `${count} ${count === 1 ? one : several}`;
