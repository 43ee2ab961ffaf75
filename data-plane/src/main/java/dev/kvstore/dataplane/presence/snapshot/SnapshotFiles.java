package dev.kvstore.dataplane.presence.snapshot;

import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.BlockStore;
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
import org.jspecify.annotations.Nullable;

/**
 * A partition's snapshot in the tenant's storage: {@code <folder>snapshot} names the parts, each an immutable blob
 * {@code <folder>parts/<number>}. Whoever replaces it stores the parts that are new, then the blob that names them, and
 * deletes parts that it does not name. Blocks until done; thread-safe.
 */
public final class SnapshotFiles {
    /** Keys in ascending order of their first bits, of which there may be many. */
    @FunctionalInterface
    public interface Keys {
        void forEach(Visitor visitor) throws StorageException;
    }

    /** Takes one key after the other. */
    @FunctionalInterface
    public interface Visitor {
        void visit(long key) throws StorageException;
    }

    private static final String MANIFEST = "snapshot";
    private static final String PARTS = "parts/";
    private static final int PAGE = 5000;
    private static final int READ_TRIES = 3;
    private static final System.Logger LOG = System.getLogger(SnapshotFiles.class.getName());

    private final BlockStore store;
    private final SealedBlobs blobs;
    private final String folder;
    private final RandomGenerator random;

    /**
     * @param folder ends in '/'
     * @param random numbers parts
     */
    public SnapshotFiles(BlockStore store, Allocator allocator, String folder, RandomGenerator random) {
        this.store = store;
        this.blobs = new SealedBlobs(store, allocator);
        this.folder = folder;
        this.random = random;
    }

    /** Whether a name below the folder is of a snapshot. */
    public static boolean owns(String name) {
        return name.equals(MANIFEST) || name.startsWith(PARTS);
    }

    /** The snapshot, or null if there is none. */
    public @Nullable Version<Snapshot> read() throws StorageException, MemoryExhaustedException, UnreadableException {
        return readUnless(null) instanceof Look.Other<Snapshot>(Version<Snapshot> snapshot) ? snapshot : null;
    }

    /** The snapshot, unless it still is the known one. Only parts that are not known are read. */
    public Look<Snapshot> readUnless(@Nullable Version<Snapshot> known)
            throws StorageException, MemoryExhaustedException, UnreadableException {
        Map<Long, Part> parts = known == null ? new HashMap<>() : parts(known.content());
        Look<Manifest> look = blobs.look(folder + MANIFEST, known == null ? null : known.etag(), Manifest::decode);
        for (int i = 0; look instanceof Look.Other<Manifest>(Version<Manifest> manifest); i++) {
            String gone = learn(manifest, parts);
            if (gone == null) {
                return new Look.Other<>(new Version<>(snapshot(manifest, parts), manifest.etag()));
            }
            // Parts go when the snapshot is replaced: there is another by now, or somebody else has deleted one.
            look = blobs.look(folder + MANIFEST, manifest.etag(), Manifest::decode);
            if (look instanceof Look.Same<Manifest>) {
                throw new UnreadableException("part " + gone + " is missing").of(folder + MANIFEST, manifest.etag());
            }
            if (i == READ_TRIES) {
                throw new StorageException(
                        StorageException.Kind.UNAVAILABLE, folder + MANIFEST + " is replaced all the time", null);
            }
        }
        return look instanceof Look.Same<Manifest> ? new Look.Same<>() : new Look.None<>();
    }

    private static Map<Long, Part> parts(Snapshot snapshot) {
        Map<Long, Part> parts = new HashMap<>();
        snapshot.runs().forEach(run -> run.parts().forEach(part -> parts.put(part.number(), part)));
        return parts;
    }

    /** Reads the parts that are missing; the name of one that is gone, or null. */
    private @Nullable String learn(Version<Manifest> manifest, Map<Long, Part> parts)
            throws StorageException, MemoryExhaustedException, UnreadableException {
        for (List<Long> run : manifest.content().runs()) {
            for (long number : run) {
                if (!parts.containsKey(number)) {
                    Version<Part> part = part(number, manifest.etag());
                    if (part == null) {
                        return name(number);
                    }
                    parts.put(number, part.content());
                }
            }
        }
        return null;
    }

