// Where a value lies along an axis, 0 to 1, and which values are written beside it.

function niceStep(span, count) {
  const raw = span / Math.max(1, count);
  const magnitude = 10 ** Math.floor(Math.log10(raw));
  const nice = [1, 2, 2.5, 5, 10].find((step) => raw <= step * magnitude * 1.0001);
  return nice * magnitude;
}

/** Ticks at round values from low to high, both taken in if they are round. */
function linearTicks(low, high, count) {
  const step = niceStep(high - low, count);
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) {
    ticks.push(Number((i * step).toPrecision(12)));
  }
  return ticks;
}

/** 1, 2 and 5 of each decade where there is room, else its 1 only; of a small part of a decade, round values. */
function logarithmicTicks(low, high, count) {
  const of = (digits) => {
    const ticks = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
      digits.forEach((digit) => ticks.push(Number((digit * 10 ** power).toPrecision(12))));
    }
    return ticks.filter((tick) => tick >= low * 0.9999 && tick <= high * 1.0001);
  };
  const fine = of([1, 2, 5]);
  if (fine.length < 3) {
    return linearTicks(low, high, Math.min(count, 5)).filter((tick) => tick > 0);
  }
  if (fine.length <= count) {
    return fine;
  }
  const coarse = of([1]);
  const every = Math.ceil(coarse.length / count);
  return coarse.filter((_, i) => i % every === 0);
}

/** Whether the axis has a place for the value. */
function hasPlace(axis, value) {
  return Number.isFinite(value) && (!axis.logarithmic || value > 0);
}

/** Equal ratios at equal distances. */
function logarithmicScale(low, high, count) {
  const from = Math.log(low);
  const to = Math.log(high);
  return {
    ticks: logarithmicTicks(low, high, count),
    place: (value) => (value > 0 ? Math.max(0, (Math.log(value) - from) / (to - from)) : 0),
  };
}

function linearScale(low, high, count) {
  return { ticks: linearTicks(low, high, count), place: (value) => (value - low) / (high - low) };
}

/** For what is measured: from zero where the axis is linear, to a round value above the most. */
function valueScale(values, logarithmic, count) {
  let low = Math.min(...values);
  let high = Math.max(...values);
  if (logarithmic) {
    const margin = Math.max(1.1, (high / low) ** 0.06);
    return logarithmicScale(low / margin, high * margin, count);
  }
  low = Math.min(0, low);
  high = Math.max(0, high);
  const step = niceStep(high - low || 1, count);
  return linearScale(Math.floor(low / step + 1e-9) * step, Math.ceil(high / step - 1e-9) * step || step, count);
}

/** For what was chosen: from the least to the most, and from zero where that is near. A few round choices are the ticks. */
function rangeScale(values, logarithmic, count) {
  let low = Math.min(...values);
  let high = Math.max(...values);
  const chosen = [...new Set(values)].sort((a, b) => a - b);
  const written = (scale) => (chosen.length <= 12 && chosen.every(isRound) ? { ...scale, ticks: chosen } : scale);
  if (logarithmic) {
    return written(low < high ? logarithmicScale(low, high, count) : logarithmicScale(low / 2, high * 2, count));
  }
  if (low >= 0 && low <= high / 2) {
    low = 0;
  }
  if (low === high) {
    low -= 1;
    high += 1;
  }
  return written(linearScale(low, high, count));
}

function isRound(value) {
  return value === Number(value.toPrecision(2));
}
