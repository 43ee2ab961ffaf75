package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.client.KvClient;
import dev.kvstore.client.NewBlock;
import dev.kvstore.doctor.finding.FindingKind;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.stack.ApiKey;
import dev.kvstore.launcher.stack.StackFolder;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.testing.ClosedPort;
import dev.kvstore.testing.TestAuthority;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Everything that is planted for {@code kv doctor}.
 *
 * @param up a stack in which nothing is wrong; a plant takes away what it changes there
 * @param authority issues certificates
 * @param folder for the files of plants
 */
record DoctorPlants(KvUp up, TestAuthority authority, Path folder) {
    private static final String WRONG_KEY = "kv_0a1b2c3d_WrOnGsEcReT";
    private static final String HERE = "IP:127.0.0.1";
    private static final int BLOCK = 16;
    private static final int BLOCKS = 64;

    /** What makes a plant, looks, and takes it away again. */
    @FunctionalInterface
    interface Planting {
        Kv.KvResult look() throws Exception;
    }

    /** Something that is wrong, and the finding that must name it. */
    record Plant(FindingKind kind, String what, Planting planting) {
        @Override
        public String toString() {
            return kind.title() + ": " + what;
        }
    }

    Stream<Plant> all() {
        return Stream.of(variables(), services(), certificates(), healths(), processes(), fleets())
                .flatMap(List::stream);
    }

    private List<Plant> variables() {
        return List.of(
                engine(FindingKind.VARIABLE_UNKNOWN, "a letter too many", "KV_RESSOURCE=demo"),
                engine(FindingKind.VARIABLE_MISSING, "no resource", "KV_RESOURCE="),
                engine(FindingKind.VARIABLES_CONFLICT, "data planes and control planes", "KV_ENDPOINTS=127.0.0.1:8085"),
                engine(FindingKind.ADDRESS_MALFORMED, "no port", "KV_CONTROL_PLANE=localhost"),
                engine(FindingKind.HOST_UNKNOWN, "a name that is nobody's", "KV_CONTROL_PLANE=nowhere.invalid:9090"),
                engine(FindingKind.KEY_REFUSED, "another key", "KV_API_KEY=" + WRONG_KEY),
                new Plant(
                        FindingKind.KEY_MALFORMED,
                        "quotes around the key",
                        () -> Doctors.run(engine("KV_API_KEY=\"" + up.apiKey() + "\""))),
                engine(FindingKind.KEY_FILE, "no such file", "KV_API_KEY_FILE=/no/such/key"),
                engine(FindingKind.AUTHORITY_FILE, "no such file", "KV_CA_FILE=/no/such/ca.pem"),
                engine(FindingKind.RESOURCE_REFUSED, "another account", "KV_RESOURCE=nobodys"),
                new Plant(
                        FindingKind.REGION_UNKNOWN,
                        "a mistyped region",
                        () -> Doctors.run(Map.of(), fleet("--environment", file(engine("KV_REGION=locl"))))),
                new Plant(
                        FindingKind.SALT_DIFFERS,
                        "two engines",
                        () -> Doctors.run(
                                Map.of(),
                                "--environment",
                                file(engine("KV_SALT_KEY=OnEsAlT")),
                                "--environment",
                                file(engine("KV_SALT_KEY=AnOtHeRsAlT")))),
                new Plant(
                        FindingKind.SETTING_UNKNOWN,
                        "two letters swapped",
                        () -> Doctors.run(Map.of(), "--environment", file(Map.of("KVSTORE_MEMORY_TEIR_SIZE", "4G")))),
                new Plant(
                        FindingKind.SETTING_RENAMED,
                        "a name of version 0.1",
                        () -> Doctors.run(Map.of(), "--environment", file(Map.of("KVSTORE_DRAM", "4G")))));
    }

