package dev.kvstore.benchmark.kvcache.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.benchmark.kvcache.tier.OnDisk;
import dev.kvstore.benchmark.peers.PeerProgram;
import dev.kvstore.benchmark.peers.Programs;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk by fio(1). */
@Tag("slow")
class FioBandwidthTest {
    @TempDir(factory = OnDisk.class)
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @Test
    void isMeasuredAndLeavesNoFiles() throws Exception {
        Path fio = Programs.ofThisMachine().paths().get(PeerProgram.FIO);
        assumeTrue(fio != null, "fio is not installed");

        FioBandwidth bandwidth = FioBandwidth.of(fio, folder, Duration.ofMillis(500));

        assertThat(bandwidth.readGibPerSecond()).isPositive();
        assertThat(bandwidth.writeGibPerSecond()).isPositive();
        assertThat(folder).isEmptyDirectory();
    }
}
