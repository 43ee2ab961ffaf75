package dev.kvstore.dataplane.service;

import static dev.kvstore.dataplane.account.control.ControlPlanePeer.right;
import static dev.kvstore.protocol.control.v1.Right.Access.READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.account.control.ControlPlaneFixture;
import dev.kvstore.dataplane.block.BlockNames;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.BlobFiles;
import dev.kvstore.dataplane.storage.filesystem.FilesystemStore;
import dev.kvstore.protocol.v1.PromptChunk;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A partition whose descriptor others delete or empty, and a reader whose key has rights in that partition alone. */
final class LostDescriptorTest {
    private static final Duration BOUND = Duration.ofMinutes(1);

    private final ControlPlaneFixture control = new ControlPlaneFixture();
    private final PromptChunk chunk = TestChains.first(TestChains.buffer(512, 1), 1);

    @TempDir
    private Path directory;

    @SuppressWarnings("NullAway.Init")
    private DataPlaneFixture writer;

    @SuppressWarnings("NullAway.Init")
    private DataPlaneFixture reader;

    @BeforeEach
    void start() {
        writer = new DataPlaneFixture(
                new StorageLocation.Filesystem(directory),
                _ -> FilesystemStore.open(directory, InstantSource.system()));
        reader = new DataPlaneFixture(control.watching(), _ -> FilesystemStore.open(directory, InstantSource.system()));
        control.peer().grant(DataPlaneFixture.KEY, DataPlaneFixture.RESOURCE, right(READ, TestChains.PARTITION.name()));
    }

    @AfterEach
    void stop() {
        reader.close();
        writer.close();
        control.close();
    }

    @Test
    void theNextWriteAMinuteLaterLetsReadersOfADeletedDescriptorIn() throws Exception {
        ByteString location = write(chunk);
        Files.delete(descriptor());
        assertDenied(location);
        writer.advance(BOUND);

        write(TestChains.first(TestChains.buffer(512, 2), 2));

        assertThat(MainJobContract.read(reader, location)).isEqualTo(chunk);
    }

    @Test
    void theNextWriteAMinuteLaterLetsReadersOfAnEmptyDescriptorIn() throws Exception {
        ByteString location = write(chunk);
        Files.write(descriptor(), new byte[0]);
        assertDenied(location);
        writer.advance(BOUND);

        write(TestChains.first(TestChains.buffer(512, 2), 2));

        assertThat(MainJobContract.read(reader, location)).isEqualTo(chunk);
    }

    /** Prompts that repeat themselves write what is in memory already. */
    @Test
    void aWriteOfABlockInMemoryBringsTheDescriptorBackToo() throws Exception {
        ByteString location = write(chunk);
        Files.delete(descriptor());
        writer.advance(BOUND);

        write(chunk);

        assertThat(MainJobContract.read(reader, location)).isEqualTo(chunk);
    }

    private ByteString write(PromptChunk written) {
        return MainJobContract.writeAll(writer, List.of(written)).getFirst();
    }

    private void assertDenied(ByteString location) {
        assertThat(catchThrowableOfType(StatusRuntimeException.class, () -> MainJobContract.read(reader, location))
                        .getStatus()
                        .getCode())
                .isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    private Path descriptor() {
        return BlobFiles.file(directory, BlockNames.descriptor(TestChains.PARTITION.root()));
    }
}
