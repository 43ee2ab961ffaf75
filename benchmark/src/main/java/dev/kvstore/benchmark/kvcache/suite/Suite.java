package dev.kvstore.benchmark.kvcache.suite;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The values of {@code --suite}. */
public enum Suite {
    /** Each part once, in half a minute: memory, a disk, a simulated GPU, counting as the original, blocks. */
    SMOKE(1, 0) {
        @Override
        List<SuiteRun> once(SuiteSize size) {
            List<String> small = List.of("--model=tiny-1b", "--num-users=2", NO_GENERATION, "--cpu-mem-gb=0.5");
            return List.of(
                    smoke("memory", small, List.of("cpu", NULL)),
                    smoke("disk", small, List.of("cpu", DISK)),
                    smoke("gpu", with(small, "--gpu-mem-gb=0.25"), List.of(GPU, "cpu", NULL)),
                    smoke("as the original", with(small, "--compat"), List.of(NULL)),
                    smoke("blocks", with(small, "--block-tokens=128"), List.of("cpu", NULL)));
        }
    },
    /** The three options of a submission to MLPerf Storage v3.0, rules 6.3 to 6.6. */
    MLPERF(3, 90) {
        @Override
        List<SuiteRun> once(SuiteSize size) {
            return List.of(
                    option(size, 1, "llama3.1-8b", 200, 0, 16),
                    option(size, 2, "llama3.1-8b", 100, 4, 16),
                    option(size, 3, "llama3.1-70b-instruct", 70, 0, 4));
        }
    },
    /** Four ways to share 16 GB among GPU, memory and disk, with the short requests of the published validation. */
    SEED_002(3, 0) {
        @Override
        List<SuiteRun> once(SuiteSize size) {
            return List.of(
                    split(size, "gpu", 16, 0, List.of(GPU, NULL)),
                    split(size, "gpu+cpu", 8, 8, List.of(GPU, "cpu", NULL)),
                    split(size, "gpu+cpu+disk", 4, 4, List.of(GPU, "cpu", DISK)),
                    split(size, "disk", 0, 0, List.of(DISK)));
        }
    },
    /** The scenarios of the original's {@code kv-cache-wrapper.sh}, sized by this machine. */
    WRAPPER(1, 0) {
        @Override
        List<SuiteRun> once(SuiteSize size) {
            double half = size.memoryGib() / 2;
            double eighth = size.memoryGib() / 8;
            int high = (int) Math.clamp(10 * size.memoryGib(), USUAL_USERS, MOST_USERS);
            return List.of(
                    scenario(size, "gpu-only", USUAL_USERS, TIER_SECONDS, 4, List.of(GPU, "cpu", DISK)),
                    scenario(size, "cpu-only", USUAL_USERS, TIER_SECONDS, half, List.of("cpu", DISK)),
                    scenario(size, "storage-only", USUAL_USERS, TIER_SECONDS, 4, List.of("cpu", DISK)),
                    scenario(size, "gpu-cpu", USUAL_USERS, TIER_SECONDS, half, List.of(GPU, "cpu", DISK)),
                    scenario(size, "cpu-storage", high, TIER_SECONDS, eighth, List.of("cpu", DISK)),
                    scenario(size, "gpu-cpu-storage", high, TIER_SECONDS, eighth, List.of(GPU, "cpu", DISK)),
                    scenario(size, "storage-saturation", high, LONG_SECONDS, 4, List.of("cpu", DISK)),
                    scenario(size, "production", USUAL_USERS, LONG_SECONDS, half, List.of(GPU, "cpu", DISK)),
                    scaled(
                            scenario(
                                    size, "autoscale", SCALED_USERS, SCALED_SECONDS, eighth, List.of(GPU, "cpu", DISK)),
                            size,
                            "--autoscaler-mode=qos"),
                    scaled(
                            scenario(
                                    size,
                                    "capacity-autoscale",
                                    CAPACITY_USERS,
                                    SCALED_SECONDS,
                                    4,
                                    List.of("cpu", DISK)),
                            size,
                            "--autoscaler-mode=capacity",
                            "--model=llama3.1-70b-instruct",
                            NO_GENERATION));
        }
    };

    /** The tier that a caller may put another one in the place of. */
    public static final String DISK = "disk";

    static final String NULL = "null";
    static final String GPU = "gpu-sim";
    static final String NO_GENERATION = "--generation-mode=none";
    static final int USUAL_USERS = 50;
    static final int MOST_USERS = 300;
    static final int TIER_SECONDS = 120;
    static final int LONG_SECONDS = 180;
    static final int SCALED_SECONDS = 300;
    static final int SCALED_USERS = 20;
    static final int CAPACITY_USERS = 10;

    /** Memory that a quick run may take; its tiers need not be full. */
    private static final double QUICK_GIB = 0.5;

    /** The smallest model: a busy machine answers some of its requests in a few seconds too. */
    private static final String QUICK_MODEL = "tiny-1b";

    private static final List<String> QUICK = List.of("--warmup=1", "--drain=2");

