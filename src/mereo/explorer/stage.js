// A picture whose entities can be pointed at. All hovering happens here, so that it costs no round trip: `ids` is a
// picture whose pixels name part instances, and `instances` says which of these show an entity. Where there are no such
// pixels, `reach` is the box of each entity, and `shapes` what is drawn of it; `boxed` says that these are the same.
// Elements elsewhere on the page that carry data-entity light up with their entity, and light it up: those within an
// element whose data-of is `of`, where there are several pictures of different things.
export default {
  template: `
    <div class="s-stage" :style="{aspectRatio: width + ' / ' + height}">
      <img v-if="base" class="s-base" :src="base" alt="The scene" draggable="false">
      <svg v-else class="s-base s-map" :viewBox="'0 0 ' + width + ' ' + height" v-html="vector"></svg>
      <img v-if="layer" class="s-layer" :src="layer" alt="" draggable="false">
      <canvas ref="canvas" class="s-marks" :width="width" :height="height" :class="{dim: marked !== null}"></canvas>
      <svg class="s-shapes" :viewBox="'0 0 ' + width + ' ' + height" preserveAspectRatio="none">
        <g v-for="(drawn, k) in shapes" :key="k" :class="shapeClass(k)" v-html="drawn"></g>
      </svg>
      <div v-if="pointed >= 0 && at" class="s-tip" :style="tipStyle()">
        <b>{{ names[pointed].title }}</b><span v-if="names[pointed].detail">{{ names[pointed].detail }}</span>
      </div>
      <div class="s-catch" ref="catch" @pointermove="move" @pointerleave="leave" @click="pick"></div>
    </div>`,
  props: {
    width: Number, height: Number, base: String, vector: String, ids: String, layer: String,
    instances: Array, shapes: Object, reach: Object, boxed: Boolean, names: Array, marked: Array, of: { type: String, default: "" },
  },
  data() { return { pointed: -1, at: null, pixels: null }; },
  watch: { marked() { this.draw(); }, pointed() { this.draw(); this.lightRows(); } },
  async mounted() {
    this.over = (event) => {
      const row = event.target.closest ? event.target.closest("[data-entity]") : null;
      if (!row || !this.mine(row)) return;
      this.at = null;
      this.pointed = event.type === "mouseout" || event.type === "focusout" ? -1 : Number(row.dataset.entity);
    };
    for (const kind of ["mouseover", "mouseout", "focusin", "focusout"]) document.addEventListener(kind, this.over);
    this.holders = {};
    this.instances.forEach((numbers, entity) => numbers.forEach((n) => (this.holders[n] ||= []).push(entity)));
    if (this.ids) {
      const picture = new Image();
      picture.src = this.ids;
      await picture.decode();
      const scratch = document.createElement("canvas");
      [scratch.width, scratch.height] = [this.width, this.height];
      const context = scratch.getContext("2d", { willReadFrequently: true });
      context.drawImage(picture, 0, 0);
      const data = context.getImageData(0, 0, this.width, this.height).data;
      this.pixels = new Uint16Array(this.width * this.height);
      for (let i = 0; i < this.pixels.length; i++) this.pixels[i] = data[4 * i] * 256 + data[4 * i + 1];
    }
    this.draw();
    this.$el.dataset.ready = "yes";
  },
  unmounted() {
    for (const kind of ["mouseover", "mouseout", "focusin", "focusout"]) document.removeEventListener(kind, this.over);
  },
  methods: {
    mine(row) { return (row.closest("[data-of]")?.dataset.of || "") === this.of; },
    entityAt(event) {
      const box = this.$refs.catch.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * this.width;
      const y = ((event.clientY - box.top) / box.height) * this.height;
      this.at = [x / this.width, y / this.height];
      if (this.pixels) {
        const number = this.pixels[Math.min(this.height - 1, Math.floor(y)) * this.width + Math.min(this.width - 1, Math.floor(x))];
        const holders = this.holders[number] || [];
        // The most particular one: of a chair and its leg, the leg.
        return holders.reduce((best, k) => (best < 0 || this.instances[k].length <= this.instances[best].length ? k : best), -1);
      }
      // Of boxes that hold the point, the smallest: the cup and not the table that it stands on.
      let best = -1, least = [Infinity, Infinity];
      for (const [k, [left, top, wide, tall]] of Object.entries(this.reach)) {
        if (x < left || y < top || x >= left + wide || y >= top + tall) continue;
        const own = [wide * tall, Math.hypot(x - left - wide / 2, y - top - tall / 2)];
        if (own[0] < least[0] || (own[0] === least[0] && own[1] < least[1])) [best, least] = [Number(k), own];
      }
      return best;
    },
    move(event) { this.pointed = this.entityAt(event); },
    leave() { this.pointed = -1; this.at = null; },
    pick(event) { const entity = this.entityAt(event); this.pointed = entity; this.$emit("pick", entity); },
    tipStyle() {
      const [x, y] = this.at;
      return { left: `${100 * x}%`, top: `${100 * y}%`,
               transform: `translate(${x > 0.6 ? "calc(-100% - 10px)" : "12px"}, ${y > 0.7 ? "calc(-100% - 8px)" : "12px"})` };
    },
    shapeClass(k) {
      const on = (this.marked || []).includes(Number(k));
      return { lit: on, pointed: Number(k) === this.pointed, dim: this.marked !== null && !on };
    },
    lightRows() {
      for (const row of document.querySelectorAll("[data-entity]")) {
        if (!this.mine(row)) continue;
        const on = Number(row.dataset.entity) === this.pointed;
        row.classList.toggle("lit", on);
        if (on && this.at) row.scrollIntoView({ block: "nearest" });
      }
    },
    dimBoxes(context) {
      context.clearRect(0, 0, this.width, this.height);
      if (this.marked === null) return;
      context.fillStyle = "rgb(12 14 16 / 0.47)";
      context.fillRect(0, 0, this.width, this.height);
      for (const k of this.marked) if (this.reach[k]) context.clearRect(...this.reach[k]);
    },
    draw() {
      const context = this.$refs.canvas.getContext("2d");
      if (!this.pixels) {
        if (this.boxed) this.dimBoxes(context);
        return;
      }
      const image = context.createImageData(this.width, this.height);
      const marked = new Set((this.marked || []).flatMap((k) => this.instances[k] || []));
      const pointed = new Set(this.pointed < 0 ? [] : this.instances[this.pointed] || []);
      const { width, height, pixels } = this;
      const paint = (i, red, green, blue, alpha) => image.data.set([red, green, blue, alpha], 4 * i);
      for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) {
        const i = y * width + x;
        const edge = (set) => set.has(pixels[i]) && (x === 0 || y === 0 || x === width - 1 || y === height - 1 ||
          !set.has(pixels[i - 1]) || !set.has(pixels[i + 1]) || !set.has(pixels[i - width]) || !set.has(pixels[i + width]));
        if (pointed.size && edge(pointed)) paint(i, 255, 255, 255, 255);
        else if (pointed.has(pixels[i])) paint(i, 45, 212, 191, 120);
        else if (this.marked !== null && edge(marked)) paint(i, 245, 158, 11, 255);
        else if (marked.has(pixels[i])) paint(i, 245, 158, 11, 70);
        else if (this.marked !== null) paint(i, 12, 14, 16, 120);
      }
      context.putImageData(image, 0, 0);
    },
  },
};
