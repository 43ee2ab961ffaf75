// The page: colours, downloads, and a chart for each figure that has one.

function read(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

/** Hands a value over as a file. */
function save(title, value) {
  const name = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '').slice(0, 60) || 'figures';
  const address = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2) + '\n'], { type: 'application/json' }));
  element('a', { href: address, download: name + '.json' }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

/** What was chosen before, here or on another report; some browsers keep nothing for files. */
const memory = {
  get() {
    try {
      return localStorage.getItem('kvstore-theme');
    } catch (refused) {
      return null;
    }
  },
  set(theme) {
    try {
      localStorage.setItem('kvstore-theme', theme);
    } catch (refused) {
      // Then it is chosen again next time.
    }
  },
};

/** Follows the system's colours until the reader chooses others. */
function colours() {
  const root = document.documentElement;
  const button = document.getElementById('theme');
  const isDark = () => (root.dataset.theme || (dark.matches ? 'dark' : 'light')) === 'dark';
  const name = () => { button.textContent = isDark() ? 'Light' : 'Dark'; };
  const before = memory.get();
  if (before === 'dark' || before === 'light') {
    root.dataset.theme = before;
  }
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    memory.set(root.dataset.theme);
    name();
    redraw();
  });
  dark.addEventListener('change', name);
  name();
}

function redraw() {
  charts.forEach((chart) => chart.draw());
}

const charts = [];
const dark = matchMedia('(prefers-color-scheme: dark)');
document.querySelector('.tools').hidden = false;
colours();
document.getElementById('all')?.addEventListener('click', () => save(document.querySelector('h1').textContent, read('run')));
read('charts').forEach((data, i) => {
  const figure = document.getElementById('chart-' + i);
  try {
    charts.push(new ChartFigure(figure, data));
    figure.querySelector('details').open = false;
  } catch (failure) {
    // Its table stays open, and the others are drawn.
    console.error(data.caption, failure);
  }
});
[dark, narrow, matchMedia('print')].forEach((query) => query.addEventListener('change', redraw));
