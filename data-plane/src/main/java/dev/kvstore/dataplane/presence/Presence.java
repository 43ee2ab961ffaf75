package dev.kvstore.dataplane.presence;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.PurgeRules;
import dev.kvstore.dataplane.block.StoreOutcome;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.presence.log.Guards;
import dev.kvstore.dataplane.presence.log.LogWriter;
import dev.kvstore.dataplane.presence.log.OwnLog;
import dev.kvstore.dataplane.presence.log.PresenceFiles;
import dev.kvstore.dataplane.presence.snapshot.HeapLimit;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.protocol.block.BlockHash;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * This data plane's knowledge of which blocks are stored. Blocks in memory or on disk, and blocks that were lately
 * written or seen in storage, are known to be stored. For all other blocks each partition has a filter, made of files
 * that all data planes share in the tenant's storage. The filter's <i>no</i> is certain and costs no call; its
 * <i>maybe</i> is checked in storage. Thread-safe.
 */
public final class Presence {
    /**
     * How often {@link #beat} is to be called. Other processes see a block at most this plus {@code STALE}, 25 s
     * together, after it was stored; 30 s if this process dies before it writes its log again ({@code UNPROVEN}).
     */
    public static final Duration BEAT = OwnLog.BEAT;

    /** How long a process that ends waits for storage to take its last logs. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(10);

    private static final System.Logger LOG = System.getLogger(Presence.class.getName());

    /**
     * The bounds of the memory of presence.
     *
     * @param verifiedBlocks most blocks remembered as seen in storage, about 150 bytes of heap each
     * @param filterBytes bytes of heap for filters of partitions that are not being written; all filters and logs
     *     together may take three times as much
     */
    public record PresenceCapacity(long verifiedBlocks, long filterBytes) {}

    private final Tiers tiers;
    private final Allocator allocator;
    private final LogWriter writer;
    private final LogWriter observer;
    private final Ticker ticker;
    private final RandomGenerator random;
    private final Executor executor;
    private final PresenceMeters meters;
    private final Announcements announcements;
    private final KnownBlocks known;
    private final ExistenceChecks checks;
    private final Partitions partitions;
    private final Guards guards;
    private volatile boolean ended;

    /**
     * Presence that knows nothing yet.
     *
     * @param node the name of this process in its logs, unique among the processes that write the same storage, and the
     *     same after a restart: a-z, 0-9 and '-'
     * @param random makes the names of this process and of the files that it writes
     * @param executor a virtual thread per task
     * @param announcements is told of each block that this process stored
     */
    public Presence(
            Tiers tiers,
            Allocator allocator,
            PresenceCapacity capacity,
            String node,
            Ticker ticker,
            RandomGenerator random,
            Executor executor,
            MeterRegistry meters,
            Announcements announcements) {
        this(
                tiers,
                allocator,
                capacity,
                HeapLimit.of(capacity.filterBytes(), Runtime.getRuntime().maxMemory()),
                node,
                ticker,
                random,
                executor,
                meters,
                announcements);
    }

    /** @param heap the limit of the heap of all filters and logs */
    Presence(
            Tiers tiers,
            Allocator allocator,
            PresenceCapacity capacity,
            HeapLimit heap,
            String node,
            Ticker ticker,
            RandomGenerator random,
            Executor executor,
            MeterRegistry meters,
            Announcements announcements) {
        this.tiers = tiers;
        this.allocator = allocator;
        this.writer = LogWriter.of(node, random);
        this.observer = LogWriter.of("observer", random);
        this.ticker = ticker;
        this.random = random;
        this.executor = executor;
        this.meters = PresenceMeters.in(meters);
        this.announcements = announcements;
        this.known = new KnownBlocks(tiers, capacity.verifiedBlocks(), ticker);
        this.checks = new ExistenceChecks(tiers, allocator, known, this.meters);
        this.guards = new Guards(heap, ticker);
        // Idle partitions leave room for partitions that are read, also where the heap is small for the setting.
        this.partitions = new Partitions(Math.min(capacity.filterBytes(), heap.most() / 3));
    }

    private PartitionPresence unknown(StoredPartition storedPartition, BlockStore store) {
        return new PartitionPresence(
                new PresenceFiles(
                        store,
                        allocator,
                        storedPartition.root(),
                        guards.of(storedPartition.storage().place())),
                storedPartition.observed() ? observer : writer,
                storedPartition.observed(),
                ticker,
                random,
                executor,
                meters);
    }

    /**
     * The blocks of a storage. From now on announcements of them are heeded.
     *
     * @param blocks reads blocks from {@code store}
     */
    public StorageSource source(StorageLocation storage, BlockStore store, VerifiedBlocks blocks) {
        partitions.addWay(storage);
        return new StorageSource(this, checks, blocks, storage, store);
    }

