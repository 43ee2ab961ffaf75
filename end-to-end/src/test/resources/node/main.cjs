// Does the main job against a running data plane, verifies everything, prints a JSON summary; exits 1 at the first
// mismatch. Takes one JSON argument: {includes, vectors, endpoint, apiKey, resource, partition}.
'use strict';

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const fs = require('node:fs');
const { chain, crc32c, location, root } = require('./blocks.cjs');
const { Stub, codes } = require('./stub.cjs');

const BLOCK_TOKENS = 16;
const SENT_PART_BYTES = 100_000;
const ASKED_PART_BYTES = 65_536;
// Around the borders of a part, and the usual block.
const BUFFER_BYTES = [512, 65_537, 1_200_000, 262_144, 1];
// Written one by one; the others through a stream.
const UNARY_BLOCKS = 2;

function checkVectors(file) {
  const { vectors } = JSON.parse(fs.readFileSync(file, 'utf8'));
  for (const vector of vectors) {
    const rootHash = root(vector.partition, vector.block_tokens);
    assert.equal(rootHash.toString('hex'), vector.root, `root of vector "${vector.title}"`);
    const extras = vector.blocks.map((block) => Buffer.from(block.extra, 'hex'));
    const hashes = chain(vector.partition, vector.block_tokens, vector.tokens, extras);
    assert.deepEqual(
      hashes.map((hash) => [hash.toString('hex'), location(rootHash, hash).toString('hex')]),
      vector.blocks.map((block) => [block.hash, block.location]),
      `blocks of vector "${vector.title}"`,
    );
  }
  return vectors.length;
}

function prompt(partition) {
  const tokens = Array.from({ length: BUFFER_BYTES.length * BLOCK_TOKENS + 3 }, (_, i) => i * 40_503 - 7);
  const extras = BUFFER_BYTES.map((_, i) => (i === 1 ? Buffer.from('an image') : Buffer.alloc(0)));
  const rootHash = root(partition, BLOCK_TOKENS);
  const hashes = chain(partition, BLOCK_TOKENS, tokens, extras);
  const blocks = hashes.map((hash, i) => {
    const buffer = crypto.randomBytes(BUFFER_BYTES[i]);
    return {
      tokens: tokens.slice(i * BLOCK_TOKENS, (i + 1) * BLOCK_TOKENS).map((token) => token >>> 0),
      extra: extras[i],
      buffer,
      hash,
      parent_hash: i === 0 ? rootHash : hashes[i - 1],
      crc32c: crc32c(buffer),
    };
  });
  return { rootHash, blocks, tokens: tokens.map((token) => token >>> 0), extras };
}

function parts(block, index) {
  const { buffer, ...identity } = block;
  const count = Math.ceil(buffer.length / SENT_PART_BYTES);
  return Array.from({ length: count }, (_, i) => {
    const bytes = buffer.subarray(i * SENT_PART_BYTES, (i + 1) * SENT_PART_BYTES);
    const head = i === 0 ? { head: { ...identity, buffer_bytes: buffer.length } } : {};
    return { index, offset: i * SENT_PART_BYTES, last: i === count - 1, bytes, crc32c: crc32c(bytes), ...head };
  });
}

function checkStored(write, block, rootHash) {
  assert.equal(write.outcome, 'STORED');
  assert.deepEqual(write.location, location(rootHash, block.hash), 'location of a written block');
  assert.equal(write.stored_crc32c, block.crc32c, 'stored_crc32c');
  assert.equal(write.stored_bytes, block.buffer.length, 'stored_bytes');
}

/** Puts the parts of each block together; a block that cannot be had is its status' code. */
function assemble(responses) {
  const blocks = [];
  for (const part of responses.flatMap((response) => response.parts)) {
    if (part.head) {
      assert.equal(part.index, blocks.length, 'blocks come in the order they were asked for');
      blocks.push({ head: part.head, bytes: [], length: 0, parts: 0 });
    } else if (part.status) {
      assert.equal(part.index, blocks.length, 'statuses come in the order of their blocks');
      blocks.push({ code: part.status.code });
      continue;
    }
    const block = blocks[part.index];
    assert.equal(part.offset, block.length, 'parts follow each other without gaps');
    assert.ok(part.bytes.length <= ASKED_PART_BYTES, 'no part is longer than asked for');
    assert.equal(part.crc32c, crc32c(part.bytes), 'crc32c of a part');
    block.bytes.push(part.bytes);
    block.length += part.bytes.length;
    block.parts++;
    assert.equal(part.last, block.length === block.head.buffer_bytes, 'the last part says so');
  }
  return blocks;
}

function checkBlock(read, written) {
  assert.deepEqual(read.tokens, written.tokens, 'tokens');
  assert.deepEqual(read.extra, written.extra, 'extra');
  assert.deepEqual(read.hash, written.hash, 'hash');
  assert.deepEqual(read.parent_hash, written.parent_hash, 'parent_hash');
  assert.equal(read.crc32c, written.crc32c, 'crc32c');
}

