package dev.kvstore.dataplane.presence;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.storage.StorageException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The partitions that this process knows: partitions that it writes stay until their log is closed and no write is
 * under way; of the others it keeps as many as there is memory for. So all writers of a place share one partition, and
 * one log. Thread-safe.
 */
final class Partitions {
    /** Most storages whose announcements are heeded; blocks of others become known by logs. */
    private static final int MAX_PLACES = 10_000;

    private static final Logger LOG = System.getLogger(Partitions.class.getName());

    /** A partition that is being written, and how many writers it has. */
    private record PartitionWriters(PartitionPresence partition, AtomicInteger writers) {}

    private final long mostBytes;
    private final Cache<StoredPartition, PartitionPresence> known;
    private final Map<StoredPartition, PartitionWriters> written = new ConcurrentHashMap<>();
    private final Set<StoredPartition> large = ConcurrentHashMap.newKeySet();

    /** The ways to each place: accounts whose bytes lie there may differ in their credentials. */
    private final Cache<String, Set<StorageLocation>> ways = Caffeine.newBuilder()
            .maximumSize(MAX_PLACES)
            .executor(Runnable::run)
            .build();

    /**
     * No partitions yet.
     *
     * @param bytes heap for partitions that are not being written
     */
    Partitions(long bytes) {
        this.mostBytes = bytes / 2;
        this.known = Caffeine.newBuilder()
                .maximumWeight(bytes)
                .weigher((StoredPartition storedPartition, PartitionPresence partition) ->
                        weight(storedPartition, partition))
                .executor(Runnable::run)
                .removalListener(this::removed)
                .build();
    }

    /**
     * A partition counts for half of the memory at most: one that takes more is kept all the same, beyond the budget,
     * since every lookup would have to read it anew.
     */
    private int weight(StoredPartition storedPartition, PartitionPresence partition) {
        int bytes = partition.weight();
        if (bytes > mostBytes && large.add(storedPartition)) {
            LOG.log(
                    Level.WARNING,
                    "the filter of partition {0} takes {1} MiB, more than half of presence-filter-memory, which is {2}"
                            + " MiB; raise that setting",
                    storedPartition.root().hex(),
                    bytes >> 20,
                    (2 * mostBytes) >> 20);
        }
        return (int) Math.min(bytes, Math.max(1, mostBytes));
    }

    private void removed(
            @Nullable StoredPartition storedPartition, @Nullable PartitionPresence partition, RemovalCause cause) {
        if (storedPartition != null && partition != null) {
            large.remove(storedPartition);
            letGoUnlessKept(storedPartition, partition);
        }
    }

    /** Lets a partition go unless it is kept, in one step with writers, which may enter it at this moment. */
    private void letGoUnlessKept(StoredPartition storedPartition, PartitionPresence partition) {
        var _ = written.compute(storedPartition, (_, open) -> {
            boolean isWritten = open != null && open.partition == partition;
            if (!isWritten && known.policy().getIfPresentQuietly(storedPartition) != partition) {
                partition.letGo();
            }
            return open;
        });
    }

    /** The partition of a place, made if it is not known. */
    PartitionPresence get(StoredPartition storedPartition, Supplier<PartitionPresence> unknown) {
        PartitionWriters open = written.get(storedPartition);
        return open != null ? open.partition : remembered(storedPartition, unknown);
    }

    private PartitionPresence remembered(StoredPartition storedPartition, Supplier<PartitionPresence> unknown) {
        return known.get(storedPartition, _ -> {
            // The way comes first: once the partition is here, announcements of it must find it.
            if (!storedPartition.observed()) {
                addWay(storedPartition.storage());
            }
            return unknown.get();
        });
    }

    /** The partition of a place, if it is known. */
    @Nullable
    PartitionPresence ifKnown(StoredPartition storedPartition) {
        PartitionWriters open = written.get(storedPartition);
        return open != null ? open.partition : known.getIfPresent(storedPartition);
    }

    /** Blocks of a storage are in use, so announcements of them are heeded. */
    void addWay(StorageLocation storage) {
        boolean _ =
                ways.get(storage.place(), _ -> ConcurrentHashMap.newKeySet()).add(storage);
    }

    /** The known locations of a storage, one for each way to reach it. */
    Set<StorageLocation> ways(String place) {
        Set<StorageLocation> storages = ways.getIfPresent(place);
        return storages == null ? Set.of() : storages;
    }

    /** Weighs a partition again. */
    void weigh(StoredPartition storedPartition) {
        known.asMap().computeIfPresent(storedPartition, (_, same) -> same);
    }

    /** The partition of a place, which stays until {@link #left} was called as often, and {@link #rest}. */
    PartitionPresence enter(StoredPartition storedPartition, Supplier<PartitionPresence> unknown) {
        PartitionPresence found = get(storedPartition, unknown);
        return written.compute(storedPartition, (_, open) -> {
                    PartitionWriters entered = open != null ? open : new PartitionWriters(found, new AtomicInteger());
                    entered.writers.incrementAndGet();
                    entered.partition.hold();
                    return entered;
                })
                .partition;
    }

    /** A writer is done. */
    void left(StoredPartition storedPartition) {
        written.computeIfPresent(storedPartition, (_, open) -> {
            open.writers.decrementAndGet();
            return open;
        });
    }

    /**
     * Writes the logs of all partitions that are being written, each by a task of its own: a storage that hangs delays
     * no other.
     *
     * @param last whether the logs are closed, too
     * @return completes when all logs are written or have failed
     */
    CompletableFuture<Void> beat(boolean last, Executor executor) {
        return CompletableFuture.allOf(written.keySet().stream()
                .map(storedPartition -> CompletableFuture.runAsync(() -> beat(storedPartition, last), executor))
                .toArray(CompletableFuture[]::new));
    }

    @SuppressWarnings("CatchingUnchecked") // whatever fails, the others go on, and this one is tried again
    private void beat(StoredPartition storedPartition, boolean last) {
        PartitionPresence partition = ifKnown(storedPartition);
        if (partition == null) {
            return;
        }
        try {
            if (last) {
                partition.close();
            } else {
                partition.beat(false);
            }
            rest(storedPartition);
        } catch (StorageException e) {
            LOG.log(
                    Level.WARNING,
                    "the presence log of partition {0} was not written: {1}",
                    storedPartition.root().hex(),
                    e.getMessage());
        } catch (Exception | Error e) {
            LOG.log(
                    Level.ERROR,
                    "the presence log of partition " + storedPartition.root().hex() + " was not written",
                    e);
        }
    }

    /** Has a partition compete for memory again, unless it needs beats or somebody writes. */
    void rest(StoredPartition storedPartition) {
        PartitionWriters open = written.get(storedPartition);
        if (open != null) {
            known.put(storedPartition, open.partition);
            written.computeIfPresent(
                    storedPartition, (_, now) -> now.partition.needsBeats() || now.writers.get() > 0 ? now : null);
            letGoUnlessKept(storedPartition, open.partition);
        }
    }
}
