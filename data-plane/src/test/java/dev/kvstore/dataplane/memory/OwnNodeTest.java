package dev.kvstore.dataplane.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The NUMA node whose CPUs a process has, and its memory. */
class OwnNodeTest {
    @TempDir
    Path root;

    /** A machine of two nodes with 8 CPUs and 16 GiB each. */
    private Optional<OwnNode> find(String cpus, String memory) throws IOException {
        Path nodes = root.resolve("sys/devices/system/node");
        for (int node = 0; node < 2; node++) {
            Path folder = Files.createDirectories(nodes.resolve("node" + node));
            Files.writeString(folder.resolve("cpulist"), node == 0 ? "0-3,8-11\n" : "4-7,12-15\n");
            Files.writeString(folder.resolve("meminfo"), "Node " + node + " MemTotal:       16777216 kB\n");
        }
        Files.writeString(nodes.resolve("online"), "0-1\n");
        Files.createDirectories(root.resolve("proc/self"));
        Files.writeString(
                root.resolve("proc/self/status"),
                "Name:\tjava\nCpus_allowed_list:\t" + cpus + "\nMems_allowed_list:\t" + memory + "\n");
        return OwnNode.find(root);
    }

    @Test
    void isTheOneThatHasAllCpusOfTheProcess() throws IOException {
        assertThat(find("4-6,13", "0-1")).contains(new OwnNode(1, 16L << 30));
        assertThat(find("0,8", "0-1")).contains(new OwnNode(0, 16L << 30));
    }

    @Test
    void isNoneWhereTheProcessHasCpusOfSeveral() throws IOException {
        assertThat(find("3-4", "0-1")).isEmpty();
        assertThat(find("0-15", "0-1")).isEmpty();
    }

    @Test
    void isNoneWhereTheMemoryIsBoundAlreadyOrElsewhere() throws IOException {
        assertThat(find("4-7", "1")).isEmpty();
        assertThat(find("4-7", "0")).isEmpty();
    }

    @Test
    void isNoneWhereTheSystemTellsOfNone() {
        assertThat(OwnNode.find(root)).isEmpty();
    }

    @Test
    void theMemoryOfAThreadAndOfThoseItStartsIsBoundForGood() throws InterruptedException {
        MemoryPolicy policy = MemoryPolicy.ofThisSystem().orElse(null);
        assumeTrue(policy != null, "missing: set_mempolicy of Linux");
        List<Integer> modes = Collections.synchronizedList(new ArrayList<>());

        // A thread of its own: the others of this JVM stay as they are.
        Thread bound = Thread.ofPlatform().start(() -> {
            modes.add(policy.current().orElseThrow());
            if (policy.bind(0)) {
                modes.add(policy.current().orElseThrow());
                Thread later = Thread.ofPlatform()
                        .start(() -> modes.add(policy.current().orElseThrow()));
                try {
                    later.join();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        bound.join();

        assumeTrue(modes.size() > 1, "missing: the right to bind memory (CAP_SYS_NICE, or a seccomp profile)");
        assertThat(modes).containsExactly(MemoryPolicy.DEFAULT, MemoryPolicy.BIND, MemoryPolicy.BIND);
    }
}
