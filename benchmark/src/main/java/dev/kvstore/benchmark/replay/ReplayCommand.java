package dev.kvstore.benchmark.replay;

import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.SlowServer;
import dev.kvstore.benchmark.trace.Survey;
import dev.kvstore.benchmark.trace.Trace;
import dev.kvstore.benchmark.trace.TraceOptions;
import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kv bench replay}. */
@Command(
        name = "replay",
        header = "The requests of a real service: how many of their blocks are found, and from where.",
        description =
                "Replays the requests of a real service: how many of their blocks are found, from where, and how soon."
                        + " Through a service of its own with little memory and disk, or one that runs (--endpoint); each"
                        + " byte read is compared. With --simulate only the data plane's choice of what it keeps, beside"
                        + " LRU, W-TinyLFU, S3-FIFO and the best possible choice; takes seconds. Without, the whole"
                        + " shared trace takes some 10 minutes and 4 GB in target/, which it deletes. Exit code 1 if a"
                        + " block was lost or wrong, or a request failed.")
public final class ReplayCommand extends BenchCommand {
    private static final int MOST_CAPACITY = 100_000_000;
    private static final int MOST_CAPACITIES = 100;
    private static final long MOST_REQUESTS = 1_000_000_000_000_000L;
    private static final int QUICK_REQUESTS = 1_200;
    private static final double QUICK_SPEEDUP = 12;

    @Mixin
    private final TraceOptions traces = new TraceOptions();

    @Option(names = "--requests", paramLabel = "N", description = "Uses the first N only, 1 or more. Default: all.")
    private long requests = MOST_REQUESTS;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of generated requests. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--simulate", description = "Only which blocks would be kept: no service, no bytes.")
    private boolean simulate;

    @Option(
            names = "--capacity-blocks",
            paramLabel = "N",
            split = ",",
            defaultValue = "1000,5000,10000,30000",
            description = "Blocks that a simulation keeps, 1 to " + MOST_CAPACITY
                    + ", one number or several. Default: ${DEFAULT-VALUE}.")
    private List<Integer> capacities = List.of();

    @Mixin
    private final ServiceOptions service = new ServiceOptions();

    @Option(
            names = "--quick",
            description = "Only shows that it works: the first " + QUICK_REQUESTS
                    + " requests, at 12 times their pace. Not together"
                    + " with --requests or --speedup. A simulation is quick anyway.")
    private boolean quick;

    @Override
    protected void check() {
        require("--requests", requests, 1, MOST_REQUESTS);
        require("--capacity-blocks: how many numbers", capacities.size(), 1, MOST_CAPACITIES);
        capacities.forEach(blocks -> require("--capacity-blocks", blocks, 1, MOST_CAPACITY));
        service.check();
        refuse(simulate, "--simulate: uses no service", ServiceOptions.FLAGS);
        refuse(
                !simulate,
                "without --simulate: has the capacity that --memory-tier-size and --disk-tier-size say",
                List.of("--capacity-blocks"));
        refuse(
                service.isRemote(),
                "--endpoint: has the memory that it has",
                List.of("--memory-tier-size", "--disk-tier-size"));
        refuse(service.isRemote(), "--endpoint: is as fast as it is", List.of(SlowServer.FLAG));
        refuse(quick && !simulate, "--quick: says how many and how fast", List.of("--requests", "--speedup"));
        var _ = trace();
    }

    private void refuse(boolean here, String why, List<String> flags) {
        for (String flag : flags) {
            if (here && named(flag)) {
                throw new IllegalArgumentException(why + "; leave out " + flag);
            }
        }
    }

    private Trace trace() {
        return traces.trace(Home.current().path(), seed);
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException, InterruptedException {
        Trace trace = trace();
        long most = quick && !simulate ? QUICK_REQUESTS : requests;
        progress.accept("reading the " + trace.source());
        Survey survey = Survey.of(trace, most);
        progress.accept(survey.text());
        return simulate
                ? new Simulation(trace, survey, capacities).run(progress)
                : new ServiceRun(trace, survey, service, service.replay(quick ? QUICK_SPEEDUP : null), progress).run();
    }
}
