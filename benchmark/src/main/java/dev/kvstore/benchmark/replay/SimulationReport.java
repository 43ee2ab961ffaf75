package dev.kvstore.benchmark.replay;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.trace.Survey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
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

        private List<String> cells() {
            List<String> cells = new ArrayList<>(List.of(Integer.toString(capacityBlocks)));
            policies.forEach(
                    of -> cells.add(String.format(Locale.ROOT, "%.4f %,.0f ns", of.hitRatio(), of.nanosPerBlock())));
            cells.add(String.format(Locale.ROOT, "%.4f", clairvoyantHitRatio));
            return cells;
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
    public boolean holds() {
        return !interrupted;
    }

    @Override
    public String text() {
        StringBuilder text = new StringBuilder(intro()).append('\n');
        Figure.Table table = table();
        text.append(line(table.columns()));
        table.rows().forEach(cells -> text.append(line(cells)));
        if (interrupted) {
            text.append("INTERRUPTED: other capacities were left out\n");
        }
        return text.toString();
    }

    private static String line(List<String> cells) {
        StringBuilder line = new StringBuilder();
        cells.forEach(cell -> line.append(String.format("%17s", cell)));
        return line.append('\n').toString();
    }

    /** A row for each capacity; a policy's cell has its hit ratio and its time for a block. */
    private Figure.Table table() {
        List<String> columns = new ArrayList<>(List.of("blocks kept"));
        capacities.stream().limit(1).flatMap(at -> at.policies().stream()).forEach(of -> columns.add(of.policy()));
        columns.add("clairvoyant");
        return new Figure.Table(
                "Hit ratio, and processor time for a block",
                columns,
                capacities.stream().map(HitCapacity::cells).toList());
    }

    private String intro() {
        return String.format(
                Locale.ROOT,
                "%s; %,d different blocks; %.4f of all blocks are found without a limit",
                trace.text(),
                distinctBlocks,
                unlimitedHitRatio);
    }

    @Override
    public ReportPage page(String command) {
        List<Figure.FigureLine> lines = new ArrayList<>();
        List<String> columns = table().columns();
        for (int policy = 0; policy < columns.size() - 2; policy++) {
            int index = policy;
            lines.add(
                    line(columns.get(policy + 1), at -> at.policies().get(index).hitRatio()));
        }
        lines.add(line("clairvoyant", HitCapacity::clairvoyantHitRatio));
        lines.add(line("without a limit", _ -> unlimitedHitRatio));
        Figure chart = new Figure.Lines(
                "Hit ratio against capacity",
                new Figure.Axis("capacity", "blocks", true),
                new Figure.Axis("hit ratio", "of all blocks", false),
                lines);
        String text =
                "The data plane's own choice of what it keeps (" + policy + "), simulated. A hit is a block of the"
                        + " contiguous prefix that is kept when its request begins; all blocks of a request are then put."
                        + (interrupted ? "\n\nInterrupted: other capacities were left out." : "");
        return new ReportPage(
                "Trace replay, simulated",
                intro(),
                List.of(new ReportPage.Section("Hit ratio", text, List.of(chart, table()))));
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
