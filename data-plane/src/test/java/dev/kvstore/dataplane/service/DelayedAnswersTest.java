package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadPart;
import dev.kvstore.protocol.wire.WireNames;
import dev.kvstore.testing.Patience;
import io.grpc.Status;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A block is asked for, storage takes its time to say that it is absent, and meanwhile somebody stores it. */
final class DelayedAnswersTest {
    private static final int NOT_FOUND = Status.Code.NOT_FOUND.value();

    private final AnswersHeldBack storage = new AnswersHeldBack(new MemoryStore());
    private final DataPlaneFixture server = new DataPlaneFixture(
            new StorageLocation.Filesystem(Path.of("in-memory")),
            _ -> storage.store(),
            Map.of("memory-tier-size", "0"));
    private final PromptChunk chunk = TestChains.first(TestChains.buffer(5_000, 1), 1);
    private final ByteString location =
            WireNames.field(new Location(TestChains.PARTITION.root(), WireNames.hash(chunk.getHash())));

    @AfterEach
    void close() {
        storage.letAnswer();
        server.close();
    }

    @Test
    void anAnswerFromBeforeTheWriteDoesNotHaveLookupDenyTheBlock() {
        CompletableFuture<List<ReadPart>> early = readHeldBack();
        MainJobContract.writeAll(server, List.of(chunk));

        storage.letAnswer();

        assertThat(early.join())
                .singleElement()
                .satisfies(part -> assertThat(part.getStatus().getCode()).isEqualTo(NOT_FOUND));
        assertThat(server.stub().lookup(MainJobContract.lookup(List.of(chunk))).getCachedBlocks())
                .isEqualTo(1);
    }

    @Test
    void whoAsksAfterTheWriteGetsTheBlockAlthoughAnEarlierReadIsUnderWay() {
        CompletableFuture<List<ReadPart>> early = readHeldBack();
        MainJobContract.writeAll(server, List.of(chunk));

        CompletableFuture<List<ReadPart>> late = read();
        await().atMost(Patience.LIMIT).until(() -> late.isDone() || storage.heldBack() == 2);
        storage.letAnswer();

        assertThat(StreamCalls.buffers(late.join())).containsEntry(0, chunk.getBuffer());
        early.join();
    }

    private CompletableFuture<List<ReadPart>> readHeldBack() {
        storage.holdBack();
        CompletableFuture<List<ReadPart>> read = read();
        await().atMost(Patience.LIMIT).until(() -> storage.heldBack() == 1);
        return read;
    }

    private CompletableFuture<List<ReadPart>> read() {
        return CompletableFuture.supplyAsync(
                () -> StreamCalls.read(server, List.of(location), 1 << 20).items(), Thread::startVirtualThread);
    }
}