    /**
     * Short questions and long answers, as ShareGPT has them. The average request has the 113 tokens of context and the
     * 269 tokens of answer of the validation: five eighths of the middle of each range, since a request asks for a
     * quarter to all of its user's most.
     */
    private static final String SHORT_REQUESTS = """
            user_templates:
              chatbot: {context_range: [40, 320], generation_range: [60, 800], think_time_range: [0.1, 0.5]}
              coding: {context_range: [40, 320], generation_range: [60, 800], think_time_range: [0.1, 0.5]}
              document: {context_range: [40, 320], generation_range: [60, 800], think_time_range: [0.1, 0.5]}
            """;

    private final int usualTrials;
    private final int usualPause;

    Suite(int usualTrials, int usualPause) {
        this.usualTrials = usualTrials;
        this.usualPause = usualPause;
    }

    abstract List<SuiteRun> once(SuiteSize size);

    /** The trials of each run, unless the caller says otherwise. */
    public int usualTrials() {
        return usualTrials;
    }

    /** Seconds before and after each run, unless the caller says otherwise. */
    public int usualPauseSeconds() {
        return usualPause;
    }

    /** All runs in their order: each with all its trials. */
    public List<SuiteRun> runs(SuiteSize size) {
        List<SuiteRun> all = new ArrayList<>();
        for (SuiteRun run : once(size)) {
            for (int trial = 1; trial <= size.trials(); trial++) {
                all.add(run.ofTrial(trial));
            }
        }
        return all;
    }

    private static SuiteRun smoke(String name, List<String> flags, List<String> tiers) {
        List<String> all = with(flags, "--duration=2", "--warmup=1", "--drain=5");
        return new SuiteRun(name, 1, all, tiers, "", name.replace(' ', '-') + "_{trial}.json");
    }

    private static SuiteRun option(SuiteSize size, int number, String model, int users, int cpu, int allocations) {
        List<String> flags = new ArrayList<>(List.of(
                "--model=" + (size.quick() ? QUICK_MODEL : model),
                "--num-users=" + (size.quick() ? users / 20 : users),
                "--duration=" + (size.quick() ? 15 : 300),
                "--cpu-mem-gb=" + (size.quick() ? Math.min(cpu, QUICK_GIB) : cpu),
                "--max-concurrent-allocs=" + allocations,
                NO_GENERATION));
        return new SuiteRun(
                Integer.toString(number),
                1,
                quickly(size, flags),
                List.of("cpu", DISK),
                "",
                "option_" + number + "/trial_{trial}/rank_0/kvcache_results.json");
    }

    private static SuiteRun split(SuiteSize size, String name, int gpu, int cpu, List<String> tiers) {
        double share = size.quick() ? 1.0 / 16 : 1;
        List<String> flags = new ArrayList<>(List.of(
                "--model=mistral-7b",
                "--num-users=" + (size.quick() ? 10 : USUAL_USERS),
                "--duration=" + (size.quick() ? 6 : 600),
                "--max-requests=" + (size.quick() ? 100 : 500),
                "--gpu-mem-gb=" + gpu * share,
                "--cpu-mem-gb=" + cpu * share,
                NO_GENERATION));
        return new SuiteRun(name, 1, quickly(size, flags), tiers, SHORT_REQUESTS, name + "_{trial}.json");
    }

    private static SuiteRun scenario(
            SuiteSize size, String name, int users, int seconds, double cpu, List<String> tiers) {
        List<String> flags = new ArrayList<>(List.of(
                "--model=" + (size.quick() ? QUICK_MODEL : "llama3.1-8b"),
                "--num-users=" + (size.quick() ? users / 10 : users),
                "--duration=" + (size.quick() ? 4 : seconds),
                "--gpu-mem-gb=" + (size.quick() ? 1 : 16),
                String.format(Locale.ROOT, "--cpu-mem-gb=%.2f", size.quick() ? QUICK_GIB : cpu),
                size.quick() ? NO_GENERATION : "--generation-mode=realistic"));
        return new SuiteRun(name, 1, quickly(size, flags), tiers, "", name + "_{trial}.json");
    }

    /** Flags that stand later stand over those before. */
    private static SuiteRun scaled(SuiteRun run, SuiteSize size, String... more) {
        List<String> flags = with(run.flags(), more);
        flags.addAll(List.of("--enable-autoscaling", "--target-saturation=0.8"));
        if (size.quick()) {
            flags.addAll(List.of("--autoscaler-interval=1", "--model=" + QUICK_MODEL));
        }
        return new SuiteRun(run.name(), 1, flags, run.tiers(), "", run.file());
    }

    private static List<String> quickly(SuiteSize size, List<String> flags) {
        if (size.quick()) {
            flags.addAll(QUICK);
        }
        return flags;
    }

    private static List<String> with(List<String> flags, String... more) {
        List<String> all = new ArrayList<>(flags);
        all.addAll(List.of(more));
        return all;
    }

    /** As on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
