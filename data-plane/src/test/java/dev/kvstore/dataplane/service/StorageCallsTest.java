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

/** What calls cost in storage. */
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
        PromptChunk chunk = Chunks.first(Chunks.buffer(4_000_000, 1), 1);
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
    void aPromptThatIsStoredWholeCostsOneCheckAndTheNextLookupNone() {
        List<PromptChunk> chain = Chunks.chain(100, 512, 2);
        MainJobContract.writeAll(writer, chain);

        assertThat(cachedBlocks(chain)).isEqualTo(100);
        assertThat(calls("exists")).isEqualTo(1);
        assertThat(cachedBlocks(chain)).isEqualTo(100);
        assertThat(calls("exists")).isEqualTo(1);
    }

    @Test
    void aPromptThatIsStoredInPartCostsALogarithmOfChecks() {
        List<PromptChunk> chain = Chunks.chain(100, 512, 3);
        MainJobContract.writeAll(writer, chain.subList(0, 37));

        assertThat(cachedBlocks(chain)).isEqualTo(37);
        assertThat(calls("exists")).isLessThanOrEqualTo(8); // ceil(log2 100) + 1
    }

    @Test
    void aHoleIsNotFoundOnReadingAndBelievedNoMore() throws Exception {
        List<PromptChunk> chain = Chunks.chain(3, 512, 4);
        List<ByteString> locations = MainJobContract.writeAll(writer, chain);
        assertThat(cachedBlocks(chain)).isEqualTo(3);
        StoredFiles.delete(directory, chain.get(2).getHash());

        assertThat(Calls.read(reader, locations, 0).items())
                .extracting(part -> part.getStatus().getCode())
                .containsExactly(0, 0, 5);

        assertThat(cachedBlocks(chain)).isEqualTo(2);
    }

    @Test
    void aBlockInMemoryIsWrittenAgainForOneCheck() {
        PromptChunk chunk = Chunks.first(Chunks.buffer(5000, 5), 5);
        reader.stub().write(Chunks.write(DataPlaneFixture.RESOURCE, chunk));
        double before = calls("put_if_absent") + calls("get_range");

        WriteResponse again = reader.stub().write(Chunks.write(DataPlaneFixture.RESOURCE, chunk));

        assertThat(again.getOutcome()).isEqualTo(WriteResponse.Outcome.ALREADY_PRESENT);
        assertThat(calls("put_if_absent") + calls("get_range")).isEqualTo(before);
        assertThat(calls("exists")).isEqualTo(1);
    }

    @Test
    void aBlockInMemoryThatStorageHasLostIsStoredAgain() throws Exception {
        PromptChunk chunk = Chunks.first(Chunks.buffer(5000, 6), 6);
        reader.stub().write(Chunks.write(DataPlaneFixture.RESOURCE, chunk));
        StoredFiles.delete(directory, chunk.getHash());

        WriteResponse again = reader.stub().write(Chunks.write(DataPlaneFixture.RESOURCE, chunk));

        assertThat(again.getOutcome()).isEqualTo(WriteResponse.Outcome.STORED);
        assertThat(MainJobContract.read(writer, again.getLocation())).isEqualTo(chunk);
    }

    private int cachedBlocks(List<PromptChunk> chain) {
        return reader.stub().lookup(MainJobContract.lookup(chain)).getCachedBlocks();
    }

    private double calls(String operation) {
        Counter counter =
                meters.find("kvstore.storage.calls").tag("operation", operation).counter();
        return counter == null ? 0 : counter.count();
    }
}
