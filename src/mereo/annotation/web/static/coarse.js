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

/** Which of six ways each vertex faces most, so that both sides of a thin board stay two. @param {import("./pieces.js").Mesh} mesh */
function facings({ positions: at, triangles }) {
  const normals = new Float32Array(at.length);
  for (let face = 0; face < triangles.length; face += 3) {
    const [a, b, c] = [3 * triangles[face], 3 * triangles[face + 1], 3 * triangles[face + 2]];
    for (let axis = 0; axis < 3; axis++) {
      const [next, last] = [(axis + 1) % 3, (axis + 2) % 3];
      const way = (at[b + next] - at[a + next]) * (at[c + last] - at[a + last]) - (at[b + last] - at[a + last]) * (at[c + next] - at[a + next]);
      normals[a + axis] += way;
      normals[b + axis] += way;
      normals[c + axis] += way;
    }
  }
  const facing = new Uint8Array(at.length / 3);
  for (let one = 0; one < facing.length; one++) {
    let most = 0;
    for (let axis = 1; axis < 3; axis++) if (Math.abs(normals[3 * one + axis]) > Math.abs(normals[3 * one + most])) most = axis;
    facing[one] = 2 * most + (normals[3 * one + most] < 0 ? 1 : 0);
  }
  return facing;
}

/** For each vertex the one that stands for all in its cell: that nearest to their middle. */
function standIns(/** @type {import("./pieces.js").Mesh} */ { positions, low }, /** @type {Uint8Array} */ facing, /** @type {number} */ cell) {
  const count = positions.length / 3;
  const group = new Uint32Array(count);
  const sums = new Float64Array(4 * count);
  /** @type {Map<number, number>} */ const groups = new Map();
  for (let at = 0; at < count; at++) {
    let key = facing[at];
    for (let axis = 0; axis < 3; axis++) key = key * 32768 + Math.floor((positions[3 * at + axis] - low[axis]) / cell);
    const found = groups.get(key) ?? groups.size;
    groups.set(key, found);
    group[at] = found;
    for (let axis = 0; axis < 3; axis++) sums[4 * found + axis] += positions[3 * at + axis];
    sums[4 * found + 3]++;
  }
  const nearest = new Float64Array(groups.size).fill(Infinity);
  const chosen = new Uint32Array(groups.size);
  for (let at = 0; at < count; at++) {
    const own = 4 * group[at];
    let apart = 0;
    for (let axis = 0; axis < 3; axis++) apart += (positions[3 * at + axis] - sums[own + axis] / sums[own + 3]) ** 2;
    if (apart < nearest[group[at]]) {
      nearest[group[at]] = apart;
      chosen[group[at]] = at;
    }
  }
  return group.map((own) => chosen[own]);
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
    const stands = plain ? null : standIns(mesh, facings(mesh), Math.sqrt((2 * area(mesh.positions, faces)) / kept));
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
