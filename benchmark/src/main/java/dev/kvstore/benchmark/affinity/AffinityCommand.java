package dev.kvstore.benchmark.affinity;

import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.trace.Survey;
import dev.kvstore.benchmark.trace.Trace;
import dev.kvstore.benchmark.trace.TraceOptions;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Version;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kv bench affinity}. */
@Command(
        name = "affinity",
        header = "How conversations spread over data planes, and what it is worth to keep them there.",
        description =
                "Where the SDK sends conversations, by its own choice and without sockets: how 10,000 of them that share a"
                        + " system prompt spread over processes, what moves when one dies, and how much of a trace 8"
                        + " processes of 2,500 blocks each then find in memory. Takes seconds. Exit code 1 if a process has"
                        + " more than 1.25 of even, if anything moves but what the dead one had, or if less than 3 times"
                        + " the hits of random routing are found.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class AffinityCommand extends BenchCommand {
    private static final List<Integer> SYSTEM_BLOCKS = List.of(0, 1, 7, 8, 12, 100);
    private static final int CONVERSATIONS = 10_000;
    private static final int MOST_PROCESSES = 1_000;
    private static final int MOST_BLOCKS = 10_000_000;

    /** All of them are held in memory, with 32 bytes of name each. */
    private static final long MOST_TRACE_BLOCKS = 4_000_000;

    @Option(
            names = "--processes",
            paramLabel = "N",
            defaultValue = "8",
            description = "Data planes, 2 to " + MOST_PROCESSES + ". Default: ${DEFAULT-VALUE}.")
    private int processes;

    @Option(
            names = "--blocks",
            paramLabel = "N",
            defaultValue = "2500",
            description =
                    "Blocks that each data plane keeps in memory, 1 to " + MOST_BLOCKS + ". Default: ${DEFAULT-VALUE}.")
    private int blocks;

    @Mixin
    private final TraceOptions traces = new TraceOptions();

    @Option(names = "--no-trace", description = "Replays none.")
    private boolean noTrace;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Seed. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Override
    protected void check() {
        require("--processes", processes, 2, MOST_PROCESSES);
        require("--blocks", blocks, 1, MOST_BLOCKS);
        if (noTrace && traces.isNamed()) {
            throw new IllegalArgumentException("--no-trace: leaves out what --trace names; leave one of the two out");
        }
        if (!noTrace) {
            var _ = trace();
        }
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException, InterruptedException {
        @Nullable AffinityReplay replay = noTrace ? null : replay();
        return new AffinityReport(
                SYSTEM_BLOCKS.stream()
                        .map(system -> ConversationSpread.measure(system, CONVERSATIONS, processes, seed))
                        .toList(),
                replay);
    }

    private AffinityReplay replay() throws IOException, InterruptedException {
        Trace trace = trace();
        Survey survey = Survey.of(trace, Long.MAX_VALUE);
        if (survey.blocks() > MOST_TRACE_BLOCKS) {
            throw new IllegalArgumentException(
                    "--trace: has " + survey.blocks() + " blocks; name one of at most " + MOST_TRACE_BLOCKS);
        }
        return AffinityReplay.measure(Prompts.of(trace), processes, blocks, seed);
    }

    private Trace trace() {
        return traces.trace(Home.current().path(), seed);
    }
}
