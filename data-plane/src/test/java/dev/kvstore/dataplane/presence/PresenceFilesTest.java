package dev.kvstore.dataplane.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.presence.log.OthersLogs;
import dev.kvstore.dataplane.presence.log.PresenceFiles;
import dev.kvstore.dataplane.presence.snapshot.Sealed;
import dev.kvstore.dataplane.storage.MemoryStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Presence files that are damaged, gone, of the future or not there yet. */
final class PresenceFilesTest extends PresenceSetup {
    @Test
    void whatWasStoredBeforePresenceIsFoundByAListing() throws Exception {
        block(spread(7));
        describe();

        PartitionPresence process = process("a");

        assertThat(process.prepare()).isTrue(); // the listing ran at once
        assertThat(process.mightContain(spread(7))).isTrue();
        assertThat(process.mightContain(spread(8))).isFalse();
    }

    @Test
    void aDamagedSnapshotIsMadeAnew() throws Exception {
        PartitionPresence writer = process("a");
        store(writer, 1);
        writer.beat(true);
        Files.write(file("snapshot"), new byte[] {1, 2, 3});

        PartitionPresence process = process("b");

        assertThat(process.prepare()).isTrue();
        assertThat(process.mightContain(1)).isTrue();
    }

    @Test
    void aListingLeavesOutBlocksThatNobodyCanRead() throws Exception {
        MemoryStore blobs = new MemoryStore();
        for (int i = 1; i <= 2; i++) {
            var _ = blobs.putIfAbsent(blob(spread(i)), ByteBuffer.wrap(new byte[] {1}));
        }
        blobs.archive(blob(spread(2)));
        List<Long> listed = new ArrayList<>();

        new PresenceFiles(blobs, pool, ROOT).forEachBlock(listed::add);

        assertThat(listed).containsExactly(spread(1));
    }

    @Test
    void aPartitionWhoseDescriptorIsArchivedIsNotNew() throws Exception {
        MemoryStore blobs = new MemoryStore();
        String descriptor = "kv/v1/" + ROOT.hex() + "/partition.json";
        PresenceFiles files = new PresenceFiles(blobs, pool, ROOT);
        assertThat(files.isInhabited()).isFalse();
        var _ = blobs.putIfAbsent(descriptor, ByteBuffer.wrap(new byte[] {1}));
        blobs.archive(descriptor);

        assertThat(files.isInhabited()).isTrue();
    }

    @Test
    void aSnapshotThatLostAPartIsMadeAnew() throws Exception {
        mergedPartition();
        Files.delete(part());

        PartitionPresence process = process("b");

        assertThat(process.prepare()).isTrue();
        assertThat(process.mightContain(spread(0))).isTrue();
    }

    @Test
    void aSnapshotWithADamagedPartIsMadeAnew() throws Exception {
        mergedPartition();
        byte[] bytes = Files.readAllBytes(part());
        bytes[40] ^= 1;
        Files.write(part(), bytes);

        PartitionPresence process = process("b");

        assertThat(process.prepare()).isTrue();
        assertThat(process.mightContain(spread(0))).isTrue();
    }

    @Test
    void aSnapshotOfBloomFiltersIsMadeAnew() throws Exception {
        mergedPartition();
        Files.write(file("snapshot"), empty(1));

        PartitionPresence process = process("b");

        assertThat(process.prepare()).isTrue();
        assertThat(process.mightContain(spread(0))).isTrue();
        assertThat(process.mightContain(spread(1000))).isFalse();
    }

    @Test
    void aSnapshotOfTheFutureIsLeftAloneAndDeniesNothing() throws Exception {
        mergedPartition();
        Files.write(file("snapshot"), empty(3));

        PartitionPresence process = process("b");

        assertThat(process.prepare()).isFalse();
        assertThat(Files.readAllBytes(file("snapshot"))).isEqualTo(empty(3));
    }

    @Test
    void aSnapshotThatIsGoneIsNoticedAndMadeAnew() throws Exception {
        mergedPartition();
        PartitionPresence process = process("b");
        process.prepare();
        Files.delete(file("snapshot"));
        advance(PartitionPresence.STALE);

        assertThat(process.prepare()).isTrue();

        assertThat(file("snapshot")).exists();
        assertThat(process.mightContain(spread(0))).isTrue();
        assertThat(process.mightContain(spread(1000))).isFalse();
    }

    @Test
    void aDamagedLogIsMadeUpForByAListing() throws Exception {
        PartitionPresence writer = process("a");
        store(writer, 1);
        writer.beat(true);
        Files.write(file(logs().getFirst()), new byte[100]);

        PartitionPresence process = process("b");
        assertThat(process.prepare()).isFalse();
        advance(OthersLogs.DEAD);

        assertThat(process.prepare()).isTrue();
        assertThat(process.mightContain(1)).isTrue();
    }

    /** A snapshot that says that there is nothing. */
    private static byte[] empty(int version) {
        ByteBuffer bytes = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put("KVPS".getBytes(StandardCharsets.US_ASCII))
                .putInt(version)
                .putLong(1)
                .putInt(0);
        return Sealed.seal(bytes).array();
    }
}
