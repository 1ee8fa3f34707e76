/** Fewer triangles for while a large shape turns: vertices that are near each other become one. */

/** @typedef {import("./pieces.js").Piece} Piece */

const FEW = 300;

/** @param {Float32Array} at @param {Uint32Array} faces */
function area(at, faces) {
  let sum = 0;
  for (let face = 0; face < faces.length; face += 3) {
    const [a, b, c] = [3 * faces[face], 3 * faces[face + 1], 3 * faces[face + 2]];
    const [ux, uy, uz] = [at[b] - at[a], at[b + 1] - at[a + 1], at[b + 2] - at[a + 2]];
    const [vx, vy, vz] = [at[c] - at[a], at[c + 1] - at[a + 1], at[c + 2] - at[a + 2]];
    sum += Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 2;
  }
  return sum;
}

/** For each vertex the one that stands for all in its cell. @param {import("./pieces.js").Mesh} mesh @param {number} cell */
function standIns({ positions, low }, cell) {
  const count = positions.length / 3;
  const stands = new Uint32Array(count);
  /** @type {Map<number, number>} */
  const first = new Map();
  for (let at = 0; at < count; at++) {
    const x = Math.floor((positions[3 * at] - low[0]) / cell);
    const y = Math.floor((positions[3 * at + 1] - low[1]) / cell);
    const z = Math.floor((positions[3 * at + 2] - low[2]) / cell);
    const key = (x * 65536 + y) * 65536 + z;
    const found = first.get(key);
    if (found === undefined) first.set(key, at);
    stands[at] = found ?? at;
  }
  return stands;
}

/**
 * About so many triangles of the same vertices; small pieces stay as they are.
 * @param {Piece[]} pieces @param {number} wanted @returns {Uint32Array} corners, as numbers in the common buffer
 */
export function coarsened(pieces, wanted) {
  const all = pieces.reduce((sum, { mesh }) => sum + mesh.triangles.length / 3, 0);
  const out = new Uint32Array(3 * all);
  let corner = 0;
  let start = 0;
  for (const { mesh } of pieces) {
    const faces = mesh.triangles;
    const kept = Math.max(FEW, (wanted * faces.length) / 3 / all);
    const plain = faces.length / 3 <= FEW || wanted >= all;
    const stands = plain ? null : standIns(mesh, Math.sqrt((2 * area(mesh.positions, faces)) / kept));
    for (let face = 0; face < faces.length; face += 3) {
      let [a, b, c] = [faces[face], faces[face + 1], faces[face + 2]];
      if (stands) [a, b, c] = [stands[a], stands[b], stands[c]];
      if (a === b || b === c || a === c) continue;
      out[corner++] = start + a;
      out[corner++] = start + b;
      out[corner++] = start + c;
    }
    start += mesh.positions.length / 3;
  }
  return out.slice(0, corner);
}
