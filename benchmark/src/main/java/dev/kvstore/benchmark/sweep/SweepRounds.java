package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * All steps, round after round, so that what disturbs the machine for a while does not hit one step alone: the closed
 * loop from few clients to many, each number over one data plane and then over both; then the open loop. For one
 * thread.
 */
final class SweepRounds {
    /** A shorter rest of the warm-up is left out: it would be over before all clients have begun. */
    private static final Duration LEAST_WARM_UP = Duration.ofSeconds(1);

    private final SweepOptions options;
    private final Service service;
    private final StockPreparation preparation;
    private final ClientProcesses clients;
    private final String name;
    private final BenchProgress progress;
    private final SweepResults measured;
    private final List<Integer> arrangements;
    private int partitions;

    /** @param name of this run's partitions, nobody else's */
    SweepRounds(
            SweepOptions options,
            Service service,
            StockPreparation preparation,
            ClientProcesses clients,
            String name,
            BenchProgress progress,
            SweepResults measured) {
        this.options = options;
        this.service = service;
        this.preparation = preparation;
        this.clients = clients;
        this.name = name;
        this.progress = progress;
        this.measured = measured;
        this.arrangements = IntStream.rangeClosed(
                        1, service.access().endpoints().size())
                .boxed()
                .toList();
    }

    void run() throws IOException, InterruptedException {
        for (int dataPlanes : arrangements) {
            progress.accept("warming up: " + PlannedStep.arrangement(dataPlanes));
            warmUp(PlannedStep.closed(dataPlanes, warmUpClients()));
        }
        List<PlannedStep> closed = new ArrayList<>();
        for (int count : options.concurrency()) {
            arrangements.forEach(dataPlanes -> closed.add(PlannedStep.closed(dataPlanes, count)));
        }
        progress.plan(options.rounds()
                * arrangements.size()
                * (options.concurrency().size() + options.rates().size()));
        List<PlannedStep> open = null;
        for (int round = 1; round <= options.rounds(); round++) {
            measure(closed, round);
            // Planned after the first round, so that all rounds have the same steps.
            open = open == null ? openPlans() : open;
            measure(open, round);
        }
    }

    /** In as many steps as it takes: one ends early once it has written as much as it may. */
    private void warmUp(PlannedStep plan) throws IOException, InterruptedException {
        long began = System.nanoTime();
        Duration left = options.warmUp();
        do {
            measured.warmedUp(step(plan, Duration.ZERO, left));
            left = options.warmUp().minusNanos(System.nanoTime() - began);
        } while (left.compareTo(LEAST_WARM_UP) >= 0);
    }

    private int warmUpClients() {
        return options.concurrency().get(options.concurrency().size() / 2);
    }

    private List<PlannedStep> openPlans() {
        List<PlannedStep> plans = new ArrayList<>();
        for (OpenLoopRate rate : options.rates()) {
            for (int dataPlanes : arrangements) {
                double iterations = rate.iterationsPerSecond(measured.peak(dataPlanes));
                if (iterations > 0) {
                    plans.add(PlannedStep.open(dataPlanes, iterations));
                }
            }
        }
        return plans;
    }

    private void measure(List<PlannedStep> plans, int round) throws IOException, InterruptedException {
        for (PlannedStep plan : plans) {
            progress.step((options.rounds() == 1 ? "" : "round " + round + ", ") + plan);
            measured.add(plan, step(plan, options.lead(), options.time()));
        }
    }

    private SweepStep.StepRound step(PlannedStep plan, Duration lead, Duration time)
            throws IOException, InterruptedException {
        preparation.place(plan.dataPlanes());
        String partition = name + "/" + partitions++;
        StepOrder order = new StepOrder(
                partition,
                plan.dataPlanes(),
                plan.clients(),
                plan.rate(),
                lead.toMillis(),
                time.toMillis(),
                Math.max(1, options.mostWritten() / Math.min(options.processes(), plan.clients())));
        Sight sight = new Sight();
        WindowFigures figures = clients.run(order, sight);
        service.empty(Partition.of(partition));
        return new SweepStep.StepRound(figures, sight.meanwhile());
    }

    /** The work of the service in a window. */
    private final class Sight implements Moments {
        private @Nullable DataPlaneUse before;
        private @Nullable DataPlaneUse after;

        @Override
        public void begun() {
            before = service.seen();
        }

        @Override
        public void ended() {
            after = service.seen();
        }

        @Nullable
        DataPlaneUse meanwhile() {
            return before == null || after == null ? null : after.since(before);
        }
    }
}
