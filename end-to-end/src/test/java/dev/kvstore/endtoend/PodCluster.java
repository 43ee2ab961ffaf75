package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.testing.SharedAzurite;
import java.io.Closeable;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The pods of a rendered release, each in a network namespace of its own, run as their manifests say: a control plane,
 * two data planes, and beside the release a database and a storage. For one thread.
 */
final class PodCluster implements AutoCloseable {
    static final String CONTROL_PLANE = "kv-kvstore-control-plane.kv.svc.cluster.local";
    static final String DATA_PLANES = "kv-kvstore-data-plane.kv.svc.cluster.local";

    private static final Duration START = Duration.ofMinutes(4);
    private static final String STORAGE = "storage.example.net";
    private static final String DATABASE = "database.example.net";

    /** As cert-manager, a database and an account elsewhere need it; small as in values-dev.yaml. */
    private static final String VALUES = """
            images: {repository: registry.example.net/kvstore, tag: "1"}
            tls: {issuer: {name: authority}}
            registration: {enabled: true}
            controlPlane:
              tokensSecret: tokens
              storageEndpoints: "http://%s:*/*"
              database:
                url: "jdbc:postgresql://%s/postgres?sslmode=verify-full&sslrootcert=/etc/kvstore/database/ca.crt"
                secret: database
                authoritySecret: database-authority
            dataPlane:
              region: local
              cluster: local
              joinTokenSecret: tokens
              credentialsSecret: credentials
              cpu: "1"
              memory: 2Gi
              heap: 640Mi
              transferMemory: 256Mi
              inboundMemory: 128Mi
              unreadResponseMemory: 128Mi
              disk: {persistent: false, volume: 4Gi, tier: 2Gi}
            """.formatted(STORAGE, DATABASE);

    /** The variables that a kubelet adds for each service of the namespace unless links are off, and for the API in any case. */
    static final Map<String, String> LINKS = Map.of(
            "KUBERNETES_SERVICE_HOST", "10.96.0.1",
            "KUBERNETES_PORT", "tcp://10.96.0.1:443",
            "KVSTORE_CONTROL_PLANE_SERVICE_HOST", "10.96.0.17",
            "KVSTORE_CONTROL_PLANE_SERVICE_PORT_GRPC", "9090",
            "KVSTORE_CONTROL_PLANE_PORT", "tcp://10.96.0.17:8080",
            "KVSTORE_CONTROL_PLANE_PORT_8080_TCP_ADDR", "10.96.0.17",
            "KVSTORE_DATA_PLANE_PORT", "tcp://10.96.0.18:8085");

    /** Runs a command without the kernel's huge pages: PR_SET_THP_DISABLE. */
    private static final String[] WITHOUT_HUGE_PAGES = {
        "/usr/bin/env",
        "python3",
        "-c",
        "import ctypes,os,sys; ctypes.CDLL(None).prctl(41,1,0,0,0); os.execvp(sys.argv[1],sys.argv[1:])"
    };

    /** The images that pods run. */
    record Images(OciImage controlPlane, OciImage dataPlane, OciImage admin) {}

    private final Path folder;
    private final Images images;
    private final PodNetwork network;
    private final PodSecrets secrets;
    private final String rendered;
    private final Map<String, String> namespaces = new HashMap<>();
    private final Map<String, Process> processes = new HashMap<>();
    private final Map<String, PodLimits> limits = new TreeMap<>();
    private final List<Closeable> others = new ArrayList<>();
    private Path hosts = Path.of("");
    private @Nullable PodAdmin admin;

    private PodCluster(Path folder, Images images, PodNetwork network, Chart chart) throws Exception {
        this.folder = folder;
        this.images = images;
        this.network = network;
        this.secrets = new PodSecrets(folder.resolve("secrets"));
        this.rendered = chart.render(Files.writeString(folder.resolve("values.yaml"), VALUES));
    }

