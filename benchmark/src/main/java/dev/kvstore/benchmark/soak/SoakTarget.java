package dev.kvstore.benchmark.soak;

import dev.kvstore.client.KvClient;

/**
 * Where a step is done.
 *
 * @param sameProcess whether all its calls go to one process
 */
record SoakTarget(KvClient client, boolean sameProcess) {}
