package dev.kvstore.dataplane.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.PutResult;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StoredContents;
import dev.kvstore.dataplane.storage.filesystem.FilesystemStore;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.format.HeaderWriter;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another block's blob under a block's name, as a copy to the wrong name leaves it. */
final class VerifiedBlocksTest {
    private static final int LENGTH = 1_000;
    private static final int POOL_BYTES = 1 << 20;
    private static final BlockHash ROOT = new BlockHash(1, 2, 3, 4);
    private static final BlockHash OTHER_ROOT = new BlockHash(4, 3, 2, 1);
    private static final BlockHash HASH = new BlockHash(5, 6, 7, 8);

    private final MemoryPool memory = new MemoryPool(POOL_BYTES, Duration.ZERO);
    private final VerifiedBlocks blocks = new VerifiedBlocks(memory);

    @TempDir
    private Path directory;

    @SuppressWarnings("NullAway.Init")
    private BlockStore store;

    @BeforeEach
    void open() throws Exception {
        store = FilesystemStore.open(directory, InstantSource.system());
    }

    @AfterEach
    void everyByteIsGivenBack() {
        store.close();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void aBlobOfAnotherHashIsReplacedByAWrite() throws Exception {
        lay(key(ROOT, HASH), block(ROOT, new BlockHash(8, 7, 6, 5)));

        assertThatAWriteReplacesIt();
    }

    @Test
    void aBlobOfAnotherPartitionIsReplacedByAWrite() throws Exception {
        lay(key(ROOT, HASH), block(OTHER_ROOT, HASH));

        assertThatAWriteReplacesIt();
    }

    @Test
    void aBlobOfAnotherPartitionHasNoHeaderOfTheBlock() throws Exception {
        lay(key(ROOT, HASH), block(OTHER_ROOT, HASH));

        assertThat(blocks.header(store, key(ROOT, HASH))).isNull();
        assertThat(VerifiedBlocks.bufferBytes(store, key(ROOT, HASH), memory)).isEqualTo(VerifiedBlocks.UNREADABLE);
    }

    @Test
    void aHeaderOutlivesTheMemoryIntoWhichItWasRead() throws Exception {
        StoredBlock block = block(ROOT, HASH);
        int crc32c = block.header().crc32c();
        lay(key(ROOT, HASH), block);

        BlockHeader header = Objects.requireNonNull(blocks.header(store, key(ROOT, HASH)));
        BlockMemory reused = memory.allocate(POOL_BYTES);
        for (ByteBuffer bytes = reused.bytes(); bytes.hasRemaining(); ) {
            bytes.put((byte) 0xFF);
        }
        reused.release();

        assertThat(header.crc32c()).isEqualTo(crc32c);
        assertThat(header.hash()).isEqualTo(HASH);
    }

    private void assertThatAWriteReplacesIt() throws Exception {
        BlockKey key = key(ROOT, HASH);
        StoredBlock block = block(ROOT, HASH);
        assertThat(blocks.write(store, key, block)).isInstanceOf(StoreOutcome.BlockStored.class);
        block.release();

        assertThat(blocks.fetch(store, key))
                .isInstanceOfSatisfying(
                        Fetched.FetchedBlock.class, fetched -> fetched.block().release());
        assertThat(blocks.damaged()).isEqualTo(1);
    }

    /** Storage did what was asked, and the answer was lost; asked again, it says that the block is there. */
    @Test
    void aBlockThatMayBeStoredIsSaidToBeSoAlsoIfItCannotBeRead() throws Exception {
        StoredBlock block = block(ROOT, HASH);
        BlockStore losing = (BlockStore) Proxy.newProxyInstance(
                BlockStore.class.getClassLoader(), new Class<?>[] {BlockStore.class}, (_, method, arguments) -> {
                    if (method.getName().equals("getRange")) {
                        throw new StorageException(StorageException.Kind.THROTTLED, "too many requests", null);
                    }
                    Object answer = method.invoke(store, arguments);
                    return method.getName().equals("putIfAbsent") ? new PutResult.ConditionFailed(true) : answer;
                });
        try {
            assertThatExceptionOfType(StorageException.class)
                    .isThrownBy(() -> blocks.write(losing, key(ROOT, HASH), block))
                    .matches(StorageException::isMaybeDone, "it may be stored")
                    .matches(e -> e.kind() == StorageException.Kind.THROTTLED, "and storage was busy");
        } finally {
            block.release();
        }
    }

    private void lay(BlockKey under, StoredBlock block) throws Exception {
        var _ = store.putIfAbsent(under.blobName(), block.memory());
        block.release();
    }

    private static BlockKey key(BlockHash root, BlockHash hash) {
        return new BlockKey(new StorageLocation.Filesystem(Path.of("/a")), root, hash);
    }

    private StoredBlock block(BlockHash root, BlockHash hash) throws Exception {
        BlockMemory stored = memory.allocate(BlockHeader.PAGE_BYTES + LENGTH);
        stored.slice(BlockHeader.PAGE_BYTES, LENGTH).put(StoredContents.random(hash.a(), LENGTH));
        BlockHeader header = HeaderWriter.write(
                stored.bytes(), BlockHeader.PAGE_BYTES, root, root, hash, Tokens.of(7), ByteBuffer.allocate(0), "key");
        return new StoredBlock(header, stored);
    }
}
