package dev.kvstore.dataplane.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.storage.BlobFiles;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.ScratchFolders;
import dev.kvstore.dataplane.storage.StoredContents;
import dev.kvstore.dataplane.storage.filesystem.FilesystemStore;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.BlockHasher;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.format.HeaderWriter;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;

/** One bit of a stored block that changes: the block is damaged or unknown, never served. */
final class FlippedBlobsTest {
    private static final int FLIPS_PER_TRY = 200;
    // Each takes a sync of the disk.
    private static final int WRITES_EVERY = 40;
    private static final int VERSION_AT = 8;
    private static final String KEY = "key";
    private static final BlockHash ROOT = new BlockHash(1, 2, 3, 4);

    private final MemoryPool memory = new MemoryPool(16 << 20, Duration.ZERO);
    private final Path folder = ScratchFolders.folder("flipped-blobs");
    private VerifiedBlocks blocks = new VerifiedBlocks(memory);
    private BlockStore store = open();

    @BeforeTry
    void begin() {
        blocks = new VerifiedBlocks(memory);
        store = open();
    }

    @AfterTry
    void everyByteIsGivenBack() throws IOException {
        assertThat(memory.usedBytes()).isZero();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Property(tries = 12, shrinking = ShrinkingMode.OFF)
    void areNeverServedAndGoAndAreStoredAnew(@ForAll Random random) throws Exception {
        StoreOutcome.BlockStored stored = new StoreOutcome.BlockStored();
        StoredBlock block = block(random, 1 + random.nextInt(140_000));
        BlockKey key = key(block);
        assertThat(blocks.write(store, key, block)).isEqualTo(stored);
        Path file = BlobFiles.file(folder, key.blobName());
        byte[] good = Files.readAllBytes(file);
        long damaged = 0;
        for (int flip = 0; flip < FLIPS_PER_TRY; flip++) {
            // Half of them in what stands before the buffer.
            int at = random.nextInt(random.nextBoolean() ? block.header().headerBytes() : good.length);
            byte[] bad = good.clone();
            bad[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, bad);
            switch (blocks.fetch(store, key)) {
                case Fetched.FetchedBlock _ -> throw new AssertionError("served, with a bit flipped of byte " + at);
                case Fetched.Absent _ ->
                    assertThat(at).as("of version or flags").isBetween(VERSION_AT, VERSION_AT + 3);
                case Fetched.Damaged _ -> {
                    damaged++;
                    assertThat(file).doesNotExist();
                    if (flip % WRITES_EVERY == 0) {
                        assertThat(blocks.write(store, key, block)).isEqualTo(stored);
                        assertThat(Files.readAllBytes(file)).isEqualTo(good);
                    }
                }
            }
            assertThat(blocks.damaged()).isEqualTo(damaged);
        }
        assertThat(damaged).isGreaterThan(FLIPS_PER_TRY / 2);
        block.release();
    }

    @Property(tries = 10, shrinking = ShrinkingMode.OFF)
    void stayWhenAnotherProcessHasStoredThemAnewMeanwhile(@ForAll Random random) throws Exception {
        StoredBlock block = block(random, 1 + random.nextInt(5_000));
        BlockKey key = key(block);
        blocks.write(store, key, block);
        Path file = BlobFiles.file(folder, key.blobName());
        byte[] good = Files.readAllBytes(file);
        byte[] bad = good.clone();
        bad[block.header().headerBytes() + random.nextInt(block.header().bufferBytes())] ^=
                (byte) (1 << random.nextInt(8));
        Files.write(file, bad);

        Fetched fetched = blocks.fetch(
                before("deleteIfMatch", () -> {
                    assertThat(new VerifiedBlocks(memory).fetch(store, key)).isInstanceOf(Fetched.Damaged.class);
                    assertThat(blocks.write(store, key, block)).isInstanceOf(StoreOutcome.BlockStored.class);
                }),
                key);

        assertThat(fetched).isInstanceOf(Fetched.Damaged.class);
        assertThat(Files.readAllBytes(file)).isEqualTo(good);
        block.release();
    }

    private interface StoreEvent {
        void happen() throws Exception;
    }

    /** The store, in which something happens just before a call. */
    private BlockStore before(String call, StoreEvent event) {
        return (BlockStore) Proxy.newProxyInstance(
                BlockStore.class.getClassLoader(), new Class<?>[] {BlockStore.class}, (_, method, arguments) -> {
                    if (method.getName().equals(call)) {
                        event.happen();
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private BlockKey key(StoredBlock block) {
        return new BlockKey(
                new StorageLocation.Filesystem(folder), ROOT, block.header().hash());
    }

    private StoredBlock block(Random random, int bytes) throws Exception {
        Tokens tokens = Tokens.of(random.ints(128, 0, 200_000).toArray());
        BlockHash hash = new BlockHasher().next(ROOT, ByteBuffer.allocate(0), tokens);
        int headerBytes = BlockHeader.headerBytes(tokens.size(), 0, KEY.length(), bytes);
        BlockMemory stored = memory.allocate(headerBytes + bytes);
        stored.slice(headerBytes, bytes).put(StoredContents.random(random.nextLong(), bytes));
        BlockHeader header =
                HeaderWriter.write(stored.bytes(), headerBytes, ROOT, ROOT, hash, tokens, ByteBuffer.allocate(0), KEY);
        return new StoredBlock(header, stored);
    }

    private BlockStore open() {
        try {
            return FilesystemStore.open(folder, InstantSource.system());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
