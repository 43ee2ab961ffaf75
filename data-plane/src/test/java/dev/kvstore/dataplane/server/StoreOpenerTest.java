package dev.kvstore.dataplane.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvstore.dataplane.account.CredentialReference;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.storage.AddedLatency;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.azure.Outbound;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StoreOpenerTest {
    @TempDir
    private Path folder;

    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final StoreConditions conditions = new StoreConditions(InstantSource.system());
    private AddedLatency latency = AddedLatency.NONE;
    private StoreOpener opener = opener(Set.of());

    @AfterEach
    void close() {
        opener.close();
    }

    @Test
    void theProcessesOwnSecretsAreNoCredentialByWhateverName() throws IOException {
        Path token = Files.writeString(folder.resolve("token"), "join-token");
        Path link = Files.createSymbolicLink(folder.resolve("link"), token);
        Path hard = Files.createLink(folder.resolve("hard"), token);
        opener = opener(Set.of(token, folder.resolve("gone")));

        for (Path name : List.of(token, link, hard, folder.resolve(".").resolve("token"))) {
            assertThatExceptionOfType(StorageException.class)
                    .isThrownBy(() -> opener.open(azure(new CredentialReference.File(name))))
                    .withMessage("the credential file " + name + " must not be one of this data plane's own");
        }
    }

    @Test
    void aFileOfAnotherIsOne() throws IOException {
        Path token = Files.writeString(folder.resolve("token"), "join-token");
        Path sas = Files.writeString(folder.resolve("sas"), "sv=2024&sig=abc");
        opener = opener(Set.of(token));

        assertThatCode(() ->
                        opener.open(azure(new CredentialReference.File(sas))).close())
                .doesNotThrowAnyException();
    }

    /** As {@code export SAS="$(cat sas)"} and editors leave it. */
    @Test
    void spacesAndLineEndsAroundACredentialAreNoneOfIt() throws IOException {
        String sas = " sv=2024&sig=abc\r\n";
        Path file = Files.writeString(folder.resolve("sas"), sas);
        opener = new StoreOpener(Outbound.DEFAULT, latency, conditions, meters, Map.of("SAS", sas), Set.of());

        for (CredentialReference reference :
                List.of(new CredentialReference.File(file), new CredentialReference.EnvironmentVariable("SAS"))) {
            assertThatCode(() -> opener.open(azure(reference)).close()).doesNotThrowAnyException();
        }
    }

    /** A store is opened again when nobody has asked for it for an hour, and for each trial. */
    @Test
    void aFolderThatVanishedIsNotMadeAnewWhenItIsOpenedAgain() throws Exception {
        StorageLocation place = new StorageLocation.Filesystem(folder.resolve("storage"));
        opener.open(place).close();
        Files.move(folder.resolve("storage"), folder.resolve("away"));

        BlockStore again = opener.open(place);

        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> again.putIfAbsent("a", ByteBuffer.allocate(1)))
                .withMessageContaining("is gone, or another one is in its place");
        assertThat(folder.resolve("storage")).doesNotExist();
    }

    @Test
    void everyStoreIsAsSlowAsTheTrialWantsItAndItsMetersSayIt() throws IOException {
        latency = new AddedLatency(Duration.ofMillis(30), Duration.ZERO);
        opener = opener(Set.of());

        try (BlockStore store = opener.open(new StorageLocation.Filesystem(folder.resolve("storage")))) {
            store.exists("a");
        }

        assertThat(meters.get("kvstore.storage.call.duration")
                        .tag("operation", "exists")
                        .timer()
                        .totalTime(TimeUnit.MILLISECONDS))
                .isGreaterThanOrEqualTo(30);
    }

    private StoreOpener opener(Set<Path> secrets) {
        return new StoreOpener(Outbound.DEFAULT, latency, conditions, meters, Map.of(), secrets);
    }

    private static StorageLocation azure(CredentialReference credential) {
        return new StorageLocation.Azure(URI.create("https://account.example.org"), "blocks", credential, false);
    }
}
