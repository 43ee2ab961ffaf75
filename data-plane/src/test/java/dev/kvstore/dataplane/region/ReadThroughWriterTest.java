package dev.kvstore.dataplane.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.Announcements;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.dataplane.tier.MemoryTier;
import dev.kvstore.dataplane.tier.SomeBlocks;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ReadThroughWriterTest {
    private final SomeBlocks some = new SomeBlocks();
    private final BlockKey key = some.key(1);
    private final MemoryStore there = new MemoryStore();
    private final MemoryStore here = new MemoryStore();

    /** Work that waits until a test runs it. */
    private final Deque<Runnable> later = new ArrayDeque<>();

    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final Tiers tiers =
            new Tiers(new MemoryTier(1 << 20, (_, _) -> {}), DiskTier.none(some.pool()), later::add);
    private final ThroughMeters.Fills fills = ThroughMeters.in(meters).fills();
    private final VerifiedBlocks blocks = new VerifiedBlocks(some.pool());
    private final Presence presence = new Presence(
            tiers,
            some.pool(),
            new Presence.PresenceCapacity(1_000, 1 << 20),
            "node",
            Ticker.systemTicker(),
            new SplittableRandom(1),
            Runnable::run,
            meters,
            Announcements.NONE);

    private ReadThroughWriter filling(long bytes) {
        return new ReadThroughWriter(
                new VerifiedBlockImporter(blocks, presence, some.pool()), tiers, bytes, fills, later::add);
    }

    @AfterEach
    void everyByteIsGivenBack() {
        tiers.close();
        assertThat(some.usedBytes()).isZero();
    }

    @Test
    void aBlockThatWaitsIsServedAndNearOnlyOnceItIsStored() throws Exception {
        ReadThroughWriter filling = filling(1 << 20);
        filling.add(key, some.block(1), 0, there, here);

        StoredBlock waiting = filling.find(key);
        assertThat(waiting).isNotNull();
        waiting.release();
        assertThat(tiers.isResident(key)).isFalse();
        later.remove().run();

        assertThat(here.exists(key.blobName())).isTrue();
        assertThat(tiers.isResident(key)).isTrue();
        assertThat(presence.isStored(key, here)).isTrue();
        assertThat(filling.find(key)).isNull();
        assertThat(fills.stored().count()).isEqualTo(1);
    }

    /** Only the name of a partition comes from there, whatever its tenant put in its place. */
    @Test
    void aDescriptorThatIsNoneIsNotBroughtAlong() throws Exception {
        there.putZeros(key.descriptorName(), 60 << 20);
        new VerifiedBlockImporter(blocks, presence, new MemoryPool(8 << 20, Duration.ZERO)).describe(key, there, here);

        assertThat(here.exists(key.descriptorName())).isFalse();
    }

    @Test
    void theSameBlockTwiceIsStoredOnce() throws Exception {
        ReadThroughWriter filling = filling(1 << 20);
        filling.add(key, some.block(1), 0, there, here);
        filling.add(key, some.block(1), 0, there, here);

        assertThat(later).hasSize(1);
        later.remove().run();
        assertThat(fills.stored().count()).isEqualTo(1);
    }

    @Test
    void whatThereIsNoRoomForIsLeftOutAndNotNear() throws Exception {
        ReadThroughWriter filling = filling(SomeBlocks.STORED_BYTES);
        filling.add(key, some.block(1), 0, there, here);
        filling.add(some.key(2), some.block(2), 0, there, here);

        assertThat(fills.skipped().count()).isEqualTo(1);
        assertThat(filling.find(some.key(2))).isNull();
        assertThat(tiers.isResident(some.key(2))).isFalse();
        later.remove().run();

        filling.add(some.key(2), some.block(2), 0, there, here);
        later.remove().run();
        await().until(() -> here.exists(some.key(2).blobName()));
    }
}
