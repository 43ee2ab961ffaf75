package dev.kvstore.dataplane.presence;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.BlockNames;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.log.OwnLog;
import dev.kvstore.dataplane.presence.snapshot.HeapLimit;
import dev.kvstore.dataplane.storage.BlobPage;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.HookedStore;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import dev.kvstore.dataplane.tier.MemoryTier;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import dev.kvstore.protocol.block.BlockHash;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Processes on one storage, and what each of them must not deny. Storage fails, blocks and files are lost, processes
 * end, and other partitions take the heap, also in the middle of a call. For one thread.
 */
final class PresenceModel {
    static final int NODES = 3;

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long BOUND = 30 * SECOND;
    private static final int PARTITIONS = 3;
    private static final int OTHER_PARTITIONS = 20;

    /** Memory for a few partitions, so that they push each other out. */
    private static final long FILTER_BYTES = 60_000;

    /** One of them fails often. */
    private static final List<String> OPERATIONS =
            List.of("deleteIfMatch", "putIfMatch", "putIfAbsent", "getIfChanged", "get", "list");

    private static final StorageLocation SOMEWHERE = new StorageLocation.Filesystem(Path.of("somewhere"));

    /** A block that a process asked storage for, and has not heard of yet. */
    private record ModelQuestion(BlockKey key, Presence.ExistenceQuery asked, boolean stored) {}

    /** A write that has begun. */
    private record Unfinished(BlockKey key, Presence.PendingWrite writing) {}

    private final class ModelNode {
        final String name;
        final Presence presence;
        final List<ModelQuestion> questions = new ArrayList<>();
        final List<Unfinished> writes = new ArrayList<>();
        final Set<BlockKey> knows = new HashSet<>();
        final BlockStore store;
        final Map<BlockKey, Long> sinceBeat = new HashMap<>();
        boolean dead;
        int failures;

        private final OneAfterAnother executor = new OneAfterAnother();
        private final HeapLimit heap = HeapLimit.of(FILTER_BYTES, Long.MAX_VALUE);
        private final HeapLimit.HeapReservation others;

        ModelNode(String name) {
            this.name = name;
            this.others = heap.claim(SOMEWHERE.place());
            this.store = new HookedStore(storage)
                    .before((operation, _) -> {
                        if (random.nextInt(squeezing) == 0) {
                            squeeze();
                        }
                        fail(operation);
                    })
                    .after((operation, blob) -> {
                        if (operation.equals("putIfAbsent") && blob.contains("/parts/")) {
                            boolean _ = executor.aside(this::meanwhile);
                        }
                        fail(operation);
                    })
                    .store();
            this.presence = new Presence(
                    tiers,
                    pool,
                    new Presence.PresenceCapacity(0, FILTER_BYTES),
                    heap,
                    name,
                    () -> now,
                    random,
                    executor,
                    new SimpleMeterRegistry(),
                    Announcements.NONE);
        }

        /**
         * All processes go on while this one writes a new snapshot, which takes long where there are many blocks. It
         * holds no lock then.
         */
        private boolean meanwhile() throws Exception {
            if (isMeanwhile) {
                return false;
            }
            isMeanwhile = true;
            try {
                for (int i = random.nextInt(4); i > 0; i--) {
                    now += Presence.BEAT.toNanos();
                    for (ModelNode node : nodes) {
                        if (!node.dead) {
                            begin(node);
                            finish(node);
                            node.beat();
                        }
                    }
                    overheard.addAll(denied());
                }
            } finally {
                isMeanwhile = false;
            }
            return true;
        }

        /** Other partitions of the account take all of the heap, or give it back. */
        private void squeeze() {
            boolean _ = others.settle(random.nextInt(3) == 0 ? heap.mostOfAccount() : 0);
        }

        private void beat() {
            int before = failures;
            presence.beat().join();
            if (failures == before) {
                sinceBeat.forEach((key, at) -> {
                    if (isInGap(key, at)) {
                        acknowledged.computeIfPresent(key, (_, _) -> now);
                    }
                });
                sinceBeat.clear();
            }
        }

        private void fail(String operation) throws StorageException {
            int oneIn = operation.equals(failing) ? 4 : unreliability;
            if (dead || random.nextInt(oneIn) == 0) {
                failures++;
                throw new StorageException(Kind.UNAVAILABLE, operation, null);
            }
        }
    }

