package dev.kvstore.benchmark.kvcache.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.benchmark.kvcache.RecordedFigures;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bytes that {@code --compat} reads and writes for requests, beside the original's trace of 300 lists of 60 requests. */
class RequestServingTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    /** Operation, size, tier, key and phase of each line, in their order, and the hits and misses. */
    @Test
    void tracesWhatTheOriginalTraced() throws Exception {
        List<String> different = new ArrayList<>();
        for (List<String> recorded : RecordedFigures.words("requests.txt")) {
            int number = Integer.parseInt(recorded.getFirst());
            List<String> events = new RecordedRequests(number, folder.resolve("trace.csv")).run();
            if (events.size() != Integer.parseInt(recorded.get(1))
                    || !RecordedFigures.digest(String.join("\n", events)).equals(recorded.get(2))) {
                different.add(recorded.getFirst());
            }
        }

        assertThat(different).isEmpty();
    }
}
