// Bars from zero, side by side with their names, in groups.

const BAR = 16;

/** As drawLines; a series is all bars of one name. */
function drawBars(data, names, shown, width) {
  const bars = data.bars
    .map((bar) => ({ ...bar, series: names.indexOf(bar.name) }))
    .filter((bar) => shown(bar.series) && Number.isFinite(bar.value));
  if (!bars.length) {
    return { height: 120, nodes: [svg('text', { x: 0, y: 60 }, 'Nothing to draw.')], targets: [] };
  }
  const text = (bar) => exact(bar.value);
  const narrow = width < 440;
  const longest = Math.max(...bars.map((bar) => textWidth(bar.name)));
  const left = narrow ? 0 : Math.min(longest, width * 0.4) + 10;
  const right = width - Math.max(...bars.map((bar) => textWidth(text(bar)))) - 10;
  const scale = valueScale(
    bars.flatMap((bar) => (hasRange(bar) ? [bar.value, bar.low, bar.high] : [bar.value])), false, Math.floor((right - left) / 70));
  const across = (value) => left + scale.place(value) * (right - left);
  const rows = layOut(bars, narrow);
  const bottom = rows.at(-1).y + BAR + 8;
  return {
    height: bottom + 44,
    nodes: [
      ...scale.ticks.map((tick) => svg('line', {
        class: tick === 0 ? 'zero' : 'grid', x1: across(tick), x2: across(tick), y1: 0, y2: bottom,
      })),
      ...withRoom(scale.ticks, across, scale.ticks.map(brief))
        .map((tick) => svg('text', { x: across(tick), y: bottom + 16, 'text-anchor': tick === 0 && narrow ? 'start' : 'middle' }, brief(tick))),
      svg('text', { class: 'axis', x: right, y: bottom + 36, 'text-anchor': 'end' }, fitted(data.unit, right)),
      ...rows.flatMap((row) => rowNodes(row, across, narrow ? width : left - 10, narrow, text)),
    ],
    targets: rows.map(({ bar, y }) => ({
      x: across(bar.value),
      y: y + BAR / 2,
      lane: 0,
      where: bar.group,
      rows: () => [{
        series: bar.series, name: bar.name, value: withUnit(exact(bar.value), data.unit), range: rangeText(bar), active: false,
      }],
    })),
  };
}

/** A row for each bar, under its group's name if there are several groups. */
function layOut(bars, narrow) {
  const groups = [...new Set(bars.map((bar) => bar.group))];
  const rows = [];
  let y = 4;
  groups.forEach((group, i) => {
    const titled = groups.length > 1 && group;
    y += titled ? (i ? 34 : 20) : i ? 14 : 0;
    bars.filter((bar) => bar.group === group).forEach((bar, first) => {
      y += narrow ? 18 : 0;
      rows.push({ bar, y, head: titled && first === 0 ? group : '' });
      y += BAR + 7;
    });
    y -= 7;
  });
  return rows;
}

function rowNodes({ bar, y, head }, across, room, narrow, text) {
  const from = across(Math.min(0, bar.value));
  const to = across(Math.max(0, bar.value));
  const middle = y + BAR / 2;
  const ranged = hasRange(bar);
  const whisker = ranged
    ? `M${across(bar.low)} ${middle - 4}V${middle + 4}M${across(bar.low)} ${middle}H${across(bar.high)}M${across(bar.high)} ${middle - 4}V${middle + 4}`
    : '';
  const name = narrow
    ? svg('text', { class: 'name', x: 0, y: y - 5 }, fitted(bar.name, room))
    : svg('text', { class: 'name', x: room, y: middle + 4, 'text-anchor': 'end' }, fitted(bar.name, room));
  return [
    ...(head ? [svg('text', { class: 'head', x: 0, y: y - (narrow ? 26 : 9) }, head)] : []),
    name,
    svg('rect', { class: 'bar-shape ' + colour(bar.series), x: from, y, width: Math.max(1, to - from), height: BAR, rx: 1.5 }),
    ...(ranged ? [svg('path', { class: 'whisker-halo', d: whisker }), svg('path', { class: 'whisker', d: whisker })] : []),
    svg('text', { class: 'value', x: Math.max(to, ranged ? across(bar.high) : to) + 7, y: middle + 4 }, text(bar)),
  ];
}
