package dev.kvstore.benchmark.soak;

import dev.kvstore.client.KvClient;
import java.util.SplittableRandom;

/** Something that a client does again and again. Implementations are thread-safe. */
@FunctionalInterface
interface Habit {
    /**
     * Does it once.
     *
     * @throws dev.kvstore.client.KvStoreException for a failure that the habit does not bring about itself
     */
    void step(SoakTarget place, SplittableRandom random) throws InterruptedException;

    /**
     * Where a step is done.
     *
     * @param sameProcess whether all its calls go to one process
     */
    record SoakTarget(KvClient client, boolean sameProcess) {}
}
