/** Quiet colors: one for each part, and those of light and dark rooms. */

/** @typedef {import("./linear.js").Vector} Vector */

/** @param {string} hex @returns {Vector} */
const rgb = (hex) => /** @type {Vector} */ ([1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255));

const LIGHT = {
  paper: rgb("#f4f3ef"), line: rgb("#3c4146"), chosen: rgb("#0b6e66"), shade: rgb("#6b675c"), dark: 0.34,
  neutral: rgb("#cfcbc0"), hot: rgb("#0f9a8d"),
};
const DARK = {
  paper: rgb("#16181b"), line: rgb("#08090a"), chosen: rgb("#7fe3d6"), shade: rgb("#000000"), dark: 0.5,
  neutral: rgb("#8f8e89"), hot: rgb("#3fb8aa"),
};

/** @param {boolean} dark */
export const theme = (dark) => (dark ? DARK : LIGHT);

/** A color of equal lightness for the n-th part, far from those of its neighbors. @param {number} number @returns {Vector} */
export function partColor(number) {
  const hue = 2 * Math.PI * ((0.08 + number * 0.618034) % 1);
  const ring = Math.floor(number / 13) % 3;
  return fromLab([0.76, 0.7, 0.81][ring], [0.105, 0.085, 0.07][ring], hue);
}

/** The same color as style sheets write it. @param {number} number */
export const partPaint = (number) => paint(partColor(number));

/** @param {Vector} color */
export const paint = (color) => `rgb(${color.map((one) => Math.round(255 * one)).join(" ")})`;

/** @param {Vector} a @param {Vector} b @param {number} share @returns {Vector} */
export const mixed = (a, b, share) => /** @type {Vector} */ (a.map((one, at) => one + share * (b[at] - one)));

/** From lightness, chroma and hue of Oklab to what screens show. @returns {Vector} */
function fromLab(/** @type {number} */ lightness, /** @type {number} */ chroma, /** @type {number} */ hue) {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const shown = linear.map((one) => (one <= 0.0031308 ? 12.92 * one : 1.055 * one ** (1 / 2.4) - 0.055));
  return /** @type {Vector} */ (shown.map((one) => Math.min(1, Math.max(0, one))));
}
