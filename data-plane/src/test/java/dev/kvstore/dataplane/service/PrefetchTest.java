package dev.kvstore.dataplane.service;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.account.Party;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.call.ServiceLimits;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.memory.SharedBudget;
import dev.kvstore.dataplane.memory.Turn;
import dev.kvstore.dataplane.tier.MemoryTier;
import dev.kvstore.dataplane.tier.SomeBlocks;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How far a stream loads ahead, whose blocks' lengths show only when they are loaded. */
final class PrefetchTest {
    private static final int MIB = 1 << 20;

    private final SomeBlocks some = new SomeBlocks();
    private final MemoryPool pool = new MemoryPool(1L << 30, Duration.ZERO);
    private final SharedBudget shared = new SharedBudget(1L << 30, 0);
    private final SharedBudget loads = new SharedBudget(1_000, 0);
    private final Tiers tiers = new Tiers(new MemoryTier(0, (_, _) -> {}), DiskTier.none(pool), Runnable::run);
    private final Prefetch ahead = new Prefetch(tiers, shared, loads, Party.NOBODY, 16 * MIB, () -> {});

    @AfterEach
    void everythingIsGivenBack() {
        ahead.clear();
        assertThat(shared.used()).isZero();
        assertThat(loads.used()).isZero();
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

        assertThat(pool.usedBytes()).isEqualTo(ServiceLimits.STREAM_LOADS * 4096L);
    }

    @Test
    void blocksLongerThanAnyGuessAreServedHoweverTheyArrive() {
        MemoryPool small = new MemoryPool(80 * MIB, Duration.ZERO);
        Deque<Runnable> begun = new ArrayDeque<>();
        Tiers slow = new Tiers(new MemoryTier(0, (_, _) -> {}), DiskTier.none(small), begun::addLast);
        Prefetch stream = new Prefetch(slow, shared, loads, Party.NOBODY, 32 * MIB, () -> {});
        for (int i = 0; i < 12; i++) {
            add(stream, small, i, 16 * MIB);
        }

        for (int i = 0; i < 12; i++) {
            Prefetch.Item first = requireNonNull(stream.first());
            while (!first.isDecided()) {
                // The blocks that were asked for last arrive first.
                begun.removeLast().run();
                first = requireNonNull(stream.first());
            }
            assertThat(requireNonNull(first.load())).as("block %d", i).isNotCompletedExceptionally();
            assertThat(small.usedBytes()).isLessThanOrEqualTo((32 + 16) * MIB);
            ((Fetched.FetchedBlock) requireNonNull(first.load()).join()).block().release();
            stream.removeFirst();
        }

        begun.forEach(Runnable::run);
        stream.clear();
        assertThat(small.usedBytes()).isZero();
    }

    @Test
    void theNextBlockGetsTheMemoryOfThoseBehindIt() {
        MemoryPool small = new MemoryPool(70 * MIB, Duration.ZERO);
        Deque<Runnable> begun = new ArrayDeque<>();
        Tiers slow = new Tiers(new MemoryTier(0, (_, _) -> {}), DiskTier.none(small), begun::addLast);
        Prefetch stream = new Prefetch(slow, shared, loads, Party.NOBODY, 128 * MIB, () -> {});
        for (int i = 0; i < 6; i++) {
            add(stream, small, i, 20 * MIB);
        }

        Prefetch.Item first = requireNonNull(stream.first());
        while (!first.isDecided()) {
            begun.removeLast().run();
            first = requireNonNull(stream.first());
        }

        assertThat(requireNonNull(first.load())).isNotCompletedExceptionally();
        stream.clear();
        begun.forEach(Runnable::run);
        assertThat(small.usedBytes()).isZero();
    }

    @Test
    void loadsOfAllStreamsTogetherAreLimitedAndTheRestWaitTheirTurn() {
        SharedBudget few = new SharedBudget(10, 0);
        Deque<Runnable> begun = new ArrayDeque<>();
        Tiers slow = new Tiers(new MemoryTier(0, (_, _) -> {}), DiskTier.none(pool), begun::addLast);
        List<Prefetch> streams = Stream.generate(
                        () -> new Prefetch(slow, shared, few, Party.NOBODY, 128 * MIB, () -> {}))
                .limit(5)
                .toList();
        for (int i = 0; i < 100; i++) {
            add(streams.get(i % 5), pool, i, 4096);
        }

        int served = 0;
        while (served < 100) {
            streams.forEach(Prefetch::first);
            // For each stream the next one, and one more that found no room.
            assertThat(begun).hasSizeLessThanOrEqualTo(10 + 2 * 5);
            begun.removeFirst().run();
            for (Prefetch stream : streams) {
                Prefetch.Item first = stream.first();
                if (first != null && first.isDecided()) {
                    ((Fetched.FetchedBlock) requireNonNull(first.load()).join())
                            .block()
                            .release();
                    stream.removeFirst();
                    served++;
                }
            }
        }
        assertThat(few.used()).isZero();
    }

    private void add(int index, int bytes) {
        add(ahead, pool, index, bytes);
    }

    private void add(Prefetch to, MemoryPool from, int index, int bytes) {
        to.add(
                index,
                1 << 20,
                some.key(index),
                _ -> new Fetched.FetchedBlock(block(from, bytes)),
                "demo",
                BlockFilter.ANY,
                null);
    }

    /** Sends the stream's first block. */
    private void send() {
        Prefetch.Item first = requireNonNull(ahead.first());
        Fetched.FetchedBlock found =
                (Fetched.FetchedBlock) requireNonNull(first.load()).join();
        ahead.removeFirst();
        found.block().release();
    }

    private StoredBlock block(MemoryPool pool, int bytes) throws MemoryExhaustedException {
        StoredBlock small = some.block(1);
        try {
            BlockMemory memory = Turn.within(pool).allocate(bytes);
            return new StoredBlock(small.header(), memory);
        } finally {
            small.release();
        }
    }
}
