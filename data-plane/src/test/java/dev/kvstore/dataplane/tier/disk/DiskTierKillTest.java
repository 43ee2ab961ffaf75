package dev.kvstore.dataplane.tier.disk;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real processes that are killed while they write. */
@Tag("slow")
@Timeout(300)
final class DiskTierKillTest {
    private static final int KILLS = 3;
    private static final int LINES = 12;

    private final Records records = new Records(64 << 20);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatWasWrittenIsFoundAndNothingElse(boolean direct) throws Exception {
        int next = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            Process writer = DiskTierProcess.start(folder, next, direct);
            int written = next - 1;
            try (BufferedReader output = writer.inputReader()) {
                assertThat(output.readLine()).contains(direct ? "I/O" : "buffered I/O");
                for (int line = 0; line < LINES; line++) {
                    written = Integer.parseInt(requireNonNull(output.readLine()));
                }
                writer.destroyForcibly().waitFor();
            }

            try (DiskTier tier = new SmallDisk(folder, DiskTierProcess.REGIONS).open(records.pool())) {
                assertThat(IntStream.rangeClosed(0, written))
                        .allMatch(i -> records.has(tier, i, DiskTierProcess.BYTES));
                // The batch that the kill fell into: whole, or found out.
                IntStream.range(written + 1, written + 100).forEach(i -> records.has(tier, i, DiskTierProcess.BYTES));
                assertThat(tier.counters().errors().sum()).isZero();
            }
            next = written + 1;
        }
    }
}
