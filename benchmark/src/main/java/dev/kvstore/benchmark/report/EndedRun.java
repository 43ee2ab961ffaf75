package dev.kvstore.benchmark.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A run that has ended: what every form of its report has.
 *
 * @param holds whether what the command promises held, and it was not interrupted
 * @param figures all of them, as {@code --json} gives them
 */
record EndedRun(ReportPage page, boolean holds, RunEnvironment environment, JsonNode figures) {
    /** The heading over the environment. */
    static final String HOW = "How this was measured";

    private static final String FAILED =
            "Not all that this run promises held, or it was stopped before its end. What follows says which.";

    /** Warnings to read before believing a figure, a sentence or more each. */
    List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (!holds) {
            warnings.add(FAILED);
        }
        if (!environment.noise().quiet()) {
            warnings.add(environment.noise().sentence());
        }
        return List.copyOf(warnings);
    }
}
