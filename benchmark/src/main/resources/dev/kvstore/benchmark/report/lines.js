// Lines over a common axis.

const MANY_POINTS = 24;

function lineChart({ x, y, lines }) {
  const points = lines.flatMap((line) => line.points);
  return {
    type: 'scatter',
    data: {
      datasets: lines.map((line, series) => ({
        ...look(series),
        label: line.name,
        data: line.points,
        showLine: true,
        pointRadius: ({ dataIndex }) => (dataIndex % Math.ceil(line.points.length / MANY_POINTS) ? 0 : 4),
      })),
    },
    options: {
      scales: {
        x: axis(x.text, x.logarithmic, points.map((point) => point.x)),
        y: { ...axis(y.text, y.logarithmic, points.flatMap((point) => [point.low, point.y, point.high])), beginAtZero: true },
      },
      interaction: { mode: 'nearest', intersect: false },
      plugins: {
        tooltip: {
          callbacks: {
            title: ([item]) => `${x.label} ${item.raw.x.toLocaleString('en')} ${x.unit}`.trim(),
            label: ({ raw, dataset }) => [dataset.label, raw.label, `${raw.text} ${y.unit}`].filter(Boolean),
          },
        },
      },
    },
  };
}
