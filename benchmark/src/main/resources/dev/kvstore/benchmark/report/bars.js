// Bars from zero, a row each, in groups.

const WIDE_ROW = 24;
const NARROW_ROW = 40;
const LONGEST_NAME = 30;
const narrow = matchMedia('(width < 30rem)');

/** Names stand beside their bars, and above them on a phone. */
function barChart({ unit, bars }) {
  const groups = Map.groupBy(bars, (bar) => bar.group);
  const rows = [...groups].flatMap(([group, members]) => [...(groups.size > 1 ? [{ head: group }] : []), ...members]);
  return {
    type: 'bar',
    data: {
      labels: rows.map((row) => row.head ?? row.name),
      datasets: [...new Set(bars.map((bar) => bar.name))].map((name, series) => ({
        ...look(series),
        label: name,
        data: rows.map((row) => (row.name === name ? row : {})),
        grouped: false,
        barThickness: 16,
      })),
    },
    options: {
      indexAxis: 'y',
      parsing: { xAxisKey: 'value', yAxisKey: 'name' },
      layout: { padding: { right: 60 } },
      scales: {
        x: { ...axis(unit, false, bars.flatMap((bar) => [bar.low, bar.value, bar.high])), beginAtZero: true },
        y: {
          grid: { display: false },
          ticks: {
            autoSkip: false,
            callback: (index) => label(rows[index]),
            font: ({ index }) => ({ weight: rows[index].head === undefined ? 'normal' : 'bold' }),
            mirror: narrow.matches,
            labelOffset: narrow.matches ? -18 : 0,
          },
        },
      },
      interaction: { mode: 'index', axis: 'y', intersect: false },
      plugins: {
        tooltip: {
          filter: ({ raw }) => raw.text,
          callbacks: {
            title: ([item]) => item?.raw.group,
            label: ({ raw }) => [raw.name, `${raw.text} ${unit}`],
          },
        },
      },
    },
    plugins: [values],
    height: 70 + rows.length * (narrow.matches ? NARROW_ROW : WIDE_ROW),
  };
}

/** Empty lines bring a group's name near its first bar. */
function label({ head, name }) {
  if (head !== undefined) {
    return narrow.matches ? ['', '', head] : head;
  }
  return name.length > LONGEST_NAME ? name.slice(0, LONGEST_NAME - 1) + '…' : name;
}

/** Writes its value behind each bar, without the range. */
const values = {
  id: 'values',
  afterDatasetsDraw(chart) {
    chart.ctx.fillStyle = Chart.defaults.color;
    chart.ctx.textBaseline = 'middle';
    chart.getSortedVisibleDatasetMetas().forEach(({ data, index }) => data.forEach((bar, i) => {
      const { text, value, high } = chart.data.datasets[index].data[i];
      if (text) {
        chart.ctx.fillText(text.split(' ')[0], chart.scales.x.getPixelForValue(Math.max(value, high, 0)) + 7, bar.y);
      }
    }));
  },
};