    private final Random random;
    private final MemoryStore storage = new MemoryStore();
    private final MemoryPool pool = new MemoryPool(64 << 20, Duration.ZERO);
    private final Tiers tiers = new Tiers(new MemoryTier(0, (_, _) -> {}), DiskTier.none(pool), Runnable::run);
    private final List<ModelNode> nodes;
    private final Map<BlockKey, Long> acknowledged = new HashMap<>();
    private final Map<BlockHash, Long> madeAnew = new HashMap<>();
    private final List<BlockKey> all = new ArrayList<>();
    private final int unreliability;
    private final int stopEvery;
    private final int dieEvery;
    private final int squeezing;
    private final int partitions;
    private final boolean busy;
    private final String failing;
    private final List<String> overheard = new ArrayList<>();
    private boolean isMeanwhile;
    private long now;

    PresenceModel(Random random) {
        this.random = random;
        this.unreliability = random.nextBoolean() ? 60 : Integer.MAX_VALUE;
        this.stopEvery = List.of(4, 15, 100).get(random.nextInt(3));
        this.dieEvery = random.nextBoolean() ? 80 : 500;
        this.squeezing = random.nextInt(3) == 0 ? 10 : Integer.MAX_VALUE;
        this.partitions = random.nextBoolean() ? 1 : PARTITIONS;
        this.busy = random.nextBoolean();
        this.failing = random.nextInt(3) == 0 ? OPERATIONS.get(random.nextInt(OPERATIONS.size())) : "";
        this.nodes = new ArrayList<>(
                IntStream.range(0, NODES).mapToObj(i -> new ModelNode("n" + i)).toList());
    }

    void tick() {
        now += SECOND;
    }

    long memoryInUse() {
        return pool.usedBytes();
    }

    /** The work of a process in a second. */
    void act(int index) throws Exception {
        ModelNode node = nodes.get(index);
        if (node.dead) {
            if (random.nextInt(20) == 0) {
                nodes.set(index, new ModelNode(node.name));
            }
            return;
        }
        if ((now / SECOND + index) % Presence.BEAT.toSeconds() == 0) {
            node.beat();
        }
        switch (busy ? random.nextInt(3) : random.nextInt(8)) {
            case 0 -> begin(node);
            case 1, 2 -> finish(node);
            case 3 -> ask(node);
            case 4 -> hear(node);
            case 5 -> lookAround(node);
            default -> {}
        }
        if (random.nextInt(stopEvery) == 0) {
            stop(index);
        } else if (random.nextInt(dieEvery) == 0) {
            die(node);
        }
    }

    private void die(ModelNode node) {
        node.dead = true;
        forgetUnlogged(node);
    }

    /**
     * Whether a block may be known to its process alone until that writes its log again, because the log was deleted
     * with its partition: decision 56 names this gap.
     */
    private boolean isInGap(BlockKey key, long at) {
        Long anew = madeAnew.get(key.root());
        return anew != null && at - anew < OwnLog.LEASE.toNanos();
    }

    private void forgetUnlogged(ModelNode node) {
        node.sinceBeat.forEach((key, at) -> {
            if (isInGap(key, at)) {
                acknowledged.remove(key);
                nodes.forEach(other -> other.knows.remove(key));
            }
        });
    }

    private boolean isUnlogged(BlockKey key) {
        return nodes.stream()
                .anyMatch(node -> node.sinceBeat.containsKey(key) && isInGap(key, node.sinceBeat.get(key)));
    }

    private void begin(ModelNode node) throws Exception {
        BlockKey key = all.isEmpty() || random.nextInt(3) > 0 ? newKey() : some(all);
        try {
            node.writes.add(new Unfinished(key, node.presence.begin(key, node.store)));
        } catch (StorageException e) {
            // The write is refused.
        }
    }

    private void finish(ModelNode node) throws Exception {
        if (node.writes.isEmpty()) {
            return;
        }
        Unfinished write = node.writes.removeFirst();
        BlockKey key = write.key;
        try (Presence.PendingWrite writing = write.writing) {
            boolean there = storage.exists(key.blobName());
            storage.putIfAbsent(BlockNames.descriptor(key.root()), ByteBuffer.wrap(new byte[] {1}));
            storage.putIfAbsent(key.blobName(), ByteBuffer.wrap(new byte[] {1}));
            if (there) {
                writing.wasStored(1);
            } else {
                writing.stored(1);
            }
            acknowledged.merge(key, now, there ? Math::min : Math::max);
            node.sinceBeat.put(key, now);
            node.knows.add(key);
        } catch (StorageException e) {
            // It is not acknowledged.
        }
    }

