package dev.kvstore.benchmark.engine;

import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Numbers;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.report.Spread;
import java.util.List;
import java.util.stream.Stream;

/**
 * Everything that {@code kv bench engine} found, with the names that the JSON has.
 *
 * @param missing why LMCache was not measured; empty if it was
 * @param flaws everything that was wrong or failed, in a sentence each
 * @param interrupted whether it was ended before all was measured
 */
record EngineReport(
        EngineConditions conditions, List<EngineFigures> cases, String missing, List<String> flaws, boolean interrupted)
        implements BenchReport {
    /**
     * The conditions of all cases.
     *
     * @param modules of the engines' Python, with their versions
     * @param prompts at once
     * @param generatedTokens of each prompt
     * @param memoryGb GiB of the data plane's memory tier, and of LMCache
     * @param loadBefore load average of the machine in the minute before; below 0 where it does not tell
     */
    record EngineConditions(
            int processors,
            List<String> modules,
            String model,
            int prompts,
            int generatedTokens,
            int rounds,
            int memoryGb,
            double loadBefore) {}

    private static final List<Column<EngineFigures>> COLUMNS = List.of(
            Column.of("prompts", one -> one.of().prompts()),
            Column.of("engine", one -> one.of().engine().title()),
            Column.of("tokens", "1/s", EngineFigures::tokensPerSecond),
            Column.of("over no store", EngineFigures::timesWithoutStore),
            Column.of("generated", "1/s", one -> one.generatedTokensPerSecond().median()),
            Column.of("first token p50", "s", EngineFigures::firstTokenSecondsP50),
            Column.of("p90", "s", EngineFigures::firstTokenSecondsP90));

    /** LMCache that is missing does not fail a run; a token that differs does. */
    @Override
    public List<String> failures() {
        Stream<String> ended = interrupted ? Stream.of("interrupted: cases are missing") : Stream.of();
        return Stream.concat(flaws.stream(), ended).toList();
    }

    @Override
    public ReportPage page(String command) {
        return new ReportPage(
                "Engine",
                "vLLM without a store, with KV Store and with LMCache."
                        + (holds()
                                ? " Each prompt had the same output in all of them, and every stored token was loaded."
                                : "")
                        + (missing.isEmpty() ? "" : " LMCache was not measured: " + missing),
                List.of(
                        new ReportPage.Section("Conditions", conditionsText(), List.of()),
                        new ReportPage.Section(
                                "Figures",
                                "",
                                List.of(
                                        Figure.Table.of("", COLUMNS, cases),
                                        Figure.Bars.of(
                                                "Tokens a second, of prompts and outputs",
                                                "1/s",
                                                cases,
                                                one -> bar(one, one.tokensPerSecond())),
                                        Figure.Bars.of(
                                                "Time to the first token, median of all prompts",
                                                "s",
                                                cases,
                                                one -> bar(one, Spread.of(one.firstTokenSecondsP50())))))));
    }

    private String conditionsText() {
        return Numbers.format(
                """
                %d processors for engines and stores together, load %.1f before; %s
                %s; %d prompts at once, a prefix and %d tokens each, of which nothing is stored; %d tokens generated for each
                %d interleaved rounds, medians; what an engine loads, another engine stored, which has ended
                KV Store in the memory of one data plane, durable in a folder; LMCache in its server's memory: %d GiB each""",
                conditions.processors,
                conditions.loadBefore,
                String.join(", ", conditions.modules),
                conditions.model,
                conditions.prompts,
                EngineCase.TAIL_TOKENS,
                conditions.generatedTokens,
                conditions.rounds,
                conditions.memoryGb);
    }

    private static Figure.Bar bar(EngineFigures one, Spread figure) {
        return Figure.Bar.of(one.of().prompts(), one.of().engine().title(), figure);
    }
}
