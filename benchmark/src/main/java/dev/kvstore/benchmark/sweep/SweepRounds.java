package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.sweep.step.PlannedStep;
import dev.kvstore.benchmark.sweep.step.SweepFlags;
import dev.kvstore.benchmark.sweep.step.SweepStep;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * All steps, round after round, so that what disturbs the machine for a while does not hit one step alone: the closed
 * loop from few clients to many, each number over one data plane and then over both; then the open loop. For one
 * thread.
 *
 * @param name of this run's partitions, nobody else's
 */
record SweepRounds(
        SweepFlags flags,
        SweptService service,
        StockPreparation preparation,
        ClientProcesses clients,
        String name,
        BenchProgress progress,
        SweepRun run) {
    /** A shorter rest of the warm-up is left out: it would be over before all clients have begun. */
    private static final Duration LEAST_WARM_UP = Duration.ofSeconds(1);

    void measureAll() throws IOException, InterruptedException {
        List<Integer> arrangements = IntStream.rangeClosed(
                        1, service.access().endpoints().size())
                .boxed()
                .toList();
        int middle = flags.concurrency.get(flags.concurrency.size() / 2);
        for (int dataPlanes : arrangements) {
            PlannedStep plan = PlannedStep.closed(dataPlanes, middle);
            progress.accept("warming up: " + plan.arrangement());
            warmUp(plan);
        }
        List<PlannedStep> closed = flags.concurrency.stream()
                .flatMap(count -> arrangements.stream().map(dataPlanes -> PlannedStep.closed(dataPlanes, count)))
                .toList();
        List<PlannedStep> open = new ArrayList<>();
        progress.plan(flags.rounds
                * (closed.size() + arrangements.size() * flags.openLoop().size()));
        for (int round = 1; round <= flags.rounds; round++) {
            measure(closed, round);
            // Planned after the first round, so that all rounds have the same steps.
            if (round == 1) {
                flags.openLoop()
                        .forEach(rate -> arrangements.forEach(dataPlanes -> {
                            double iterations = rate.iterationsPerSecond(peak(dataPlanes));
                            if (iterations > 0) {
                                open.add(PlannedStep.open(dataPlanes, iterations));
                            }
                        }));
            }
            measure(open, round);
        }
    }

    /** The most that a closed loop reached, iterations a second; 0 if it reached nothing. */
    private double peak(int dataPlanes) {
        return run.steps().stream()
                .filter(step -> step.dataPlanes() == dataPlanes && step.loop().equals(PlannedStep.CLOSED))
                .mapToDouble(step -> step.iterationsPerSecond().median())
                .max()
                .orElse(0);
    }

    /** In as many steps as it takes: one ends early once it has written as much as it may. */
    private void warmUp(PlannedStep plan) throws IOException, InterruptedException {
        long began = System.nanoTime();
        Duration all = Duration.ofSeconds(flags.warmUp);
        Duration left = all;
        do {
            // Only its faults count.
            run.add(step(plan, Duration.ZERO, left).figures().faults());
            left = all.minusNanos(System.nanoTime() - began);
        } while (left.compareTo(LEAST_WARM_UP) >= 0);
    }

    private void measure(List<PlannedStep> plans, int round) throws IOException, InterruptedException {
        for (PlannedStep plan : plans) {
            progress.step((flags.rounds == 1 ? "" : "round " + round + ", ") + plan);
            run.add(plan, step(plan, flags.lead(), Duration.ofSeconds(flags.seconds)));
        }
    }

    private SweepStep.StepRound step(PlannedStep plan, Duration lead, Duration time)
            throws IOException, InterruptedException {
        preparation.place(plan.dataPlanes());
        String partition = name + "/" + Long.toHexString(System.nanoTime());
        long mostBytes = Math.max(1, flags.mostBytesWritten() / Math.min(flags.processes, plan.clients()));
        SweepStep.StepRound round =
                clients.run(new ClientProcess.StepOrder(partition, plan, lead.toMillis(), time.toMillis(), mostBytes));
        service.empty(partition);
        return round;
    }
}
