package dev.kvstore.launcher.numa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TopologyReaderTest {
    private static final long KIB = 1 << 10;

    @TempDir
    Path root;

    @Test
    void aMachineOfOneNodeHasAllInIt() {
        assertThat(read("one-node").nodes()).containsExactly(node(0, "0-7", 32_768_000));
    }

    @Test
    void cpusThatAreOfflineAreNotUsed() {
        assertThat(read("two-nodes").nodes())
                .containsExactly(node(0, "0-15,32-46", 263_842_120), node(1, "16-31,48-63", 264_232_736));
    }

    @Test
    void aNodeOfMemoryAloneIsLeftOut() {
        Topology topology = read("four-nodes");

        assertThat(topology.nodes()).extracting(NumaNode::id).containsExactly(0, 1, 2, 3);
        assertThat(topology.unused()).isEqualTo(Map.of(4, "it has no CPUs"));
    }

    @Test
    void aMachineThatTellsOfNoNodesIsOne() {
        Topology topology = TopologyReader.read(new Machine(root, 5000));

        assertThat(topology.isTold()).isFalse();
        assertThat(topology.nodes()).containsExactly(new NumaNode(0, RangeList.NONE, 5000));
    }

    @Test
    void aNodeWithoutMemoryIsLeftOut() throws Exception {
        tree("0-3", "0-1");
        write("sys/devices/system/node/node1/meminfo", "Node 1 MemTotal:       0 kB\n");

        assertThat(topology().unused()).isEqualTo(Map.of(1, "it has no memory"));
    }

    @Test
    void onlyCpusThatThisProcessMayUseAreUsed() throws Exception {
        tree("1-2", "0-1");

        assertThat(topology().nodes()).containsExactly(node(0, "1", 1000), node(1, "2", 1000));
    }

    @Test
    void aNodeWhoseCpusThisProcessMayNotUseIsLeftOut() throws Exception {
        tree("2-3", "0-1");

        assertThat(topology().nodes()).containsExactly(node(1, "2-3", 1000));
        assertThat(topology().unused())
                .isEqualTo(Map.of(0, "this process may run on CPUs 2-3 only, and not on its 0-1"));
    }

    @Test
    void aNodeWhoseMemoryThisProcessMayNotUseIsLeftOut() throws Exception {
        tree("0-3", "1");

        assertThat(topology().unused()).isEqualTo(Map.of(0, "this process may have memory of nodes 1 only"));
    }

    @Test
    void noUsableNodeAtAllIsAnError() throws Exception {
        tree("0-1", "1");

        assertThatExceptionOfType(LaunchException.class)
                .isThrownBy(this::topology)
                .withMessageContainingAll("no NUMA node can be used", "nodes 1 only", "CPUs 0-1 only");
    }

    @Test
    void aFileThatCannotBeUnderstoodIsNamed() throws Exception {
        tree("0-3", "0-1");
        write("sys/devices/system/node/node1/cpulist", "many\n");

        assertThatExceptionOfType(LaunchException.class)
                .isThrownBy(this::topology)
                .withMessageContainingAll("node1/cpulist", "\"many\" is no list such as 0-3,8-11");
    }

    @Test
    void aNodeThatIsNotThereIsAnsweredWithThoseThatAre() {
        Topology two = read("two-nodes");
        Topology four = read("four-nodes");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> two.alone(7))
                .withMessage("there is no node 7; this machine has NUMA nodes 0-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("one-node").alone(1))
                .withMessage("there is no node 1; this machine has NUMA node 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> four.alone(4))
                .withMessage("node 4 cannot be used: it has no CPUs");
    }

    @Test
    void processesOnAllNodesShareAContainersLimit() throws Exception {
        tree("0-3", "0-1");
        Topology topology = TopologyReader.read(new Machine(root, 500 * KIB));

        assertThat(topology.shared()).extracting(NumaNode::memoryBytes).containsExactly(250 * KIB, 250 * KIB);
        assertThat(topology.alone(1).memoryBytes()).isEqualTo(500 * KIB);
    }

    @Test
    void withoutALimitEachHasItsNode() {
        assertThat(read("two-nodes").shared()).isEqualTo(read("two-nodes").nodes());
        assertThat(read("two-nodes").alone(1)).isEqualTo(node(1, "16-31,48-63", 264_232_736));
    }

    private static Topology read(String name) {
        return TopologyReader.read(Machines.recorded(name));
    }

    private Topology topology() {
        return TopologyReader.read(new Machine(root, Machines.GIB));
    }

    private static NumaNode node(int id, String cpus, long kibibytes) {
        return new NumaNode(id, RangeList.parse(cpus), kibibytes * KIB);
    }

    /** Two nodes of two CPUs and 1000 KiB each. */
    private void tree(String cpusAllowed, String memoryAllowed) throws IOException {
        write("sys/devices/system/node/online", "0-1\n");
        for (int id = 0; id < 2; id++) {
            write("sys/devices/system/node/node" + id + "/cpulist", 2 * id + "-" + (2 * id + 1) + "\n");
            write("sys/devices/system/node/node" + id + "/meminfo", "Node " + id + " MemTotal:    1000 kB\n");
        }
        write(
                "proc/self/status",
                "Name:\tjava\nCpus_allowed_list:\t" + cpusAllowed + "\nMems_allowed_list:\t" + memoryAllowed + "\n");
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
