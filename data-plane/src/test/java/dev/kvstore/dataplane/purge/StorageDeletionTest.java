package dev.kvstore.dataplane.purge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.HookedStore;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.control.v1.Deletion;
import dev.kvstore.protocol.control.v1.FilesystemStorage;
import dev.kvstore.protocol.control.v1.Purged;
import dev.kvstore.protocol.control.v1.ReportDeletedRequest;
import dev.kvstore.protocol.control.v1.Storage;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.format.HeaderWriter;
import dev.kvstore.protocol.wire.WireNames;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The blocks that are deleted from a storage, and the reports about them. */
final class StorageDeletionTest {
    private static final BlockHash ONE = Partition.of("one").root();
    private static final BlockHash OTHER = Partition.of("other").root();

    private final MemoryPool pool = new MemoryPool(8 << 20, Duration.ZERO);
    private final MemoryStore blobs = new MemoryStore();
    private final List<ReportDeletedRequest> told = new ArrayList<>();

    @AfterEach
    void everyByteIsGivenBack() {
        assertThat(pool.usedBytes()).isZero();
    }

    @Test
    void aPartitionIsDeletedPageByPageAndItsFilesStay() throws Exception {
        for (int i = 0; i < 600; i++) {
            store(ONE, i, "a");
        }
        store(OTHER, 1, "a");
        var _ = blobs.putIfAbsent("kv/v1/" + ONE.hex() + "/partition.json", ByteBuffer.wrap(new byte[] {1}));

        run(Purged.newBuilder().setRoot(WireNames.field(ONE)), "", Integer.MAX_VALUE);

        assertThat(told).hasSizeGreaterThan(2);
        assertThat(sum(ReportDeletedRequest::getDeleted)).isEqualTo(600);
        assertThat(told.getLast().getLast()).isTrue();
        assertThat(blobs.exists("kv/v1/" + ONE.hex() + "/partition.json")).isTrue();
        assertThat(blobs.exists(name(OTHER, 1))).isTrue();
        assertThat(blobs.list("kv/v1/" + ONE.hex() + "/", null, 5000).names()).hasSize(1);
    }

    @Test
    void whoGoesOnWhereAnotherEndedDeletesTheRest() throws Exception {
        for (int i = 0; i < 600; i++) {
            store(ONE, i, "a");
        }
        run(Purged.newBuilder().setRoot(WireNames.field(ONE)), "", 1);
        long before = sum(ReportDeletedRequest::getDeleted);
        assertThat(before).isBetween(1L, 599L);
        String cursor = told.getLast().getCursor();
        told.clear();

        run(Purged.newBuilder().setRoot(WireNames.field(ONE)), cursor, Integer.MAX_VALUE);

        assertThat(told.getFirst().getFrom()).isEqualTo(cursor);
        assertThat(before + sum(ReportDeletedRequest::getDeleted)).isEqualTo(600);
    }

    @Test
    void aBlockIsDeletedAloneAndASecondTimeThereIsNone() throws Exception {
        store(ONE, 1, "a");
        store(ONE, 2, "a");
        Purged.Builder what = Purged.newBuilder().setRoot(WireNames.field(ONE)).setHash(WireNames.field(hash(1)));

        run(what, "", Integer.MAX_VALUE);
        run(what, "", Integer.MAX_VALUE);

        assertThat(told).extracting(ReportDeletedRequest::getDeleted).containsExactly(1L, 0L);
        assertThat(blobs.exists(name(ONE, 1))).isFalse();
        assertThat(blobs.exists(name(ONE, 2))).isTrue();
    }

    @Test
    void whatAKeyWroteIsDeletedInAllPartitions() throws Exception {
        store(ONE, 1, "a");
        store(ONE, 2, "b");
        store(OTHER, 3, "a");
        store(OTHER, 4, "");

        run(Purged.newBuilder().setWriter("a"), "", Integer.MAX_VALUE);

        assertThat(sum(ReportDeletedRequest::getLookedAt)).isEqualTo(4);
        assertThat(sum(ReportDeletedRequest::getDeleted)).isEqualTo(2);
        assertThat(blobs.exists(name(ONE, 2))).isTrue();
        assertThat(blobs.exists(name(OTHER, 4))).isTrue();
    }

    @Test
    void aBlockOfANewerFormatMayBeTheKeysAndIsToldAsFailed() throws Exception {
        byte[] newer = new byte[BlockHeader.PAGE_BYTES];
        store(ONE, 1, "a");
        start(newer);
        newer[8] = 2;
        var _ = blobs.putIfAbsent(name(ONE, 2), ByteBuffer.wrap(newer));

        run(Purged.newBuilder().setWriter("a"), "", Integer.MAX_VALUE);

        assertThat(sum(ReportDeletedRequest::getFailed)).isEqualTo(1);
        assertThat(told.getLast().getFlaw()).contains("format");
        assertThat(sum(ReportDeletedRequest::getDeleted)).isEqualTo(1);
    }

