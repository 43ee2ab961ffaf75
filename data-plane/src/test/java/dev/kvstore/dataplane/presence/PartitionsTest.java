package dev.kvstore.dataplane.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.log.Guards;
import dev.kvstore.dataplane.presence.log.LogWriter;
import dev.kvstore.dataplane.presence.log.PresenceFiles;
import dev.kvstore.dataplane.presence.snapshot.HeapLimit;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.protocol.block.BlockHash;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The partitions that a process keeps. */
final class PartitionsTest {
    private static final int ROOM_FOR_ONE = 5_000;

    private final MemoryPool pool = new MemoryPool(1 << 20, Duration.ZERO);
    private final MemoryStore store = new MemoryStore();
    private final SplittableRandom random = new SplittableRandom(1);
    private final LogWriter self = LogWriter.of("a", random);
    private final HeapLimit heap = HeapLimit.of(0, Long.MAX_VALUE);
    private final Partitions partitions = new Partitions(ROOM_FOR_ONE);

    @Test
    void aPartitionIsOneForAllWhoWriteIt() {
        PartitionPresence first = enter(1);
        lookAround();
        partitions.rest(place(1));

        assertThat(enter(1)).isSameAs(first);
    }

    @Test
    void aPartitionStaysWhileAnyoneWritesIt() {
        PartitionPresence first = enter(1);
        enter(1);
        partitions.left(place(1));
        partitions.rest(place(1));
        lookAround();

        assertThat(partitions.ifKnown(place(1))).isSameAs(first);
    }

    @Test
    void aPartitionThatNobodyWritesIsLetGoOf() {
        enter(1);
        partitions.left(place(1));
        partitions.rest(place(1));
        lookAround();

        assertThat(partitions.ifKnown(place(1))).isNull();
    }

    @Test
    void aPartitionLargerThanTheMemoryIsKept() {
        Partitions little = new Partitions(100);
        PartitionPresence large = little.get(place(1), () -> partition(1));

        assertThat(little.get(place(1), () -> partition(1))).isSameAs(large);
    }

    @Test
    void theHeapIsChargedForThePartitionsThatAreKept() throws Exception {
        int first = 100;
        int all = 20;
        for (int i = first; i < first + all; i++) {
            PartitionPresence written = enter(i);
            written.begin();
            written.stored(i);
            written.end();
            written.beat(false);
            lookAround(); // so that this partition finds no room when it rests
            written.close();
            partitions.left(place(i));
            partitions.rest(place(i));
        }

        long kept = IntStream.range(first, first + all)
                .mapToObj(i -> partitions.ifKnown(place(i)))
                .filter(Objects::nonNull)
                .mapToLong(PartitionPresence::weight)
                .sum();
        assertThat(heap.taken()).isLessThanOrEqualTo(kept);
    }

    @Test
    void aPartitionThatIsWrittenAgainIsChargedAgain() throws Exception {
        PartitionPresence written = enter(1);
        written.letGo();
        partitions.left(place(1));

        enter(1).begin();
        written.beat(false);

        assertThat(heap.taken()).isPositive();
    }

    private PartitionPresence enter(int partition) {
        return partitions.enter(place(partition), () -> partition(partition));
    }

    /** At so many others, again and again, that there is no room for what nobody needs. */
    private void lookAround() {
        for (int i = 0; i < 1_000; i++) {
            int partition = 2 + i % 10;
            partitions.get(place(partition), () -> partition(partition));
        }
    }

    private PartitionPresence partition(int number) {
        return new PartitionPresence(
                new PresenceFiles(store, pool, place(number).root(), new Guards(heap, () -> 0).of("account")),
                self,
                false,
                () -> 0,
                random,
                Runnable::run,
                PresenceMeters.in(new SimpleMeterRegistry()));
    }

    private static StoredPartition place(int partition) {
        return new StoredPartition(
                new StorageLocation.Filesystem(Path.of("somewhere")), new BlockHash(1, 1, 1, partition));
    }
}