    private List<Plant> services() {
        return List.of(
                new Plant(FindingKind.UNREACHABLE, "nobody listens", () -> {
                    try (ClosedPort closed = new ClosedPort()) {
                        return Doctors.run(Map.of(), "--data-plane", "127.0.0.1:" + closed.number());
                    }
                }),
                new Plant(
                        FindingKind.WRONG_PORT,
                        "the port for health",
                        () -> Doctors.run(engine(
                                "KV_CONTROL_PLANE=",
                                "KV_ENDPOINTS=127.0.0.1:" + (port(up.endpoints().getFirst()) + 1_000)))),
                new Plant(FindingKind.NO_ANSWER, "a server that only listens", () -> {
                    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
                        String address = "127.0.0.1:" + silent.getLocalPort();
                        return Doctors.run(Map.of(), "--deadline", "1s", "--data-plane", address);
                    }
                }),
                new Plant(FindingKind.KEY_REVOKED, "a key that was taken back", () -> {
                    try (AdminClient admin = up.adminClient()) {
                        ApiKey key = ImpatientClients.newKey(admin);
                        ImpatientClients.revoke(admin, key);
                        return Doctors.run(Map.of(), fleet("--environment", file(engine("KV_API_KEY=" + key.text()))));
                    }
                }),
                new Plant(
                        FindingKind.TOKEN_REFUSED,
                        "another token",
                        () -> Doctors.run(
                                Map.of(),
                                "--fleet",
                                "--url",
                                up.restUrl(),
                                "--token-file",
                                Files.writeString(folder.resolve("wrong-token"), "kva_WrOnGsEcReT0123456789")
                                        .toString())));
    }

    private List<Plant> certificates() {
        Duration day = Duration.ofDays(1);
        Instant now = Instant.now();
        Instant before = now.minus(day.multipliedBy(30));
        Instant after = now.plus(day.multipliedBy(30));
        return List.of(
                new Plant(
                        FindingKind.PLAINTEXT_PORT,
                        "TLS is asked for",
                        () -> Doctors.run(
                                Map.of(),
                                "--ca",
                                authority.certificate().toString(),
                                "--control-plane",
                                up.controlPlane())),
                served(FindingKind.CERTIFICATE_EXPIRED, before, now.minus(day), HERE),
                served(FindingKind.CERTIFICATE_NOT_YET_VALID, now.plus(day), after, HERE),
                served(FindingKind.CERTIFICATE_ENDS_SOON, before, now.plus(day), HERE),
                served(FindingKind.CERTIFICATE_NAME, before, after, "DNS:another.example"),
                served(FindingKind.CLIENT_CERTIFICATE_NEEDED, before, after, HERE, "-Verify", "1"),
                new Plant(FindingKind.CERTIFICATE_UNTRUSTED, "of another authority", () -> {
                    TestAuthority stranger = new TestAuthority(newFolder(), "stranger");
                    try (DatedServer server =
                            DatedServer.start(newFolder(), stranger, before, after, HERE, List.of())) {
                        return overTls(server);
                    }
                }),
                new Plant(FindingKind.TLS_PORT, "asked in clear", () -> {
                    try (DatedServer server =
                            DatedServer.start(newFolder(), authority, before, after, HERE, List.of())) {
                        return Doctors.run(Map.of(), "--data-plane", server.address());
                    }
                }));
    }

    private List<Plant> healths() {
        return List.of(
                health(FindingKind.MEMORY_EXHAUSTED, "memory", "DOWN", "\"exhausted for\": \"40 s\""),
                health(FindingKind.STORAGE_FAILING, "storage", "UP", "\"stores\": 2, \"failing\": 1"),
                health(FindingKind.DISK_TIER_BROKEN, "disk tier", "UP", "\"state\": \"paused\", \"reason\": \"I/O\""),
                health(FindingKind.CONTROL_PLANE_UNHEARD, "accounts", "UP", "\"watch\": \"not connected\""),
                health(FindingKind.NOT_IN_CLUSTER, "cluster", "UP", "\"cluster\": \"a\", \"lease\": \"none\""),
                new Plant(FindingKind.VERSIONS_DIFFER, "an older data plane", () -> {
                    try (PretendedHealth older = PretendedHealth.start("", "0.1.0", Instant.now())) {
                        return Doctors.run(
                                Map.of(),
                                "--data-plane",
                                older.address() + "," + up.endpoints().getFirst());
                    }
                }),
                new Plant(FindingKind.CLOCK_DIFFERS, "an hour behind", () -> {
                    try (PretendedHealth late =
                            PretendedHealth.start("", "0.1.0", Instant.now().minus(Duration.ofHours(1)))) {
                        return Doctors.run(Map.of(), "--data-plane", late.address());
                    }
                }));
    }

    private List<Plant> processes() {
        String proc = "proc/" + RecordedProcess.ID;
        String[] withControlPlane = {"java", "--control-plane", "127.0.0.1:9090", "--numa-node", "0"};
        return List.of(
                process(FindingKind.OPEN_FILES, proc + "/limits", "Max open files   1024   1024   files\n"),
                process(FindingKind.MEMORY_LIMIT, "sys/fs/cgroup/pod/one/memory.max", "4294967296\n"),
                process(FindingKind.MEMORY_KILLED, "sys/fs/cgroup/pod/one/memory.events", "oom_kill 3\n"),
                process(
                        FindingKind.HUGE_PAGES_OFF,
                        "sys/kernel/mm/transparent_hugepage/enabled",
                        "always madvise [never]\n"),
                process(FindingKind.NUMA_MISMATCH, proc + "/status", "Cpus_allowed_list:\t4-7\n"),
                new Plant(
                        FindingKind.NUMA_UNBOUND,
                        "all CPUs of two nodes",
                        () -> process(RecordedProcess.in(newFolder())
                                .with(proc + "/cmdline", RecordedProcess.words("java", "-Xmx1g"))
                                .with(proc + "/status", "Cpus_allowed_list:\t0-7\n"))),
                process(FindingKind.STATE_PATH_MISSING, proc + "/cmdline", RecordedProcess.words(withControlPlane)),
                new Plant(
                        FindingKind.STATE_PATH_UNUSABLE,
                        "no such folder",
                        () -> process(RecordedProcess.in(newFolder())
                                .with(proc + "/cmdline", RecordedProcess.words(withControlPlane))
                                .with(proc + "/environ", RecordedProcess.words("KVSTORE_STATE_PATH=/no/such")))),
                new Plant(
                        FindingKind.PROCESS_GONE,
                        "a number that is nobody's",
                        () -> Doctors.run(Map.of("KV_NUMA_ROOT", newFolder().toString()), "--process", "4711")));
    }

    private List<Plant> fleets() {
        return List.of(
                new Plant(FindingKind.CLUSTER_EMPTY, "a cluster that nobody joined", () -> {
                    admin("put", "cluster", "nobodys", "region=local", "state=active");
                    Kv.KvResult result = Doctors.run(Map.of(), fleet());
                    admin("delete", "cluster", "nobodys");
                    return result;
                }),
                new Plant(FindingKind.DATA_PLANE_LOST, "a process that never came", () -> {
                    admin("put", "process", "--cluster", "local", "nobody", "address=127.0.0.1:1");
                    Kv.KvResult result = Doctors.run(Map.of(), fleet());
                    admin("delete", "process", "--cluster", "local", "nobody");
                    return result;
                }),
                new Plant(FindingKind.DRAINING, "an admin's drain", () -> {
                    admin("set", "process", "--cluster", "local", "data-plane-0", "draining=true");
                    Kv.KvResult result = Doctors.run(Map.of(), fleet());
                    admin("set", "process", "--cluster", "local", "data-plane-0", "draining=false");
                    return result;
                }),
                new Plant(FindingKind.STORAGE_UNPROVEN, "a file in place of a folder", () -> {
                    String place = "file://" + Files.writeString(newFolder().resolve("file"), "");
                    admin(
                            "put",
                            "account",
                            "broken",
                            "tenant=local",
                            "homeRegion=local",
                            "region=local",
                            "endpoint=" + place,
                            "vouched=true");
                    Kv.KvResult result = Doctors.run(Map.of(), fleet());
                    admin("delete", "account", "broken");
                    return result;
                }),
                new Plant(FindingKind.PARTITION_UNSHARED, "two engines with two models", () -> {
                    store("one");
                    store("another");
                    await().atMost(Duration.ofMinutes(1))
                            .until(() -> admin("heat", "demo").contains(Integer.toString(2 * BLOCKS)));
                    return Doctors.run(Map.of(), fleet());
                }));
    }

    private Plant engine(FindingKind kind, String what, String change) {
        return new Plant(kind, what, () -> Doctors.run(engine(change)));
    }

    /** The variables of an engine of the stack, with changes NAME=VALUE; an empty value takes a variable away. */
    Map<String, String> engine(String... changes) {
        Map<String, String> variables = new HashMap<>(Map.of(
                "KV_CONTROL_PLANE", up.controlPlane(),
                "KV_RESOURCE", up.resourceName(),
                "KV_REGION", "local",
                "KV_API_KEY", up.apiKey()));
        for (String change : changes) {
            String[] parts = change.split("=", 2);
            variables.put(parts[0], parts[1]);
        }
        variables.values().removeIf(String::isEmpty);
        return variables;
    }

    String file(Map<String, String> variables) throws Exception {
        List<String> lines = variables.entrySet().stream()
                .map(variable -> variable.getKey() + "=" + variable.getValue())
                .toList();
        return Files.write(newFolder().resolve("environment"), lines).toString();
    }

    String[] fleet(String... more) {
        List<String> words = new ArrayList<>(List.of("--fleet", "--url", up.restUrl()));
        words.addAll(List.of("--token-file", StackFolder.adminToken(up.data()).toString()));
        words.addAll(List.of(more));
        return words.toArray(String[]::new);
    }

    private Plant served(FindingKind kind, Instant begin, Instant end, String names, String... flags) {
        return new Plant(kind, "of a server of openssl", () -> {
            try (DatedServer server = DatedServer.start(newFolder(), authority, begin, end, names, List.of(flags))) {
                return overTls(server);
            }
        });
    }

    private Kv.KvResult overTls(DatedServer server) {
        return Doctors.run(Map.of(), "--ca", authority.certificate().toString(), "--data-plane", server.address());
    }

    private Plant health(FindingKind kind, String check, String status, String data) {
        return new Plant(kind, check + " is " + status, () -> {
            String checks = "{\"name\": \"%s\", \"status\": \"%s\", \"data\": {%s}}".formatted(check, status, data);
            try (PretendedHealth dataPlane = PretendedHealth.start(checks, "0.2.0", Instant.now())) {
                return Doctors.run(Map.of(), "--data-plane", dataPlane.address());
            }
        });
    }

    private Plant process(FindingKind kind, String file, String content) {
        return new Plant(
                kind, file, () -> process(RecordedProcess.in(newFolder()).with(file, content)));
    }

    Kv.KvResult process(RecordedProcess process) {
        return Doctors.run(Map.of("KV_NUMA_ROOT", process.root().toString()), "--process", "" + RecordedProcess.ID);
    }

    /** What {@code kv admin} prints. */
    private String admin(String... words) {
        Kv.KvResult result = up.admin(words);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result.out();
    }

    /** 64 blocks of a partition, which nobody reads. */
    private void store(String name) {
        Partition partition = Partition.of(name, BLOCK);
        int[] tokens = new int[BLOCKS * BLOCK];
        BlockChain chain = BlockChain.of(partition, Tokens.of(tokens));
        try (KvClient client = KvClient.builder()
                .endpoints(up.endpoints().getFirst())
                .resource(up.resourceName())
                .apiKey(up.apiKey())
                .build()) {
            for (int i = 0; i < chain.size(); i++) {
                Tokens own = Tokens.slice(tokens, i * BLOCK, BLOCK);
                client.write(partition, NewBlock.of(chain, i, own, ByteBuffer.allocate(1_000)));
            }
        }
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    Path newFolder() throws Exception {
        return Files.createTempDirectory(folder, "of-a-plant-");
    }
}
