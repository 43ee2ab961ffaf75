// A chart in its figure: legend, drawing, exact values on pointing and by keyboard, its figures as a file.

Object.assign(Chart.defaults, { animation: false, maintainAspectRatio: false, locale: 'en' });
Chart.defaults.plugins.legend.display = false;
Chart.defaults.plugins.tooltip.usePointStyle = true;

class ChartFigure {
  constructor(figure, data) {
    this.data = data;
    this.hidden = new Set();
    this.plot = figure.querySelector('.plot');
    this.canvas = element('canvas', {
      role: 'img', tabindex: 0, 'aria-label': data.caption + '. Arrow keys move from value to value; the table below has all.',
    });
    this.spoken = element('div', { class: 'spoken', role: 'status' });
    this.legend = element('div', { class: 'legend', role: 'group', 'aria-label': 'Shown in the chart' });
    const download = element('button', { type: 'button', 'aria-label': 'Download the figures of this chart as JSON' }, 'JSON');
    download.addEventListener('click', () => save(data.caption, data));
    this.plot.append(this.canvas, this.spoken);
    this.plot.before(this.legend);
    this.plot.after(download);
    this.canvas.addEventListener('keydown', (event) => this.key(event));
    this.draw();
  }

  /** Draws it with the colours and for the width that the page has now. */
  draw() {
    this.chart?.destroy();
    const { height, ...configuration } = this.data.kind === 'lines' ? lineChart(this.data) : barChart(this.data);
    this.plot.style.height = height ? height + 'px' : '';
    Object.assign(Chart.defaults, { color: colour('text'), borderColor: colour('rule') });
    configuration.options.plugins.tooltip.external = ({ tooltip }) => this.say(tooltip);
    configuration.plugins = [ranges, ...(configuration.plugins ?? [])];
    this.chart = new Chart(this.canvas, configuration);
    const { datasets } = this.chart.data;
    this.legend.replaceChildren(...(datasets.length > 1 ? datasets : []).map((dataset, series) => this.button(dataset, series)));
    this.hidden.forEach((series) => this.chart.hide(series));
  }

  button(dataset, series) {
    const swatch = element('canvas', { width: 60, height: 28, 'aria-hidden': 'true' });
    const pen = swatch.getContext('2d');
    pen.scale(2, 2);
    Object.assign(pen, { fillStyle: dataset.borderColor, strokeStyle: dataset.borderColor, lineWidth: 2 });
    Chart.helpers.drawPoint(pen, { pointStyle: dataset.pointStyle, radius: 4, borderWidth: 2 }, 15, 7);
    pen.setLineDash(dataset.borderDash);
    pen.stroke(new Path2D('M0 7H30'));
    const button = element('button', { type: 'button', 'aria-pressed': !this.hidden.has(series) }, swatch, dataset.label);
    button.addEventListener('click', () => {
      const shown = this.hidden.delete(series);
      if (!shown) {
        this.hidden.add(series);
      }
      button.setAttribute('aria-pressed', shown);
      this.chart.setDatasetVisibility(series, shown);
      this.chart.update();
    });
    return button;
  }

  /** Tells screen readers what the tooltip shows. */
  say({ opacity, title, body }) {
    this.spoken.textContent = opacity ? [...title, ...body.flatMap(({ lines }) => lines)].filter(Boolean).join(', ') : '';
  }

  key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1, Escape: 0 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const target = step ? this.neighbour(step, /Right|Left/.test(event.key)) : null;
      this.chart.setActiveElements(target ? [target] : []);
      this.chart.tooltip.setActiveElements(target ? [target] : [], { x: 0, y: 0 });
      this.chart.update();
    }
  }

  /** The next value: of the same series, or in the next series at the same place. */
  neighbour(step, along) {
    const order = along ? ['datasetIndex', 'index'] : ['index', 'datasetIndex'];
    const all = this.chart.getSortedVisibleDatasetMetas()
      .flatMap(({ index: datasetIndex, data }) => data
        .map(({ x, y }, index) => ({ datasetIndex, index, drawn: Number.isFinite(x + y) })))
      .filter(({ datasetIndex, index, drawn }) => drawn && this.chart.data.datasets[datasetIndex].data[index].text)
      .sort((one, other) => one[order[0]] - other[order[0]] || one[order[1]] - other[order[1]]);
    const [active] = this.chart.getActiveElements();
    const at = all.findIndex(({ datasetIndex, index }) => datasetIndex === active?.datasetIndex && index === active?.index);
    return all[at + step] ?? all[Math.max(at, 0)];
  }
}
