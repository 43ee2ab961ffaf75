package dev.kvstore.benchmark.sweep;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The results so far. For one thread. */
final class SweepResults {
    private final SweepOptions options;
    private final Map<PlannedStep, List<SweepStep.StepRound>> rounds = new LinkedHashMap<>();
    private final Faults faults = new Faults();
    private Faults.FaultCounts warmUpFaults = Faults.FaultCounts.NONE;
    private String service = "nothing";

    SweepResults(SweepOptions options) {
        this.options = options;
    }

    /** The steps that are measured. */
    void begun(String name) {
        service = name;
    }

    /** Only faults of this step count. */
    void warmedUp(SweepStep.StepRound round) {
        warmUpFaults = warmUpFaults.plus(round.figures().faults());
    }

    void add(PlannedStep plan, SweepStep.StepRound round) {
        rounds.computeIfAbsent(plan, _ -> new ArrayList<>()).add(round);
    }

    boolean isEmpty() {
        return rounds.isEmpty();
    }

    /** The figures of the steps of a loop, one after the other. */
    List<WindowFigures> rounds(String loop) {
        return rounds.entrySet().stream()
                .filter(entry -> entry.getKey().loop().equals(loop))
                .flatMap(entry -> entry.getValue().stream())
                .map(SweepStep.StepRound::figures)
                .toList();
    }

    /** The faults that were seen outside of steps. */
    Faults faults() {
        return faults;
    }

    /** The most that a closed loop reached, iterations a second; 0 if it reached nothing. */
    double peak(int dataPlanes) {
        return steps().stream()
                .filter(step -> step.dataPlanes() == dataPlanes && step.loop().equals(PlannedStep.CLOSED))
                .mapToDouble(step -> step.iterationsPerSecond().median())
                .max()
                .orElse(0);
    }

    private List<SweepStep> steps() {
        return rounds.entrySet().stream()
                .map(entry -> SweepStep.of(entry.getKey(), options.mix(), options.blockBytes(), entry.getValue()))
                .toList();
    }

    /** @param end why it ended before its time; null if it did not */
    SweepReport report(@Nullable String end) {
        List<SweepStep> steps = steps();
        List<SweepSeries> series = steps.stream()
                .map(SweepStep::arrangement)
                .distinct()
                .flatMap(arrangement -> SweepSeries.of(arrangement, steps, options.demand()).stream())
                .toList();
        return new SweepReport(
                System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().toString(),
                service,
                options.mix(),
                options.data().toString(),
                options.promptBlocks(),
                options.blockBytes(),
                options.stock("").blocks(),
                options.processes(),
                options.connections(),
                options.time().toMillis() / 1e3,
                options.rounds(),
                options.demand() == null ? null : options.demand().text(),
                steps,
                series,
                steps.stream()
                        .map(SweepStep::faults)
                        .reduce(faults.count().plus(warmUpFaults), Faults.FaultCounts::plus),
                end);
    }
}
