package dev.kvstore.dataplane.tier;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.PurgeRule;
import dev.kvstore.dataplane.block.PurgeRules;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.tier.disk.DiskSettings;
import dev.kvstore.dataplane.tier.disk.DiskState.Condition;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import dev.kvstore.protocol.purge.StorageDigest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory and disk serve no block from before a purge, and every block from after it. */
final class PurgedTiersTest {
    private static final int REGION_PAGES = 64;

    /** As {@link SomeBlocks} have it. */
    private static final String WRITER = "key";

    private final SomeBlocks some = new SomeBlocks();
    private final BlockKey key = some.key(1);
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicBoolean stored = new AtomicBoolean();
    private PurgeRules rules = new PurgeRules(true);

    @TempDir
    private Path directory;

    private DiskTier disk;
    private MemoryTier memory;
    private Tiers tiers;

    @BeforeEach
    void start() {
        disk = DiskTier.open(
                new DiskSettings(
                        directory.resolve("disk"),
                        100L * REGION_PAGES * BlockMemory.PAGE_BYTES,
                        REGION_PAGES,
                        256 * 1024,
                        Duration.ofSeconds(1)),
                some.pool(),
                Ticker.systemTicker());
        Awaitility.await().until(() -> disk.state().condition() == Condition.WORKING);
        memory = new MemoryTier(SomeBlocks.TAKEN_BYTES, disk::demote);
        tiers = new Tiers(memory, disk, rules, Runnable::run);
    }

    @AfterEach
    void everyByteIsGivenBack() {
        tiers.close();
        assertThat(some.usedBytes()).isZero();
    }

    private void startAgain(boolean known) {
        tiers.close();
        rules = new PurgeRules(known);
        start();
    }

    @Test
    void aBlockInMemoryIsForgotten() throws Exception {
        keep();

        purge(1, null);

        assertThat(tiers.isResident(key)).isFalse();
        assertThat(isServed()).isFalse();
    }

    @Test
    void aBlockOnDiskIsNotServed() throws Exception {
        demote();

        purge(1, null);

        assertThat(tiers.isResident(key)).isFalse();
        assertThat(isServed()).isFalse();
    }

    @Test
    void aBlockOnDiskIsNotServedAfterAStartEither() throws Exception {
        demote();
        startAgain(false);
        assertThat(tiers.isResident(key)).isFalse();
        assertThat(isServed()).isFalse();

        purge(1, null);

        assertThat(isServed()).isFalse();
    }

    @Test
    void whatLiesOnDiskIsServedOnceAllPurgesAreKnownAndMeanOthers() throws Exception {
        demote();
        startAgain(false);
        assertThat(isServed()).isFalse();

        rules.learn(List.of(), List.of(), true);

        asked.set(0);
        assertThat(isServed()).isTrue();
        assertThat(asked).hasValue(0);
    }

    @Test
    void aBlockThatIsStoredAgainIsServedFromMemoryAndFromDisk() throws Exception {
        demote();
        purge(1, null);

        keep();
        assertThat(tiers.isResident(key)).isTrue();
        assertThat(isServed()).isTrue();
        leaveMemory();

        assertThat(tiers.isResident(key)).isTrue();
        asked.set(0);
        assertThat(isServed()).isTrue();
        assertThat(asked).hasValue(0);
    }

    @Test
    void ofTheBlocksOnDiskOnlyThoseOfThePurgedKeyAreGone() throws Exception {
        demote();
        purge(1, "another");
        // Without a look at it nobody can tell.
        assertThat(tiers.isResident(key)).isFalse();

        assertThat(isServed()).isTrue();
        assertThat(asked).hasValue(0);
        assertThat(tiers.isResident(key)).isTrue();

        purge(2, WRITER);
        assertThat(isServed()).isFalse();
    }

    @Test
    void aBlockOfAnotherPlaceStays() throws Exception {
        keep();

        rules.learn(
                List.of(new PurgeRule(
                        "p", 1, Set.of(StorageDigest.of("elsewhere")), key.root(), null, null, false, true)),
                List.of(),
                true);
        tiers.forgetPurged();

        assertThat(tiers.isResident(key)).isTrue();
    }

    @Test
    void aBlockThatIsPurgedWhileItIsLoadedIsLoadedAgain() {
        stored.set(true);

        Fetched fetched = tiers.get(
                        wanted -> {
                            Fetched before = fetch(wanted);
                            if (asked.get() == 1) {
                                stored.set(false);
                                purge(1, null);
                            }
                            return before;
                        },
                        key)
                .join();

        assertThat(fetched).isInstanceOf(Fetched.Absent.class);
        assertThat(asked).hasValue(2);
        assertThat(tiers.isResident(key)).isFalse();
    }

    @Test
    void aPurgeThatIsUnderWayForgetsNothingYet() throws Exception {
        keep();

        rules.learn(List.of(rule(1, null, true, false)), List.of(), true);
        tiers.forgetPurged();

        assertThat(tiers.isResident(key)).isTrue();
    }

    private PurgeRule rule(long version, @Nullable String writer, boolean running, boolean deleted) {
        return new PurgeRule(
                "p",
                version,
                Set.of(StorageDigest.of(key.storage().place())),
                writer == null ? key.root() : null,
                null,
                writer,
                running,
                deleted);
    }

    private void purge(long version, @Nullable String writer) {
        rules.learn(List.of(rule(version, writer, false, true)), List.of(), true);
        tiers.forgetPurged();
    }

    private Fetched fetch(BlockKey wanted) throws MemoryExhaustedException {
        asked.incrementAndGet();
        return stored.get() && wanted.equals(key) ? new Fetched.FetchedBlock(some.block(1)) : new Fetched.Absent();
    }

    /** Whether it can be had; if it is in storage, from there. */
    private boolean isServed() {
        if (tiers.get(this::fetch, key).join() instanceof Fetched.FetchedBlock(StoredBlock block, boolean _)) {
            block.release();
            return true;
        }
        return false;
    }

    private void keep() throws MemoryExhaustedException {
        StoredBlock block = some.block(1);
        tiers.keep(key, block, tiers.now(key));
        block.release();
    }

    private void demote() throws MemoryExhaustedException {
        keep();
        leaveMemory();
    }

    /** Memory has room for one: it leaves for another, to the disk. */
    private void leaveMemory() {
        memory.drain((victim, block) -> {
            disk.demote(victim, block);
            block.release();
        });
        Awaitility.await().until(() -> disk.contains(key));
    }
}
