package dev.kvstore.benchmark.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.launcher.LaunchException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The command line and the output of fio. */
class DiskTrialTest {
    @Test
    void readsTheTiersOwnFilesPastThePageCacheAndDoesNotWriteThem() {
        List<Path> files = List.of(Path.of("/a:b/region-0"), Path.of("/a:b/region-1"));

        assertThat(DiskTrial.command("/usr/bin/fio", files, 4, Duration.ofSeconds(3)))
                .startsWith("/usr/bin/fio")
                .contains(
                        "--readonly",
                        "--rw=randread",
                        "--direct=1",
                        "--bs=1204224",
                        "--filename=/a\\:b/region-0:/a\\:b/region-1",
                        "--numjobs=4",
                        "--runtime=3000ms");
    }

    @Test
    void saysHowFastItWas() {
        String said = "fio: file hash not empty on exit\n"
                + "{\"fio version\": \"fio-3.33\", \"jobs\": [{\"jobname\": \"read\", \"read\": {\"bw_bytes\": 1500000000}}]}";

        assertThat(DiskTrial.gigabytesPerSecond(said)).isEqualTo(1.5);
    }

    @Test
    void whatItSaysInsteadIsTold() {
        assertThatThrownBy(() -> DiskTrial.gigabytesPerSecond("fio: direct not supported\n"))
                .isInstanceOf(LaunchException.class)
                .hasMessage("fio does not say how fast it was: fio: direct not supported");
        assertThatThrownBy(() -> DiskTrial.gigabytesPerSecond("{\"jobs\": []}"))
                .hasMessage("fio does not say how fast it was: {\"jobs\": []}");
    }
}