    PreparedFilter prepared(StoredPartition storedPartition, BlockStore store) {
        PartitionPresence partition = partitions.get(storedPartition, () -> unknown(storedPartition, store));
        boolean trusted = partition.prepare();
        partitions.weigh(storedPartition);
        return new PreparedFilter(storedPartition, store, partition, trusted);
    }

    @Nullable
    PartitionPresence known(StoredPartition storedPartition) {
        return partitions.ifKnown(storedPartition);
    }

    /** Whether a block is stored: at most one storage call, none if that is known or a filter says no. */
    public boolean isStored(BlockKey key, BlockStore store) throws StorageException, MemoryExhaustedException {
        return known.contains(key)
                || prepared(StoredPartition.of(key), store)
                        .answer(filter ->
                                filter.mightContain(PresenceFiles.key(key.hash())) && checks.exists(key, filter));
    }

    /** Whether a block may be stored: false if the filter denies it. May read the filter from storage. */
    public boolean mightBeStored(BlockKey key, BlockStore store) {
        return known.contains(key)
                || prepared(StoredPartition.of(key), store).mightContain(PresenceFiles.key(key.hash()));
    }

    /**
     * Whether a block may be in another region's storage. A block that is not in that region's files counts as absent.
     */
    public boolean mightBeStoredThere(BlockKey key, BlockStore store) {
        return known.isVerified(key)
                || prepared(StoredPartition.there(key), store).mightContain(PresenceFiles.key(key.hash()));
    }

    /** Proof that lookups find a stored block, here and soon elsewhere. A Write needs one to be acknowledged. */
    public static final class LookupProof {
        private final BlockKey key;

        private LookupProof(BlockKey key) {
            this.key = key;
        }

        /** The block that lookups find. */
        public BlockKey key() {
            return key;
        }
    }

    /**
     * Proof that a block, which storage has at this moment, is in this process's log, in another log or in the
     * snapshot; null without a call.
     */
    public @Nullable LookupProof documented(BlockKey key, BlockStore store) {
        StoredPartition storedPartition = StoredPartition.of(key);
        if (partitions.ifKnown(storedPartition) == null) {
            return null;
        }
        PartitionPresence partition = partitions.enter(storedPartition, () -> unknown(storedPartition, store));
        try {
            return partition.isLogged(PresenceFiles.key(key.hash())) ? new LookupProof(key) : null;
        } finally {
            partitions.left(storedPartition);
        }
    }

    /** A block that is being stored. The caller closes this when the block is stored or has failed. */
    public final class PendingWrite implements AutoCloseable {
        private final BlockKey key;
        private final StoredPartition storedPartition;
        private final PartitionPresence partition;
        private final Tiers.BlockMoment before;

        private PendingWrite(BlockKey key, StoredPartition storedPartition, PartitionPresence partition) {
            this.key = key;
            this.storedPartition = storedPartition;
            this.partition = partition;
            this.before = tiers.now(key);
        }

        /** The block is durable. From now on Lookup finds it: here at once, at others as {@link Presence#BEAT} says. */
        public LookupProof stored(int bufferBytes) throws StorageException {
            // Peers are told first, since the blob is there even if its log fails.
            announcements.stored(key, true);
            partition.stored(PresenceFiles.key(key.hash()));
            return there(bufferBytes);
        }

        /**
         * Storage did not say whether it took the block. Other processes are told of it all the same: if it did, they
         * may have older bytes, or deny the block. If it did not, that costs them a check.
         */
        public void maybeStored() {
            tiers.forget(key);
            announcements.stored(key, true);
            try {
                partition.maybeStored(PresenceFiles.key(key.hash()));
            } catch (StorageException e) {
                LOG.log(Level.DEBUG, "{0} may be stored, and is not logged: {1}", key.blobName(), e.getMessage());
            }
        }

        /** The block was in storage already, with a buffer of this length. */
        public LookupProof wasStored(int bufferBytes) throws StorageException {
            if (partition.wasStored(PresenceFiles.key(key.hash()))) {
                announcements.stored(key, false);
            }
            return there(bufferBytes);
        }

        /** The block was found in storage when it was to be stored. */
        public LookupProof wasStored(StoreOutcome.BlockPresent there) throws StorageException {
            return there.isMaybeOwn() ? stored(there.bufferBytes()) : wasStored(there.bufferBytes());
        }

        private LookupProof there(int bufferBytes) {
            // A load that began before may find nothing; callers that ask from now on must not get its answer.
            tiers.overtake(key);
            checks.verified(key, bufferBytes, before);
            return new LookupProof(key);
        }

        @Override
        public void close() {
            partition.end();
            partitions.left(storedPartition);
        }
    }