    private void ask(ModelNode node) {
        if (!all.isEmpty()) {
            BlockKey key = some(all);
            Presence.ExistenceQuery asked = node.presence.asked(key);
            node.questions.add(new ModelQuestion(key, asked, storage.exists(key.blobName())));
        }
    }

    private void hear(ModelNode node) throws Exception {
        if (node.questions.isEmpty()) {
            return;
        }
        ModelQuestion question = node.questions.remove(random.nextInt(node.questions.size()));
        if (question.stored) {
            node.presence.found(question.key, 1, question.asked);
            try {
                if (node.presence.isStored(question.key, node.store)) {
                    node.knows.add(question.key);
                }
            } catch (StorageException e) {
                // It could not be looked up.
            }
        } else {
            node.presence.missing(question.key, question.asked);
        }
    }

    private void lookAround(ModelNode node) {
        for (int i = 0; i < OTHER_PARTITIONS; i++) {
            node.presence.mightBeStored(key(PARTITIONS + i, 1), node.store);
        }
    }

    /** As the process does when it is told to end: calls that take too long end after the last beat. */
    private void stop(int index) throws Exception {
        ModelNode node = nodes.get(index);
        int failures = node.failures;
        node.presence.close();
        while (!node.writes.isEmpty()) {
            finish(node);
        }
        if (node.failures > failures) {
            forgetUnlogged(node);
        }
        nodes.set(index, new ModelNode(node.name));
    }

    /** Somebody else's doing. */
    void mishap() {
        if (random.nextInt(15) == 0 && !all.isEmpty()) {
            BlockKey lost = some(all);
            storage.lose(lost.blobName());
            acknowledged.remove(lost);
            nodes.forEach(node -> node.knows.remove(lost));
        } else if (random.nextInt(60) == 0) {
            BlockHash root = root(random.nextInt(partitions));
            storage.lose("kv/v1/" + root.hex() + "/presence/snapshot");
        } else if (random.nextInt(100) == 0) {
            makeAnew(root(random.nextInt(partitions)));
        }
    }

    /** Deletes everything that a partition has, as if its container were deleted and made again. */
    private void makeAnew(BlockHash root) {
        madeAnew.put(root, now);
        String next = null;
        do {
            BlobPage page = storage.list("kv/v1/" + root.hex() + "/", next, 5000);
            page.names().forEach(storage::lose);
            next = page.next();
        } while (next != null);
        acknowledged.keySet().removeIf(key -> key.root().equals(root));
        nodes.forEach(node -> node.knows.removeIf(key -> key.root().equals(root)));
    }

    /**
     * Blocks that a process denies although they were acknowledged by it, or by anybody long enough ago. A process
     * whose storage fails as it is asked goes on with what it knew last, and may not know yet what others have
     * acknowledged.
     */
    List<String> denied() {
        List<String> denied = new ArrayList<>(overheard);
        overheard.clear();
        for (ModelNode node : List.copyOf(nodes)) {
            new HashMap<>(acknowledged).forEach((key, at) -> {
                boolean knows = node.knows.contains(key);
                int failures = node.failures;
                if (!node.dead
                        && (knows || (now - at >= BOUND && !isUnlogged(key)))
                        && !node.presence.mightBeStored(key, node.store)
                        && (knows || node.failures == failures)) {
                    denied.add(node.name + " denies " + key.hash().d() + " of partition "
                            + key.root().d() + ", acknowledged at second " + at / SECOND);
                }
            });
        }
        return denied;
    }

    private BlockKey some(List<BlockKey> keys) {
        return keys.get(random.nextInt(keys.size()));
    }

    private BlockKey newKey() {
        BlockKey key = key(random.nextInt(partitions), all.size());
        all.add(key);
        return key;
    }

    private static BlockKey key(int partition, long block) {
        return new BlockKey(SOMEWHERE, root(partition), new BlockHash(block * 0x9e3779b97f4a7c15L, 2, 3, block));
    }

    private static BlockHash root(int partition) {
        return new BlockHash(5, 5, 5, partition);
    }
}
