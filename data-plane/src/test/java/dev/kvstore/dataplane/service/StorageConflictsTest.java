package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.azure.AzuriteWithRules;
import dev.kvstore.dataplane.storage.azure.AzuriteWithRules.RequestRule;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadRequest;
import dev.kvstore.protocol.v1.WriteResponse;
import dev.kvstore.protocol.wire.WireNames;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The effects of a tenant's settings of Azure Storage on the service: archived blobs, and policies that keep blobs. Policies
 * are emulated, and not verified against Azure.
 */
@Tag("slow")
final class StorageConflictsTest {
    private static final String PARTITION =
            "kv/v1/" + TestChains.PARTITION.root().hex() + "/";

    private final PromptChunk chunk = TestChains.first(TestChains.buffer(300_000, 1), 1);
    private final PromptChunk further = TestChains.first(TestChains.buffer(300_000, 2), 2);

    private AzuriteWithRules azurite;
    private BlockStore store;
    private ByteString location;
    private DataPlaneFixture server;

    @BeforeEach
    void write() throws Exception {
        azurite = new AzuriteWithRules();
        store = azurite.open();
        try (DataPlaneFixture writer = start()) {
            location = MainJobContract.writeAll(writer, List.of(chunk)).getFirst();
            writer.lastBeat();
        }
        server = start();
    }

    private DataPlaneFixture start() {
        return new DataPlaneFixture(azurite.location(), _ -> azurite.open());
    }

    @AfterEach
    void stop() {
        server.close();
        azurite.close();
    }

    @Test
    void anArchivedBlockIsNotStored() throws Exception {
        assertThat(cached()).isEqualTo(1);
        server.close();
        azurite.archive(name(chunk));
        server = start();

        assertThat(cached()).isZero();
        assertThat(refusal(this::read).getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
    }

    @Test
    void aLookupStopsToFindABlockThatWasArchivedSince() throws Exception {
        assertThat(cached()).isEqualTo(1);
        azurite.archive(name(chunk));

        assertThat(refusal(this::read).getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
        assertThat(cached()).isZero();
    }

    @Test
    void anArchivedBlockIsReplacedByTheNextWrite() throws Exception {
        azurite.archive(name(chunk));

        assertThat(write(chunk).getOutcome()).isEqualTo(WriteResponse.Outcome.STORED);
        assertThat(MainJobContract.read(server, location)).isEqualTo(chunk);
    }

    @Test
    void anArchivedDescriptorIsReplacedByTheNextWrite() throws Exception {
        azurite.archive(PARTITION + "partition.json");

        write(further);

        assertThat(store.exists(PARTITION + "partition.json")).isTrue();
    }

    @Test
    void writesAndLookupsGoOnAfterARestartThoughAllOfPresenceIsArchived() throws Exception {
        List<String> files = store.list(PARTITION + "presence/", null, 100).names();
        assertThat(files).as("a log, and the snapshot").hasSize(2);
        files.forEach(azurite::archive);
        azurite.archive(PARTITION + "partition.json");

        assertThat(write(further).getOutcome()).isEqualTo(WriteResponse.Outcome.STORED);
        assertThat(cached()).isEqualTo(1);
        await("the snapshot is made anew").until(() -> store.exists(PARTITION + "presence/snapshot"));
    }

    @Test
    void underALegalHoldAWriteIsRefusedByOneTextThatNamesIt() throws Exception {
        write(further);
        azurite.refuse(RequestRule.LEGAL_HOLD);
        server.beat();
        server.advance(Duration.ofSeconds(16));
        PromptChunk third = TestChains.first(TestChains.buffer(300_000, 3), 3);

        StatusRuntimeException refusal = refusal(() -> write(third));

        assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
        assertThat(refusal.getStatus().getDescription())
                .contains("BlobImmutableDueToPolicy", "legal hold", "remove it from the container");
        assertThat(store.exists(name(third))).as("stored in vain").isFalse();
    }

    @Test
    void writesGoOnOnceALegalHoldIsGone() throws Exception {
        write(further);
        azurite.refuse(RequestRule.LEGAL_HOLD);
        server.beat();
        azurite.refuse(RequestRule.NONE);
        server.advance(Duration.ofSeconds(16));
        PromptChunk third = TestChains.first(TestChains.buffer(300_000, 3), 3);

        assertThat(write(third).getOutcome()).isEqualTo(WriteResponse.Outcome.STORED);
    }

    @Test
    void readsAndLookupsGoOnUnderALegalHold() throws Exception {
        azurite.refuse(RequestRule.LEGAL_HOLD);
        server.advance(Presence.BEAT);

        assertThat(cached()).isEqualTo(1);
        assertThat(MainJobContract.read(server, location)).isEqualTo(chunk);
    }

    @Test
    void damageUnderALegalHoldIsDataLoss() throws Exception {
        azurite.replace(name(chunk), ByteBuffer.wrap(new byte[] {1, 2, 3}));
        azurite.refuse(RequestRule.LEGAL_HOLD);

        StatusRuntimeException refusal = refusal(this::read);

        assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.DATA_LOSS);
        assertThat(refusal.getStatus().getDescription()).contains("does not let it be deleted");
    }

    @Test
    void aDamagedBlockThatStaysIsNotAlreadyPresentToTheNextWrite() throws Exception {
        azurite.damage(name(chunk));
        azurite.refuse(RequestRule.LEGAL_HOLD);
        assertThat(refusal(this::read).getStatus().getCode()).isEqualTo(Status.Code.DATA_LOSS);

        StatusRuntimeException refusal = refusal(() -> write(chunk));

        assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
        assertThat(refusal.getStatus().getDescription()).contains("BlobImmutableDueToPolicy");
        azurite.refuse(RequestRule.NONE);
        await().untilAsserted(() -> assertThat(write(chunk).getOutcome()).isEqualTo(WriteResponse.Outcome.STORED));
        read();
    }

    private WriteResponse write(PromptChunk block) {
        return server.stub().write(TestChains.write(DataPlaneFixture.RESOURCE, block));
    }

    private void read() {
        var _ = server.stub()
                .read(ReadRequest.newBuilder()
                        .setResourceName(DataPlaneFixture.RESOURCE)
                        .setLocation(location)
                        .build());
    }

    private int cached() {
        return server.stub().lookup(MainJobContract.lookup(List.of(chunk))).getCachedBlocks();
    }

    private static StatusRuntimeException refusal(ThrowingCallable call) {
        return Assertions.catchThrowableOfType(StatusRuntimeException.class, call);
    }

    private static String name(PromptChunk block) {
        String hex = WireNames.hash(block.getHash()).hex();
        return PARTITION + hex.substring(0, 2) + "/" + hex;
    }
}
