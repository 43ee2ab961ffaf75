package dev.kvstore.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.wire.WireNames;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The client against a server that does as the wire says. */
@ParameterizedClass
@EnumSource(TransportOptions.Stack.class)
class KvClientTest {
    private static final int BYTES = 600_000;

    private final StoringScript script = new StoringScript();
    private final ScriptedServer server = new ScriptedServer(script);
    private final KvClient client;

    KvClientTest(TransportOptions.Stack stack) {
        client = KvClient.builder()
                .endpoints(server.endpoint())
                .apiKey("kv_test")
                .resource("demo")
                .transport(TransportOptions.DEFAULT.withStack(stack))
                .build();
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void nothingIsCachedBeforeAnythingIsWritten() {
        BlockChain chain = SdkBlocks.chain(3);
        assertThat(client.lookup(SdkBlocks.PARTITION, chain)).isEqualTo(new Prefix(0, chain.root()));
    }

    @Test
    void everyCallCarriesTheKey() {
        client.lookup(SdkBlocks.PARTITION, SdkBlocks.chain(1));
        assertThat(server.credentials()).containsExactly("Bearer kv_test");
    }

    @Test
    void lookupFindsThePrefixThatWasWritten() {
        BlockChain chain = SdkBlocks.chain(5);
        store(chain, 3);
        assertThat(client.lookup(SdkBlocks.PARTITION, chain)).isEqualTo(new Prefix(3, chain.hash(2)));
    }

    @Test
    void severalPartitionsAreLookedUpInOneCall() {
        BlockChain chain = SdkBlocks.chain(5);
        Partition other = Partition.of("llama/rev1/fp16/rank1", 4);
        BlockChain others = BlockChain.of(other, Tokens.of(SdkBlocks.tokens(5)));
        store(chain, 3);
        script.blocks.put(WireNames.field(others.hash(0)), SdkBlocks.chunk(chain, 0, BYTES));

        CommonPrefix found = client.lookupAll(
                List.of(new PartitionChain(SdkBlocks.PARTITION, chain), new PartitionChain(other, others)));

        assertThat(found)
                .isEqualTo(new CommonPrefix(1, List.of(new Prefix(3, chain.hash(2)), new Prefix(1, others.hash(0)))));
        assertThat(server.credentials()).hasSize(1);
    }

    @Test
    void aServerThatKnowsNoLookupOfSeveralPartitionsIsAskedForOneAfterTheOther() {
        BlockChain chain = SdkBlocks.chain(5);
        store(chain, 3);
        script.knowsLookupAll = false;

        CommonPrefix found = client.lookupAll(List.of(
                new PartitionChain(SdkBlocks.PARTITION, chain),
                new PartitionChain(SdkBlocks.PARTITION, chain.prefix(2))));

        assertThat(found.cachedBlocks()).isEqualTo(2);
        assertThat(found.each()).extracting(Prefix::cachedBlocks).containsExactly(3, 2);
        assertThat(server.credentials()).hasSize(3);
    }

    @Test
    void partitionsThatAreLookedUpTogetherHaveEqualTokensPerBlock() {
        Partition other = Partition.of("other", 8);
        PartitionChain odd = new PartitionChain(other, BlockChain.of(other, Tokens.of(SdkBlocks.tokens(2))));
        PartitionChain usual = new PartitionChain(SdkBlocks.PARTITION, SdkBlocks.chain(1));

        assertThatThrownBy(() -> client.lookupAll(List.of(usual, odd)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("equal tokens per block");
        assertThatThrownBy(() -> client.lookupAll(List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> client.lookupAll(Collections.nCopies(65, usual)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aStreamingReadBringsEveryBlockInOrderWithItsBytes() {
        BlockChain chain = SdkBlocks.chain(20);
        store(chain, 20);
        int index = 0;
        try (BlockStream blocks = client.read(chain)) {
            for (BlockResult result : blocks) {
                Block block = ((BlockResult.Found) result).block();
                assertThat(block.index()).isEqualTo(index);
                assertThat(block.hash()).isEqualTo(chain.hash(index));
                assertThat(block.parent()).isEqualTo(chain.parent(index));
                assertThat(SdkBlocks.bytes(block)).isEqualTo(SdkBlocks.payload(index, BYTES));
                index++;
            }
        }
        assertThat(index).isEqualTo(20);
    }

    @Test
    void aBlockThatIsNotThereIsMissingAndTheOthersCome() {
        BlockChain chain = SdkBlocks.chain(3);
        store(chain, 3);
        script.blocks.remove(WireNames.field(chain.hash(1)));
        List<Class<?>> kinds = new ArrayList<>();
        try (BlockStream blocks = client.read(chain)) {
            for (BlockResult result : blocks) {
                kinds.add(result.getClass());
                if (result instanceof BlockResult.Found found) {
                    found.block().close();
                }
            }
        }
        assertThat(kinds).containsExactly(BlockResult.Found.class, BlockResult.Missing.class, BlockResult.Found.class);
    }

    @Test
    void aBlockThatWasSeenToBeThereAndNotTakenGoesWithItsStream() {
        BlockChain chain = SdkBlocks.chain(2);
        store(chain, 2);
        BlockStream blocks = client.read(chain);
        Iterator<BlockResult> results = blocks.iterator();
        assertThat(results.hasNext()).isTrue();

        blocks.close();

        assertThatThrownBy(results::next).isInstanceOf(KvStoreException.class).hasMessageContaining("closed");
    }

    @Test
    void anEmptyReadEndsAtOnce() {
        try (BlockStream blocks = client.read(SdkBlocks.chain(0))) {
            assertThat(blocks.next()).isNull();
        }
    }

    @Test
    void aBlockReadAloneIsTheSame() {
        BlockChain chain = SdkBlocks.chain(1);
        store(chain, 1);
        try (Block block = client.readBlock(chain.location(0));
                Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(block.length());
            block.copyTo(copy.asByteBuffer());
            assertThat(copy.asByteBuffer()).isEqualTo(java.nio.ByteBuffer.wrap(SdkBlocks.payload(0, BYTES)));
            assertThat(block.tokens().toArray()).isEqualTo(SdkBlocks.tokens(1));
        }
    }

    @Test
    void aClosedBlockRefusesToBeRead() {
        BlockChain chain = SdkBlocks.chain(1);
        store(chain, 1);
        Block block = client.readBlock(chain.location(0));
        block.close();
        assertThatThrownBy(block::buffers)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void readingABlockThatIsNotThereIsNotFound() {
        assertThatThrownBy(() -> client.readBlock(SdkBlocks.chain(1).location(0)))
                .isInstanceOfSatisfying(
                        KvStoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
    }

    @Test
    void writingTwiceStoresOnce() {
        BlockChain chain = SdkBlocks.chain(1);
        WriteResult first = client.write(SdkBlocks.PARTITION, SdkBlocks.newBlock(chain, 0, BYTES));
        WriteResult second = client.write(SdkBlocks.PARTITION, SdkBlocks.newBlock(chain, 0, BYTES));
        assertThat(first.outcome()).isEqualTo(WriteResult.Outcome.STORED);
        assertThat(second.outcome()).isEqualTo(WriteResult.Outcome.ALREADY_PRESENT);
        assertThat(second.differs()).isFalse();
    }

    @Test
    void aWriterWhoseBufferDiffersIsTold() {
        BlockChain chain = SdkBlocks.chain(1);
        client.write(SdkBlocks.PARTITION, SdkBlocks.newBlock(chain, 0, BYTES));
        WriteResult other = client.write(SdkBlocks.PARTITION, SdkBlocks.newBlock(chain, 0, BYTES - 1));
        assertThat(other.differs()).isTrue();
        assertThat(other.storedBytes()).isEqualTo(BYTES);
    }

    @Test
    void aWriterStoresManyBlocksThroughOneStream() {
        BlockChain chain = SdkBlocks.chain(30);
        List<CompletableFuture<WriteResult>> results = new ArrayList<>();
        try (BlockWriter writer = client.writer(SdkBlocks.PARTITION)) {
            for (int i = 0; i < 30; i++) {
                results.add(writer.write(SdkBlocks.newBlock(chain, i, BYTES)));
            }
            writer.finish();
        }
        for (int i = 0; i < 30; i++) {
            assertThat(results.get(i)).isCompleted();
            assertThat(results.get(i).join().location()).isEqualTo(chain.location(i));
            PromptChunk stored = script.blocks.get(WireNames.field(chain.hash(i)));
            assertThat(stored).isEqualTo(SdkBlocks.chunk(chain, i, BYTES));
        }
        assertThat(server.credentials()).hasSize(1);
    }

    @Test
    void aChainOfAnotherPartitionIsRefused() {
        assertThatThrownBy(() -> client.lookup(dev.kvstore.protocol.block.Partition.of("other", 4), SdkBlocks.chain(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("other");
    }

    private void store(BlockChain chain, int blocks) {
        for (int i = 0; i < blocks; i++) {
            script.blocks.put(WireNames.field(chain.hash(i)), SdkBlocks.chunk(chain, i, BYTES));
        }
    }
}
