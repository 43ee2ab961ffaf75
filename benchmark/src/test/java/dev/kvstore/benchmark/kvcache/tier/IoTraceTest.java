package dev.kvstore.benchmark.kvcache.tier;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The CSV of the original. */
class IoTraceTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @Test
    void writesTheLinesOfTheOriginal() throws IOException {
        Path file = folder.resolve("trace.csv");
        try (IoTrace trace = new IoTrace(file)) {
            trace.add(
                    Instant.ofEpochSecond(1_795_678_050, 754_882_000),
                    "Write",
                    75_005_952,
                    0,
                    "conv_turn_1",
                    "Prefill");
            trace.add(Instant.ofEpochSecond(1_795_678_050, 755_008_000), "Read", 75_005_952, 2, "conv_turn_1", "Evict");
        }

        assertThat(Files.readString(file)).isEqualTo("""
                        Timestamp,Operation,Object_Size_Bytes,Tier,Key,Phase\r
                        1795678050.754882,Write,75005952,Tier-0,conv_turn_1,Prefill\r
                        1795678050.755008,Read,75005952,Tier-2,conv_turn_1,Evict\r
                        """);
    }
}
