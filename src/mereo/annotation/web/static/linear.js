/**
 * Vectors of three numbers and matrices of sixteen, column by column, as WebGL wants them.
 * @typedef {[number, number, number]} Vector
 */

/** @param {Vector} a @param {Vector} b @returns {Vector} */
export const plus = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];

/** @param {Vector} a @param {Vector} b @returns {Vector} */
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/** @param {Vector} a @param {number} by @returns {Vector} */
export const times = (a, by) => [a[0] * by, a[1] * by, a[2] * by];

/** @param {Vector} a @param {Vector} b */
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** @param {Vector} a @param {Vector} b @returns {Vector} */
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** @param {Vector} a */
export const length = (a) => Math.hypot(a[0], a[1], a[2]);

/** @param {Vector} a @returns {Vector} */
export const unit = (a) => times(a, 1 / (length(a) || 1));

/** @param {number} value @param {number} low @param {number} high */
export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** The product of two matrices. @param {Float32Array} a @param {Float32Array} b */
export function product(a, b) {
  const out = new Float32Array(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * k + row] * b[4 * column + k];
      out[4 * column + row] = sum;
    }
  }
  return out;
}

/**
 * What an eye with a lens sees: depth from near to far, moved by a share of the picture.
 * @param {number} slope tangent of half the angle of view, up and down
 * @param {number} aspect @param {number} near @param {number} far @param {[number, number]} shift
 */
export function lens(slope, aspect, near, far, shift) {
  const out = new Float32Array(16);
  out[0] = 1 / (slope * aspect);
  out[5] = 1 / slope;
  out[8] = -shift[0];
  out[9] = -shift[1];
  out[10] = (far + near) / (near - far);
  out[11] = -1;
  out[14] = (2 * far * near) / (near - far);
  return out;
}

/** The world as an eye sees it. @param {Vector} eye @param {Vector} right @param {Vector} up @param {Vector} ahead */
export function sight(eye, right, up, ahead) {
  return new Float32Array([
    right[0], up[0], -ahead[0], 0,
    right[1], up[1], -ahead[1], 0,
    right[2], up[2], -ahead[2], 0,
    -dot(right, eye), -dot(up, eye), dot(ahead, eye), 1,
  ]);
}
