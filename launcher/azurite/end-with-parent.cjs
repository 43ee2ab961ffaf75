// Loaded before Azurite: ends it when whoever started it is gone, however that came about, and its pipe closes.
process.stdin.on('end', () => process.exit(0));
process.stdin.on('error', () => process.exit(0));
process.stdin.resume();
