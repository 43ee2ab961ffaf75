package dev.kvstore.simulation.storage;

import dev.kvstore.dataplane.storage.BlobName;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The blobs of one account's container, as storage has them. For the thread of its world. */
public final class SimulatedContainer {
    private final NavigableMap<String, StoredBlob> blobs = new TreeMap<>();
    private final Watcher watcher;

    /** Blobs that another program deleted, as they were. */
    private final Map<String, StoredBlob> lost = new HashMap<>();

    /** Names of blobs that are not as they were stored. */
    private final Set<String> spoilt = new HashSet<>();

    private long etags;
    private boolean isThere = true;

    /** Hears of each change as it happens. */
    public interface Watcher {
        void put(String name, ByteBuffer bytes);

        void gone(String name);
    }

    public SimulatedContainer(Watcher watcher) {
        this.watcher = watcher;
    }

    /**
     * A blob.
     *
     * @param bytes the bytes, from 0 to the limit; nobody moves the position
     * @param at the time at which the blob was stored, in nanoseconds of the world
     */
    record StoredBlob(ByteBuffer bytes, String etag, long at) {
        int length() {
            return bytes.limit();
        }

        /** The same blob with the bytes that a reader sees. */
        StoredBlob with(ByteBuffer seen) {
            return new StoredBlob(seen, etag, at);
        }
    }

    @Nullable
    StoredBlob get(String name) {
        return blobs.get(BlobName.require(name));
    }

    /** Stores a copy of the remaining bytes; returns its ETag. */
    String put(String name, ByteBuffer content, long now) {
        ByteBuffer bytes = ByteBuffer.allocate(content.remaining())
                .put(content.duplicate())
                .flip()
                .asReadOnlyBuffer();
        StoredBlob blob = new StoredBlob(bytes, "e" + ++etags, now);
        spoilt.remove(name);
        blobs.put(BlobName.require(name), blob);
        watcher.put(name, bytes);
        return blob.etag();
    }

    /**
     * Replaces a blob as another program does, without telling the watcher.
     *
     * @param name the name of a blob that may not be there
     */
    public void damage(String name, BlobDamage damage, SplittableRandom random, long now) {
        if (isThere) {
            spoilt.add(name);
            StoredBlob before = blobs.get(name);
            ByteBuffer bytes = before == null || before.length() == 0
                    ? BlobDamage.GARBAGE.of(ByteBuffer.allocate(1), random)
                    : damage.of(before.bytes(), random);
            blobs.put(BlobName.require(name), new StoredBlob(bytes.asReadOnlyBuffer(), "e" + ++etags, now));
        }
    }

    /** Whether there is a blob. */
    public boolean has(String name) {
        return blobs.containsKey(name);
    }

    /** Deletes the container, with all that is in it. */
    public void delete() {
        isThere = false;
        List.copyOf(blobs.keySet()).forEach(this::remove);
    }

    /** Makes the container again. */
    public void make() {
        isThere = true;
    }

    /** Whether the container is there: it was not deleted, or was made again. */
    public boolean isThere() {
        return isThere;
    }

    /** Removes a blob, if there is one. */
    public void remove(String name) {
        if (blobs.remove(name) != null) {
            watcher.gone(name);
        }
    }

    /** Removes a blob, if there is one, so that it can be brought back. */
    public void lose(String name) {
        StoredBlob blob = blobs.get(name);
        if (blob != null && !spoilt.contains(name)) {
            lost.put(name, blob);
        }
        remove(name);
    }

    /** Brings a lost blob back, unless there is another one of its name. */
    public void bringBack(String name, long now) {
        StoredBlob blob = lost.get(name);
        if (isThere && blob != null && !blobs.containsKey(name)) {
            var _ = put(name, blob.bytes(), now);
        }
    }

    /** Flips a bit, counted from the end of a blob, without telling the watcher; false if there is no such bit. */
    public boolean flip(String name, int bit) {
        StoredBlob blob = blobs.get(name);
        if (blob == null || bit / 8 >= blob.length()) {
            return false;
        }
        spoilt.add(name);
        ByteBuffer bytes =
                ByteBuffer.allocate(blob.length()).put(blob.bytes().duplicate()).flip();
        int at = blob.length() - 1 - bit / 8;
        bytes.put(at, (byte) (bytes.get(at) ^ 1 << bit % 8));
        blobs.put(name, new StoredBlob(bytes.asReadOnlyBuffer(), blob.etag(), blob.at()));
        return true;
    }

    /**
     * Puts a copy of a blob in place of another one, without telling the watcher; false if there are no two such blobs.
     */
    public boolean misplace(String name, String inPlaceOf) {
        StoredBlob blob = blobs.get(name);
        StoredBlob before = blobs.get(inPlaceOf);
        if (blob == null || before == null || name.equals(inPlaceOf) || spoilt.contains(name)) {
            return false;
        }
        spoilt.add(inPlaceOf);
        blobs.put(inPlaceOf, new StoredBlob(blob.bytes(), "e" + ++etags, before.at()));
        return true;
    }

    /** The bytes of a blob; null if there is no such blob, or if it is not as it was stored. */
    public @Nullable ByteBuffer bytes(String name) {
        StoredBlob blob = blobs.get(name);
        return blob == null || spoilt.contains(name) ? null : blob.bytes().duplicate();
    }

    /** Stores a blob as another process does. */
    public void store(String name, ByteBuffer bytes, long now) {
        if (isThere) {
            var _ = put(name, bytes, now);
        }
    }

    /** The names of all blobs that begin with a prefix. */
    public List<String> names(String prefix) {
        List<String> names = new ArrayList<>();
        for (String name : blobs.tailMap(prefix, true).keySet()) {
            if (!name.startsWith(prefix)) {
                break;
            }
            names.add(name);
        }
        return names;
    }

    NavigableMap<String, StoredBlob> from(String name, boolean inclusive) {
        return blobs.tailMap(name, inclusive);
    }
}
