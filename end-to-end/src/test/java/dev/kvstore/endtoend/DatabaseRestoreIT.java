package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.RestRequest;
import dev.kvstore.launcher.stack.ApiKey;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.launcher.stack.StackLayout;
import dev.kvstore.launcher.stack.StorageKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The drill of docs/operations/recovery.md: the database is lost, and one restored from a backup takes its place. */
class DatabaseRestoreIT {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    void dataPlanesServeOnAndTakeWhatTheBackupHas() throws Exception {
        try (LocalStack stack = Stacks.startFast(folder, StorageKind.FILESYSTEM, StackLayout.single(1));
                AdminClient admin = control(stack).admin()) {
            ApiKey revokedKey = ImpatientClients.newKey(admin);
            try (KvClient client = ImpatientClients.client(stack, stack.key());
                    KvClient revoked = ImpatientClients.client(stack, revokedKey)) {
                ImpatientClients.awaitTaken(client);
                ImpatientClients.awaitTaken(revoked);
                TestPrompt prompt = write(client);
                Path backup = backUp(control(stack), folder.resolve("backup"));
                ApiKey lateKey = ImpatientClients.newKey(admin);
                admin.send(RestRequest.delete(List.of("v1", "tenants", LocalStack.TENANT, "keys", revokedKey.id())))
                        .accepted();
                try (KvClient late = ImpatientClients.client(stack, lateKey)) {
                    ImpatientClients.awaitTaken(late);
                    ImpatientClients.awaitRefused(revoked, ErrorCode.UNAUTHENTICATED);

                    lose(control(stack));
                    requireStored(client, prompt);
                    restore(backup, control(stack));

                    // Changes since the backup are lost: a key that was made is unknown, one that was revoked is good.
                    ImpatientClients.awaitRefused(late, ErrorCode.UNAUTHENTICATED);
                    ImpatientClients.awaitTaken(revoked);
                    requireStored(client, prompt);
                    requireStored(client, write(client));
                }
                try (KvClient next = ImpatientClients.client(stack, ImpatientClients.newKey(admin))) {
                    ImpatientClients.awaitTaken(next);
                }
            }
        }
    }

    private static Path backUp(StackControlPlane control, Path backup) throws Exception {
        stop(control);
        copy(control.database().data(), backup);
        start(control);
        return backup;
    }

    private static void lose(StackControlPlane control) throws IOException {
        stop(control);
        try (Stream<Path> files = Files.walk(control.database().data())) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static void restore(Path backup, StackControlPlane control) throws Exception {
        copy(backup, control.database().data());
        start(control);
    }

    private static void stop(StackControlPlane control) {
        control.stop();
        control.database().close();
    }

    private static void start(StackControlPlane control) throws Exception {
        control.database().startAgain();
        control.startAgain();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    private static StackControlPlane control(LocalStack stack) {
        return Objects.requireNonNull(stack.controlPlane());
    }

    private static TestPrompt write(KvClient client) {
        TestPrompt prompt = TestPrompt.unique(1);
        client.write(prompt.partition(), prompt.block(0, TestPrompt.bytes(10_000, 1)));
        return prompt;
    }

    private static void requireStored(KvClient client, TestPrompt prompt) {
        assertThat(client.lookup(prompt.partition(), prompt.chain()).cachedBlocks())
                .isEqualTo(1);
        Stacks.assertHolds(client, prompt.chain(), _ -> TestPrompt.bytes(10_000, 1));
    }
}
