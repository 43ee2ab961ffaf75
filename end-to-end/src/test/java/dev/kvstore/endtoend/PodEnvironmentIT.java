package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Program;
import dev.kvstore.launcher.process.Readiness;
import dev.kvstore.testing.FreePorts;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs in a pod's environment: variables of services and of other programs, no folder to write, two families of
 * addresses.
 */
class PodEnvironmentIT {
    @TempDir
    Path folder;

    @Test
    void aDataPlaneServesBothFamiliesAmongForeignVariablesWithNowhereToWrite() throws Exception {
        int port = FreePorts.row(1, 0, 1_000);
        Path accounts = Files.writeString(folder.resolve("accounts.json"), """
                {"tenants": [{"name": "t", "keys": [], "accounts": []}]}
                """);
        Map<String, String> environment = Map.of(
                "KVSTORE_CONTROL_PLANE_PORT", "tcp://10.0.0.17:8080",
                "KVSTORE_CONTROL_PLANE_SERVICE_HOST", "10.0.0.17",
                "KVSTORE_OIDC_AUDIENCE", "kvstore",
                "KVSTORE_ADMIN_TOKEN", "kva_0123456789abcdef",
                "KVSTORE_DRAIN_GRACE_PERIOD", "0s",
                "JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=/proc/nowhere");
        List<String> command = List.of(
                "node", "--host=::", "--http-host=::", "--plaintext", "--port=" + port, "--accounts=" + accounts);
        Path err = folder.resolve("node.err");
        Process node = Kv.start(folder, environment, command, folder.resolve("node.out"), err);
        try {
            for (String loopback : List.of("127.0.0.1", "[::1]")) {
                URI ready = URI.create("http://" + loopback + ":" + (port + 1_000) + "/q/health/ready");
                await().atMost(Duration.ofMinutes(2))
                        .until(() -> Readiness.http(ready).isReady() || !node.isAlive());
                assertThat(node.isAlive()).as(Files.readString(err)).isTrue();
                try (Socket socket = new Socket()) {
                    socket.connect(
                            new InetSocketAddress(
                                    URI.create("tcp://" + loopback).getHost(), port),
                            10_000);
                }
            }
            assertThat(drained("http://localhost:" + (port + 1_000))).contains("\"draining\":true");
            assertThat(err)
                    .content()
                    .containsOnlyOnce("kv node: /proc/nowhere cannot be written")
                    .doesNotContain("\tat ");
        } finally {
            node.destroyForcibly();
        }
    }

    @Test
    void aControlPlaneRefusesAVariableThatNoProgramKnows() throws Exception {
        Map<String, String> environment = Map.of(
                "KVSTORE_OIDC_ISUER", "https://login.example.net",
                "KVSTORE_MEMORY_TIER_SIZE", "1G",
                "KVSTORE_DATA_PLANE_PORT", "tcp://10.0.0.18:8085");

        Kv.KvResult result = Kv.run(folder, environment, List.of("control-plane", "--jdbc-url", "jdbc:postgresql:kv"));

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).startsWith("kv control-plane: KVSTORE_OIDC_ISUER: there is no such setting\n");
    }

    /** A process' message about its drain, after the hook of a pod has run. */
    private static String drained(String process) throws Exception {
        Process hook = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        Program.DATA_PLANE.jar(Home.current()).toString(),
                        "dev.kvstore.dataplane.server.DrainMain",
                        process)
                .inheritIO()
                .start();
        assertThat(hook.waitFor()).isZero();
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(process + "/drain")).build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        }
    }
}
