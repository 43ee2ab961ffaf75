package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.process.Readiness;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.AdminException;
import dev.kvstore.launcher.rest.RestRequest;
import dev.kvstore.launcher.stack.LocalDatabase;
import dev.kvstore.testing.FreePorts;
import dev.kvstore.testing.TestAuthority;
import dev.kvstore.testing.TestAuthority.Issued;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Data planes that have a certificate and no join token, at a control plane with {@code --tls-client-ca}. */
class NodeCertificateIT {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String ADMIN = "kva_an-admin-token-of-a-test";
    private static final Duration START = Duration.ofSeconds(90);
    private static final long STOP_SECONDS = 40;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    private final List<Process> processes = new ArrayList<>();
    private final int controlPort = FreePorts.row(2);
    private @Nullable LocalDatabase database;

    @AfterEach
    void stop() throws InterruptedException {
        // Data planes first, which take leave.
        for (Process process : processes.reversed()) {
            process.destroy();
            var _ = process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly();
        }
        if (database != null) {
            database.close();
        }
    }

    @Test
    void theClusterOfTheCertificateIsServedAndNoOther() throws Exception {
        TestAuthority authority = new TestAuthority(folder, "authority");
        startControlPlane(authority);
        try (AdminClient admin =
                AdminClient.trusting(URI.create("https://127.0.0.1:" + controlPort), ADMIN, authority.certificate())) {
            // The gRPC port opens first.
            await().atMost(START)
                    .ignoreException(AdminException.class)
                    .until(() -> admin.send(RestRequest.get(List.of("v1", "regions")))
                                    .status()
                            == 200);
            String apiKey = register(admin);
            int port = FreePorts.row(2, 0, 1_000);

            Process member = startNode(authority, "n1", "certified", port);
            Process stranger = startNode(authority, "n2", "another", port + 1);

            await().atMost(START).until(() -> !member.isAlive() || state(admin, "n1") != null);
            assertThat(state(admin, "n1")).as(log("n1")).isEqualTo("serving");
            // It tries the storage first.
            await().atMost(START).until(() -> !member.isAlive() || isReady(admin));
            try (KvClient client = KvClient.builder()
                    .endpoints("localhost:" + port)
                    .trust(authority.certificate())
                    .resource("certified")
                    .apiKey(apiKey)
                    .build()) {
                TestPrompt prompt = TestPrompt.unique(2);
                byte[] bytes = TestPrompt.bytes(1_000, 0);
                client.write(prompt.partition(), prompt.block(0, bytes));
                Stacks.assertHolds(client, prompt.chain().prefix(1), _ -> bytes);
            }
            await().atMost(START).until(() -> !stranger.isAlive() || log("n2").contains("is not for certified/n2"));
            assertThat(log("n2")).contains("of node n2 of cluster another, is not for certified/n2");
            assertThat(state(admin, "n2")).isNull();
        }
    }

    private void startControlPlane(TestAuthority authority) throws Exception {
        Issued own = authority.issue("control-plane");
        database = LocalDatabase.start(Home.current(), folder.resolve("control-plane"), new SecureRandom());
        Map<String, String> environment = Map.of(
                "KVSTORE_ADMIN_TOKEN",
                ADMIN,
                "KVSTORE_DB_USER",
                LocalDatabase.USER,
                "KVSTORE_DB_PASSWORD",
                database.password());
        List<String> arguments = new ArrayList<>(List.of("control-plane", "--host", "127.0.0.1"));
        arguments.addAll(List.of("--http-port", "" + controlPort, "--port", "" + (controlPort + 1)));
        arguments.addAll(List.of("--jdbc-url", database.url(), "--storage-endpoints", "file:///*"));
        arguments.addAll(List.of("--tls-cert", "" + own.chain(), "--tls-key", "" + own.key()));
        arguments.addAll(List.of("--tls-client-ca", "" + authority.certificate()));
        Process process = start("control-plane", environment, arguments);
        Readiness grpc = Readiness.port(new InetSocketAddress(InetAddress.getLoopbackAddress(), controlPort + 1));
        await().atMost(START).until(() -> grpc.isReady() || !process.isAlive());
        assertThat(process.isAlive()).as(log("control-plane")).isTrue();
    }

    /** Two clusters of a region, an account there, and a key, which is returned. */
    private String register(AdminClient admin) throws InterruptedException {
        put(admin, JSON.objectNode(), "regions", "here");
        for (String cluster : List.of("certified", "another")) {
            put(admin, JSON.objectNode().put("region", "here").put("state", "active"), "clusters", cluster);
        }
        put(admin, JSON.objectNode(), "tenants", "t");
        ObjectNode account = JSON.objectNode().put("tenant", "t");
        account.putArray("replicas")
                .addObject()
                .put("region", "here")
                .put("endpoint", folder.resolve("blocks").toUri().toString())
                .put("vouched", true);
        put(admin, account, "accounts", "certified");
        return admin.send(RestRequest.post(List.of("v1", "tenants", "t", "keys"), JSON.objectNode()))
                .accepted()
                .body()
                .path("key")
                .asText();
    }

    private static void put(AdminClient admin, JsonNode body, String kind, String name) throws InterruptedException {
        var _ = admin.send(RestRequest.put(List.of("v1", kind, name), body)).accepted();
    }

    /** Whether the storage of the account was found good. */
    private static boolean isReady(AdminClient admin) throws InterruptedException {
        return admin.send(RestRequest.get(List.of("v1", "accounts", "certified")))
                .body()
                .path("ready")
                .asBoolean();
    }

    /** The state of a process of the cluster that both nodes want to join; null if it is not known there. */
    private static @Nullable String state(AdminClient admin, String node) throws InterruptedException {
        return admin.send(RestRequest.get(List.of("v1", "clusters", "certified", "processes", node)))
                .body()
                .path("state")
                .asText(null);
    }

    /** One that joins the cluster {@code certified}. */
    private Process startNode(TestAuthority authority, String name, String cluster, int port) throws IOException {
        Issued own = authority.issue(
                name,
                3,
                "DNS:localhost,IP:127.0.0.1,URI:spiffe://kv.example.com/kvstore/cluster/" + cluster + "/node/" + name);
        Map<String, String> environment = new HashMap<>(FastBeats.environment());
        environment.putAll(Map.of(
                "KVSTORE_MEMORY_TIER_SIZE", "64M",
                "KVSTORE_TRANSFER_MEMORY", "130M",
                "KVSTORE_INBOUND_MEMORY", "65M",
                "KVSTORE_DRAIN_GRACE_PERIOD", "0s"));
        List<String> arguments = new ArrayList<>(List.of("node", "--node-name", name, "--cluster", "certified"));
        arguments.addAll(List.of("--control-plane", "localhost:" + (controlPort + 1)));
        arguments.addAll(List.of("--control-plane-ca", "" + authority.certificate()));
        arguments.addAll(List.of("--tls-cert", "" + own.chain(), "--tls-key", "" + own.key()));
        arguments.addAll(List.of("--host", "127.0.0.1", "--port", "" + port));
        return start(name, environment, arguments);
    }

    private Process start(String name, Map<String, String> environment, List<String> arguments) throws IOException {
        Process process =
                Kv.start(folder, environment, arguments, folder.resolve(name + ".out"), folder.resolve(name + ".err"));
        processes.add(process);
        return process;
    }

    private String log(String name) throws IOException {
        return Files.readString(folder.resolve(name + ".out")) + Files.readString(folder.resolve(name + ".err"));
    }
}
