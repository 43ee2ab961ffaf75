package dev.kvstore.benchmark.replay;

import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.BlockHash;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The blocks that the service has acknowledged, with the time: the service must know each block from then on. The first
 * {@value #MOST} blocks are remembered, in some 120 MB of heap; further blocks are not checked. Thread-safe.
 */
final class Acknowledged {
    private static final int MOST = 1_000_000;

    private final Map<BlockHash, Long> nanos = new ConcurrentHashMap<>();
    private final long patienceNanos;

    /** @param visibleWithin how long a block may be unknown yet */
    Acknowledged(Duration visibleWithin) {
        this.patienceNanos = visibleWithin.toNanos();
    }

    void add(BlockHash block, long nowNanos) {
        if (nanos.size() < MOST) {
            nanos.putIfAbsent(block, nowNanos);
        }
    }

    /** How many of a prompt's first blocks a lookup that starts now has to find. */
    int prefix(BlockChain chain, long nowNanos) {
        int blocks = 0;
        while (blocks < chain.size()) {
            Long at = nanos.get(chain.hash(blocks));
            if (at == null || nowNanos - at < patienceNanos) {
                break;
            }
            blocks++;
        }
        return blocks;
    }
}
