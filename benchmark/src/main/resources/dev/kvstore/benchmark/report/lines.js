// Lines over a common axis.

const MANY_POINTS = 24;

/**
 * What to draw in so many pixels of width, and where its points are.
 * shown(series) says whether a line is wanted.
 */
function drawLines(data, shown, width) {
  const lines = data.lines
    .map((line, series) => ({
      name: line.name,
      series,
      points: line.points.filter((point) => hasPlace(data.x, point.x) && hasPlace(data.y, point.y)),
    }))
    .filter((line) => shown(line.series) && line.points.length);
  const points = lines.flatMap((line) => line.points);
  const height = Math.round(Math.min(380, Math.max(250, width * 0.62)));
  if (!points.length) {
    return { height, nodes: [svg('text', { x: 0, y: height / 2 }, 'Nothing to draw.')], targets: [] };
  }
  const area = { top: 36, right: width - 18, bottom: height - 46, left: 0 };
  const values = points.flatMap((point) => [point.y, ...ends(point, data.y)]);
  const y = valueScale(values, data.y.logarithmic, Math.floor((area.bottom - area.top) / 32));
  area.left = Math.max(...y.ticks.map((tick) => textWidth(brief(tick)))) + 10;
  const x = rangeScale(points.map((point) => point.x), data.x.logarithmic, Math.floor((area.right - area.left) / 60));
  const left = area.left + 10;
  const across = (value) => left + x.place(value) * (area.right - left);
  const down = (value) => area.bottom - y.place(value) * (area.bottom - area.top);
  return {
    height,
    nodes: [
      ...axes(data, area, x, y, across, down),
      ...lines.map((line) => spread(line, data.y, across, down)),
      ...lines.map((line) => svg('path', {
        class: lineClass(line.series) + ' ' + colour(line.series),
        d: 'M' + line.points.map((point) => across(point.x).toFixed(1) + ' ' + down(point.y).toFixed(1)).join('L'),
      })),
      ...lines.flatMap((line) => marked(line).map((point) => marker(line.series, across(point.x), down(point.y), 4.5))),
    ],
    targets: lines.flatMap((line) => line.points.map((point) => ({
      x: across(point.x),
      y: down(point.y),
      lane: line.series,
      guide: [across(point.x), area.top, area.bottom],
      where: named(data.x.label, '') + ' ' + withUnit(exact(point.x), data.x.unit),
      rows: () => rowsAt(data, lines, line, point),
    }))),
  };
}

/** The points that have a marker: all, or as many as tell one line from another. */
function marked(line) {
  const every = line.points.length > MANY_POINTS ? Math.ceil(line.points.length / 10) : 1;
  return line.points.filter((_, i) => i % every === 0);
}

/** The ends of a point's range that the axis has a place for. */
function ends(point, axis) {
  return hasRange(point) ? [point.low, point.high].filter((end) => hasPlace(axis, end)) : [];
}

function axes(data, area, x, y, across, down) {
  const texts = x.ticks.map(brief);
  const written = withRoom(x.ticks, across, texts);
  return [
    ...y.ticks.flatMap((tick) => [
      svg('line', { class: tick === 0 ? 'zero' : 'grid', x1: area.left, x2: area.right + 8, y1: down(tick), y2: down(tick) }),
      svg('text', { x: area.left - 8, y: down(tick) + 4, 'text-anchor': 'end' }, brief(tick)),
    ]),
    ...written.flatMap((tick) => [
      svg('line', { class: 'zero', x1: across(tick), x2: across(tick), y1: area.bottom, y2: area.bottom + 4 }),
      svg('text', { x: across(tick), y: area.bottom + 18, 'text-anchor': 'middle' }, brief(tick)),
    ]),
    svg('line', { class: 'zero', x1: area.left, x2: area.right + 8, y1: area.bottom, y2: area.bottom }),
    svg('text', { class: 'axis', x: 0, y: 14 }, fitted(named(data.y.label, data.y.unit), area.right)),
    svg('text', { class: 'axis', x: area.right + 8, y: area.bottom + 38, 'text-anchor': 'end' }, fitted(named(data.x.label, data.x.unit), area.right)),
  ];
}

/** What was seen around the points: a whisker each, or one band where they are many. */
function spread(line, axis, across, down) {
  const group = svg('g', { class: colour(line.series) });
  const least = (point) => down(hasPlace(axis, point.low) ? point.low : 0);
  const ranged = line.points.filter(hasRange);
  if (ranged.length > MANY_POINTS) {
    const there = ranged.map((point) => across(point.x) + ' ' + down(point.high));
    const back = ranged.map((point) => across(point.x) + ' ' + least(point)).reverse();
    group.append(svg('path', { class: 'band', d: 'M' + [...there, ...back].join('L') + 'Z' }));
  } else {
    ranged.forEach((point) => {
      const at = across(point.x);
      group.append(svg('path', {
        class: 'range',
        d: `M${at - 4} ${down(point.high)}H${at + 4}M${at} ${down(point.high)}V${least(point)}M${at - 4} ${least(point)}H${at + 4}`,
      }));
    });
  }
  return group;
}

/** Exact values: of all lines at one place, or of the one point where they share none. */
function rowsAt(data, lines, active, point) {
  const here = lines.length > 10 ? [active] : lines;
  return here.flatMap((line) => line.points
    .filter((other) => other === point || (line !== active && other.x === point.x))
    .map((other) => ({
      series: line.series,
      name: other.label ? line.name + ', ' + other.label : line.name,
      value: withUnit(exact(other.y), data.y.unit),
      range: rangeText(other),
      active: other === point && here.length > 1,
    })));
}
