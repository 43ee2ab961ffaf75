package dev.kvstore.benchmark.replay;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Numbers;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.trace.Survey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The hit ratios at each capacity, with the names that the JSON has; the figures of a single capacity are at the top
 * too.
 *
 * @param policy that data planes run
 * @param distinctBlocks how many different blocks the trace has
 * @param unlimitedHitRatio the part of all blocks that is found if nothing ever leaves: no choice finds more
 * @param interrupted whether capacities were left out
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record SimulationReport(
        Survey trace,
        String policy,
        int distinctBlocks,
        double unlimitedHitRatio,
        List<HitCapacity> capacities,
        boolean interrupted)
        implements BenchReport {
    SimulationReport {
        capacities = List.copyOf(capacities);
    }

    /**
     * A policy at one capacity.
     *
     * @param hitRatio the part of all blocks that is found, in one run from the first block of each request, 0 to 1
     * @param nanosPerBlock processor time of the simulation over the blocks of the trace; in the first simulation of a
     *     process, also that of code that is not compiled yet
     */
    record PolicyFigures(String policy, double hitRatio, double nanosPerBlock) {}

    /**
     * All policies at one capacity.
     *
     * @param policies the policy that data planes run, LRU, and then others
     * @param clairvoyantHitRatio by a policy that knows the future, and does not know that blocks have ancestors
     */
    record HitCapacity(int capacityBlocks, List<PolicyFigures> policies, double clairvoyantHitRatio) {
        HitCapacity {
            policies = List.copyOf(policies);
        }

        /** By the policy that data planes run. */
        @JsonProperty
        double hitRatio() {
            return policies.getFirst().hitRatio();
        }

        /** If the least recently used block leaves first. */
        @JsonProperty
        double lruHitRatio() {
            return policies.get(1).hitRatio();
        }
    }

    @JsonProperty
    @Nullable
    Double hitRatio() {
        return single(HitCapacity::hitRatio);
    }

    @JsonProperty
    @Nullable
    Double lruHitRatio() {
        return single(HitCapacity::lruHitRatio);
    }

    @JsonProperty
    @Nullable
    Double clairvoyantHitRatio() {
        return single(HitCapacity::clairvoyantHitRatio);
    }

    private @Nullable Double single(ToDoubleFunction<HitCapacity> figure) {
        return capacities.size() == 1 ? figure.applyAsDouble(capacities.getFirst()) : null;
    }

    @Override
    public List<String> failures() {
        return interrupted ? List.of("INTERRUPTED: other capacities were left out") : List.of();
    }

    /** The names of the policies. */
    private List<String> policies() {
        return capacities.stream()
                .limit(1)
                .flatMap(at -> at.policies().stream())
                .map(PolicyFigures::policy)
                .toList();
    }

    /** A row for each capacity, and in it a figure of each policy. */
    private List<Column<HitCapacity>> columns(Function<PolicyFigures, Object> figure) {
        List<Column<HitCapacity>> columns =
                new ArrayList<>(List.of(Column.of("blocks kept", HitCapacity::capacityBlocks)));
        List<String> names = policies();
        for (int i = 0; i < names.size(); i++) {
            int policy = i;
            columns.add(Column.of(names.get(i), at -> figure.apply(at.policies().get(policy))));
        }
        return columns;
    }

    @Override
    public ReportPage page(String command) {
        List<Column<HitCapacity>> ratios = columns(PolicyFigures::hitRatio);
        ratios.add(Column.of("clairvoyant", HitCapacity::clairvoyantHitRatio));
        List<Figure.FigureLine> lines = new ArrayList<>();
        for (Column<HitCapacity> ratio : ratios.subList(1, ratios.size())) {
            lines.add(line(ratio.name(), at -> ratio.value().apply(at) instanceof Double value ? value : Double.NaN));
        }
        lines.add(line("without a limit", _ -> unlimitedHitRatio));
        Figure chart = new Figure.Lines(
                "Hit ratio against capacity",
                new Figure.Axis("capacity", "blocks", true),
                new Figure.Axis("hit ratio", "of all blocks", false),
                lines);
        return new ReportPage(
                "Trace replay, simulated",
                Numbers.format(
                        "%s; %,d different blocks; %.4f of all blocks are found without a limit",
                        trace.text(), distinctBlocks, unlimitedHitRatio),
                List.of(new ReportPage.Section(
                        "Hit ratio",
                        "The data plane's own choice of what it keeps (" + policy
                                + "), simulated. A hit is a block of the"
                                + " contiguous prefix that is kept when its request begins; all blocks of a request are then"
                                + " put.",
                        List.of(
                                chart,
                                Figure.Table.of("Hit ratio, of all blocks", ratios, capacities),
                                Figure.Table.of(
                                        "Processor time for a block (ns)",
                                        columns(PolicyFigures::nanosPerBlock),
                                        capacities)))));
    }

    private Figure.FigureLine line(String name, ToDoubleFunction<HitCapacity> figure) {
        return new Figure.FigureLine(
                name,
                capacities.stream()
                        .sorted(Comparator.comparingInt(HitCapacity::capacityBlocks))
                        .map(at -> Figure.FigurePoint.of(at.capacityBlocks(), figure.applyAsDouble(at)))
                        .toList());
    }
}