    private @Nullable Version<Part> part(long number, String manifest)
            throws StorageException, MemoryExhaustedException, UnreadableException {
        try {
            return blobs.read(folder + name(number), bytes -> Part.decode(bytes, number));
        } catch (UnreadableException e) {
            throw e.of(folder + MANIFEST, manifest);
        }
    }

    private Snapshot snapshot(Version<Manifest> manifest, Map<Long, Part> parts) throws UnreadableException {
        List<Run> runs = new ArrayList<>();
        try {
            for (List<Long> run : manifest.content().runs()) {
                runs.add(new Run(run.stream().map(parts::get).toList()));
            }
        } catch (IllegalArgumentException e) {
            throw new UnreadableException(String.valueOf(e.getMessage())).of(folder + MANIFEST, manifest.etag());
        }
        return new Snapshot(manifest.content().epoch(), runs);
    }

    private static String name(long number) {
        return PARTS + "%016x".formatted(number);
    }

    /** The ETag of the snapshot, be it damaged; null if there is none. */
    public @Nullable String etag() throws StorageException, MemoryExhaustedException, UnreadableException {
        try {
            Version<Manifest> manifest = blobs.read(folder + MANIFEST, Manifest::decode);
            return manifest == null ? null : manifest.etag();
        } catch (UnreadableException e) {
            if (e.isNewer()) {
                throw e;
            }
            return e.etag();
        }
    }

    /** The first snapshot, of nothing; unless there is one. */
    public void found(long epoch) throws StorageException {
        blobs.put(folder + MANIFEST, Manifest.of(Snapshot.empty(epoch)).encode(), null);
    }

    /** The known snapshot and further keys, in its place; null if another came before. */
    public @Nullable Version<Snapshot> merge(Version<Snapshot> known, long[] keys) throws StorageException {
        Snapshot before = known.content();
        long[] news = Fingerprint.sorted(keys);
        int staying = before.staying(news.length);
        List<PrimitiveIterator.OfLong> sources = new ArrayList<>();
        before.runs().subList(staying, before.runs().size()).forEach(run -> sources.add(run.iterator()));
        sources.add(Arrays.stream(news).iterator());
        Union union = new Union(sources);
        PartWriter writer = new PartWriter(this::putPart);
        while (union.hasNext()) {
            writer.add(union.nextLong());
        }
        List<Run> runs = new ArrayList<>(before.runs().subList(0, staying));
        runs.addAll(writer.finish());
        return replace(known.etag(), new Snapshot(before.epoch(), runs));
    }

    /**
     * A snapshot of these keys and no others, in place of the one with this ETag, or of none; null if another came
     * before.
     */
    public @Nullable Version<Snapshot> put(@Nullable String replaced, long epoch, Keys keys) throws StorageException {
        PartWriter writer = new PartWriter(this::putPart);
        keys.forEach(key -> writer.add(Fingerprint.of(key)));
        return replace(replaced, new Snapshot(epoch, writer.finish()));
    }

    private Part putPart(Fingerprints fingerprints) throws StorageException {
        while (true) {
            Part part = new Part(random.nextLong(), fingerprints);
            if (blobs.put(folder + name(part.number()), part.encode(), null) != null) {
                return part;
            }
        }
    }

    /**
     * Parts that are there before the snapshot is replaced, and not in it, are nobody's then: those who store them now
     * mean to replace the one before, and will not.
     */
    private @Nullable Version<Snapshot> replace(@Nullable String replaced, Snapshot snapshot) throws StorageException {
        List<String> there = partNames();
        String etag = blobs.put(folder + MANIFEST, Manifest.of(snapshot).encode(), replaced);
        if (etag == null) {
            return null;
        }
        sweep(there, snapshot);
        return new Version<>(snapshot, etag);
    }

    private List<String> partNames() throws StorageException {
        List<String> names = new ArrayList<>();
        String next = null;
        do {
            var page = store.list(folder, next, PAGE);
            page.names().stream()
                    .filter(name -> name.startsWith(folder + PARTS))
                    .forEach(names::add);
            next = page.next();
        } while (next != null);
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
                    "parts in {0} are left to who replaces the snapshot next: {1}",
                    folder,
                    e.getMessage());
        }
    }
}
