package dev.kvstore.launcher.numa;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command lines of data planes, on recorded machines. */
final class BindingTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            one-node   | 0 | numactl --cpunodebind=0 --membind=0
            two-nodes  | 0 | numactl --cpunodebind=0 --membind=0
            two-nodes  | 1 | numactl --cpunodebind=1 --membind=1
            four-nodes | 3 | numactl --cpunodebind=3 --membind=3
            """)
    void numactlBindsCpusAndMemory(String machine, int node, String prefix) {
        assertThat(prefix(machine, node, BindingTest::allWorks)).isEqualTo(prefix);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            one-node   | 0 | taskset -c 0-7
            two-nodes  | 0 | taskset -c 0-15,32-46
            two-nodes  | 1 | taskset -c 16-31,48-63
            four-nodes | 2 | taskset -c 48-71,144-167
            """)
    void tasksetBindsTheCpusThatAreOnline(String machine, int node, String prefix) {
        assertThat(prefix(machine, node, BindingTest::allButNumactlWorks)).isEqualTo(prefix);
    }

    @Test
    void nothingToBindWithIsSaid() {
        Binding binding = binding("two-nodes", 1, BindingTest::nothingWorks);

        assertThat(binding.pinning().prefix(binding.node())).isEmpty();
        assertThat(binding.warning()).contains("NOT bound to NUMA node 1", "install numactl");
    }

    @Test
    void cpusAloneAreSaid() {
        assertThat(binding("two-nodes", 1, BindingTest::allButNumactlWorks).warning())
                .contains("numactl", "taskset");
        assertThat(binding("two-nodes", 1, BindingTest::allWorks).warning()).isNull();
    }

    @Test
    void aMachineThatTellsOfNoNodesHasNothingToBind() {
        Machine machine = new Machine(Path.of("no", "such", "folder"), Machines.GIB);
        Topology topology = TopologyReader.read(machine);

        Binding binding = Binding.of(machine, topology, topology.alone(0), BindingTest::allWorks);

        assertThat(binding.pinning()).isEqualTo(Pinning.NONE);
        assertThat(binding.warning()).isNull();
    }

    @Test
    void theHeapIsAQuarterOfTheNode() {
        Binding binding = new Binding(new NumaNode(0, RangeList.NONE, 16 * Machines.GIB), Pinning.NONE, 64L << 30);

        assertThat(binding.jvm()).containsExactly("-XX:MaxRAMPercentage=6.2500");
    }

    @Test
    void theHeapIsAtMost16GiB() {
        Binding binding = new Binding(new NumaNode(0, RangeList.NONE, 256 * Machines.GIB), Pinning.NONE, 512L << 30);

        assertThat(binding.jvm()).containsExactly("-XX:MaxRAMPercentage=3.1250");
    }

    @Test
    void theWholeCommandStartsWithTheBindingAndEndsWithTheFlags() {
        List<String> command = binding("two-nodes", 1, BindingTest::allButNumactlWorks)
                .command(Path.of("data-plane.jar"), List.of("--port", "8086"));

        assertThat(command).startsWith("taskset", "-c", "16-31,48-63");
        assertThat(command).endsWith("--numa-node", "1", "--numa-memory", "270574321664", "--port", "8086");
        assertThat(command).containsSubsequence("-XX:MaxDirectMemorySize=1t", "-jar", "data-plane.jar");
    }

    private static String prefix(String machine, int node, Predicate<List<String>> works) {
        Binding binding = binding(machine, node, works);
        return String.join(" ", binding.pinning().prefix(binding.node()));
    }

    private static Binding binding(String name, int node, Predicate<List<String>> works) {
        Machine machine = Machines.recorded(name);
        Topology topology = TopologyReader.read(machine);
        return Binding.of(machine, topology, topology.alone(node), works);
    }

    private static boolean allWorks(List<String> command) {
        return !command.isEmpty();
    }

    private static boolean nothingWorks(List<String> command) {
        return command.isEmpty();
    }

    private static boolean allButNumactlWorks(List<String> command) {
        return !command.contains("numactl");
    }
}
