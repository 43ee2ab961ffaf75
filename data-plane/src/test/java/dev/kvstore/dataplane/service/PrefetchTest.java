package dev.kvstore.dataplane.service;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.account.Party;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.memory.SharedBudget;
import dev.kvstore.dataplane.tier.MemoryTier;
import dev.kvstore.dataplane.tier.SomeBlocks;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How far a stream loads ahead, whose blocks' lengths show only when they are loaded. */
final class PrefetchTest {
    private static final int MIB = 1 << 20;

    private final SomeBlocks some = new SomeBlocks();
    private final MemoryPool pool = new MemoryPool(1L << 30, Duration.ZERO);
    private final SharedBudget shared = new SharedBudget(1L << 30, 0);
    private final Tiers tiers = new Tiers(new MemoryTier(0, (_, _) -> {}), DiskTier.none(pool), Runnable::run);
    private final Prefetch ahead = new Prefetch(tiers, shared, Party.NOBODY, 16 * MIB, () -> {});

    @AfterEach
    void everythingIsGivenBack() {
        ahead.clear();
        assertThat(shared.used()).isZero();
        assertThat(pool.usedBytes()).isZero();
    }

    @Test
    void whatIsLoadedIsChargedAsItIs() {
        add(0, MIB);
        add(1, MIB);

        send();

        assertThat(shared.used()).isEqualTo(pool.usedBytes()).isEqualTo(MIB);
    }

    @Test
    void aSmallBlockDoesNotHaveLargeOnesLoadedBeyondTheBound() {
        add(0, 4096);
        for (int i = 1; i <= 64; i++) {
            add(i, 4 * MIB);
        }
        send();

        requireNonNull(ahead.first());

        assertThat(pool.usedBytes()).isLessThanOrEqualTo((16 + 2 * 4) * MIB);
        assertThat(shared.used()).isEqualTo(pool.usedBytes());
    }

    @Test
    void smallBlocksAreLoadedManyAtATime() {
        for (int i = 0; i < 1_000; i++) {
            add(i, 4096);
        }
        for (int i = 0; i < 100; i++) {
            send();
        }

        requireNonNull(ahead.first());

        assertThat(pool.usedBytes()).isEqualTo(Limits.STREAM_LOADS * 4096L);
    }

    private void add(int index, int bytes) {
        ahead.add(index, 1 << 20, some.key(index), _ -> new Fetched.Found(block(bytes)), "demo", Writers.ANY, null);
    }

    /** What the stream does with its first block. */
    private void send() {
        Prefetch.Item first = requireNonNull(ahead.first());
        Fetched.Found found = (Fetched.Found) requireNonNull(first.load()).join();
        ahead.removeFirst();
        found.block().release();
    }

    private StoredBlock block(int bytes) throws MemoryExhaustedException {
        StoredBlock small = some.block(1);
        try {
            BlockMemory memory = pool.allocate(bytes);
            return new StoredBlock(small.header(), memory);
        } finally {
            small.release();
        }
    }
}
