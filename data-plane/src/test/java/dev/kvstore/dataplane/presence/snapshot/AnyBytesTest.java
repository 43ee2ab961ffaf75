package dev.kvstore.dataplane.presence.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.storage.MemoryStore;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Whatever a snapshot's blobs hold, they are decoded or refused, and what is decoded answers. */
final class AnyBytesTest {
    private static final String FOLDER = "f/";

    @Property(tries = 1000)
    void anyBytesAreAManifestOrRefused(@ForAll @Size(max = 200) byte[] body, @ForAll boolean plausible) {
        decode(() -> Manifest.decode(sealed("KVPS", 2, body, plausible ? 8 : -1)));
    }

    @Property(tries = 1000)
    void anyBytesAreAPartOrRefused(@ForAll @Size(max = 300) byte[] body) {
        decode(() -> SnapshotPart.decode(sealed("KVPF", 1, body, -1), 1));
    }

    /**
     * A part of ours of which some bytes are others, and whose checksum holds: it can be asked, gone through and
     * merged.
     */
    @Property(tries = 2000)
    void aPartOfWhichBytesAreOthersIsRefusedOrAnswers(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 600) int size,
            @ForAll @IntRange(min = 1, max = 8) int changes,
            @ForAll boolean crammed)
            throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        long[] ascending = random.longs(size, 0, crammed ? 1 << 12 : 1L << Fingerprint.BITS)
                .sorted()
                .distinct()
                .toArray();
        ByteBuffer bytes = new SnapshotPart(1, Fingerprints.of(ascending, ascending.length))
                .encode()
                .order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < changes; i++) {
            bytes.put(16 + random.nextInt(bytes.limit() - 20), (byte) random.nextInt());
        }
        Sealed.seal(bytes.position(bytes.limit() - Integer.BYTES));
        SnapshotPart part;
        try {
            part = SnapshotPart.decode(bytes, 1);
        } catch (UnreadableException e) {
            return;
        }
        FingerprintRun run = new FingerprintRun(List.of(part));
        KeyBatch questions = new KeyBatch();
        for (int i = 0; i < KeyBatch.MAX; i++) {
            long key = i % 2 == 0 ? random.nextLong() : ascending[i % ascending.length] << 28;
            questions.add(key);
            run.contains(Fingerprint.of(key));
        }
        run.contains(questions, -1L);
        try {
            run.sieved();
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessage("fingerprints are out of order");
        }
        assertIsMergedOrRefused(part);
    }

    private static void assertIsMergedOrRefused(SnapshotPart part) throws Exception {
        MemoryStore store = new MemoryStore();
        SnapshotFiles files = new SnapshotFiles(store, new MemoryPool(1 << 20, Duration.ZERO), FOLDER, new Random(1));
        SnapshotVersion<Snapshot> known =
                new SnapshotVersion<>(new Snapshot(1, List.of(new FingerprintRun(List.of(part)))), "1");
        long[] news = new SplittableRandom(1).longs(1_000).toArray();
        try {
            assertThat(files.merge(known, news))
                    .as("the one before is not there")
                    .isNull();
        } catch (UnreadableException e) {
            assertThat(e.isBeyondLimits()).isTrue();
        }
    }

    @Test
    void aPartThatClaimsMoreThanItHasTakesNoHeap() {
        for (int size : new int[] {Integer.MIN_VALUE, Fingerprints.MAX_SIZE, Integer.MAX_VALUE}) {
            ByteBuffer body = ByteBuffer.allocate(38).order(ByteOrder.LITTLE_ENDIAN);
            body.putLong(1).putLong(0).putLong((1L << Fingerprint.BITS) - 1).putInt(size);
            ByteBuffer part = sealed("KVPF", 1, body.array(), -1);
            var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
            decode(() -> SnapshotPart.decode(part, 1));
            long before = threads.getCurrentThreadAllocatedBytes();

            assertThatExceptionOfType(UnreadableException.class).isThrownBy(() -> SnapshotPart.decode(part, 1));

            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1 << 20);
        }
    }

    /** Such a set held every question up for as long as it is large. */
    @Test
    void aPartWhoseFingerprintsAreInOneBucketIsRefused() {
        long[] ascending = new long[100_000];
        Arrays.setAll(ascending, i -> i);
        ascending[ascending.length - 1] = (1L << Fingerprint.BITS) - 1;
        ByteBuffer part = new SnapshotPart(1, Fingerprints.of(ascending, ascending.length)).encode();

        assertThatExceptionOfType(UnreadableException.class)
                .isThrownBy(() -> SnapshotPart.decode(part, 1))
                .matches(UnreadableException::isBeyondLimits);
    }

    /** Names of blobs may be such, and our own listing must not make what nobody reads. */
    @Test
    void keysThatAreNoHashesMakeNoPart() {
        MemoryStore store = new MemoryStore();
        SnapshotFiles files = new SnapshotFiles(store, new MemoryPool(1 << 20, Duration.ZERO), FOLDER, new Random(1));

        assertThatExceptionOfType(UnreadableException.class)
                .isThrownBy(() -> files.put(null, 1, visitor -> {
                    for (long key = 0; key < 100_000; key++) {
                        visitor.visit(key << 28);
                    }
                    visitor.visit(-1);
                }))
                .matches(UnreadableException::isBeyondLimits);
        assertThat(store.list(FOLDER, null, 10).names()).isEmpty();
    }

    private interface ByteDecoding {
        Object run() throws UnreadableException;
    }

    private static void decode(ByteDecoding decoding) {
        try {
            assertThat(decoding.run()).isNotNull();
        } catch (UnreadableException e) {
            assertThat(e.isNewer()).isFalse();
        }
    }

    /** @param count where a small number is put in place of what is there, or -1 */
    private static ByteBuffer sealed(String magic, int version, byte[] body, int count) {
        ByteBuffer bytes = ByteBuffer.allocate(8 + body.length + Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(magic.getBytes(StandardCharsets.US_ASCII)).putInt(version).put(body);
        if (count >= 0 && body.length >= count + 8) {
            bytes.putInt(8 + count, 1).putInt(8 + count + 4, Math.floorMod(body[0], 8));
        }
        return Sealed.seal(bytes);
    }
}
