package dev.kvstore.dataplane.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.format.BlockHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/**
 * Whatever lies under a block's name: it is no block, and costs no more memory than it has bytes, or a header may have.
 */
final class AnyBlobTest {
    private static final BlockKey KEY = new BlockKey(
            new StorageLocation.Filesystem(Path.of("/none")), new BlockHash(1, 2, 3, 4), new BlockHash(5, 6, 7, 8));

    private final MemoryPool memory = new MemoryPool(BlockHeader.MAX_HEADER_BYTES + 8192, Duration.ZERO);
    private final VerifiedBlocks blocks = new VerifiedBlocks(memory);

    @Property(tries = 1000)
    void isNoBlock(
            @ForAll @Size(min = 1, max = 300) byte[] bytes,
            @ForAll @IntRange(max = 2) int version,
            @ForAll int headerBytes,
            @ForAll long bufferBytes,
            @ForAll int tokens)
            throws Exception {
        ByteBuffer blob = ByteBuffer.wrap(bytes.clone()).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length >= 28) {
            blob.put(0, "KVBLOCK\0".getBytes(StandardCharsets.US_ASCII)).putShort(8, (short) version);
            blob.putShort(10, (short) 0)
                    .putInt(12, headerBytes)
                    .putLong(16, bufferBytes)
                    .putInt(24, tokens);
        }
        assertIsNoBlock(blob);
    }

    /** Lengths that fit each other, of a blob that ends before them. */
    @Test
    void thatClaimsTheLargestBlockThereIsIsNone() throws Exception {
        ByteBuffer blob = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
        int tokens = 8192;
        blob.put(0, "KVBLOCK\0".getBytes(StandardCharsets.US_ASCII)).putShort(8, (short) 1);
        blob.putInt(12, BlockHeader.headerBytes(tokens, 65_536, 64, BlockHeader.MAX_BUFFER_BYTES));
        blob.putLong(16, BlockHeader.MAX_BUFFER_BYTES)
                .putInt(24, tokens)
                .putInt(28, 65_536)
                .putShort(32, (short) 64);
        blob.putInt(36, BlockHeader.SEGMENT_BYTES);

        assertIsNoBlock(blob);
    }

    /** Read whole, to learn that it is not empty. */
    @Test
    void thatIsNotEmptyIsNotReadToSeeWhetherItIs() throws Exception {
        MemoryStore store = new MemoryStore();
        store.putZeros(KEY.blobName(), 60 << 20);

        assertThat(blocks.header(store, KEY)).isNull();
        assertThat(memory.usedBytes()).isZero();
    }

    private void assertIsNoBlock(ByteBuffer blob) throws Exception {
        MemoryStore store = new MemoryStore();
        store.putIfAbsent(KEY.blobName(), blob);

        assertThat(blocks.header(store, KEY)).isNull();
        assertThat(blocks.fetch(store, KEY)).isNotInstanceOf(Fetched.FetchedBlock.class);
        assertThat(memory.usedBytes()).isZero();
    }
}
