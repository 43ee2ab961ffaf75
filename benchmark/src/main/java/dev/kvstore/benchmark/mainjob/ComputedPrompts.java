package dev.kvstore.benchmark.mainjob;

import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.benchmark.measure.StoredPrompts;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Stored prompts whose hash chains were computed before the measurement, which hashes nothing.
 *
 * @param blockBytes length of each buffer
 */
public record ComputedPrompts(List<Prompt> prompts, int blockBytes) {
    public static ComputedPrompts of(StoredPrompts stored) {
        return new ComputedPrompts(
                IntStream.range(0, stored.count()).mapToObj(stored::prompt).toList(), stored.blockBytes());
    }
}
