package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.launcher.process.Readiness;
import dev.kvstore.testing.FreePorts;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings under the names that they had: they hold, with one warning each. */
class OldNamesIT {
    private static final long MIB = 1 << 20;

    @TempDir
    Path folder;

    private int port;

    @BeforeEach
    void prepare() throws IOException {
        port = FreePorts.row(1, 0, 1_000);
        Files.writeString(
                folder.resolve("accounts.json"), "{\"tenants\": [{\"name\": \"t\", \"keys\": [], \"accounts\": []}]}");
    }

    @Test
    void holdFromEverySourceAndEachIsWarnedOfOnce() throws Exception {
        Files.writeString(folder.resolve(".env"), "KVSTORE_INBOUND=70M\n");
        Files.createDirectories(folder.resolve("config"));
        Files.writeString(folder.resolve("config/application.properties"), "kvstore.unary-send=20M\n");
        Map<String, String> environment =
                Map.of("KVSTORE_DRAM", "64M", "JAVA_TOOL_OPTIONS", "-Dkvstore.transfer=130M -Dkvstore.drain-grace=0s");
        Path err = folder.resolve("err");
        Process node = Kv.start(folder, environment, command(), folder.resolve("out"), err);
        try {
            String ready = "http://127.0.0.1:" + (port + 1_000) + "/q/health/ready";
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> Readiness.http(URI.create(ready)).isReady() || !node.isAlive());
            assertThat(node.isAlive()).as(Files.readString(err)).isTrue();
            try (InputStream answer = URI.create(ready).toURL().openStream()) {
                assertThat(new String(answer.readAllBytes(), StandardCharsets.UTF_8))
                        .contains("\"limit\": " + (64 + 130) * MIB);
            }
        } finally {
            node.descendants().forEach(ProcessHandle::destroyForcibly);
            node.destroyForcibly();
        }
        assertThat(Files.readString(err).lines().filter(line -> line.startsWith("kv node: ")))
                .containsExactlyInAnyOrder(
                        warning("KVSTORE_DRAM", "KVSTORE_MEMORY_TIER_SIZE"),
                        warning("KVSTORE_INBOUND", "KVSTORE_INBOUND_MEMORY"),
                        warning("kvstore.unary-send", "kvstore.unread-response-memory"),
                        warning("kvstore.transfer", "kvstore.transfer-memory"),
                        warning("kvstore.drain-grace", "kvstore.drain-grace-period"));
        assertThat(Files.readString(err)).doesNotContain("Unrecognized", "WARN");
    }

    @Test
    void areCheckedLikeTheNewOnes() throws Exception {
        Kv.KvResult result = Kv.run(folder, Map.of("KVSTORE_STALL", "-5s"), command());

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .contains(warning("KVSTORE_STALL", "KVSTORE_CLIENT_STALL_TIMEOUT"))
                .contains("kv node: kvstore.client-stall-timeout: must be 1s to 1d, not -5s");
    }

    @Test
    void areRefusedBesideTheNewOneWithAnotherValue() throws Exception {
        Kv.KvResult result = Kv.run(folder, Map.of("KVSTORE_DRAM", "1G", "KVSTORE_MEMORY_TIER_SIZE", "2G"), command());

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .startsWith(
                        "kv node: KVSTORE_DRAM: is the old name of KVSTORE_MEMORY_TIER_SIZE, which has another value;"
                                + " remove KVSTORE_DRAM\n");
    }

    private static String warning(String old, String name) {
        return "kv node: " + old + " is now called " + name + "; version 0.3 will refuse the old name";
    }

    private List<String> command() {
        return List.of("node", "--host", "127.0.0.1", "--port", "" + port, "--accounts", "accounts.json");
    }
}
