package dev.kvstore.benchmark.replay;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.trace.Survey;
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
     * The part of all blocks that is found, in one run from the first block of each request, 0 to 1.
     *
     * @param hitRatio by the policy that data planes run
     * @param lruHitRatio if the least recently used leaves first
     * @param clairvoyantHitRatio by a policy that knows the future, and does not know that blocks have ancestors
     */
    record HitCapacity(int capacityBlocks, double hitRatio, double lruHitRatio, double clairvoyantHitRatio) {}

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
        text.append(String.format("%12s %18s %10s %12s%n", "blocks kept", policy, "LRU", "clairvoyant"));
        for (HitCapacity at : capacities) {
            text.append(String.format(
                    Locale.ROOT,
                    "%,12d %18.4f %10.4f %12.4f%n",
                    at.capacityBlocks(),
                    at.hitRatio(),
                    at.lruHitRatio(),
                    at.clairvoyantHitRatio()));
        }
        if (interrupted) {
            text.append("INTERRUPTED: other capacities were left out\n");
        }
        return text.toString();
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
        List<List<String>> rows = capacities.stream()
                .map(at -> List.of(
                        Integer.toString(at.capacityBlocks()),
                        ratio(at.hitRatio()),
                        ratio(at.lruHitRatio()),
                        ratio(at.clairvoyantHitRatio())))
                .toList();
        Figure chart = new Figure.Lines(
                "Hit ratio against capacity",
                new Figure.Axis("capacity", "blocks", true),
                new Figure.Axis("hit ratio", "of all blocks", false),
                List.of(
                        line("the data plane's policy", HitCapacity::hitRatio),
                        line("LRU", HitCapacity::lruHitRatio),
                        line("clairvoyant", HitCapacity::clairvoyantHitRatio),
                        line("without a limit", _ -> unlimitedHitRatio)));
        Figure table = new Figure.Table("Hit ratio", List.of("blocks kept", policy, "LRU", "clairvoyant"), rows);
        String text =
                "The data plane's own choice of what it keeps (" + policy + "), simulated. A hit is a block of the"
                        + " contiguous prefix that is kept when its request begins; all blocks of a request are then put."
                        + (interrupted ? "\n\nInterrupted: other capacities were left out." : "");
        return new ReportPage(
                "Trace replay, simulated",
                intro(),
                List.of(new ReportPage.Section("Hit ratio", text, List.of(chart, table))));
    }

    private Figure.FigureLine line(String name, ToDoubleFunction<HitCapacity> figure) {
        return new Figure.FigureLine(
                name,
                capacities.stream()
                        .sorted(Comparator.comparingInt(HitCapacity::capacityBlocks))
                        .map(at -> Figure.FigurePoint.of(at.capacityBlocks(), figure.applyAsDouble(at)))
                        .toList());
    }

    private static String ratio(double value) {
        return String.format(Locale.ROOT, "%.4f", value);
    }
}
