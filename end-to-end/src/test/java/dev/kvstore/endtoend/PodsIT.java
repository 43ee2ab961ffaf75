package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Pods with addresses of IPv4 and IPv6. */
@Tag("full")
@EnabledOnOs(value = OS.LINUX, disabledReason = "network namespaces are Linux' own")
class PodsIT extends PodsContract {
    PodsIT() {
        super(PodNetwork.Family.BOTH);
    }

    /**
     * The first data plane gets huge pages for all its memory, the heap and the stacks included; the second refuses
     * them.
     */
    @Test
    void blocksOfAllSizesPassWhereTheKernelGivesHugePagesToAll() throws Exception {
        try (HugePageMode _ = HugePageMode.always()) {
            for (int i = 0; i < 2; i++) {
                cluster().stopDataPlane(i);
                cluster().restartDataPlane(i);
            }

            assertBlocksOfAllSizesPass("huge-pages");

            assertThat(HugePageMode.of(cluster().process("data-plane-0"))).isGreaterThan(64 << 20);
            assertThat(HugePageMode.of(cluster().process("data-plane-1"))).isZero();
        }
    }
}
