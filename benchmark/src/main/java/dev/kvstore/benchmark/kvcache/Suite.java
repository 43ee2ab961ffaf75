package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.benchmark.kvcache.config.YamlResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The values of {@code --suite}: several runs whose flags {@code suites.yaml} has. */
enum Suite {
    SMOKE,
    MLPERF,
    SEED_002,
    WRAPPER;

    /** The tier that a caller may put another one in the place of. */
    static final String DISK = "disk";

    private static final double LEAST_HIGH = 50;
    private static final double MOST_HIGH = 300;

    /**
     * A run of several.
     *
     * @param name of it, which all its trials have
     * @param trial from 1
     * @param flags the flags that the suite sets
     * @param tiers from the fastest, with commas; empty for those of the caller
     * @param config text of its config file; empty for none
     * @param file of its results, below the folder of the suite's
     */
    record SuiteRun(String name, int trial, List<String> flags, String tiers, String config, String file) {
        SuiteRun {
            flags = List.copyOf(flags);
        }
    }

    /** The names of its runs. */
    List<String> names() {
        return plan().path("runs").propertyStream().map(Map.Entry::getKey).toList();
    }

    /** The run that the others are compared with, which has the last tier alone; empty if its runs have different loads. */
    String baseline() {
        return plan().path("baseline").asText();
    }

    private JsonNode plan() {
        return YamlResource.read(Suite.class, "suites.yaml").path(toString());
    }

    /** The trials of each run, unless the caller says otherwise. */
    int usualTrials() {
        return plan().path("trials").asInt();
    }

    /** Seconds before and after each run, unless the caller says otherwise. */
    int usualPauseSeconds() {
        return plan().path("pause").asInt();
    }

    /**
     * All runs in their order: each with all its trials.
     *
     * @param quick a few seconds and users each, to see that all of it works; no result
     * @param wanted the names of these runs alone; empty for all
     */
    List<SuiteRun> runs(boolean quick, SuiteMachine machine, int trials, List<String> wanted) {
        JsonNode plan = plan();
        List<SuiteRun> all = new ArrayList<>();
        for (Map.Entry<String, JsonNode> entry : plan.path("runs").properties()) {
            JsonNode run = entry.getValue();
            if (!wanted.isEmpty() && !wanted.contains(entry.getKey())) {
                continue;
            }
            String flags = text(plan, "flags") + text(run, "flags");
            if (quick) {
                flags += text(plan, "quick") + text(run, "quick");
            }
            List<String> sized = List.of(sized(flags.strip(), machine).split(" +", -1));
            for (int trial = 1; trial <= trials; trial++) {
                String file = plan.path("file")
                        .asText()
                        .replace("{name}", entry.getKey().replace(' ', '-'))
                        .replace("{trial}", Integer.toString(trial));
                all.add(new SuiteRun(
                        entry.getKey(),
                        trial,
                        sized,
                        run.path("tiers").asText(),
                        plan.path("config").asText(),
                        file));
            }
        }
        return all;
    }

    private static String text(JsonNode node, String key) {
        return node.path(key).asText() + " ";
    }

    private static String sized(String flags, SuiteMachine machine) {
        double memoryGib = machine.memoryGib();
        int high = (int) Math.clamp(10 * memoryGib, LEAST_HIGH, MOST_HIGH);
        return flags.replace("{gpu}", String.format(Locale.ROOT, "%.2f", machine.gpuGib()))
                .replace("{half}", String.format(Locale.ROOT, "%.2f", memoryGib / 2))
                .replace("{eighth}", String.format(Locale.ROOT, "%.2f", memoryGib / 8))
                .replace("{high}", Integer.toString(high))
                .replace("{tenth}", Integer.toString(high / 10));
    }

    /** The suite's name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
