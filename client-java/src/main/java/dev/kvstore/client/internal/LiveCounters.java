package dev.kvstore.client.internal;

import dev.kvstore.client.ClientCounters;
import java.util.concurrent.atomic.LongAdder;

/** The counters of a client. Thread-safe. */
public final class LiveCounters {
    final LongAdder retries = new LongAdder();
    public final LongAdder damagedBlocks = new LongAdder();
    public final LongAdder leakedBlocks = new LongAdder();
    final LongAdder ejections = new LongAdder();
    final LongAdder failovers = new LongAdder();
    volatile String route = "";
    volatile int level;

    public ClientCounters snapshot() {
        return new ClientCounters(
                retries.sum(), damagedBlocks.sum(), leakedBlocks.sum(), ejections.sum(), failovers.sum(), route, level);
    }
}
