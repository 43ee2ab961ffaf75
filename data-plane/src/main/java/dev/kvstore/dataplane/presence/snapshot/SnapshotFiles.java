package dev.kvstore.dataplane.presence.snapshot;

import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.ReadLimits;
import dev.kvstore.dataplane.storage.StorageException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A partition's snapshot in the tenant's storage: {@code <folder>snapshot} names the parts, each an immutable blob
 * {@code <folder>parts/<number>}. A process that replaces it stores the new parts first, then the blob that names them,
 * and then deletes parts that it does not name. Blocks until done; thread-safe.
 */
public final class SnapshotFiles {
    /** Keys in ascending order of their first bits, of which there may be many. */
    @FunctionalInterface
    public interface SortedKeys {
        void forEach(KeyVisitor visitor) throws StorageException;
    }

    /** Takes one key after the other. */
    @FunctionalInterface
    public interface KeyVisitor {
        void visit(long key) throws StorageException;
    }

    /** Carries a refusal through code that knows storage alone. */
    private static final class RefusedRead extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final UnreadableException reason;

        RefusedRead(UnreadableException reason) {
            super(null, null, false, false);
            this.reason = reason;
        }
    }

    private static final String MANIFEST = "snapshot";
    private static final String PARTS = "parts/";
    private static final Pattern PART = Pattern.compile("parts/[0-9a-f]{16}");
    private static final int PAGE = 5000;
    private static final int READ_TRIES = 3;

    /** Most names that are tried for a part. Names are random, so a name that is taken is hardly ever met. */
    private static final int PART_TRIES = 3;

    private static final System.Logger LOG = System.getLogger(SnapshotFiles.class.getName());

    private final SealedBlobs blobs;
    private final HeapLimit heap;
    private final String account;
    private final String folder;
    private final RandomGenerator random;

    /**
     * The snapshot files of an account that shares no limit with others.
     *
     * @param folder ends in '/'
     * @param random numbers parts
     */
    public SnapshotFiles(BlockStore store, Allocator allocator, String folder, RandomGenerator random) {
        this(new SealedBlobs(store, allocator, new TenantReads(), ""), HeapLimit.none(), "", folder, random);
    }

    /** @param heap the account's heap that new parts may take before they belong to a snapshot */
    public SnapshotFiles(SealedBlobs blobs, HeapLimit heap, String account, String folder, RandomGenerator random) {
        this.blobs = blobs;
        this.heap = heap;
        this.account = account;
        this.folder = folder;
        this.random = random;
    }

    /** Whether a name below the folder is of a snapshot. */
    public static boolean owns(String name) {
        return name.equals(MANIFEST) || name.startsWith(PARTS);
    }

    /** The snapshot, or null if there is none. */
    public @Nullable SnapshotVersion<Snapshot> read()
            throws StorageException, MemoryExhaustedException, UnreadableException {
        return readUnless(null) instanceof Look.Other<Snapshot>(SnapshotVersion<Snapshot> snapshot) ? snapshot : null;
    }

    /** The snapshot, unless it still is the known one, without a limit of heap. */
    Look<Snapshot> readUnless(@Nullable SnapshotVersion<Snapshot> known)
            throws StorageException, MemoryExhaustedException, UnreadableException {
        return readUnless(known, HeapLimit.none().claim(""));
    }

    /**
     * The snapshot, unless it still is the known one. Only parts that are not known are read.
     *
     * @param reservation is charged for them
     */
    public Look<Snapshot> readUnless(@Nullable SnapshotVersion<Snapshot> known, HeapLimit.HeapReservation reservation)
            throws StorageException, MemoryExhaustedException, UnreadableException {
        Map<Long, SnapshotPart> parts = known == null ? new HashMap<>() : parts(known.content());
        Look<Manifest> look = manifestUnless(known == null ? null : known.etag());
        for (int i = 0; look instanceof Look.Other<Manifest>(SnapshotVersion<Manifest> manifest); i++) {
            String gone = learn(manifest, parts, reservation);
            if (gone == null) {
                return new Look.Other<>(new SnapshotVersion<>(snapshot(manifest, parts, reservation), manifest.etag()));
            }
            // Parts go when the snapshot is replaced: there is another by now, or somebody else has deleted one.
            look = manifestUnless(manifest.etag());
            if (look instanceof Look.UnchangedSnapshot<Manifest>) {
                throw new UnreadableException("part " + gone + " is missing").of(folder + MANIFEST, manifest.etag());
            }
            if (i == READ_TRIES) {
                throw new StorageException(
                        StorageException.Kind.UNAVAILABLE, folder + MANIFEST + " is replaced all the time", null);
            }
        }
        return look instanceof Look.UnchangedSnapshot<Manifest> ? new Look.UnchangedSnapshot<>() : new Look.None<>();
    }

    private Look<Manifest> manifestUnless(@Nullable String etag)
            throws StorageException, MemoryExhaustedException, UnreadableException {
        return blobs.look(folder + MANIFEST, etag, Manifest.MOST_BYTES, Manifest::decode);
    }

    private static Map<Long, SnapshotPart> parts(Snapshot snapshot) {
        Map<Long, SnapshotPart> parts = new HashMap<>();
        snapshot.runs().forEach(run -> run.parts().forEach(part -> parts.put(part.number(), part)));
        return parts;
    }

    /** Reads the missing parts. Returns the name of a part that is gone, or null. */
    private @Nullable String learn(
            SnapshotVersion<Manifest> manifest, Map<Long, SnapshotPart> parts, HeapLimit.HeapReservation reservation)
            throws StorageException, MemoryExhaustedException, UnreadableException {
        for (List<Long> run : manifest.content().runs()) {
            for (long number : run) {
                if (!parts.containsKey(number)) {
                    SnapshotVersion<SnapshotPart> part = part(number, manifest.etag(), reservation);
                    if (part == null) {
                        return name(number);
                    }
                    parts.put(number, part.content());
                }
            }
        }
        return null;
    }

    private @Nullable SnapshotVersion<SnapshotPart> part(
            long number, String manifest, HeapLimit.HeapReservation reservation)
            throws StorageException, MemoryExhaustedException, UnreadableException {
        try {
            return blobs.read(folder + name(number), SnapshotPart.MOST_BYTES, bytes -> {
                reservation.take(bytes.remaining());
                return SnapshotPart.decode(bytes, number);
            });
        } catch (UnreadableException e) {
            throw e.of(folder + MANIFEST, manifest);
        }
    }

    private Snapshot snapshot(
            SnapshotVersion<Manifest> manifest, Map<Long, SnapshotPart> parts, HeapLimit.HeapReservation reservation)
            throws UnreadableException {
        try {
            List<FingerprintRun> runs = new ArrayList<>();
            for (List<Long> run : manifest.content().runs()) {
                runs.add(new FingerprintRun(run.stream().map(parts::get).toList()));
            }
            for (FingerprintRun run : runs.subList(Math.min(1, runs.size()), runs.size())) {
                reservation.take(Sieve.bytes(run.size()));
            }
            return blobs.work(() -> new Snapshot(manifest.content().epoch(), runs));
        } catch (IllegalArgumentException e) {
            throw UnreadableException.beyondLimits(String.valueOf(e.getMessage()))
                    .of(folder + MANIFEST, manifest.etag());
        } catch (UnreadableException e) {
            throw e.of(folder + MANIFEST, manifest.etag());
        }
    }

    private static String name(long number) {
        return PARTS + "%016x".formatted(number);
    }

    /**
     * The ETag of the snapshot, even of a damaged one; null if there is none.
     *
     * @throws UnreadableException if the blob is not ours to replace
     */
    public @Nullable String etag() throws StorageException, MemoryExhaustedException, UnreadableException {
        try {
            SnapshotVersion<Manifest> manifest = blobs.read(folder + MANIFEST, Manifest.MOST_BYTES, Manifest::decode);
            return manifest == null ? null : manifest.etag();
        } catch (UnreadableException e) {
            if (e.isNewer() || e.isBeyondLimits()) {
                throw e;
            }
            return e.etag();
        }
    }

    /** Whether there is a snapshot, even a damaged one. */
    public boolean exists() throws StorageException {
        return blobs.exists(folder + MANIFEST);
    }

    /** Stores the first snapshot, which is empty, unless there is one. */
    public void found(long epoch) throws StorageException {
        blobs.put(folder + MANIFEST, Manifest.of(Snapshot.empty(epoch)).encode(), null);
    }

    /**
     * Replaces the known snapshot by one with further keys; null if another came before.
     *
     * @throws UnreadableException if there is no room for it, or the known one is none of ours
     */
    public @Nullable SnapshotVersion<Snapshot> merge(SnapshotVersion<Snapshot> known, long[] keys)
            throws StorageException, MemoryExhaustedException, UnreadableException {
        HeapLimit.HeapReservation reservation = heap.claim(account);
        try {
            return merge(known, keys, reservation);
        } finally {
            reservation.settle(0);
        }
    }

    private @Nullable SnapshotVersion<Snapshot> merge(
            SnapshotVersion<Snapshot> known, long[] keys, HeapLimit.HeapReservation reservation)
            throws StorageException, MemoryExhaustedException, UnreadableException {
        Snapshot before = known.content();
        long[] news = blobs.work(() -> Fingerprint.sorted(keys));
        int staying = before.staying(news.length);
        List<PrimitiveIterator.OfLong> sources = new ArrayList<>();
        before.runs().subList(staying, before.runs().size()).forEach(run -> sources.add(run.iterator()));
        sources.add(Arrays.stream(news).iterator());
        Union union = new Union(sources);
        PartWriter writer = new PartWriter((ascending, count) -> putPart(ascending, count, reservation), reservation);
        while (union.hasNext()) {
            if (writer.isFull()) {
                writer.cut();
            }
            blobs.work(() -> {
                while (union.hasNext() && !writer.isFull()) {
                    writer.add(union.nextLong());
                }
                return union;
            });
        }
        List<FingerprintRun> runs = new ArrayList<>(before.runs().subList(0, staying));
        runs.addAll(writer.finish());
        return replace(known.etag(), before.epoch(), runs);
    }

    /**
     * Stores a snapshot of these keys and no others, in place of the one with this ETag, or of none; null if another
     * came before.
     *
     * @throws UnreadableException if there is no room for it
     */
    public @Nullable SnapshotVersion<Snapshot> put(@Nullable String replaced, long epoch, SortedKeys keys)
            throws StorageException, MemoryExhaustedException, UnreadableException {
        HeapLimit.HeapReservation reservation = heap.claim(account);
        try {
            PartWriter writer =
                    new PartWriter((ascending, count) -> putPart(ascending, count, reservation), reservation);
            keys.forEach(key -> add(key, writer));
            return replace(replaced, epoch, writer.finish());
        } catch (RefusedRead e) {
            throw e.reason;
        } finally {
            reservation.settle(0);
        }
    }

    private static void add(long key, PartWriter writer) throws StorageException {
        try {
            if (writer.isFull()) {
                writer.cut();
            }
            writer.add(Fingerprint.of(key));
        } catch (UnreadableException e) {
            throw new RefusedRead(e);
        }
    }

    private SnapshotPart putPart(long[] ascending, int count, HeapLimit.HeapReservation reservation)
            throws StorageException, UnreadableException {
        reservation.take(Fingerprints.encodedBytes(ascending, count));
        Fingerprints fingerprints = blobs.work(() -> Fingerprints.of(ascending, count));
        if (!fingerprints.isReadable()) {
            throw UnreadableException.beyondLimits("keys that are no hashes would make a part that is none");
        }
        for (int i = 0; i < PART_TRIES; i++) {
            SnapshotPart part = new SnapshotPart(random.nextLong(), fingerprints);
            if (blobs.put(folder + name(part.number()), part.encode(), null) != null) {
                return part;
            }
        }
        throw new StorageException(
                StorageException.Kind.UNAVAILABLE, folder + PARTS + ": each new name is taken already", null);
    }

    /**
     * Replaces the snapshot, and deletes the parts that were there before and are not in the new one: no snapshot has
     * them. A process that stored them just now means to replace the snapshot before, and will fail.
     */
    private @Nullable SnapshotVersion<Snapshot> replace(
            @Nullable String replaced, long epoch, List<FingerprintRun> runs)
            throws StorageException, MemoryExhaustedException, UnreadableException {
        Snapshot snapshot = blobs.work(() -> new Snapshot(epoch, runs));
        if (snapshot.parts() > ReadLimits.PARTS) {
            throw UnreadableException.beyondLimits("a snapshot of " + snapshot.parts() + " parts would not be read");
        }
        List<String> there = partNames();
        String etag = blobs.put(folder + MANIFEST, Manifest.of(snapshot).encode(), replaced);
        if (etag == null) {
            return null;
        }
        sweep(there, snapshot);
        return new SnapshotVersion<>(snapshot, etag);
    }

    /**
     * Names of the parts in storage, up to a limit; further ones are deleted when the snapshot is next replaced, if it
     * does not use them.
     */
    private List<String> partNames() throws StorageException, MemoryExhaustedException, UnreadableException {
        List<String> names = new ArrayList<>();
        String next = null;
        int pages = 0;
        do {
            var page = blobs.list(folder + PARTS, next, PAGE);
            page.names().stream()
                    .filter(name ->
                            PART.matcher(name.substring(folder.length())).matches())
                    .forEach(names::add);
            next = page.next();
            pages++;
        } while (next != null && names.size() < ReadLimits.PRESENCE_NAMES && pages < ReadLimits.PRESENCE_PAGES);
        return names;
    }

    private void sweep(List<String> there, Snapshot snapshot) {
        Set<String> named = new HashSet<>();
        parts(snapshot).keySet().forEach(number -> named.add(folder + name(number)));
        try {
            for (String part : there) {
                if (!named.contains(part)) {
                    blobs.delete(part);
                }
            }
        } catch (StorageException | MemoryExhaustedException e) {
            LOG.log(
                    Level.DEBUG,
                    "parts in {0} stay there until the snapshot is next replaced: {1}",
                    folder,
                    e.getMessage());
        }
    }
}
