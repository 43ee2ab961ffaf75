package dev.kvstore.benchmark.kvcache.replay;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
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

    /**
     * Reads a JSON list of requests, as a stream: {@code [{"cache_hit": true, "read_bytes": 1, "write_bytes": 1,
     * "context_tokens": 1, "generation_tokens": 1}, ...]}; other fields do not matter.
     *
     * @throws IllegalArgumentException if it is wrong; the message names flag, file and line
     */
    public static ValidationTrace read(Path file) {
        return JsonList.read("--validation-trace", file, "requests", parser -> {
            Sums sums = new Sums();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                JsonList.require(parser, parser.currentToken() == JsonToken.START_OBJECT, "must be a request");
                sums.add(parser);
            }
            return sums.trace();
        });
    }

    /** For one thread. */
    private static final class Sums {
        private static final int FIELDS = 5;

        private long requests;
        private long hits;
        private double read;
        private double written;
        private double context;
        private double answer;

        void add(JsonParser parser) throws IOException {
            int line = parser.currentLocation().getLineNr();
            int found = 0;
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                parser.nextToken();
                switch (field) {
                    case "cache_hit" -> hits += truth(parser) ? 1 : 0;
                    case "read_bytes" -> read += number(parser);
                    case "write_bytes" -> written += number(parser);
                    case "context_tokens" -> context += number(parser);
                    case "generation_tokens" -> answer += number(parser);
                    default -> {
                        parser.skipChildren();
                        continue;
                    }
                }
                found++;
            }
            if (found != FIELDS) {
                throw new IllegalArgumentException("line " + line + ": a request must have cache_hit, read_bytes,"
                        + " write_bytes, context_tokens and generation_tokens, each once");
            }
            requests++;
        }

        private static boolean truth(JsonParser parser) throws IOException {
            JsonList.require(
                    parser, parser.currentToken().isBoolean(), parser.currentName() + " must be true or false");
            return parser.getBooleanValue();
        }

        private static double number(JsonParser parser) throws IOException {
            boolean number = parser.currentToken().isNumeric();
            JsonList.require(
                    parser,
                    number && parser.getDoubleValue() >= 0 && Double.isFinite(parser.getDoubleValue()),
                    parser.currentName() + " must be a number, 0 or more");
            return parser.getDoubleValue();
        }

        ValidationTrace trace() {
            if (hits == 0) {
                throw new IllegalArgumentException(
                        requests == 0
                                ? "has no requests"
                                : "has no request with cache_hit true, so no rate to compare");
            }
            return new ValidationTrace(
                    requests,
                    (double) hits / requests,
                    read / Math.max(written, 1),
                    context / requests,
                    answer / requests);
        }
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
        double errors = add(comparison, "cache_hit_rate", summary.at("/cache_stats/cache_hit_rate"), hitRate);
        if (all) {
            errors += add(comparison, "read_write_ratio", summary.at("/cache_stats/read_write_ratio"), readWriteRatio);
            double requestsOfRun = Math.max(1, summary.path("total_requests").asDouble());
            errors += add(
                    comparison,
                    "generation_tokens_mean",
                    JsonNodeFactory.instance.numberNode(
                            summary.path("total_tokens").asDouble() / requestsOfRun),
                    meanAnswer);
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
    private static double add(ObjectNode to, String name, JsonNode ofRun, double ofTrace) {
        double run = ofRun.asDouble();
        double error = ofTrace == 0 ? (run == 0 ? 0 : 100) : Math.abs(run - ofTrace) / ofTrace * 100;
        to.putObject(name)
                .put("benchmark", run)
                .put("trace", ofTrace)
                .put("error_pct", error)
                .put("within_5pct", error <= CLOSE_PERCENT);
        return error;
    }
}
