package dev.kvstore.benchmark.peers.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CpuTimeTest {
    private static final String STAT =
            "1234 (a name) with (brackets) S 1 1234 1234 0 -1 4194560 1 2 3 4 250 150 30 20 20 0 1"
                    + " 0 100 200 300 18446744073709551615";

    @Test
    void isUserAndSystemTimeInHundredthsOfASecond() {
        assertThat(CpuTime.seconds(STAT, 11, 12)).isEqualTo(4.0);
    }

    @Test
    void isNothingWhereNobodyTells() {
        assertThat(CpuTime.seconds("", 11, 12)).isZero();
        assertThat(CpuTime.of(Long.MAX_VALUE)).isZero();
    }

    @Test
    void ofChildrenCountsThoseThatHaveEnded() throws Exception {
        double before = CpuTime.ofReapedChildren();

        Process busy = new ProcessBuilder("sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done").start();

        assertThat(busy.waitFor()).isZero();
        assertThat(CpuTime.ofReapedChildren()).isGreaterThan(before);
    }

    @Test
    void growsWithWork() {
        double before = CpuTime.ofThis();
        long sum = 0;
        while (CpuTime.ofThis() < before + 0.05) {
            sum += System.nanoTime();
        }

        assertThat(sum).isNotZero();
        assertThat(CpuTime.of(ProcessHandle.current().pid())).isGreaterThanOrEqualTo(before + 0.05);
    }
}
