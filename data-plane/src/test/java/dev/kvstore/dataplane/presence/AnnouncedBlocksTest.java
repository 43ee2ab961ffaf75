package dev.kvstore.dataplane.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.log.LogWriter;
import dev.kvstore.dataplane.presence.log.OwnLog;
import dev.kvstore.dataplane.presence.log.PresenceFiles;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.protocol.block.BlockHash;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The effect of announced blocks on a process. */
final class AnnouncedBlocksTest {
    private static final BlockHash ROOT = new BlockHash(1, 2, 3, 4);
    private static final long KEY = 0x0123_4567_89ab_cdefL;

    private final MemoryPool pool = new MemoryPool(64 << 20, Duration.ZERO);
    private final MemoryStore store = new MemoryStore();
    private final AtomicLong clock = new AtomicLong();
    private final SplittableRandom random = new SplittableRandom(1);
    private final PartitionPresence process = process("a");

    private PartitionPresence process(String node) {
        return new PartitionPresence(
                new PresenceFiles(store, pool, ROOT),
                LogWriter.of(node, random),
                false,
                clock::get,
                random,
                Runnable::run,
                PresenceMeters.in(new SimpleMeterRegistry()));
    }

    @Test
    void anAnnouncedBlockIsLookedForAtOnce() {
        assertThat(process.prepare()).isTrue();
        assertThat(process.mightContain(KEY)).isFalse();

        process.heard(List.of(KEY));

        assertThat(process.mightContain(KEY)).isTrue();
    }

    @Test
    void whatIsHeardBeforeThePartitionIsKnownIsNotLostWhenItIs() {
        process.heard(List.of(KEY));

        assertThat(process.prepare()).isTrue();

        assertThat(process.mightContain(KEY)).isTrue();
    }

    @Test
    void aLieIsOverWithTheFirstCheck() {
        process.prepare();
        process.heard(List.of(KEY));
        clock.incrementAndGet();

        process.missing(KEY, process.asked());

        assertThat(process.mightContain(KEY)).isFalse();
    }

    @Test
    void aCheckThatBeganBeforeTheBlockWasHeardOfDisprovesNothing() {
        process.prepare();
        long asked = process.asked();
        process.heard(List.of(KEY));

        process.missing(KEY, asked);

        assertThat(process.mightContain(KEY)).isTrue();
    }

    @Test
    void aBlockThatWasDisprovedAndStoredAgainIsLookedForAgain() throws Exception {
        stored(process, KEY);
        process.missing(KEY, process.asked());
        assertThat(process.mightContain(KEY)).isFalse();
        clock.incrementAndGet();

        process.heard(List.of(KEY));

        assertThat(process.mightContain(KEY)).isTrue();
    }

    @Test
    void whatNoLogSaysInTimeIsForgotten() {
        process.prepare();
        process.heard(List.of(KEY));

        clock.addAndGet(PeerAnnouncements.KEPT.toNanos());
        process.prepare();

        assertThat(process.mightContain(KEY)).isFalse();
    }

    @Test
    void whoFindsAnAnnouncedBlockStoredSaysSoItself() throws Exception {
        process.prepare();
        process.heard(List.of(KEY));
        process.begin();

        assertThat(process.wasStored(KEY)).isTrue();

        process.end();
        process.beat(true);
        PartitionPresence other = process("b");
        other.prepare();
        assertThat(other.mightContain(KEY)).isTrue();
    }

    @Test
    void aLieGetsIntoNoSnapshot() throws Exception {
        process.prepare();
        for (int i = 0; i < PartitionLearner.MERGE_LOGS + 1; i++) {
            process.heard(List.of(KEY));
            stored(process, random.nextLong());
            process.beat(false);
            clock.addAndGet(OwnLog.IDLE.toNanos());
            process.beat(false); // closes the log
        }

        PartitionPresence other = process("b");
        assertThat(other.prepare()).isTrue();
        assertThat(store.list("kv/v1/" + ROOT.hex() + "/presence/", null, 5000).names())
                .hasSizeLessThan(PartitionLearner.MERGE_LOGS);
        assertThat(other.mightContain(KEY)).isFalse();
    }

    private void stored(PartitionPresence by, long key) throws Exception {
        by.begin();
        try {
            store.putIfAbsent(name(key), ByteBuffer.wrap(new byte[] {1}));
            by.stored(key);
        } finally {
            by.end();
        }
    }

    private static String name(long key) {
        String hex = new BlockHash(key, 0, 0, 0).hex();
        return "kv/v1/" + ROOT.hex() + "/" + hex.substring(0, 2) + "/" + hex;
    }
}
