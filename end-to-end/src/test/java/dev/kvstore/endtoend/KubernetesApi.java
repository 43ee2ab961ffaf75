package dev.kvstore.endtoend;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.testing.FreePorts;
import dev.kvstore.testing.TestAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A real kube-apiserver over a real etcd: everything of a cluster that refuses objects, and nothing that runs them. */
final class KubernetesApi implements AutoCloseable {
    private static final String VERSION = "v1.34.0";
    private static final String TOKEN = "of-no-value";

    private final Path folder;
    private final int port;
    private final List<Process> processes = new ArrayList<>();

    private KubernetesApi(Path folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    static KubernetesApi start(Path folder) throws Exception {
        assumeTrue(GoTool.isOnPath("etcd"), "missing: etcd, of the package etcd-server");
        Path server = server();
        int port = FreePorts.row(3);
        KubernetesApi api = new KubernetesApi(folder, port);
        try {
            api.startEtcd(port + 1, port + 2);
            api.startServer(server, port + 1);
            await().atMost(Duration.ofMinutes(3))
                    .until(() -> api.call("GET", "/readyz", "").contains("ok"));
            return api;
        } catch (Exception | AssertionError e) {
            api.close();
            throw e;
        }
    }

    /** Built once: some minutes. */
    private static Path server() throws Exception {
        String flag = " -X k8s.io/component-base/version.git";
        return GoTool.build(
                "kube-apiserver",
                VERSION,
                "-s -w" + flag + "Version=" + VERSION + flag + "Major=1" + flag + "Minor=34");
    }

    private void startEtcd(int clients, int peers) throws IOException {
        String client = "http://127.0.0.1:" + clients;
        String peer = "http://127.0.0.1:" + peers;
        start(
                "etcd",
                List.of(
                        "etcd",
                        "--data-dir=" + folder.resolve("etcd"),
                        "--listen-client-urls=" + client,
                        "--advertise-client-urls=" + client,
                        "--listen-peer-urls=" + peer,
                        "--initial-advertise-peer-urls=" + peer,
                        "--initial-cluster=default=" + peer));
    }

    private void startServer(Path server, int etcd) throws IOException {
        Path key = folder.resolve("service-account.key");
        TestAuthority.openssl(List.of("genrsa", "-out", key.toString(), "2048"));
        Path tokens = Files.writeString(folder.resolve("tokens.csv"), TOKEN + ",admin,1,\"system:masters\"\n");
        start(
                "kube-apiserver",
                List.of(
                        server.toString(),
                        "--etcd-servers=http://127.0.0.1:" + etcd,
                        "--service-account-issuer=https://localhost",
                        "--service-account-key-file=" + key,
                        "--service-account-signing-key-file=" + key,
                        "--authorization-mode=RBAC",
                        "--token-auth-file=" + tokens,
                        "--bind-address=127.0.0.1",
                        "--secure-port=" + port,
                        "--cert-dir=" + folder.resolve("certificates"),
                        "--service-cluster-ip-range=10.0.0.0/24",
                        "--disable-admission-plugins=ServiceAccount"));
        Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: test
                contexts: [{name: test, context: {cluster: test, user: test}}]
                clusters: [{name: test, cluster: {server: "https://127.0.0.1:%d", insecure-skip-tls-verify: true}}]
                users: [{name: test, user: {token: %s}}]
                """.formatted(port, TOKEN));
    }

    private void start(String name, List<String> command) throws IOException {
        processes.addFirst(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start());
    }

    /** For helm. */
    Path kubeconfig() {
        return folder.resolve("kubeconfig");
    }

    /** The answer of the server. */
    String call(String method, String path, String body) throws Exception {
        Path file = Files.writeString(folder.resolve("body.json"), body);
        List<String> command = new ArrayList<>(List.of("curl", "-sSk", "-X", method));
        command.addAll(List.of("-H", "Authorization: Bearer " + TOKEN, "-H", "Content-Type: application/json"));
        if (!body.isEmpty()) {
            command.addAll(List.of("--data-binary", "@" + file));
        }
        command.add("https://127.0.0.1:" + port + path);
        return GoTool.run(folder, Map.of(), command);
    }

    JsonNode read(String path) throws Exception {
        return new ObjectMapper().readTree(call("GET", path, ""));
    }

    /** Makes a namespace whose pods must be confined as strictly as there is. */
    void namespace(String name) throws Exception {
        call("POST", "/api/v1/namespaces", """
                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "%s",
                 "labels": {"pod-security.kubernetes.io/enforce": "restricted"}}}
                """.formatted(name));
    }

    @Override
    public void close() {
        for (Process process : processes) {
            process.destroyForcibly();
        }
    }
}