    /**
     * Must be called before a block is stored: opens this process's log in storage, so that the block is found again
     * even if the process dies right after. Calls storage, unless the log is open already.
     */
    public PendingWrite begin(BlockKey key, BlockStore store) throws StorageException, MemoryExhaustedException {
        if (ended) {
            throw new StorageException(Kind.UNAVAILABLE, "this process stops, and stores no more blocks", null);
        }
        StoredPartition storedPartition = StoredPartition.of(key);
        PartitionPresence partition = partitions.enter(storedPartition, () -> unknown(storedPartition, store));
        boolean begun = false;
        try {
            partition.begin();
            begun = true;
            return new PendingWrite(key, storedPartition, partition);
        } finally {
            if (!begun) {
                partitions.left(storedPartition);
            }
        }
    }

    /** The moment before storage was asked for a block. */
    public static final class ExistenceQuery {
        private final @Nullable PartitionPresence partition;
        private final Tiers.BlockMoment before;
        private final long at;

        private ExistenceQuery(@Nullable PartitionPresence partition, Tiers.BlockMoment before) {
            this.partition = partition;
            this.before = before;
            this.at = partition == null ? 0 : partition.asked();
        }
    }

    /**
     * Must be called before storage is asked for a block, and given to {@link #found} or {@link #missing}: the answer
     * counts as of this moment.
     */
    public ExistenceQuery asked(BlockKey key) {
        return new ExistenceQuery(partition(key), tiers.now(key));
    }

    /**
     * A block was read from storage, with a buffer of this length.
     *
     * @param asked the answer of {@link #asked}, before storage was asked: the block may have been purged since
     */
    public void found(BlockKey key, int bufferBytes, ExistenceQuery asked) {
        checks.verified(key, bufferBytes, asked.before);
        PartitionPresence partition = partition(key);
        if (partition != null) {
            partition.seen(PresenceFiles.key(key.hash()));
        }
    }

    /**
     * Storage said that it does not have a block. Has no effect if the block may have been stored since {@link #asked}.
     *
     * @param asked the answer of {@link #asked}, before storage was asked
     */
    public void missing(BlockKey key, ExistenceQuery asked) {
        PartitionPresence partition = partition(key);
        if (asked.partition != null && asked.partition != partition) {
            // The partition was evicted meanwhile, and with it the blocks stored since.
            return;
        }
        if (partition == null || partition.missing(PresenceFiles.key(key.hash()), asked.at)) {
            known.remove(key);
            tiers.forget(key);
        }
    }

    /**
     * Forgets that blocks are stored which may have been purged, and removes purged blocks from memory.
     *
     * @return number of blocks removed from memory
     */
    public int forgetPurged(PurgeRules purged) {
        known.removeDoubtful(purged);
        return tiers.forgetPurged();
    }

    /**
     * Another process of the cluster announces that it stored blocks. Announcements for partitions that nobody has
     * asked about here are ignored: their first lookup reads everything from storage.
     *
     * @param place of the storage, as {@link StorageLocation#place} names it
     * @param anew whether storage had none of them before: copies in memory or on disk are of older blocks, and go
     * @return how many blocks were taken and dropped
     */
    public AnnouncementEffect heard(String place, BlockHash root, List<BlockHash> hashes, boolean anew) {
        List<Long> keys = hashes.stream().map(PresenceFiles::key).toList();
        int taken = 0;
        int dropped = 0;
        for (StorageLocation storage : partitions.ways(place)) {
            if (anew) {
                hashes.forEach(hash -> replaced(new BlockKey(storage, root, hash)));
            }
            StoredPartition at = new StoredPartition(storage, root);
            PartitionPresence partition = partitions.ifKnown(at);
            if (partition != null) {
                int room = partition.heard(keys);
                partitions.weigh(at);
                taken = Math.max(taken, room);
                dropped = Math.max(dropped, keys.size() - room);
            }
        }
        return new AnnouncementEffect(taken, dropped);
    }

    /** Another process stored a block where storage had none. */
    private void replaced(BlockKey key) {
        tiers.forget(key);
        known.remove(key);
        tiers.overtake(key);
    }

    private @Nullable PartitionPresence partition(BlockKey key) {
        PartitionPresence here = partitions.ifKnown(StoredPartition.of(key));
        return here != null ? here : partitions.ifKnown(StoredPartition.there(key));
    }

    /**
     * Writes the logs of all partitions that have new blocks. Does not wait: each log is written by a task of its own,
     * so that a storage that hangs delays no other.
     *
     * @return completes when all logs are written or have failed
     */
    public CompletableFuture<Void> beat() {
        return partitions.beat(false, executor);
    }

    /** Closes all logs; from now on no block can be stored. Waits for storage, for 10 s at most. */
    public void close() {
        ended = true;
        try {
            partitions.beat(true, executor).get(LAST_WORDS.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            LOG.log(
                    Level.WARNING,
                    "storage did not take the last presence logs within {0}; a listing replaces them",
                    LAST_WORDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e); // each tells of its failures itself
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
