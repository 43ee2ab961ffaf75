package dev.kvstore.dataplane.purge;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobContainerClientBuilder;
import com.azure.storage.blob.models.AccessTier;
import com.azure.storage.blob.specialized.BlobLeaseClientBuilder;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.azure.AzureContainer;
import dev.kvstore.dataplane.storage.azure.AzureStores;
import dev.kvstore.dataplane.storage.azure.Outbound;
import dev.kvstore.dataplane.storage.azure.StorageCredential;
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
import dev.kvstore.testing.SharedAzurite;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Deletion of blocks from a container, by the rules of Azure Storage. */
@Tag("slow")
final class StorageDeletionOnAzuriteTest {
    private static final BlockHash ROOT = Partition.of("one").root();

    /** Two pages. */
    private static final int BLOCKS = 260;

    private final MemoryPool pool = new MemoryPool(8 << 20, Duration.ZERO);
    private final AzureStores stores = new AzureStores(Outbound.DEFAULT, new SimpleMeterRegistry());
    private final List<ReportDeletedRequest> told = new ArrayList<>();
    private final String container = SharedAzurite.newContainerName();

    @SuppressWarnings("NullAway.Init")
    private BlockStore blobs;

    @BeforeEach
    void open() throws Exception {
        blobs = stores.open(new AzureContainer(
                SharedAzurite.endpoint(),
                container,
                new StorageCredential.ConnectionString(SharedAzurite.connectionString()),
                true));
        for (int i = 0; i < BLOCKS; i++) {
            var _ = blobs.putIfAbsent(name(i), stored(i));
        }
    }

    @AfterEach
    void everyByteIsGivenBack() {
        stores.close();
        assertThat(pool.usedBytes()).isZero();
    }

    @Test
    void aPartitionIsDeletedThroughAllPagesOfTheListing() throws Exception {
        run();

        assertThat(told).hasSize(2);
        assertThat(told.getFirst().getCursor()).isNotEmpty();
        assertThat(told.getLast().getFrom()).isEqualTo(told.getFirst().getCursor());
        assertThat(told.getLast().getLast()).isTrue();
        assertThat(sum(ReportDeletedRequest::getDeleted)).isEqualTo(BLOCKS);
        assertThat(left()).isEmpty();
    }

    @Test
    void aBlockThatSomebodyHasLockedIsToldAsFailedAndStopsNoOther() throws Exception {
        BlobContainerClient azure = new BlobContainerClientBuilder()
                .connectionString(SharedAzurite.connectionString())
                .containerName(container)
                .buildClient();
        // A name of the first page.
        String locked = blobs.list("kv/v1/", null, 1).names().getFirst();
        new BlobLeaseClientBuilder()
                .blobClient(azure.getBlobClient(locked))
                .buildClient()
                .acquireLease(-1);

        run();

        assertThat(told).hasSize(2);
        assertThat(sum(ReportDeletedRequest::getFailed)).isEqualTo(1);
        assertThat(told.getFirst().getFlaw()).contains("412 LeaseIdMissing");
        assertThat(sum(ReportDeletedRequest::getDeleted)).isEqualTo(BLOCKS - 1);
        assertThat(left()).containsExactly(locked);
    }

    @Test
    void anArchivedBlockIsDeleted() throws Exception {
        new BlobContainerClientBuilder()
                .connectionString(SharedAzurite.connectionString())
                .containerName(container)
                .buildClient()
                .getBlobClient(name(0))
                .setAccessTier(AccessTier.ARCHIVE);

        run();

        assertThat(sum(ReportDeletedRequest::getDeleted)).isEqualTo(BLOCKS);
        assertThat(left()).isEmpty();
    }

    private List<String> left() throws Exception {
        return blobs.list("kv/v1/", null, BLOCKS).names();
    }

    private long sum(ToLongFunction<ReportDeletedRequest> field) {
        return told.stream().mapToLong(field).sum();
    }

    private void run() throws Exception {
        Deletion task = Deletion.newBuilder()
                .setResourceName("demo")
                .setStorage(Storage.newBuilder()
                        .setFilesystem(FilesystemStorage.newBuilder().setPath("/the-container")))
                .setWhat(Purged.newBuilder().setRoot(WireNames.field(ROOT)))
                .build();
        new StorageDeletion(task, new StoreCache(_ -> blobs), new VerifiedBlocks(pool), report -> {
                    told.add(report.build());
                    // One that waits would do so for ten minutes.
                    return !report.getWaiting().isEmpty();
                })
                .run();
    }

    private static BlockHash hash(int i) {
        return new BlockHash(0x1234_5678_9abc_def0L * (i + 1), 2, 3, i);
    }

    private static String name(int i) {
        String hex = hash(i).hex();
        return "kv/v1/" + ROOT.hex() + "/" + hex.substring(0, 2) + "/" + hex;
    }

    private static ByteBuffer stored(int i) {
        ByteBuffer stored = ByteBuffer.allocateDirect(BlockHeader.PAGE_BYTES + 100);
        var _ = HeaderWriter.write(
                stored, BlockHeader.PAGE_BYTES, ROOT, ROOT, hash(i), Tokens.of(i), ByteBuffer.allocate(0), "a");
        return stored;
    }
}
