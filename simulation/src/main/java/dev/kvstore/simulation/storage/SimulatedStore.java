package dev.kvstore.simulation.storage;

import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.BlobChange;
import dev.kvstore.dataplane.storage.BlobName;
import dev.kvstore.dataplane.storage.BlobPage;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.Got;
import dev.kvstore.dataplane.storage.Listed;
import dev.kvstore.dataplane.storage.PutResult;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import dev.kvstore.dataplane.storage.WrongSizeBlob;
import dev.kvstore.simulation.storage.SimulatedContainer.StoredBlob;
import dev.kvstore.simulation.world.Waits;
import dev.kvstore.simulation.world.World;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A container as one host sees it: each call takes time before and after its effect, and may fail on either side. */
public final class SimulatedStore implements BlockStore {
    private static final long QUICK = Duration.ofMillis(2).toNanos();
    private static final long SPREAD = Duration.ofMillis(20).toNanos();

    private final SimulatedContainer container;
    private final SplittableRandom random;
    private final TroubledWay way;
    private StorageMood mood = StorageMood.CALM;

    public SimulatedStore(SimulatedContainer container, SplittableRandom random) {
        this.container = container;
        this.random = random;
        this.way = new TroubledWay(random.split());
    }

    public TroubledWay way() {
        return way;
    }

    public void mood(StorageMood next) {
        mood = next;
    }

    /** The effect of a call on the container, which returns the call's answer. */
    @FunctionalInterface
    private interface Effect<T extends @Nullable Object> {
        T run(@Nullable StorageTrouble happens) throws MemoryExhaustedException;
    }

    private <T extends @Nullable Object> T call(String operation, Effect<T> effect)
            throws StorageException, MemoryExhaustedException {
        travel();
        if (mood.concerns(operation) && random.nextDouble() < mood.refused()) {
            throw new StorageException(Kind.THROTTLED, operation + ": simulated 503", null);
        }
        if (!container.isThere()) {
            throw new StorageException(Kind.MISSING, operation + ": there is no container", null);
        }
        StorageTrouble happens = way.of(operation);
        Kind refusal = happens == null ? null : happens.refusal();
        if (refusal != null) {
            throw new StorageException(refusal, operation + ": simulated " + happens, null);
        }
        T answer = effect.run(happens);
        back(answer);
        if (happens == StorageTrouble.ASKED_TWICE) {
            answer = effect.run(happens);
            back(answer);
        } else if (happens == StorageTrouble.ASKED_TWICE_TOO_OFTEN) {
            throw new StorageException(Kind.THROTTLED, operation + ": simulated 503 in place of a lost answer", null)
                    .afterLostAnswer();
        }
        if (mood.concerns(operation) && random.nextDouble() < mood.unanswered()) {
            release(answer);
            throw new StorageException(Kind.UNAVAILABLE, operation + ": simulated loss of the answer", null);
        }
        return answer;
    }

    /** Waits until an answer comes; releases the answer if its caller is interrupted. */
    private void back(@Nullable Object answer) throws StorageException {
        boolean came = false;
        try {
            travel();
            came = true;
        } finally {
            if (!came) {
                release(answer);
            }
        }
    }

    private static void release(@Nullable Object answer) {
        if (answer instanceof Blob blob) {
            blob.memory().release();
        } else if (answer instanceof BlobChange.Changed changed) {
            release(changed.got());
        }
    }

