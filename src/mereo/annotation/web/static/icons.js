/** Icons of our own, as lines in a square of 20. */

const LINES = {
  box: "M4 4h12v12H4z M4 4h.01 M16 16h.01",
  lasso: "M10 4c4 0 7 2 7 4.6S14 13 10 13s-7-1.800-7-4.400S6 4 10 4z M7 12.600c-1.500 1-1.500 3 .5 3.400",
  cut: "M5 4l9.500 9.500 M15 4L5.500 13.500 M4.500 13a2 2 0 1 0 .01 4 2 2 0 0 0-.01-4z M15.500 13a2 2 0 1 0 .01 4 2 2 0 0 0-.01-4z",
  release: "M10 12V3.500 M6.500 7L10 3.500 13.500 7 M4 12v4.500h12V12",
  undo: "M8 4L4 8l4 4 M4 8h8a4 4 0 0 1 0 8H8",
  redo: "M12 4l4 4-4 4 M16 8H8a4 4 0 0 0 0 8h4",
  hide: "M3 10s2.500-4.500 7-4.500S17 10 17 10s-2.500 4.500-7 4.500S3 10 3 10z M4 16L16 4",
  isolate: "M10 7l3 1.700v3.500L10 14l-3-1.800V8.700z M4 7V4h3 M13 4h3v3 M16 13v3h-3 M7 16H4v-3",
  all: "M3 10s2.500-4.500 7-4.500S17 10 17 10s-2.500 4.500-7 4.500S3 10 3 10z M10 8a2 2 0 1 0 .01 4 2 2 0 0 0-.01-4z",
  through: "M4 7.500h8.500V16H4z M7.500 7.500V4H16v8.500h-3.500",
  propose: "M10 3l1.600 4.400L16 9l-4.400 1.600L10 15l-1.600-4.400L4 9l4.400-1.600z M15.500 14v3 M14 15.500h3",
  frame: "M4 7V4h3 M13 4h3v3 M16 13v3h-3 M7 16H4v-3 M10 9.900h.01",
  help: "M7.500 7.500a2.500 2.500 0 1 1 3.700 2.200c-.8.5-1.200 1-1.200 1.800 M10 14.500h.01",
};

/** Each line is a path of its own: a browser that draws by software takes seconds for several in one. @param {string} name */
export function icon(name) {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("viewBox", "0 0 20 20");
  picture.setAttribute("class", "icon");
  picture.setAttribute("aria-hidden", "true");
  for (const drawn of (LINES[/** @type {keyof LINES} */ (name)] ?? "").split(/ (?=M)/)) {
    const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
    line.setAttribute("d", drawn);
    picture.append(line);
  }
  return picture;
}