    @Test
    void aDamagedBlockMayBeTheKeysAndIsDeleted() throws Exception {
        store(ONE, 1, "b");
        var _ = blobs.putIfAbsent(name(ONE, 2), damaged(stored(ONE, 2, "b")));

        run(Purged.newBuilder().setWriter("a"), "", Integer.MAX_VALUE);

        assertThat(blobs.exists(name(ONE, 1))).as("of another key").isTrue();
        assertThat(blobs.exists(name(ONE, 2))).as("damaged").isFalse();
    }

    @Test
    void aHeaderThatIsDamagedOnItsWayIsReadAgain() throws Exception {
        store(ONE, 1, "a");
        store(ONE, 2, "b");
        Map<String, ByteBuffer> whole =
                new ConcurrentHashMap<>(Map.of(name(ONE, 1), stored(ONE, 1, "a"), name(ONE, 2), stored(ONE, 2, "b")));
        HookedStore garbling = new HookedStore(blobs)
                .before((operation, name) -> {
                    if (operation.equals("getRange") && whole.containsKey(name)) {
                        replace(name, damaged(stored(ONE, 1, "b")));
                    }
                })
                .after((operation, name) -> {
                    ByteBuffer before = operation.equals("getRange") ? whole.remove(name) : null;
                    if (before != null) {
                        replace(name, before);
                    }
                });

        run(garbling.store(), Purged.newBuilder().setWriter("a"), "", Integer.MAX_VALUE);

        assertThat(whole).as("read whole at first").isEmpty();
        assertThat(blobs.exists(name(ONE, 1))).isFalse();
        assertThat(blobs.exists(name(ONE, 2))).as("of another key").isTrue();
    }

    private static ByteBuffer damaged(ByteBuffer stored) {
        return stored.put(40, (byte) ~stored.get(40));
    }

    private void replace(String name, ByteBuffer bytes) {
        blobs.lose(name);
        var _ = blobs.putIfAbsent(name, bytes);
    }

    @Test
    void aStorageThatCannotBeUsedEndsItWithTheReason() throws Exception {
        new StorageDeletion(
                        task(Purged.newBuilder().setRoot(WireNames.field(ONE)), ""),
                        new StoreCache(_ -> {
                            throw new StorageException(StorageException.Kind.FORBIDDEN, "no entry", null);
                        }),
                        new VerifiedBlocks(pool),
                        report -> !told.add(report.build()))
                .run();

        assertThat(told).singleElement().satisfies(report -> {
            assertThat(report.getLast()).isTrue();
            assertThat(report.getFlaw()).contains("no entry");
        });
    }

    /** The beginning of a block as storage has it. */
    private static void start(byte[] start) {
        ByteBuffer stored = stored(ONE, 2, "a");
        stored.get(0, start);
    }

    private long sum(ToLongFunction<ReportDeletedRequest> field) {
        return told.stream().mapToLong(field).sum();
    }

    /** @param parts after which the claim is over */
    private void run(Purged.Builder what, String cursor, int parts) throws Exception {
        run(blobs, what, cursor, parts);
    }

    private void run(BlockStore store, Purged.Builder what, String cursor, int parts) throws Exception {
        new StorageDeletion(task(what, cursor), new StoreCache(_ -> store), new VerifiedBlocks(pool), report -> {
                    told.add(report.build());
                    return told.size() >= parts;
                })
                .run();
    }

    private static Deletion task(Purged.Builder what, String cursor) {
        return Deletion.newBuilder()
                .setResourceName("demo")
                .setStorage(Storage.newBuilder()
                        .setFilesystem(FilesystemStorage.newBuilder().setPath("/anywhere")))
                .setWhat(what)
                .setCursor(cursor)
                .build();
    }

    private static BlockHash hash(int i) {
        return new BlockHash(0x1234_5678_9abc_def0L * (i + 1), 2, 3, i);
    }

    private static String name(BlockHash root, int i) {
        String hex = hash(i).hex();
        return "kv/v1/" + root.hex() + "/" + hex.substring(0, 2) + "/" + hex;
    }

    private void store(BlockHash root, int i, String writer) throws Exception {
        var _ = blobs.putIfAbsent(name(root, i), stored(root, i, writer));
    }

    private static ByteBuffer stored(BlockHash root, int i, String writer) {
        ByteBuffer stored = ByteBuffer.allocateDirect(BlockHeader.PAGE_BYTES + 100);
        var _ = HeaderWriter.write(
                stored, BlockHeader.PAGE_BYTES, root, root, hash(i), Tokens.of(i), ByteBuffer.allocate(0), writer);
        return stored;
    }
}
