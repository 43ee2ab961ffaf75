package dev.kvstore.benchmark.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The command line of fio. */
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
}