    private void travel() throws StorageException {
        try {
            Waits.sleep(Duration.ofNanos((QUICK + random.nextLong(SPREAD)) / 2 * mood.slowed()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException(Kind.UNAVAILABLE, "interrupted", e);
        }
    }

    /** Makes a call that needs no memory for blocks, such as a put. */
    private <T> T put(String operation, Effect<T> effect) throws StorageException {
        try {
            return call(operation, effect);
        } catch (MemoryExhaustedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public @Nullable Got get(String name, int most, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        return call("get", happens -> got(arriving(name, happens), most, allocator));
    }

    private @Nullable StoredBlob arriving(String name, @Nullable StorageTrouble happens) {
        StoredBlob blob = container.get(name);
        return blob == null ? null : way.arriving(blob, happens);
    }

    private static @Nullable Got got(@Nullable StoredBlob blob, int most, Allocator allocator)
            throws MemoryExhaustedException {
        if (blob == null) {
            return null;
        }
        if (WrongSizeBlob.is(blob.length(), most)) {
            return new WrongSizeBlob(blob.etag(), blob.length());
        }
        return blob(blob, 0, blob.length(), allocator);
    }

    private static Blob blob(StoredBlob blob, int offset, int length, Allocator allocator)
            throws MemoryExhaustedException {
        BlockMemory memory = allocator.allocate(length);
        memory.bytes().put(blob.bytes().slice(offset, length));
        return new Blob(memory, blob.etag(), blob.length());
    }

    @Override
    public @Nullable Blob getRange(String name, long offset, int length, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        return call("getRange", happens -> {
            StoredBlob blob = arriving(name, happens);
            if (blob == null || offset >= blob.length()) {
                return null;
            }
            return blob(blob, (int) offset, (int) Math.min(length, blob.length() - offset), allocator);
        });
    }

    @Override
    public BlobChange getIfChanged(String name, String etag, int most, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        return call("getIfChanged", happens -> {
            StoredBlob blob = arriving(name, happens);
            if (blob != null && blob.etag().equals(etag)) {
                return new BlobChange.Unchanged();
            }
            Got got = got(blob, most, allocator);
            return got == null ? new BlobChange.BlobGone() : new BlobChange.Changed(got);
        });
    }

    @Override
    public PutResult putIfAbsent(String name, ByteBuffer content) throws StorageException {
        return put(
                "putIfAbsent",
                happens -> container.get(name) != null
                        ? new PutResult.ConditionFailed(happens == StorageTrouble.ASKED_TWICE)
                        : new PutResult.Stored(container.put(name, content, now())));
    }

    @Override
    public PutResult putIfMatch(String name, ByteBuffer content, String etag) throws StorageException {
        return put("putIfMatch", happens -> {
            StoredBlob blob = container.get(name);
            return blob == null || !blob.etag().equals(etag)
                    ? new PutResult.ConditionFailed(happens == StorageTrouble.ASKED_TWICE)
                    : new PutResult.Stored(container.put(name, content, now()));
        });
    }

    private static long now() {
        return World.current().nanos();
    }

    @Override
    public boolean exists(String name) throws StorageException {
        return put("exists", _ -> isReadable(container.get(name)));
    }

    private static boolean isReadable(@Nullable StoredBlob blob) {
        return blob != null && !WrongSizeBlob.is(blob.length());
    }

    @Override
    public boolean deleteIfMatch(String name, String etag) throws StorageException {
        return put("deleteIfMatch", _ -> {
            StoredBlob blob = container.get(name);
            if (blob == null || !blob.etag().equals(etag)) {
                return false;
            }
            container.remove(name);
            return true;
        });
    }

    @Override
    public BlobPage list(String prefix, @Nullable String after, int limit) throws StorageException {
        return put("list", _ -> {
            List<Listed> found = new ArrayList<>();
            String from = after == null ? BlobName.requirePrefix(prefix) : after;
            for (Map.Entry<String, StoredBlob> entry :
                    container.from(from, after == null).entrySet()) {
                if (!entry.getKey().startsWith(prefix)) {
                    break;
                }
                if (found.size() == limit) {
                    return new BlobPage(found, found.getLast().name());
                }
                StoredBlob blob = entry.getValue();
                found.add(new Listed(entry.getKey(), blob.length(), Instant.EPOCH.plusNanos(blob.at()), false));
            }
            return new BlobPage(found, null);
        });
    }

    @Override
    public void close() {
        // The container outlives the stores that show it.
    }
}
