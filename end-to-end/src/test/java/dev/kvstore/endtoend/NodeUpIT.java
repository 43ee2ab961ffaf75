package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.stack.Metrics;
import dev.kvstore.testing.FreePorts;
import dev.kvstore.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** {@code kv node up} on a machine of two nodes, one CPU each. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "CPUs are bound by taskset, which is Linux' own")
class NodeUpIT {
    /** Two JVMs, on a machine that may have other things to do. */
    private static final Duration START = Duration.ofMinutes(3);

    /** A data plane has 25 s to end before it is killed. */
    private static final Duration STOP = Patience.LIMIT;

    private static final int SIGTERM = 15;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    private final int port = FreePorts.row(2, 0, 1_000);

    private Map<String, String> environment = Map.of();
    private Path json = Path.of("");
    private Path err = Path.of("");

    @BeforeEach
    void prepare() throws IOException {
        environment = new HashMap<>(NumaTree.environment(folder.resolve("machine")));
        environment.put("KVSTORE_DRAIN_GRACE_PERIOD", "0s");
        json = folder.resolve("nodes.json");
        err = folder.resolve("nodes.err");
        Files.writeString(folder.resolve("accounts.json"), """
                {"tenants": [{"name": "t", "keys": [], "accounts": []}]}
                """);
    }

    @Test
    void runsABoundDataPlaneOnEveryNodeAndStartsTheOneThatDiesAgain() throws Exception {
        Process up = start();
        List<ProcessHandle> all = new ArrayList<>();
        try {
            List<JsonNode> nodes = awaitNodes(up, 0);
            all.addAll(up.descendants().toList());
            assertThat(all).hasSize(2);
            for (int id = 0; id < 2; id++) {
                JsonNode node = nodes.get(id);
                assertThat(node.get("endpoint").asText()).isEqualTo("127.0.0." + (1 + id) + ":" + (port + id));
                assertThat(node.get("pinning").asText()).isEqualTo("taskset");
                assertThat(NumaTree.cpusAllowed(node.get("pid").asLong())).isEqualTo("" + id);
                Metrics metrics = metrics(id);
                assertThat(metrics.sumsBy("kvstore_info", "numa_node")).isEqualTo(Map.of("" + id, 1.0));
                // Seven eighths of the node, without a heap of about a quarter and 211 MiB of other settings.
                double dram = NumaTree.MEMORY_BYTES * (7 / 8.0 - 1 / 4.0) - (211 << 20);
                assertThat(metrics.sum("kvstore_memory_tier_limit_bytes"))
                        .isBetween(dram - (16 << 20), dram + (16 << 20));
            }
            long first = nodes.getFirst().get("pid").asLong();

            ProcessHandle.of(first).orElseThrow().destroyForcibly();

            List<JsonNode> again = awaitNodes(up, 1);
            long second = again.getFirst().get("pid").asLong();
            all.addAll(up.descendants().toList());
            assertThat(second).isNotEqualTo(first);
            assertThat(again.get(1)).isEqualTo(nodes.get(1));
            assertThat(again.getFirst().get("endpoint"))
                    .isEqualTo(nodes.getFirst().get("endpoint"));
            assertThat(NumaTree.cpusAllowed(second)).isEqualTo("0");
            assertThat(metrics(0).sumsBy("kvstore_info", "numa_node")).isEqualTo(Map.of("0", 1.0));
            assertThat(Files.readString(err)).contains("node 0 ended with exit code 137; starting it again in 1 s");

            up.destroy();

            assertThat(up.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(up.exitValue()).isEqualTo(128 + SIGTERM);
            assertThat(all).noneMatch(ProcessHandle::isAlive);
            assertThat(json).doesNotExist();
        } finally {
            all.forEach(ProcessHandle::destroyForcibly);
            kill(up);
        }
    }

    @Test
    void nothingOutlivesAnUpThatIsKilled() throws Exception {
        Process up = start();
        List<ProcessHandle> children = List.of();
        try {
            assertThat(awaitNodes(up, 0)).hasSize(2);
            children = up.descendants().toList();

            up.destroyForcibly();

            List<ProcessHandle> orphans = children;
            assertThat(orphans).hasSize(2);
            await().atMost(STOP).untilAsserted(() -> assertThat(orphans).noneMatch(ProcessHandle::isAlive));
        } finally {
            children.forEach(ProcessHandle::destroyForcibly);
            kill(up);
        }
    }

    @Test
    void aWrongFlagEndsAllWithTheDataPlanesOwnWords() throws Exception {
        Kv.KvResult result = Kv.run(folder, environment, command("--threads", "none"));

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .contains("kv node: --threads: must be auto or 1 to 9999, not none", "stopping all")
                .doesNotContain("again", "Exception", "\tat ");
    }

    @Test
    void memoryThatANodeDoesNotHaveIsRefused() throws Exception {
        Map<String, String> tooMuch = new HashMap<>(environment);
        tooMuch.put("KVSTORE_MEMORY_TIER_SIZE", "1G");

        Kv.KvResult result = Kv.run(folder, tooMuch, command());

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .contains("kv node: NUMA node ", ": kvstore.memory-tier-size + ", "1235 MiB", "1300 MiB");
    }

    @Test
    void theNodeIsNotForTheUserToName() throws Exception {
        Kv.KvResult result = Kv.run(folder, environment, command("--numa-node=1"));

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).startsWith("kv node up: --numa-node: kv node up starts a data plane on every node");
    }

    @Test
    void explainsItself() throws Exception {
        Kv.KvResult result = Kv.run(folder, environment, List.of("node", "up", "--help-all"));

        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).contains("kv node up", "--port", "8085", "--http-port", "--host", "0.0.0.0", "--json");
    }

    private Process start() throws IOException {
        List<String> command = command("--json", json.toString());
        return Kv.start(folder, environment, command, folder.resolve("nodes.out"), err);
    }

    private List<String> command(String... more) {
        List<String> command =
                new ArrayList<>(List.of("node", "up", "--host", "127.0.0.1,127.0.0.2", "--port", "" + port));
        command.addAll(List.of("--accounts", "accounts.json"));
        command.addAll(List.of(more));
        return command;
    }

    /** The nodes in the file once the data planes have been started again {@code restarts} times, all together. */
    private List<JsonNode> awaitNodes(Process up, int restarts) {
        await().atMost(START).until(() -> !up.isAlive() || (Files.exists(json) && restarts() == restarts));
        assertThat(up.isAlive()).as(() -> "see " + err).isTrue();
        return nodes();
    }

    private int restarts() {
        return nodes().stream().mapToInt(node -> node.get("restarts").asInt()).sum();
    }

    private List<JsonNode> nodes() {
        try {
            return new ObjectMapper()
                    .readTree(json.toFile())
                    .get("nodes")
                    .valueStream()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Metrics metrics(int id) {
        return Metrics.scrape(URI.create("http://127.0.0.1:" + (port + 1_000 + id) + "/q/metrics"));
    }

    private static void kill(Process process) {
        List<ProcessHandle> children = process.descendants().toList();
        process.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
    }
}
