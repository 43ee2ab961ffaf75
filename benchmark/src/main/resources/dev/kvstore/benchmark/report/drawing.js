// Pieces of SVG and HTML. All text goes in as text.

const COLOURS = 8;
const GAP = 8;

function svg(tag, attributes, ...children) {
  return made(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function element(tag, attributes, ...children) {
  return made(document.createElement(tag), attributes, children);
}

function made(node, attributes, children) {
  Object.entries(attributes || {}).forEach(([name, value]) => node.setAttribute(name, value));
  node.append(...children);
  return node;
}

const ruler = document.createElement('canvas').getContext('2d');

/** Pixels that a text of the plot is wide. */
function textWidth(text, weight = 400) {
  ruler.font = weight + ' 12px ' + getComputedStyle(document.body).fontFamily;
  return Math.ceil(ruler.measureText(text).width);
}

/** As much of a text as there is room for. */
function fitted(text, room) {
  let length = text.length;
  while (length > 1 && textWidth(text.slice(0, length) + (length < text.length ? '\u2026' : '')) > room) {
    length--;
  }
  return length < text.length ? text.slice(0, length) + '\u2026' : text;
}

/** The colour of a series; its class. */
function colour(series) {
  return 's' + (series % COLOURS);
}

/** How a series' line is drawn; those that share a colour differ in this. */
function lineClass(series) {
  return 'line dash-' + (Math.floor(series / COLOURS) % 3);
}

function polygon(x, y, points) {
  return 'M' + points.map(([dx, dy]) => (x + dx).toFixed(2) + ' ' + (y + dy).toFixed(2)).join('L') + 'Z';
}

const SHAPES = [
  (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`,
  (x, y, r) => polygon(x, y, [[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]].map((p) => p.map((v) => v * r))),
  (x, y, r) => polygon(x, y, [[0, -1.2], [1.1, 0.8], [-1.1, 0.8]].map((p) => p.map((v) => v * r))),
  (x, y, r) => polygon(x, y, [[0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]].map((p) => p.map((v) => v * r))),
  (x, y, r) => polygon(x, y, [[0, 1.2], [1.1, -0.8], [-1.1, -0.8]].map((p) => p.map((v) => v * r))),
  (x, y, r) => polygon(x, y, [[-0.45, -1.2], [0.45, -1.2], [0.45, -0.45], [1.2, -0.45], [1.2, 0.45], [0.45, 0.45],
    [0.45, 1.2], [-0.45, 1.2], [-0.45, 0.45], [-1.2, 0.45], [-1.2, -0.45], [-0.45, -0.45]].map((p) => p.map((v) => v * r))),
  (x, y, r) => polygon(x, y, [[-1.2, -0.7], [1.2, -0.7], [1.2, 0.7], [-1.2, 0.7]].map((p) => p.map((v) => v * r))),
  (x, y, r) => polygon(x, y, [0, 1, 2, 3, 4].map((i) => {
    const angle = (i * 2 * Math.PI) / 5 - Math.PI / 2;
    return [1.2 * r * Math.cos(angle), 1.2 * r * Math.sin(angle)];
  })),
];

/** A point of a series: those of one colour have one shape, and no two colours share it. */
function marker(series, x, y, radius) {
  return svg('path', { class: 'marker ' + colour(series), d: SHAPES[series % COLOURS](x, y, radius) });
}

/** What stands for a series in a legend. */
function swatch(series, kind) {
  const width = kind === 'lines' ? 34 : 14;
  const drawing = svg('svg', { width, height: 14, viewBox: `0 0 ${width} 14`, 'aria-hidden': 'true' });
  if (kind === 'lines') {
    drawing.append(
      svg('path', { class: lineClass(series) + ' ' + colour(series), d: 'M1 7H33' }), marker(series, 17, 7, 4.5));
  } else {
    drawing.append(svg('rect', { class: 'bar-shape ' + colour(series), x: 1, y: 1, width: 12, height: 12, rx: 1.5 }));
  }
  return drawing;
}

/** Of ticks at these pixels, those whose texts do not touch; the first is kept. */
function withRoom(ticks, place, texts) {
  let end = -Infinity;
  return ticks.filter((tick, i) => {
    const half = textWidth(texts[i]) / 2;
    const fits = place(tick) - half >= end + GAP;
    if (fits) {
      end = place(tick) + half;
    }
    return fits;
  });
}
