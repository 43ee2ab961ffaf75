// A chart in its figure: legend, drawing, exact values on pointing and by keyboard, its figures as a file.

class Chart {
  constructor(figure, data) {
    this.data = data;
    this.names = data.kind === 'lines' ? data.lines.map((line) => line.name) : [...new Set(data.bars.map((bar) => bar.name))];
    this.hidden = new Set();
    this.at = null;
    this.plot = figure.querySelector('.plot');
    this.drawing = svg('svg', {
      role: 'img', tabindex: 0, 'aria-label': data.caption + '. Arrow keys move from value to value; the table below has all.',
    });
    this.tip = element('div', { class: 'tip', role: 'status' });
    this.plot.append(this.drawing, this.tip);
    if (this.names.length > 1) {
      this.plot.before(this.legend());
    }
    const download = element('button', { type: 'button' }, 'JSON');
    download.setAttribute('aria-label', 'Download the figures of this chart as JSON');
    download.addEventListener('click', () => save(data.caption, data));
    this.plot.after(download);
    this.listen();
    this.width = 0;
    new ResizeObserver(() => this.resized()).observe(this.plot);
    this.resized();
  }

  legend() {
    const legend = element('div', { class: 'legend', role: 'group', 'aria-label': 'Shown in the chart' });
    this.names.forEach((name, series) => {
      const button = element('button', { type: 'button', 'aria-pressed': 'true' }, swatch(series, this.data.kind), element('span', {}, name));
      button.addEventListener('click', () => {
        const hide = !this.hidden.delete(series);
        if (hide) {
          this.hidden.add(series);
        }
        button.setAttribute('aria-pressed', String(!hide));
        this.draw();
      });
      legend.append(button);
    });
    return legend;
  }

  resized() {
    const width = Math.floor(this.plot.clientWidth);
    if (width > 0 && width !== this.width) {
      this.width = width;
      this.draw();
    }
  }

  draw() {
    const shown = (series) => !this.hidden.has(series);
    const drawn = this.data.kind === 'lines'
      ? drawLines(this.data, shown, this.width)
      : drawBars(this.data, this.names, shown, this.width);
    this.targets = drawn.targets;
    this.height = drawn.height;
    this.pointer = svg('g', {});
    this.drawing.setAttribute('viewBox', `0 0 ${this.width} ${drawn.height}`);
    this.drawing.setAttribute('height', drawn.height);
    this.drawing.replaceChildren(...drawn.nodes, this.pointer);
    this.show(null);
  }

  listen() {
    const nearest = (event) => {
      const box = this.drawing.getBoundingClientRect();
      this.show(this.closest(event.clientX - box.left, event.clientY - box.top));
    };
    this.drawing.addEventListener('pointermove', nearest);
    this.drawing.addEventListener('pointerdown', nearest);
    this.drawing.addEventListener('pointerleave', (event) => event.pointerType !== 'touch' && this.show(null));
    document.addEventListener('pointerdown', (event) => this.plot.contains(event.target) || this.show(null));
    this.drawing.addEventListener('keydown', (event) => this.key(event));
    this.drawing.addEventListener('focus', () => {
      if (this.drawing.matches(':focus-visible')) {
        this.show(this.at || this.targets[0] || null);
      }
    });
    this.drawing.addEventListener('blur', () => this.show(null));
  }

  /** Of bars the one in that row, of points the nearest. */
  closest(x, y) {
    const aside = this.data.kind === 'lines' ? 1 : 0;
    const distance = (target) => Math.hypot(aside * (target.x - x), target.y - y);
    return this.targets.reduce((best, target) => (best === null || distance(target) < distance(best) ? target : best), null);
  }

  key(event) {
    const along = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const between = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') {
      this.show(null);
    } else if (along || between) {
      event.preventDefault();
      this.show(this.at ? this.neighbour(along, between) : this.targets[0] || null);
    }
  }

  neighbour(along, between) {
    const lanes = [...new Set(this.targets.map((target) => target.lane))];
    if (between && lanes.length > 1) {
      const lane = lanes[(lanes.indexOf(this.at.lane) + between + lanes.length) % lanes.length];
      const away = (target) => Math.abs(target.x - this.at.x);
      return this.targets.filter((target) => target.lane === lane).reduce((best, target) => (away(target) < away(best) ? target : best));
    }
    const lane = this.targets.filter((target) => target.lane === this.at.lane);
    return lane[Math.min(lane.length - 1, Math.max(0, lane.indexOf(this.at) + (along || between)))];
  }

  /** Tells the exact values of one target; of none, nothing. */
  show(target) {
    if (target && target === this.at) {
      return;
    }
    this.at = target;
    this.pointer.replaceChildren();
    this.tip.replaceChildren();
    if (!target) {
      return;
    }
    if (target.guide) {
      const [x, top, bottom] = target.guide;
      this.pointer.append(svg('line', { class: 'guide', x1: x, x2: x, y1: top, y2: bottom }));
      this.pointer.append(svg('circle', { class: 'focus', cx: target.x, cy: target.y, r: 8 }));
    }
    if (target.where) {
      this.tip.append(element('div', { class: 'where' }, target.where));
    }
    target.rows().forEach((row) => this.tip.append(element(
      'div', { class: row.active ? 'row active' : 'row' }, swatch(row.series, this.data.kind),
      element('span', {}, row.name), element('span', {}, row.range ? row.value + ' (' + row.range + ')' : row.value))));
    this.placeTip(target);
  }

  placeTip(target) {
    this.tip.style.transform = 'none';
    const { width, height } = this.tip.getBoundingClientRect();
    const left = target.x + 14 + width <= this.width ? target.x + 14 : target.x - 14 - width;
    const above = target.y - height - 12;
    const x = Math.max(0, Math.min(left, this.width - width));
    this.tip.style.transform = `translate(${Math.round(x)}px, ${Math.round(above >= 0 ? above : target.y + 14)}px)`;
  }
}
