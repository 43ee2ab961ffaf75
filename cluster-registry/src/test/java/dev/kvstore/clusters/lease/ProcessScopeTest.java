package dev.kvstore.clusters.lease;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The processes that a data plane may speak for. */
class ProcessScopeTest {
    @ParameterizedTest
    @CsvSource({
        "node, true",
        "node-8085, true",
        "node-1000, true",
        "node-99999, true",
        "node-999, false",
        "node-0808, false",
        "node-808a, false",
        "node-100000, false",
        "node-8085-8086, false",
        "node8085, false",
        "nod, false",
        "node-, false"
    })
    void aNodeIsItsProcessAndThoseWithAPort(String process, boolean covered) {
        assertThat(new ProcessScope("c", "node").covers("c", process)).isEqualTo(covered);
        assertThat(new ProcessScope("c", "node").covers("d", process)).isFalse();
    }

    @Property(tries = 200)
    void aClusterIsAllItsProcessesAndNoOthers(
            @ForAll @AlphaChars @StringLength(min = 1, max = 5) String cluster,
            @ForAll @AlphaChars @StringLength(min = 1, max = 5) String other,
            @ForAll @AlphaChars @StringLength(max = 9) String process) {
        assertThat(ProcessScope.of(cluster).covers(cluster, process)).isTrue();
        assertThat(ProcessScope.of(cluster).covers(other, process)).isEqualTo(cluster.equals(other));
        assertThat(ProcessScope.ALL.covers(cluster, process)).isTrue();
    }

    @Property(tries = 200)
    void aNodeCoversItselfAtEveryPortWithoutPrivilege(
            @ForAll @AlphaChars @StringLength(min = 1, max = 9) String node,
            @ForAll @IntRange(min = 1_000, max = 65_535) int port) {
        assertThat(new ProcessScope("c", node).covers("c", node + "-" + port)).isTrue();
    }

    @Test
    void aScopeSaysWhatItCovers() {
        assertThat(ProcessScope.ALL).hasToString("every cluster");
        assertThat(ProcessScope.of("c")).hasToString("cluster c");
        assertThat(new ProcessScope("c", "n")).hasToString("node n of cluster c");
    }
}
