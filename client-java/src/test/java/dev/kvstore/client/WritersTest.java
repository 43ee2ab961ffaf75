package dev.kvstore.client;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadPart;
import dev.kvstore.protocol.v1.ReadRequest;
import dev.kvstore.protocol.v1.ReadResponse;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.v1.WriteRequest;
import dev.kvstore.protocol.v1.WriteResponse;
import dev.kvstore.protocol.wire.WireNames;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Readers that name writers, before a server that does not know what that means: it sends blocks of anybody. */
class WritersTest {
    private static final int BYTES = 5000;
    private static final CallOptions TRUSTED = CallOptions.DEFAULT.withWriters("good-1", "good-2");

    private final List<List<String>> asked = new CopyOnWriteArrayList<>();
    private final BlockChain chain = SdkBlocks.chain(3);

    /** The second block is another writer's. */
    private final StoringScript script = new StoringScript() {
        @Override
        public void read(ReadRequest request, StreamObserver<ReadResponse> answer) {
            asked.add(request.getWritersList());
            int index = WireNames.field(chain.location(1)).equals(request.getLocation()) ? 1 : 0;
            answer.onNext(ReadResponse.newBuilder()
                    .setChunk(SdkBlocks.chunk(chain, index, BYTES).toBuilder().setWriter(writer(index)))
                    .build());
            answer.onCompleted();
        }

        @Override
        public StreamObserver<StreamingReadRequest> streamingRead(StreamObserver<StreamingReadResponse> answer) {
            StreamObserver<StreamingReadRequest> requests = super.streamingRead(answer);
            return new StreamObserver<>() {
                @Override
                public void onNext(StreamingReadRequest request) {
                    asked.add(request.getWritersList());
                    requests.onNext(request);
                }

                @Override
                public void onError(Throwable failure) {
                    requests.onError(failure);
                }

                @Override
                public void onCompleted() {
                    requests.onCompleted();
                }
            };
        }

        @Override
        void send(ReadPart.Builder part, StreamObserver<StreamingReadResponse> answer) {
            if (part.hasHead()) {
                part.getHeadBuilder().setWriter(writer(part.getIndex()));
            }
            super.send(part, answer);
        }

        @Override
        public void write(WriteRequest request, StreamObserver<WriteResponse> answer) {
            WriteResponse stored =
                    store(Partition.of(request.getPartition(), request.getBlockTokens()), request.getChunk());
            answer.onNext(
                    stored.toBuilder().clearStoredCrc32C().clearStoredBytes().build());
            answer.onCompleted();
        }
    };

    private final ScriptedServer server = new ScriptedServer(script);
    private final KvClient client = KvClient.builder()
            .endpoints(server.endpoint())
            .apiKey("kv_test")
            .resource("demo")
            .build();

    private static String writer(int index) {
        return index == 1 ? "other" : "good-1";
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    @Test
    void blocksSayWhoWroteThem() {
        store();
        try (BlockStream blocks = client.read(chain)) {
            assertThat(writer(blocks.next())).isEqualTo("good-1");
            assertThat(writer(blocks.next())).isEqualTo("other");
        }
        try (Block block = client.readBlock(chain.location(1))) {
            assertThat(block.writer()).isEqualTo("other");
        }
        assertThat(asked).containsOnly(List.of());
    }

    @Test
    void blocksOfOthersAreMissing() {
        store();
        try (BlockStream blocks = client.read(chain, TRUSTED)) {
            assertThat(writer(blocks.next())).isEqualTo("good-1");
            assertThat(blocks.next())
                    .isInstanceOfSatisfying(
                            BlockResult.Missing.class,
                            missing -> assertThat(missing.index()).isEqualTo(1));
            assertThat(writer(blocks.next())).isEqualTo("good-1");
            assertThat(blocks.next()).isNull();
        }
        assertThatThrownBy(() -> client.readBlock(chain.location(1), TRUSTED))
                .isInstanceOfSatisfying(
                        KvStoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
        try (Block block = client.readBlock(chain.location(0), TRUSTED)) {
            assertThat(block.writer()).isEqualTo("good-1");
        }
        assertThat(asked).containsOnly(List.of("good-1", "good-2"));
    }

    @Test
    void writersAreFewAndIdsOfKeys() {
        assertThatThrownBy(() -> CallOptions.DEFAULT.withWriters("kv_id_secret"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("writers");
        assertThatThrownBy(() -> CallOptions.DEFAULT.withWriters("a b c d e f g h i j k l m n o p q".split(" ")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("16");
    }

    @Test
    void whoIsNotToldWhatIsStoredKnowsNoDifference() {
        store();

        WriteResult result = client.write(SdkBlocks.PARTITION, SdkBlocks.newBlock(chain, 0, BYTES - 1));

        assertThat(result.outcome()).isEqualTo(WriteResult.Outcome.ALREADY_PRESENT);
        assertThat(result.storedBytes()).isZero();
        assertThat(result.differs()).isFalse();
    }

    private static String writer(@Nullable BlockResult result) {
        assertThat(result).isInstanceOf(BlockResult.Found.class);
        try (Block block = ((BlockResult.Found) requireNonNull(result)).block()) {
            return block.writer();
        }
    }

    private void store() {
        for (int i = 0; i < chain.size(); i++) {
            PromptChunk chunk = SdkBlocks.chunk(chain, i, BYTES);
            script.blocks.put(WireNames.field(chain.hash(i)), chunk);
        }
    }
}
