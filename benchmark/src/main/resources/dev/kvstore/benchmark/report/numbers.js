// Numbers as people read them.

const NONE = '\u2013';

/** As tables have it (Numbers.java): whole from 1,000 on, with 4 digits below. */
function exact(value) {
  if (!Number.isFinite(value)) {
    return NONE;
  }
  const whole = Math.abs(value) >= 1000 || Number.isInteger(value);
  const rounded = whole ? Math.round(value) : Number(value.toPrecision(4));
  return (rounded || 0).toLocaleString('en-US', { maximumFractionDigits: whole ? 0 : 20 });
}

const LARGE = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']];

/** For an axis: 1.2 k rather than 1,200. */
function brief(value) {
  const [unit, letter] = LARGE.find(([least]) => Math.abs(value) >= least * 0.9995) || [1, ''];
  const number = Number((value / unit).toPrecision(3));
  const text = Math.abs(number) < 1e-4 && number !== 0 ? number.toExponential() : String(number);
  return letter ? text + '\u202f' + letter : text;
}

function withUnit(text, unit) {
  return unit ? text + '\u00a0' + unit : text;
}

/** An axis' name, with its unit. */
function named(label, unit) {
  return unit ? (label ? label + ' (' + unit + ')' : unit) : label;
}

/** Whether something was seen around the value. */
function hasRange(one) {
  return Number.isFinite(one.low) && Number.isFinite(one.high) && one.low < one.high;
}

function rangeText(one) {
  return hasRange(one) ? exact(one.low) + NONE + exact(one.high) : '';
}
