package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.filesystem.FilesystemStore;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadRequest;
import dev.kvstore.protocol.v1.WriteResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stored bytes that are not what was written: told, removed, and never served. */
final class DamageTest {
    private static final int VERSION_AT = 8;

    private final PromptChunk chunk = TestChains.first(TestChains.buffer(300_000, 1), 1);

    @TempDir
    private Path directory;

    private DataPlaneFixture server;
    private ByteString location;

    @BeforeEach
    void write() {
        try (DataPlaneFixture writer = start()) {
            location = MainJobContract.writeAll(writer, List.of(chunk)).getFirst();
        }
        server = start();
    }

    private DataPlaneFixture start() {
        return new DataPlaneFixture(
                new StorageLocation.Filesystem(directory),
                place -> FilesystemStore.open(directory, InstantSource.system()));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aFlippedByteOfTheBufferIsDataLossAndTheBlobGoes() throws Exception {
        StoredFiles.set(
                directory,
                chunk.getHash(),
                4096 + 200_000,
                0x5a ^ chunk.getBuffer().byteAt(200_000));

        assertThat(readCode()).isEqualTo(Status.Code.DATA_LOSS);
        assertThat(StoredFiles.exists(directory, chunk.getHash())).isFalse();
        assertThat(readCode()).isEqualTo(Status.Code.NOT_FOUND);
    }

    @Test
    void aFlippedByteOfTheHeaderIsDataLoss() throws Exception {
        StoredFiles.set(directory, chunk.getHash(), 150, 0x77);

        assertThat(readCode()).isEqualTo(Status.Code.DATA_LOSS);
    }

    @Test
    void aDamagedBlockIsWrittenAnew() throws Exception {
        StoredFiles.set(directory, chunk.getHash(), 150, 0x77);

        assertThat(writeAgain().getOutcome()).isEqualTo(WriteResponse.Outcome.STORED);
        assertThat(MainJobContract.read(server, location)).isEqualTo(chunk);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 4096, 300_000, 4096 + 300_001, 66 << 20, 1L << 30, 3L << 30})
    void aBlockOfAnotherLengthIsDataLossAndTheBlobGoes(long length) throws Exception {
        StoredFiles.setLength(directory, chunk.getHash(), length);

        assertThat(readCode()).isEqualTo(Status.Code.DATA_LOSS);
        assertThat(StoredFiles.exists(directory, chunk.getHash())).isFalse();
        assertThat(writeAgain().getOutcome()).isEqualTo(WriteResponse.Outcome.STORED);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 4096, 300_000, 4096 + 300_001, 66 << 20, 1L << 30, 3L << 30})
    void aBlockOfAnotherLengthIsWrittenAnew(long length) throws Exception {
        StoredFiles.setLength(directory, chunk.getHash(), length);

        assertThat(writeAgain().getOutcome()).isEqualTo(WriteResponse.Outcome.STORED);
        assertThat(MainJobContract.read(server, location)).isEqualTo(chunk);
    }

    @Test
    void aHeaderOfAnUnknownVersionIsAMissAndStays() throws Exception {
        StoredFiles.set(directory, chunk.getHash(), VERSION_AT, 2);

        assertThat(readCode()).isEqualTo(Status.Code.NOT_FOUND);
        assertThat(StoredFiles.exists(directory, chunk.getHash())).isTrue();
    }

    @Test
    void aBlockOfAnUnknownVersionIsNotOverwritten() throws Exception {
        StoredFiles.set(directory, chunk.getHash(), VERSION_AT, 2);

        StatusRuntimeException refusal = Assertions.catchThrowableOfType(
                StatusRuntimeException.class,
                () -> server.stub().write(TestChains.write(DataPlaneFixture.RESOURCE, chunk)));

        assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
        assertThat(StoredFiles.exists(directory, chunk.getHash())).isTrue();
    }

    private WriteResponse writeAgain() {
        return server.stub().write(TestChains.write(DataPlaneFixture.RESOURCE, chunk));
    }

    private Status.Code readCode() {
        StatusRuntimeException refusal = Assertions.catchThrowableOfType(
                StatusRuntimeException.class,
                () -> server.stub()
                        .read(ReadRequest.newBuilder()
                                .setResourceName(DataPlaneFixture.RESOURCE)
                                .setLocation(location)
                                .build()));
        assertThat(refusal).as("refusal").isNotNull();
        return refusal.getStatus().getCode();
    }
}
