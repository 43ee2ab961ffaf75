package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.MeteredStore;
import dev.kvstore.dataplane.storage.filesystem.FilesystemStore;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.WriteResponse;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The storage calls of reading and writing. */
final class StorageCallsTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    @TempDir
    private Path directory;

    private DataPlaneFixture writer;
    private DataPlaneFixture reader;

    @BeforeEach
    void start() {
        writer = new DataPlaneFixture(
                new StorageLocation.Filesystem(directory),
                location -> FilesystemStore.open(directory, InstantSource.system()));
        reader = new DataPlaneFixture(
                new StorageLocation.Filesystem(directory),
                location -> new MeteredStore(FilesystemStore.open(directory, InstantSource.system()), meters));
    }

    @AfterEach
    void stop() {
        writer.close();
        reader.close();
    }

    @Test
    void fiftyReadersOfOneColdBlockCauseOneGet() {
        PromptChunk chunk = TestChains.first(TestChains.buffer(4_000_000, 1), 1);
        ByteString location = MainJobContract.writeAll(writer, List.of(chunk)).getFirst();

        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<PromptChunk>> reads = IntStream.range(0, 50)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> MainJobContract.read(reader, location), clients))
                    .toList();
            assertThat(reads).allSatisfy(read -> assertThat(read.join()).isEqualTo(chunk));
        }

        assertThat(calls("get")).isEqualTo(1);
    }

    @Test
    void aBlockInMemoryIsWrittenAgainForOneCheck() {
        PromptChunk chunk = TestChains.first(TestChains.buffer(5000, 5), 5);
        reader.stub().write(TestChains.write(DataPlaneFixture.RESOURCE, chunk));
        double before = calls("put_if_absent") + calls("exists");
        double checks = calls("get_range");

        WriteResponse again = reader.stub().write(TestChains.write(DataPlaneFixture.RESOURCE, chunk));

        assertThat(again.getOutcome()).isEqualTo(WriteResponse.Outcome.ALREADY_PRESENT);
        assertThat(calls("put_if_absent") + calls("exists")).isEqualTo(before);
        assertThat(calls("get_range")).isEqualTo(checks + 1);
    }

    @Test
    void aBlockInMemoryThatStorageHasLostIsStoredAgain() throws Exception {
        PromptChunk chunk = TestChains.first(TestChains.buffer(5000, 6), 6);
        reader.stub().write(TestChains.write(DataPlaneFixture.RESOURCE, chunk));
        StoredFiles.delete(directory, chunk.getHash());

        WriteResponse again = reader.stub().write(TestChains.write(DataPlaneFixture.RESOURCE, chunk));

        assertThat(again.getOutcome()).isEqualTo(WriteResponse.Outcome.STORED);
        assertThat(MainJobContract.read(writer, again.getLocation())).isEqualTo(chunk);
    }

    private double calls(String operation) {
        Counter counter =
                meters.find("kvstore.storage.calls").tag("operation", operation).counter();
        return counter == null ? 0 : counter.count();
    }
}
