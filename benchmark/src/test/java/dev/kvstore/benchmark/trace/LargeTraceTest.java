package dev.kvstore.benchmark.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How large a trace is does not matter to memory. */
final class LargeTraceTest {
    private static final int REQUESTS = 8_000;
    private static final int BLOCKS = 1_000;

    @TempDir
    Path folder;

    /** The program that reads it in a process of its own. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        System.out.println(Survey.of(new TraceFile(Path.of(arguments[0]), false), Long.MAX_VALUE)
                .text());
    }

    @Test
    void aTraceOfFourTimesTheHeapIsReadThrough() throws Exception {
        Path trace = trace();
        assertThat(Files.size(trace)).isGreaterThan(64 << 20);

        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx16m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LargeTraceTest.class.getName(),
                        trace.toString()))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).contains("8,000 requests of 8,000,000 blocks in 8 s");
    }

    private Path trace() throws IOException {
        Path trace = folder.resolve("large.jsonl");
        try (BufferedWriter lines = Files.newBufferedWriter(trace)) {
            for (int i = 1; i <= REQUESTS; i++) {
                lines.write(
                        "{\"timestamp\": " + i + ", \"input_length\": 512000, \"output_length\": 1, \"hash_ids\": [");
                for (int block = 1; block < BLOCKS; block++) {
                    lines.write(Integer.toString(10_000_000 + i * BLOCKS + block));
                    lines.write(',');
                }
                lines.write("0]}\n");
            }
        }
        return trace;
    }
}
