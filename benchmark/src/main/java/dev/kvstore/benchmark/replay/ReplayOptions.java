package dev.kvstore.benchmark.replay;

import java.time.Duration;

/**
 * How requests are replayed through a service.
 *
 * @param blockBytes buffer of a block of 512 tokens, 1 byte to 64 MiB
 * @param speedup how many times as fast as in the trace requests come, more than 0
 * @param mostAtOnce requests at a time, 1 or more; those beyond wait
 * @param visibleWithin how long after its acknowledgement a block may still be unknown to a lookup; zero where there is
 *     one process, which knows what it wrote
 */
public record ReplayOptions(int blockBytes, double speedup, int mostAtOnce, Duration visibleWithin) {
    /** The bytes of 512 tokens of a large model: four blocks of 128 tokens, each of some 1.2 MB. */
    public static final int FULL_BLOCK_BYTES = 4_800_000;
}
