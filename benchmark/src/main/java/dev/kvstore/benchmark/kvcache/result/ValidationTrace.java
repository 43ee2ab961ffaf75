package dev.kvstore.benchmark.kvcache.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.kvcache.workload.JsonList;
import java.nio.file.Path;

/**
 * The requests of a real system, summed up, to compare a run with: {@code --validation-trace}. Immutable.
 *
 * @param requests at least one
 * @param hitRate share of the requests that found something, above 0
 * @param readWriteRatio bytes read over bytes written; bytes read where nothing was written
 * @param meanContext tokens
 * @param meanAnswer tokens
 */
public record ValidationTrace(
        long requests, double hitRate, double readWriteRatio, double meanContext, double meanAnswer) {
    private static final double CLOSE_PERCENT = 5;
    private static final String FLAG = "--validation-trace";
    private static final String FORM =
            "{\"cache_hit\": true, \"read_bytes\": 0, \"write_bytes\": 0, \"context_tokens\": 0, \"generation_tokens\": 0}";

    private record TraceEntry(
            @JsonProperty(required = true) boolean cacheHit,
            @JsonProperty(required = true) double readBytes,
            @JsonProperty(required = true) double writeBytes,
            @JsonProperty(required = true) double contextTokens,
            @JsonProperty(required = true) double generationTokens) {
        @SuppressWarnings("UnusedMethod") // Jackson calls it.
        private TraceEntry {
            double least = Math.min(Math.min(readBytes, writeBytes), Math.min(contextTokens, generationTokens));
            if (least < 0 || !Double.isFinite(readBytes + writeBytes + contextTokens + generationTokens)) {
                throw new IllegalArgumentException("numbers must be 0 or more");
            }
        }
    }

    /**
     * Reads a JSON list of requests, one after the other; other fields do not matter.
     *
     * @throws IllegalArgumentException if it is wrong; the message names flag, file and line
     */
    public static ValidationTrace read(Path file) {
        // Requests, hits, bytes read and written, tokens of contexts and answers.
        double[] sums = new double[6];
        JsonList.read(FLAG, file, Integer.MAX_VALUE, TraceEntry.class, FORM, request -> {
            sums[0]++;
            sums[1] += request.cacheHit ? 1 : 0;
            sums[2] += request.readBytes;
            sums[3] += request.writeBytes;
            sums[4] += request.contextTokens;
            sums[5] += request.generationTokens;
        });
        if (sums[1] == 0) {
            throw new IllegalArgumentException(
                    FLAG + ": " + file + ": has no request with cache_hit true, so no rate to compare");
        }
        return new ValidationTrace(
                (long) sums[0],
                sums[1] / sums[0],
                sums[2] / Math.max(sums[3], 1),
                sums[4] / sums[0],
                sums[5] / sums[0]);
    }

    /**
     * Compares a run.
     *
     * @param results the original's JSON
     * @param all also compares the ratio of bytes and the answers' lengths, which the original does not
     * @return the original's {@code validation}
     */
    public ObjectNode compare(ObjectNode results, boolean all) {
        JsonNode summary = results.path("summary");
        ObjectNode comparison = JsonNodeFactory.instance.objectNode();
        double errors = add(comparison, "cache_hit_rate", summary.at("/cache_stats/cache_hit_rate"), 1, hitRate);
        if (all) {
            double requests = Math.max(1, summary.path("total_requests").asDouble());
            errors +=
                    add(comparison, "read_write_ratio", summary.at("/cache_stats/read_write_ratio"), 1, readWriteRatio);
            errors += add(comparison, "generation_tokens_mean", summary.path("total_tokens"), requests, meanAnswer);
        }
        double mean = errors / comparison.size();
        ObjectNode validation = JsonNodeFactory.instance.objectNode();
        validation.put("passed", mean <= CLOSE_PERCENT);
        validation.put("avg_error_pct", mean);
        validation.set("comparison", comparison);
        validation
                .putObject("trace_stats")
                .put("total_requests", requests)
                .put("cache_hit_rate", hitRate)
                .put("read_write_ratio", readWriteRatio)
                .put("context_tokens_mean", meanContext)
                .put("generation_tokens_mean", meanAnswer);
        return validation;
    }

    /** Adds one figure; its distance from the trace's in percent of that. */
    private static double add(ObjectNode to, String name, JsonNode figure, double over, double ofTrace) {
        double run = figure.asDouble() / over;
        double error = ofTrace == 0 ? (run == 0 ? 0 : 100) : Math.abs(run - ofTrace) / ofTrace * 100;
        to.putObject(name)
                .put("benchmark", run)
                .put("trace", ofTrace)
                .put("error_pct", error)
                .put("within_5pct", error <= CLOSE_PERCENT);
        return error;
    }
}
