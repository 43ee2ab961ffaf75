package dev.kvstore.benchmark.kvcache.replay;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
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

    /** For one thread. */
    private static final class Sums {
        private long requests;
        private long hits;
        private double read;
        private double written;
        private double context;
        private double answer;

        private void add(TraceEntry request) {
            requests++;
            hits += request.cacheHit ? 1 : 0;
            read += request.readBytes;
            written += request.writeBytes;
            context += request.contextTokens;
            answer += request.generationTokens;
        }
    }

    /**
     * Reads a JSON list of requests, one after the other; other fields do not matter.
     *
     * @throws IllegalArgumentException if it is wrong; the message names flag, file and line
     */
    public static ValidationTrace read(Path file) {
        Sums sums = new Sums();
        JsonList.read(FLAG, file, Integer.MAX_VALUE, TraceEntry.class, FORM, sums::add);
        if (sums.hits == 0) {
            throw new IllegalArgumentException(
                    FLAG + ": " + file + ": has no request with cache_hit true, so no rate to compare");
        }
        return new ValidationTrace(
                sums.requests,
                (double) sums.hits / sums.requests,
                sums.read / Math.max(sums.written, 1),
                sums.context / sums.requests,
                sums.answer / sums.requests);
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
        JsonNode stats = summary.path("cache_stats");
        ObjectNode comparison = JsonNodeFactory.instance.objectNode();
        double errors =
                add(comparison, "cache_hit_rate", stats.path("cache_hit_rate").asDouble(), hitRate);
        if (all) {
            double answers = summary.path("total_tokens").asDouble()
                    / Math.max(1, summary.path("total_requests").asDouble());
            errors += add(
                    comparison,
                    "read_write_ratio",
                    stats.path("read_write_ratio").asDouble(),
                    readWriteRatio);
            errors += add(comparison, "generation_tokens_mean", answers, meanAnswer);
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
    private static double add(ObjectNode to, String name, double run, double ofTrace) {
        double error = ofTrace == 0 ? (run == 0 ? 0 : 100) : Math.abs(run - ofTrace) / ofTrace * 100;
        to.putObject(name)
                .put("benchmark", run)
                .put("trace", ofTrace)
                .put("error_pct", error)
                .put("within_5pct", error <= CLOSE_PERCENT);
        return error;
    }
}