async function mainJob(stub, resource, partition) {
  const where = { resource_name: resource, partition, block_tokens: BLOCK_TOKENS };
  const { rootHash, blocks, tokens, extras } = prompt(partition);
  const locations = blocks.map((block) => location(rootHash, block.hash));
  const block_hashes = Buffer.concat(blocks.map((block) => block.hash));

  const before = (await stub.unary('Lookup', { ...where, tokens, extras })).response;
  assert.equal(before.cached_blocks, 0, 'cached_blocks before writing');
  assert.deepEqual(before.last_hash, rootHash, 'last_hash before writing');

  for (const chunk of blocks.slice(0, UNARY_BLOCKS)) {
    checkStored((await stub.unary('Write', { ...where, chunk })).response, chunk, rootHash);
  }
  const bytes = Buffer.alloc(blocks[0].buffer.length, 'other bytes');
  const other = { ...blocks[0], buffer: bytes, crc32c: crc32c(bytes) };
  const again = (await stub.unary('Write', { ...where, chunk: other })).response;
  assert.equal(again.outcome, 'ALREADY_PRESENT');
  assert.equal(again.stored_crc32c, blocks[0].crc32c, 'the first bytes stand');

  const streamed = blocks.slice(UNARY_BLOCKS);
  const requests = streamed.flatMap(parts).map((part, i) => ({ ...(i === 0 ? where : {}), parts: [part] }));
  const results = (await stub.stream('StreamingWrite', requests)).flatMap((response) => response.results);
  assert.deepEqual(results.map((result) => result.index), [...streamed.keys()], 'a result per block, in order');
  results.forEach((result, i) => checkStored(result.write, streamed[i], rootHash));

  const { response: byTokens, headers } = await stub.unary('Lookup', { ...where, tokens, extras });
  const byHashes = (await stub.unary('Lookup', { ...where, block_hashes, omit_locations: true })).response;
  assert.deepEqual(byTokens.locations, locations, 'locations of a lookup by tokens');
  assert.deepEqual(byHashes.locations, [], 'locations of a lookup that omits them');
  assert.deepEqual(byHashes.last_hash, blocks.at(-1).hash, 'last_hash after writing');

  const { chunk } = (await stub.unary('Read', { resource_name: resource, location: locations[1] })).response;
  checkBlock(chunk, blocks[1]);
  assert.ok(chunk.buffer.equals(blocks[1].buffer), 'buffer of a block that was read');

  const absent = location(rootHash, crypto.randomBytes(32));
  const restored = assemble(await stub.stream('StreamingRead', [
    { resource_name: resource, locations: [...locations, absent], max_part_bytes: ASKED_PART_BYTES },
  ]));
  blocks.forEach((block, i) => {
    checkBlock(restored[i].head, block);
    assert.ok(Buffer.concat(restored[i].bytes).equals(block.buffer), `buffer of streamed block ${i}`);
  });

  return {
    cachedByTokens: byTokens.cached_blocks,
    cachedByHashes: byHashes.cached_blocks,
    restoredBytes: restored.slice(0, blocks.length).map((block) => block.length),
    restoredParts: restored.slice(0, blocks.length).map((block) => block.parts),
    absentBlock: codes[restored[blocks.length].code],
    serverVersion: headers.get('kvstore-version')[0],
    maxBlockBytes: Number(headers.get('kvstore-max-block-bytes')[0]),
  };
}

async function failure(call) {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new assert.AssertionError({ message: 'a call that must fail succeeded' });
}

async function errors(stub, strangers, resource, partition) {
  const lookup = { resource_name: resource, partition, block_tokens: BLOCK_TOKENS, tokens: [] };
  const absent = location(root(partition, BLOCK_TOKENS), crypto.randomBytes(32));
  const badField = await failure(stub.unary('Lookup', { ...lookup, block_tokens: 9_000 }));
  const code = async (call) => codes[(await failure(call)).code];
  return {
    unknownKey: await code(strangers.wrongKey.unary('Lookup', lookup)),
    noKey: await code(strangers.noKey.unary('Lookup', lookup)),
    unknownResource: await code(stub.unary('Lookup', { ...lookup, resource_name: 'somebody-elses' })),
    absentBlock: await code(stub.unary('Read', { resource_name: resource, location: absent })),
    badField: codes[badField.code],
    badFieldNames: stub.violatedFields(badField),
  };
}

async function main({ includes, vectors, endpoint, apiKey, resource, partition }) {
  const stub = new Stub(includes, endpoint, apiKey);
  const strangers = { wrongKey: new Stub(includes, endpoint, `${apiKey}x`), noKey: new Stub(includes, endpoint) };
  try {
    assert.equal(crc32c(Buffer.from('123456789')), 0xe3069283, 'crc32c of the published example');
    const summary = {
      vectors: checkVectors(vectors),
      ...(await mainJob(stub, resource, partition)),
      errors: await errors(stub, strangers, resource, partition),
    };
    console.log(JSON.stringify(summary));
  } finally {
    [stub, ...Object.values(strangers)].forEach((each) => each.close());
  }
}

main(JSON.parse(process.argv[2])).catch((error) => {
  console.error(`node client: ${error.message}`);
  process.exitCode = 1;
});
