// What both kinds of charts share: how a series looks, axes, and the ranges of the rounds.

const SHAPES = ['circle', 'rect', 'triangle', 'rectRot', 'cross', 'star', 'crossRot'];
const DASHES = [[], [7, 5], [2, 4]];

function element(tag, attributes, ...children) {
  const node = document.createElement(tag);
  Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));
  node.append(...children);
  return node;
}

/** A colour of page.css in the form that a canvas takes. */
function colour(name) {
  const probe = document.body.appendChild(element('i', {}));
  probe.style.color = `var(--${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** No two of 21 series have the same shape and dashes, no two of 56 the same shape and colour. */
function look(series) {
  const own = colour('series-' + (series % 8));
  return {
    backgroundColor: own,
    borderColor: own,
    borderWidth: 2,
    borderDash: DASHES[Math.floor(series / SHAPES.length) % DASHES.length],
    pointStyle: SHAPES[series % SHAPES.length],
    pointRadius: 4,
    pointBorderWidth: 2,
  };
}

/** An axis with room for the values. */
function axis(title, logarithmic, values) {
  const shown = values.filter((value) => Number.isFinite(value) && (!logarithmic || value > 0));
  return {
    type: logarithmic ? 'logarithmic' : 'linear',
    title: { display: true, text: title },
    suggestedMin: Math.min(...shown),
    suggestedMax: Math.max(...shown),
    ticks: {
      maxRotation: 0,
      callback: Chart.Ticks.formatters.numeric,
      format: { notation: 'compact', maximumSignificantDigits: 3 },
    },
    afterBuildTicks: logarithmic ? roundTicks : undefined,
  };
}

/** Leaves a logarithmic axis its ticks at 1, 2 and 5 of each decade, unless it has one of them only. */
function roundTicks(scale) {
  const powers = Array.from({ length: 40 }, (_, i) => 10 ** (i - 20));
  const round = powers.flatMap((power) => [power, 2 * power, 5 * power])
    .filter((value) => value >= scale.min * 0.9999 && value <= scale.max * 1.0001);
  if (round.length > 1) {
    scale.ticks = round.map((value) => ({ value }));
  }
}

/** Draws a line across each point or bar, from the least to the most of its rounds. */
const ranges = {
  id: 'ranges',
  afterDatasetsDraw(chart) {
    const bars = chart.config.type === 'bar';
    const halo = [colour('page'), 3.5];
    chart.getSortedVisibleDatasetMetas().forEach(({ data, index }) => data.forEach((drawn, i) => {
      const { low, high } = chart.data.datasets[index].data[i];
      if (low < high) {
        const ends = [low, high].map((value) => chart.scales[bars ? 'x' : 'y'].getPixelForValue(value));
        const corner = (end, aside) => (bars ? [end, drawn.y + aside] : [drawn.x + aside, end]);
        const path = new Path2D();
        [[ends[0], -4], [ends[0], 4], [ends[0], 0], [ends[1], 0], [ends[1], -4], [ends[1], 4]]
          .forEach(([end, aside], step) => path[step ? 'lineTo' : 'moveTo'](...corner(end, aside)));
        (bars ? [halo, [Chart.defaults.color, 1.25]] : [[drawn.options.borderColor, 1.25]]).forEach(([strokeStyle, lineWidth]) => {
          Object.assign(chart.ctx, { strokeStyle, lineWidth });
          chart.ctx.stroke(path);
        });
      }
    }));
  },
};
