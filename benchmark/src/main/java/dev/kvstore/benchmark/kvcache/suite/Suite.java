package dev.kvstore.benchmark.kvcache.suite;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.benchmark.kvcache.config.YamlResource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The values of {@code --suite}; {@code suites.yaml} has their runs. */
public enum Suite {
    SMOKE,
    MLPERF,
    SEED_002,
    WRAPPER;

    /** The tier that a caller may put another one in the place of. */
    public static final String DISK = "disk";

    private static final double LEAST_HIGH = 50;
    private static final double MOST_HIGH = 300;

    private JsonNode plan() {
        return YamlResource.read(Suite.class, "suites.yaml").path(toString());
    }

    /** The trials of each run, unless the caller says otherwise. */
    public int usualTrials() {
        return plan().path("trials").asInt();
    }

    /** Seconds before and after each run, unless the caller says otherwise. */
    public int usualPauseSeconds() {
        return plan().path("pause").asInt();
    }

    /** All runs in their order: each with all its trials. */
    public List<SuiteRun> runs(SuiteSize size) {
        JsonNode plan = plan();
        List<SuiteRun> all = new ArrayList<>();
        for (Map.Entry<String, JsonNode> run : plan.path("runs").properties()) {
            for (int trial = 1; trial <= size.trials(); trial++) {
                all.add(run(plan, run.getKey(), trial, size));
            }
        }
        return all;
    }

    private static SuiteRun run(JsonNode plan, String name, int trial, SuiteSize size) {
        JsonNode run = plan.path("runs").path(name);
        Stream<JsonNode> flags = size.quick()
                ? Stream.of(plan.path("flags"), run.path("flags"), plan.path("quick"), run.path("quick"))
                : Stream.of(plan.path("flags"), run.path("flags"));
        String file = plan.path("file")
                .asText()
                .replace("{name}", name.replace(' ', '-'))
                .replace("{trial}", Integer.toString(trial));
        return new SuiteRun(
                name,
                trial,
                flags.flatMap(text -> Arrays.stream(text.asText().split(" ", -1)))
                        .filter(flag -> !flag.isEmpty())
                        .map(flag -> sized(flag, size.memoryGib()))
                        .toList(),
                List.of(run.path("tiers").asText().split(",", -1)),
                plan.path("config").asText(),
                file);
    }

    private static String sized(String flag, double memoryGib) {
        int high = (int) Math.clamp(10 * memoryGib, LEAST_HIGH, MOST_HIGH);
        return flag.replace("{half}", gib(memoryGib / 2))
                .replace("{eighth}", gib(memoryGib / 8))
                .replace("{high}", Integer.toString(high))
                .replace("{tenth}", Integer.toString(high / 10));
    }

    private static String gib(double gib) {
        return String.format(Locale.ROOT, "%.2f", gib);
    }

    /** As on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
