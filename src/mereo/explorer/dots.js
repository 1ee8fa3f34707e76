// A cloud of points as small balls, each in the color of what it is said to be. The points come once, as float32 from an
// address; to tell them apart in another way takes only a number for each, and the colors of the numbers.
import { THREE } from "nicegui-scene";

const DULL = new THREE.Color("#7d848b");

export default class Dots {
  async create_mesh(url, size, numbers, palette) {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
    const points = new Float32Array(await answer.arrayBuffer());
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
    geometry.setAttribute("color", new THREE.BufferAttribute(new Float32Array(points.length).fill(0.5), 3));
    const material = new THREE.PointsMaterial({ size, map: this.ball(), alphaTest: 0.5, vertexColors: true });
    this.mesh = new THREE.Points(geometry, material);
    this.mesh.raycast = () => {};
    this.lit = null;
    this.paint(numbers, palette);
    return this.mesh;
  }
  ball() {
    // Darker towards its rim, so that neighbors of one color can be told apart and a surface looks round.
    const picture = document.createElement("canvas");
    picture.width = picture.height = 64;
    const context = picture.getContext("2d");
    const shade = context.createRadialGradient(26, 22, 4, 32, 32, 31);
    shade.addColorStop(0, "#ffffff");
    shade.addColorStop(0.6, "#dcdcdc");
    shade.addColorStop(1, "#6e6e6e");
    context.fillStyle = shade;
    context.arc(32, 32, 31, 0, 2 * Math.PI);
    context.fill();
    return new THREE.CanvasTexture(picture);
  }
  paint(numbers, palette) {
    [this.numbers, this.palette] = [numbers, palette.map((one) => new THREE.Color(one))];
    this.draw();
  }
  light(number) {
    this.lit = number;
    this.draw();
  }
  draw() {
    const color = this.mesh.geometry.getAttribute("color"), mixed = new THREE.Color();
    this.numbers.forEach((number, place) => {
      mixed.copy(this.palette[number]);
      if (this.lit !== null && number !== this.lit) mixed.lerp(DULL, 0.82);
      color.setXYZ(place, mixed.r, mixed.g, mixed.b);
    });
    color.needsUpdate = true;
  }
}
