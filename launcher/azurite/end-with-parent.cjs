// Loaded before Azurite: ends it when whoever started it is gone, however that came about, and its pipe closes. In good
// order, since it saves in the end what it has stored last.
const PATIENCE_MILLIS = 5000;
const end = () => {
  setTimeout(() => process.exit(1), PATIENCE_MILLIS).unref();
  process.emit('SIGTERM');
};
// Whoever stops it sends a signal and closes the pipe: the second must not end it before it has saved.
process.on('SIGTERM', () => {});
process.stdin.on('end', end);
process.stdin.on('error', end);
process.stdin.resume();
process.stdin.unref?.();
