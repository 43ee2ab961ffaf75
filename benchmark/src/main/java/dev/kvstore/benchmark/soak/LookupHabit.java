package dev.kvstore.benchmark.soak;

import dev.kvstore.client.KvStoreException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Looking up prompts that every process must know by now. */
final class LookupHabit implements Habit {
    // Every process of a region knows a block 30 s after it was acknowledged; the rest is for a machine that is busy.
    private static final long KNOWN_AFTER_SECONDS = 45;

    private final Library library;
    private final SoakCounts findings;

    LookupHabit(Library library, SoakCounts findings) {
        this.library = library;
        this.findings = findings;
    }

    @Override
    public void step(SoakTarget place, SplittableRandom random) {
        library.any(random)
                .filter(stored ->
                        System.nanoTime() - stored.sinceNanos() > TimeUnit.SECONDS.toNanos(KNOWN_AFTER_SECONDS))
                .ifPresent(stored -> count(stored, place, "long after it was written", findings));
    }

    /**
     * Whether a lookup counts the acknowledged blocks.
     *
     * @param when it is asked, for a message
     * @throws KvStoreException if the call fails
     */
    static void count(StoredPrompt stored, SoakTarget place, String when, SoakCounts findings) {
        int expected = stored.prefix();
        if (expected == 0) {
            return;
        }
        int counted = place.client()
                .lookup(stored.partition(), stored.chain().prefix(expected))
                .cachedBlocks();
        findings.lookups.incrementAndGet();
        if (counted < expected) {
            findings.denied(
                    expected - counted,
                    "a lookup in partition %s counts %d of %d blocks %s, after %d ms"
                            .formatted(
                                    stored.partition().name(),
                                    counted,
                                    expected,
                                    when,
                                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - stored.sinceNanos())));
        }
    }
}
