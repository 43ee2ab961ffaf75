package dev.kvstore.benchmark.soak;

import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.soak.Habit.SoakTarget;
import dev.kvstore.benchmark.soak.Library.StoredPrompt;
import dev.kvstore.benchmark.soak.SoakCounts.SoakCount;
import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.protocol.block.BlockHash;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reading: to the end, with pauses, and only in part; every byte is compared. And looking up what was written. */
record ReadHabits(Library library, SoakCounts findings) {
    private static final int STREAMS_AT_ONCE = 3;

    // Every process of a region knows a block 30 s after it was acknowledged; the rest is for a machine that is busy.
    private static final long KNOWN_AFTER_SECONDS = 45;

    // A data plane waits 30 s for a reader.
    private static final int MOST_PAUSE_MILLIS = 8_000;

    /** Looks up a prompt that every process must know by now. */
    void lookUp(SoakTarget place, SplittableRandom random) {
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
        findings.add(SoakCount.LOOKUPS, 1);
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

    /** Reads a prompt to its end. */
    void whole(SoakTarget place, SplittableRandom random) {
        library.any(random).ifPresent(stored -> {
            try (OpenRead reading = new OpenRead(stored, place)) {
                while (reading.next()) {}
            }
        });
    }

    /** Opens some streams, reads a block of each, pauses, and then reads on from the last that was opened. */
    void paused(SoakTarget place, SplittableRandom random) throws InterruptedException {
        Deque<OpenRead> readings = new ArrayDeque<>();
        try {
            for (int i = 0; i < STREAMS_AT_ONCE; i++) {
                library.any(random).ifPresent(stored -> readings.push(new OpenRead(stored, place)));
            }
            for (OpenRead reading : readings) {
                reading.next();
            }
            TimeUnit.MILLISECONDS.sleep(random.nextInt(MOST_PAUSE_MILLIS));
            for (OpenRead reading : readings) {
                while (reading.next()) {}
            }
        } finally {
            readings.forEach(OpenRead::close);
        }
    }

    /** Closes a stream when some of its blocks were taken; now and then while it waits for the next. */
    void left(SoakTarget place, SplittableRandom random) throws InterruptedException {
        StoredPrompt stored = library.any(random).orElse(null);
        if (stored == null) {
            return;
        }
        try (OpenRead reading = new OpenRead(stored, place)) {
            int wanted = random.nextInt(stored.chain().size());
            if (random.nextBoolean()) {
                Thread closer = Thread.startVirtualThread(reading::close);
                readUntilClosed(reading);
                closer.join();
            } else {
                for (int i = 0; i < wanted && reading.next(); i++) {}
            }
        }
    }

    private void readUntilClosed(OpenRead reading) {
        try {
            while (reading.next()) {}
        } catch (KvStoreException e) {
            if (e.code() != ErrorCode.CANCELLED) {
                throw e;
            }
            findings.add(SoakCount.CANCELLED, 1);
        }
    }

    /** Compares a block, and closes it. */
    void check(BlockHash hash, Block found) {
        try (Block block = found) {
            findings.add(SoakCount.READ, 1);
            if (Payload.firstDifference(hash, StoredPrompt.bytes(hash), block.buffers()) >= 0) {
                findings.wrong("block " + hash + " has other bytes than were written");
            }
        }
    }

    /** A stream of acknowledged blocks. */
    private final class OpenRead implements AutoCloseable {
        private final StoredPrompt stored;
        private final List<Integer> indices;
        private final BlockStream stream;

        OpenRead(StoredPrompt stored, SoakTarget place) {
            this.stored = stored;
            this.indices = List.copyOf(stored.acknowledged());
            this.stream = place.client().read(stored.locations());
        }

        /** Takes a block; false if there was none any more. */
        boolean next() {
            @Nullable BlockResult result = stream.next();
            if (result == null) {
                return false;
            }
            BlockHash hash = stored.chain().hash(indices.get(result.index()));
            switch (result) {
                case BlockResult.Found(Block block) -> check(hash, block);
                case BlockResult.Missing _ ->
                    findings.denied(1, "block " + hash + " was acknowledged, and a read does not find it");
                case BlockResult.Failed failed -> throw failed.reason();
            }
            return true;
        }

        @Override
        public void close() {
            stream.close();
        }
    }
}
