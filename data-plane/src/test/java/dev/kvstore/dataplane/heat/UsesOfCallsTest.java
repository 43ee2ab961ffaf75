package dev.kvstore.dataplane.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.format.Crc32c;
import dev.kvstore.protocol.heat.Uses;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadRequest;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.v1.WriteRequest;
import dev.kvstore.protocol.wire.WireNames;
import io.grpc.stub.StreamObserver;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The calls that count as uses of a block. */
class UsesOfCallsTest {
    private static final Partition PARTITION = Partition.of("model");
    private static final ByteString BUFFER = ByteString.copyFromUtf8("a buffer");

    private final MemoryStore blobs = new MemoryStore();
    private final DataPlaneFixture server =
            new DataPlaneFixture(new StorageLocation.Filesystem(Path.of("in-memory")), _ -> blobs);

    @AfterEach
    void stop() {
        server.close();
    }

    private ByteString write() {
        return server.stub()
                .write(WriteRequest.newBuilder()
                        .setResourceName(DataPlaneFixture.RESOURCE)
                        .setPartition(PARTITION.name())
                        .setChunk(PromptChunk.newBuilder()
                                .addAllTokens(Collections.nCopies(PARTITION.blockTokens(), 7))
                                .setBuffer(BUFFER)
                                .setCrc32C(Crc32c.of(ByteBuffer.wrap(BUFFER.toByteArray()))))
                        .build())
                .getLocation();
    }

    private void assertUsed(int times) {
        assertThat(server.heat().tell(10)).singleElement().satisfies(use -> {
            assertThat(use.block().resourceName()).isEqualTo(DataPlaneFixture.RESOURCE);
            assertThat(use.block().key().root()).isEqualTo(PARTITION.root());
            assertThat(use.block().parent()).isEqualTo(PARTITION.root().a());
            assertThat(use.block().bytes()).isEqualTo(BUFFER.size());
            assertThat(Uses.count(use.uses(), Instant.now())).isCloseTo(times, within(times * 0.2));
        });
    }

    @Test
    void aWriteIsAUseWhetherTheBlockIsNewOrNot() {
        write();
        assertUsed(1);

        write();
        assertUsed(1);
    }

    @Test
    void aReadIsAUseFromMemoryAndFromStorage() {
        ByteString location = write();
        server.heat().tell(10);
        ReadRequest read = ReadRequest.newBuilder()
                .setResourceName(DataPlaneFixture.RESOURCE)
                .setLocation(location)
                .build();

        var _ = server.stub().read(read);
        var _ = server.stub().read(read);

        assertUsed(2);
    }

    @Test
    void eachBlockThatAStreamSendsIsUsed() throws Exception {
        ByteString location = write();
        server.heat().tell(10);
        CompletableFuture<Void> ended = new CompletableFuture<>();
        StreamObserver<StreamingReadRequest> requests = server.asyncStub()
                .streamingRead(new StreamObserver<StreamingReadResponse>() {
                    @Override
                    public void onNext(StreamingReadResponse response) {}

                    @Override
                    public void onError(Throwable why) {
                        ended.completeExceptionally(why);
                    }

                    @Override
                    public void onCompleted() {
                        ended.complete(null);
                    }
                });
        ByteString missing = WireNames.field(new Location(PARTITION.root(), new BlockHash(1, 2, 3, 4)));
        requests.onNext(StreamingReadRequest.newBuilder()
                .setResourceName(DataPlaneFixture.RESOURCE)
                .addAllLocations(List.of(location, missing, location, location))
                .build());
        requests.onCompleted();
        ended.get(60, TimeUnit.SECONDS);

        assertUsed(3);
    }

    @Test
    void aLookupIsNoUse() {
        ByteString location = write();
        server.heat().tell(10);

        var _ = server.stub()
                .lookup(LookupRequest.newBuilder()
                        .setResourceName(DataPlaneFixture.RESOURCE)
                        .setPartition(PARTITION.name())
                        .setBlockHashes(location.substring(location.size() - BlockHash.BYTES))
                        .build());

        assertThat(server.heat().tell(10)).isEmpty();
    }
}
