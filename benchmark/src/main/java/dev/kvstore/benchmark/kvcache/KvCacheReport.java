package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.ArrayList;
import java.util.List;

/**
 * The figures of a run.
 *
 * @param results the original's JSON
 * @param flaws the failures, a sentence each; in {@code --compat} errors are none
 */
record KvCacheReport(ObjectNode results, List<String> flaws) implements BenchReport {
    private static final String NOTHING_ANSWERED =
            "No request was answered in the window: it was too short, or tiers or machine"
                    + " too slow; give a longer --duration, fewer --num-users or a smaller --model, and --warmup 0 with --replay-cycles.";

    KvCacheReport {
        flaws = List.copyOf(flaws);
    }

    static KvCacheReport of(ObjectNode results, boolean honest) {
        JsonNode own = results.at("/summary/kvstore");
        List<String> flaws = new ArrayList<>();
        if (own.path("interrupted").asBoolean()) {
            flaws.add("The run was ended early.");
        }
        if (results.path("requests_completed").asLong() == 0) {
            flaws.add(NOTHING_ANSWERED);
        }
        if (honest) {
            long failed = own.path("requests")
                    .valueStream()
                    .mapToLong(qos -> qos.path("failed").asLong())
                    .sum();
            add(flaws, own.path("errors").asLong(), "reads and writes failed in the window.");
            add(flaws, own.path("damaged_reads").asLong(), "reads gave other bytes than were written.");
            add(flaws, failed, "requests failed.");
            long lost = own.path("requests_unaccounted").asLong();
            add(flaws, lost, "requests are not accounted for: a worker has ended.");
        }
        // As the original counts, a tier's failure is none, but a worker's end is one in any case.
        String first = own.path("first_failure").textValue();
        if (first != null) {
            flaws.add("The first failure: " + first);
        }
        return new KvCacheReport(results, flaws);
    }

    private static void add(List<String> flaws, long count, String what) {
        if (count != 0) {
            flaws.add(count + " " + what);
        }
    }

    @Override
    public List<String> failures() {
        return flaws;
    }

    @Override
    public ReportPage page(String command) {
        return new KvCachePage(results).page();
    }
}
