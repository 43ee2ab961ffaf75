package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobContainerClientBuilder;
import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.CredentialReference;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.azure.AzureContainer;
import dev.kvstore.dataplane.storage.azure.AzureStores;
import dev.kvstore.dataplane.storage.azure.Outbound;
import dev.kvstore.dataplane.storage.azure.StorageCredential;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.wire.WireNames;
import dev.kvstore.testing.Patience;
import dev.kvstore.testing.SharedAzurite;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A container that is deleted and made again under data planes that run. */
@Tag("slow")
final class ContainerMadeAnewTest {
    /** Of a filter, before a Lookup renews it. */
    private static final Duration STALE = Duration.ofSeconds(20);

    /** Of a log, until it is closed. */
    private static final Duration IDLE = Duration.ofSeconds(10);

    private static final Duration DESCRIBED = Duration.ofMinutes(1);
    private static final String FOLDER = "kv/v1/" + TestChains.PARTITION.root().hex() + "/";

    private final AzureStores stores = new AzureStores(Outbound.DEFAULT, new SimpleMeterRegistry());
    private final AzureContainer container = new AzureContainer(
            SharedAzurite.endpoint(),
            SharedAzurite.newContainerName(),
            new StorageCredential.ConnectionString(SharedAzurite.connectionString()),
            true);
    private final BlobContainerClient azure = new BlobContainerClientBuilder()
            .connectionString(SharedAzurite.connectionString())
            .containerName(container.name())
            .buildClient();
    private final DataPlaneFixture writer = start();
    private final DataPlaneFixture reader = start();
    private final List<PromptChunk> chain = TestChains.chain(8, 512, 1);

    private DataPlaneFixture start() {
        return new DataPlaneFixture(
                new StorageLocation.Azure(
                        container.endpoint(),
                        container.name(),
                        new CredentialReference.EnvironmentVariable("TEST"),
                        true),
                location -> stores.open(container));
    }

    @AfterEach
    void stop() {
        reader.close();
        writer.close();
        stores.close();
    }

    @Test
    void lookupsCountNoBlockOfTheContainerBeforeOnceFiltersAreRenewed() {
        MainJobContract.writeAll(writer, chain);
        writer.beat();
        reader.advance(STALE);
        assertThat(found(reader)).isEqualTo(chain.size());

        makeAnew();
        writer.beat();
        writer.advance(STALE);
        reader.advance(STALE);

        await().atMost(Patience.LIMIT)
                .untilAsserted(() -> assertThat(found(writer)).isZero());
        await().atMost(Patience.LIMIT)
                .untilAsserted(() -> assertThat(found(reader)).isZero());
    }

    @Test
    void theNextWriteBringsDescriptorAndSnapshotBack() {
        MainJobContract.writeAll(writer, chain);
        writer.beat();
        writer.advance(IDLE);
        writer.beat();
        makeAnew();
        writer.advance(DESCRIBED);

        MainJobContract.writeAll(writer, TestChains.chain(2, 512, 100));

        assertThat(exists("partition.json")).isTrue();
        await().atMost(Patience.LIMIT).until(() -> exists("presence/snapshot"));
    }

    @Test
    void aReadThatFindsABlockAbsentEndsItsPlaceInLookupsAtOnce() {
        List<ByteString> locations = MainJobContract.writeAll(writer, chain);
        writer.beat();
        reader.advance(STALE);
        assertThat(found(reader)).isEqualTo(chain.size());
        azure.getBlobClient(name(chain.getLast())).delete();

        assertThat(catchThrowableOfType(
                                StatusRuntimeException.class, () -> MainJobContract.read(reader, locations.getLast()))
                        .getStatus()
                        .getCode())
                .isEqualTo(Status.Code.NOT_FOUND);

        assertThat(found(reader)).isEqualTo(chain.size() - 1);
    }

    private int found(DataPlaneFixture server) {
        return server.stub().lookup(MainJobContract.lookup(chain)).getCachedBlocks();
    }

    private void makeAnew() {
        azure.delete();
        azure.create();
    }

    private boolean exists(String name) {
        return azure.getBlobClient(FOLDER + name).exists();
    }

    private static String name(PromptChunk chunk) {
        String hex = WireNames.hash(chunk.getHash()).hex();
        return FOLDER + hex.substring(0, 2) + "/" + hex;
    }
}
