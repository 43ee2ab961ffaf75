// The names and checksums of blocks, from protocol/README.md alone.
'use strict';

const crypto = require('node:crypto');

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) {
    crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return crc;
});

/** CRC32C (Castagnoli) of bytes, as an unsigned number. */
function crc32c(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc = CRC_TABLE[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function u32le(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function sha256(...parts) {
  const digest = crypto.createHash('sha256');
  parts.forEach((part) => digest.update(part));
  return digest.digest();
}

/** The parent of a partition's first blocks. */
function root(partition, blockTokens) {
  const name = Buffer.from(partition, 'utf8');
  return sha256('kvstore.root.v1', u32le(blockTokens), u32le(name.length), name);
}

/** The name of the block that follows `parent`. */
function blockHash(parent, tokens, extra) {
  const ids = Buffer.alloc(4 * tokens.length);
  tokens.forEach((token, i) => ids.writeInt32LE(token, 4 * i));
  return sha256('kvstore.block.v1', parent, u32le(extra.length), extra, ids);
}

/** The names of a prompt's whole blocks, first block first. */
function chain(partition, blockTokens, tokens, extras = []) {
  const hashes = [];
  let parent = root(partition, blockTokens);
  for (let end = blockTokens; end <= tokens.length; end += blockTokens) {
    const extra = extras[hashes.length] ?? Buffer.alloc(0);
    parent = blockHash(parent, tokens.slice(end - blockTokens, end), extra);
    hashes.push(parent);
  }
  return hashes;
}

/** Where a block is: version, partition, name. */
function location(rootHash, hash) {
  return Buffer.concat([Buffer.from([1]), rootHash, hash]);
}

module.exports = { blockHash, chain, crc32c, location, root };