    /** @param folder that anyone may pass */
    static PodCluster start(PodNetwork.Family family, Path folder, Images images) throws Exception {
        Chart chart = new Chart(GoTool.HELM.path(), folder);
        PodCluster cluster = new PodCluster(folder, images, PodNetwork.create(family, folder, new Random()), chart);
        try {
            cluster.start();
            return cluster;
        } catch (Exception | AssertionError e) {
            cluster.close();
            throw e;
        }
    }

    private void start() throws Exception {
        for (String pod : List.of("database", "control-plane-0", "data-plane-0", "data-plane-1", "client")) {
            namespaces.put(pod, network.pod(pod));
        }
        Map<String, List<String>> names = new HashMap<>(Map.of(
                STORAGE,
                List.of("gateway"),
                DATABASE,
                List.of("database"),
                CONTROL_PLANE,
                List.of("control-plane-0"),
                DATA_PLANES,
                List.of("data-plane-0", "data-plane-1"),
                host(0),
                List.of("data-plane-0"),
                host(1),
                List.of("data-plane-1")));
        for (String pod : List.of("control-plane-0", "data-plane-0", "data-plane-1")) {
            // Its own, as a kubelet writes it.
            names.put("kv-kvstore-" + pod, List.of(pod));
        }
        hosts = network.hosts(names);
        TcpRelay relay = TcpRelay.start(network.address("gateway"), SharedAzurite.endpoint());
        others.add(relay);
        String storage = "http://" + STORAGE + ":" + relay.port()
                + SharedAzurite.endpoint().getPath();
        secrets.make(rendered, DATABASE, storage);
        startDatabase();
        startControlPlane();
        admin = new PodAdmin(
                rendered, secrets.folder(), images.admin(), hosts, namespaces.getOrDefault("client", ""), folder);
        admin.registerCluster();
        admin.registerAccount(storage);
        for (int i = 0; i < 2; i++) {
            long began = System.nanoTime();
            restartDataPlane(i);
            System.out.printf(
                    "data plane ready after %d ms%n", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
        }
    }

    /** The full name of a data plane. */
    static String host(int index) {
        return "kv-kvstore-data-plane-" + index + "." + DATA_PLANES;
    }

    private void startDatabase() throws Exception {
        Path place = Files.createDirectories(folder.resolve("database"));
        Path chain = Files.copy(secrets.key("database-tls", "tls.crt"), place.resolve("tls.crt"));
        Path key = Files.copy(secrets.key("database-tls", "tls.key"), place.resolve("tls.key"));
        GoTool.run(place, Map.of(), List.of("chmod", "600", key.toString()));
        others.add(Postgres.start(
                place,
                PodNetwork.enter(namespaces.getOrDefault("database", ""), hosts),
                5432,
                "listen_addresses=*",
                "ssl=on",
                "ssl_cert_file=" + chain,
                "ssl_key_file=" + key));
    }

    private void startControlPlane() throws Exception {
        JsonNode spec = Chart.object(rendered, "Deployment", "-control-plane").at("/spec/template/spec");
        long began = System.nanoTime();
        run("control-plane-0", spec, images.controlPlane());
        awaitReady("control-plane-0", 8080);
        System.out.printf(
                "control plane ready after %d ms%n", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
    }

    /** Starts one, the second without huge pages. */
    private void startDataPlane(int index) throws Exception {
        run("data-plane-" + index, dataPlane(), images.dataPlane(), index == 0 ? new String[0] : WITHOUT_HUGE_PAGES);
    }

    private JsonNode dataPlane() throws IOException {
        return Chart.object(rendered, "StatefulSet", "-data-plane").at("/spec/template/spec");
    }

    private void run(String pod, JsonNode spec, OciImage image, String... before) throws Exception {
        PodManifest manifest = new PodManifest("kv-kvstore-" + pod, spec, secrets.folder(), folder.resolve("volumes"));
        JsonNode container = manifest.container();
        PodLimits limit = limits.get(pod);
        if (limit == null) {
            String name = namespaces.get(pod) + "-" + ProcessHandle.current().pid();
            limit = PodLimits.of(name, container.at("/resources/limits"));
            limits.put(pod, limit);
        }
        Map<String, String> environment = manifest.environment(container, LINKS);
        Process process = manifest.sandbox(container, image.root(), hosts, namespaces.getOrDefault(pod, ""), limit)
                .start(environment, manifest.command(container, image, environment), log(pod), before);
        processes.put(pod, process);
    }

    /** The log of a pod. */
    Path log(String pod) {
        return folder.resolve(pod + ".log");
    }

    /** The process of a pod, as this machine numbers it. */
    ProcessHandle process(String pod) {
        return running(pod).children().findFirst().orElseThrow();
    }

    private Process running(String pod) {
        return Objects.requireNonNull(processes.get(pod), pod);
    }

    private boolean isAlive(String pod) {
        return running(pod).isAlive();
    }

    private void awaitReady(String pod, int port) throws Exception {
        await().atMost(START)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> get(pod, port, "/q/health/ready").contains("\"UP\"") || !isAlive(pod));
        assertThat(isAlive(pod)).as(Files.readString(log(pod))).isTrue();
    }

    /** Asks as a kubelet does: at an address, and believing any certificate. Empty where there is no good answer. */
    String get(String pod, int port, String path) throws Exception {
        InetAddress address = network.address(pod);
        String host = address instanceof Inet6Address ? "[" + address.getHostAddress() + "]" : address.getHostAddress();
        String said =
                GoTool.run(folder, Map.of(), List.of("curl", "-sfk", "-m", "5", "https://" + host + ":" + port + path));
        return said.contains("exit code") ? "" : said;
    }

    /** {@code kv admin} of the release. */
    PodAdmin admin() {
        return Objects.requireNonNull(admin);
    }

    /** The authority that clients believe. */
    Path authority() {
        return secrets.key("kv-kvstore-data-plane-tls", "ca.crt");
    }

    /** The command line of a program of this machine in a pod of another namespace. */
    List<String> inClientPod(List<String> command) {
        List<String> whole = new ArrayList<>(PodNetwork.enter(namespaces.getOrDefault("client", ""), hosts));
        whole.addAll(command);
        return whole;
    }

    /** Stops a data plane as a kubelet does, hook first; how it ended. */
    int stopDataPlane(int index) throws Exception {
        String pod = "data-plane-" + index;
        PodManifest manifest =
                new PodManifest("kv-kvstore-" + pod, dataPlane(), secrets.folder(), folder.resolve("volumes"));
        ProcessHandle process = process(pod);
        int user = manifest.spec().at("/securityContext/runAsUser").asInt();
        List<String> hook = new ArrayList<>(List.of("nsenter", "--target", "" + process.pid()));
        hook.addAll(List.of("--mount", "--pid", "--net", "--root", "--wd", "--setuid=" + user, "--setgid=" + user));
        manifest.container().at("/lifecycle/preStop/exec/command").forEach(word -> hook.add(word.asText()));
        Map<String, String> environment = manifest.environment(manifest.container(), LINKS);
        assertThat(GoTool.run(folder, environment, hook)).doesNotContain("exit code", "\tat ");
        process.destroy();
        Process whole = running(pod);
        int grace = manifest.spec().path("terminationGracePeriodSeconds").asInt();
        assertThat(whole.waitFor(grace, TimeUnit.SECONDS)).isTrue();
        return whole.exitValue();
    }

    /** Starts a data plane, again perhaps, as a StatefulSet does, and waits until it takes calls. */
    void restartDataPlane(int index) throws Exception {
        startDataPlane(index);
        awaitReady("data-plane-" + index, 9085);
    }

    /** The limits of all pods. */
    Map<String, PodLimits> limits() {
        return limits;
    }

    @Override
    public void close() throws IOException {
        for (Process process : processes.values()) {
            Container.kill(process);
        }
        for (Closeable other : others.reversed()) {
            other.close();
        }
        for (PodLimits limit : limits.values()) {
            limit.close();
        }
        network.close();
    }
}
