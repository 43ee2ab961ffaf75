package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.MeteredStore;
import dev.kvstore.dataplane.storage.filesystem.FilesystemStore;
import dev.kvstore.dataplane.tier.disk.DiskState.Condition;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.WriteResponse;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A data plane with a disk below its memory. */
final class DiskTierServiceTest {
    private static final int BLOCKS = 40;
    private static final int BYTES = 100_000;
    private static final int PAGE = 4096;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<PromptChunk> chain = TestChains.chain(BLOCKS, BYTES, 1);

    @TempDir
    private Path storage;

    @TempDir
    private Path disk;

    private DataPlaneFixture server;

    @BeforeEach
    void start() {
        server = open();
        await().untilAsserted(
                        () -> assertThat(server.disk().state().condition()).isEqualTo(Condition.WORKING));
    }

    private DataPlaneFixture open() {
        return new DataPlaneFixture(
                new StorageLocation.Filesystem(storage),
                location -> new MeteredStore(FilesystemStore.open(storage, InstantSource.system()), meters),
                // Room for a dozen blocks in memory.
                Map.of("memory-tier-size", "2M", "disk-tier-size", "512M", "disk-tier-path", disk.toString()));
    }

    @AfterEach
    void everyByteIsGivenBack() {
        try {
            awaitWritten();
        } finally {
            server.close();
        }
    }

    @Test
    void whatMemoryCannotHoldIsReadWithoutStorage() {
        List<ByteString> locations = writeAll();
        double before = calls("get");

        assertReadable(locations);

        assertThat(calls("get")).isEqualTo(before);
        assertThat(server.disk().counters().hits().sum()).isPositive();
    }

    @Test
    void afterARestartNothingIsReadFromStorage() {
        List<ByteString> locations = writeAll();
        double before = calls("get");
        restart();

        assertReadable(locations);

        assertThat(calls("get")).isEqualTo(before);
    }

    @Test
    void afterARestartALookupAsksStorageNothing() {
        writeAll();
        restart();
        double before = calls("exists");

        assertThat(server.stub().lookup(MainJobContract.lookup(chain)).getCachedBlocks())
                .isEqualTo(BLOCKS);

        assertThat(calls("exists")).isEqualTo(before);
    }

    @Test
    void afterARestartALookupKnowsLengthsFromTheDisk() {
        writeAll();
        restart();
        double before = calls("get_range");
        int bytes = chain.getFirst().getBuffer().size();
        LookupRequest.Builder lookup = MainJobContract.lookup(chain).toBuilder();

        assertThat(server.stub().lookup(lookup.setExpectedBytes(bytes).build()).getCachedBlocks())
                .isEqualTo(BLOCKS);
        assertThat(server.stub()
                        .lookup(lookup.setExpectedBytes(bytes - 1).build())
                        .getCachedBlocks())
                .isZero();

        assertThat(calls("get_range")).isEqualTo(before);
    }

    @Test
    void aBlockDamagedOnDiskComesFromStorageWhichIsLeftAsItIs() throws Exception {
        PromptChunk chunk = chain.getFirst();
        ByteString location = MainJobContract.writeAll(server, List.of(chunk)).getFirst();
        server.close();
        flipByteOfFirstBlock();
        start();
        double before = calls("get");

        assertThat(MainJobContract.read(server, location)).isEqualTo(chunk);

        assertThat(calls("get")).isEqualTo(before + 1);
        assertThat(calls("delete_if_match")).isZero();
        assertThat(StoredFiles.exists(storage, chunk.getHash())).isTrue();
        assertThat(server.disk().counters().damaged().sum()).isEqualTo(1);
    }

    @Test
    void aBlockThatStorageLostIsStoredAnewAndItsOldCopyOnDiskIsServedNoMore() throws Exception {
        PromptChunk old = chain.getFirst();
        MainJobContract.writeAll(server, List.of(old));
        restart();
        StoredFiles.delete(storage, old.getHash());
        PromptChunk anew = TestChains.first(TestChains.buffer(BYTES, 99), 1);
        assertThat(anew.getHash()).isEqualTo(old.getHash());

        WriteResponse written = server.stub().write(TestChains.write(DataPlaneFixture.RESOURCE, anew));

        assertThat(written.getOutcome()).isEqualTo(WriteResponse.Outcome.STORED);
        assertThat(MainJobContract.read(server, written.getLocation())).isEqualTo(anew);
        restart();
        assertThat(MainJobContract.read(server, written.getLocation())).isEqualTo(anew);
    }

    @Test
    void aBlockOnDiskIsWrittenAgainAsOneThatIsPresent() {
        MainJobContract.writeAll(server, chain.subList(0, 1));
        restart();

        WriteResponse again = server.stub().write(TestChains.write(DataPlaneFixture.RESOURCE, chain.getFirst()));

        assertThat(again.getOutcome()).isEqualTo(WriteResponse.Outcome.ALREADY_PRESENT);
    }

    @Test
    void aSecondProcessOnTheFolderServesFromStorage() {
        List<ByteString> locations = writeAll();
        try (DataPlaneFixture second = open()) {
            await().untilAsserted(
                            () -> assertThat(second.disk().state().condition()).isEqualTo(Condition.UNUSABLE));

            assertThat(MainJobContract.read(second, locations.getFirst())).isEqualTo(chain.getFirst());
        }
    }

    private void restart() {
        server.close();
        start();
    }

    private List<ByteString> writeAll() {
        List<ByteString> locations = new ArrayList<>();
        for (PromptChunk chunk : chain) {
            locations.addAll(MainJobContract.writeAll(server, List.of(chunk)));
            awaitWritten();
        }
        assertThat(server.disk().counters().dropped().sum()).isZero();
        return locations;
    }

    /** Blocks that left memory are on disk. */
    private void awaitWritten() {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .untilAsserted(() -> assertThat(server.transferBytes()).isZero());
    }

    private void assertReadable(List<ByteString> locations) {
        for (int i = 0; i < BLOCKS; i++) {
            assertThat(MainJobContract.read(server, locations.get(i))).isEqualTo(chain.get(i));
            awaitWritten();
        }
    }

    private void flipByteOfFirstBlock() throws IOException {
        try (Stream<Path> files = Files.list(disk)) {
            Path region = files.filter(file -> file.getFileName().toString().startsWith("region-"))
                    .findFirst()
                    .orElseThrow();
            try (RandomAccessFile bytes = new RandomAccessFile(region.toFile(), "rw")) {
                // Behind the batch's directory and the block's header.
                long at = 2L * PAGE + 50;
                bytes.seek(at);
                int before = bytes.read();
                bytes.seek(at);
                bytes.write(before ^ 1);
            }
        }
    }

    private double calls(String operation) {
        Counter counter =
                meters.find("kvstore.storage.calls").tag("operation", operation).counter();
        return counter == null ? 0 : counter.count();
    }
}
