package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.client.KvClient;
import dev.kvstore.client.RetryOptions;
import dev.kvstore.launcher.stack.StorageKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kv up} serves until it is told to stop, comes back with everything it had, and leaves no process when killed.
 */
class KvUpIT {
    private static final long STOP_SECONDS = 30;
    private static final byte[] BUFFER = TestPrompt.bytes(10_000, 1);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    /** Azurite's storage, so that the stack has every kind of process: over a folder there is no Azurite. */
    @Test
    void servesUntilItIsToldToStopComesBackWithAllItHadAndLeavesNothingWhenItIsKilled() throws Exception {
        servesStopsComesBackAndIsKilled(StorageKind.AZURITE);
    }

    @Test
    @Tag("full")
    void doesTheSameOverAFolder() throws Exception {
        servesStopsComesBackAndIsKilled(StorageKind.FILESYSTEM);
    }

    /** The first call of a client in each region is served by a data plane there. */
    @Test
    void servesEachOfTwoRegions() throws Exception {
        List<String> flags = List.of("--regions", "2", "--data-planes", "1", "--round-trip", "1");
        try (KvUp up = KvUp.start(folder, StorageKind.FILESYSTEM, Map.of(), flags)) {
            List<String> regions = up.report()
                    .path("regions")
                    .valueStream()
                    .map(region -> region.path("name").asText())
                    .toList();
            assertThat(regions).containsExactly("local", "second");
            for (String region : regions) {
                TestPrompt prompt = TestPrompt.unique(1);
                try (KvClient client = KvClient.builder()
                        .controlPlane(up.controlPlane())
                        .region(region)
                        .noRouteCache()
                        .resource(up.resourceName())
                        .apiKey(up.apiKey())
                        .build()) {
                    client.write(prompt.partition(), prompt.block(0, BUFFER));
                    Stacks.assertHolds(client, prompt.chain(), _ -> BUFFER);
                }
            }
        }
    }

    private void servesStopsComesBackAndIsKilled(StorageKind storage) throws Exception {
        String key;
        String token;
        List<TestPrompt> prompts = List.of(TestPrompt.unique(1), TestPrompt.unique(1));
        try (KvUp up = KvUp.start(folder, storage)) {
            key = up.apiKey();
            token = up.adminToken();
            assertThat(up.report().get("storage").asText()).isEqualTo(storage.toString());
            assertThat(up.endpoints()).hasSize(2);
            assertRoutesAtOnce(up);
            for (int i = 0; i < 2; i++) {
                try (KvClient client = client(up, i, key)) {
                    client.write(prompts.get(i).partition(), prompts.get(i).block(0, BUFFER));
                    Stacks.assertHolds(client, prompts.get(i).chain(), _ -> BUFFER);
                }
            }
            admin(up, "put", "tenant", "acme", "displayName=Acme");
            List<ProcessHandle> children = up.process().descendants().toList();

            up.process().destroy();

            assertThat(up.process().waitFor(STOP_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(children).hasSizeGreaterThanOrEqualTo(3).noneMatch(ProcessHandle::isAlive);
            assertThat(up.json()).doesNotExist();
        }

        try (KvUp again = KvUp.start(folder, storage)) {
            assertThat(again.apiKey()).isEqualTo(key);
            assertThat(again.adminToken()).isEqualTo(token);
            assertThat(admin(again, "get", "tenant", "acme")).containsPattern("displayName +Acme");
            assertThat(admin(again, "get", "keys", "--tenant", "local").lines()).hasSize(2);
            try (KvClient client = client(again, 0, key)) {
                prompts.forEach(prompt -> Stacks.assertHolds(client, prompt.chain(), _ -> BUFFER));
            }
            assertNothingOutlives(again, storage == StorageKind.AZURITE ? 4 : 3);
        }
    }

    /** The first call of a client that retries nothing is served. {@code RegistrationTest} has who waits for that. */
    private static void assertRoutesAtOnce(KvUp up) {
        TestPrompt prompt = TestPrompt.unique(1);
        try (KvClient client = KvClient.builder()
                .controlPlane(up.controlPlane())
                .noRouteCache()
                .resource(up.resourceName())
                .apiKey(up.apiKey())
                .retry(RetryOptions.NONE)
                .build()) {
            client.write(prompt.partition(), prompt.block(0, BUFFER));
        }
    }

    private static void assertNothingOutlives(KvUp killed, int processes) {
        List<ProcessHandle> children = killed.process().descendants().toList();

        killed.process().destroyForcibly();

        assertThat(children).hasSizeGreaterThanOrEqualTo(processes);
        await().atMost(Duration.ofSeconds(STOP_SECONDS))
                .untilAsserted(() -> assertThat(children).noneMatch(ProcessHandle::isAlive));
    }

    private static String admin(KvUp up, String... words) {
        Kv.KvResult result = up.admin(words);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result.out();
    }

    private static KvClient client(KvUp up, int dataPlane, String key) {
        return KvClient.builder()
                .endpoints(up.endpoints().get(dataPlane))
                .resource(up.resourceName())
                .apiKey(key)
                .build();
    }
}
