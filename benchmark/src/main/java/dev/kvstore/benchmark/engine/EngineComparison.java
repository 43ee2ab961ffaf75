package dev.kvstore.benchmark.engine;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.benchmark.engine.EngineFigures.EngineRound;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchStack;
import dev.kvstore.benchmark.measure.DataPlaneUse;
import dev.kvstore.benchmark.measure.Rounds;
import dev.kvstore.benchmark.process.JsonProcess;
import dev.kvstore.benchmark.process.StartedProcesses;
import dev.kvstore.benchmark.python.PythonProcess;
import dev.kvstore.launcher.stack.LocalStack;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The benchmark's course: starts a data plane and an engine of each kind, and has the engines take turns (A B C A B C),
 * so that a machine that becomes slower slows all of them. For one thread.
 */
final class EngineComparison {
    private final EnginePython python;
    private final EnginePlan plan;
    private final BenchProgress progress;
    private final List<ComparedEngine> engines;
    private final Map<ComparedEngine, PythonProcess> processes = new EnumMap<>(ComparedEngine.class);
    private final Map<String, JsonNode> outputs = new HashMap<>();
    private final List<String> flaws = new ArrayList<>();
    private final Rounds<EngineCase, EngineRound> rounds;

    EngineComparison(EnginePython python, EnginePlan plan, BenchProgress progress) {
        this.python = python;
        this.plan = plan;
        this.progress = progress;
        this.engines = Stream.of(ComparedEngine.values())
                .filter(engine -> engine != ComparedEngine.LMCACHE || python.hasLmcache())
                .toList();
        this.rounds = new Rounds<>(progress, flaws::add);
    }

    /** Runs all rounds. The report has the complete rounds where this thread is interrupted. */
    EngineReport run() throws IOException, InterruptedException {
        double loadBefore = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        progress.accept("starting a data plane");
        Map<String, String> settings = Map.of("KVSTORE_MEMORY_TIER_SIZE", plan.memoryGb() + "G");
        return BenchStack.during(
                options -> options.withDataPlanes(1).withSettings(settings),
                progress,
                (stack, folder) -> report(loadBefore, isInterrupted(stack, folder)));
    }

    /** Measures; returns whether that was interrupted. */
    private boolean isInterrupted(LocalStack stack, Path folder) throws IOException {
        try (StartedProcesses started = new StartedProcesses(folder.resolve("logs"))) {
            for (ComparedEngine engine : engines) {
                start(engine, stack, folder, started);
            }
            List<EngineCase> cases = plan.turns(engines).toList();
            progress.plan(Rounds.steps(cases.size(), plan.rounds()));
            rounds.run(cases, plan.rounds(), (one, round) -> measure(one, round, stack));
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    private void start(ComparedEngine engine, LocalStack stack, Path folder, StartedProcesses started)
            throws IOException, InterruptedException {
        List<List<Integer>> stored = engine == ComparedEngine.NONE ? List.of() : plan.stored(engine);
        progress.accept("starting the engine " + engine.title()
                + (stored.isEmpty() ? "" : ", before which another one stores " + stored.size() + " prefixes"));
        ProcessBuilder builder = new ProcessBuilder(
                python.interpreter().toString(), python.program().toString());
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        builder.environment().put("KV_API_KEY", stack.key().text());
        PythonProcess process = new PythonProcess(
                engine.title(), JsonProcess.start(engine.title(), builder, started.log("bench-" + engine.key())));
        started.atEnd(process::close);
        var _ = process.ask(Map.of(
                "do", "open",
                "engine", engine,
                "folder", folder.toString(),
                "endpoints", stack.endpoints(),
                "resource", LocalStack.RESOURCE,
                "model", plan.model(),
                "memory_gb", plan.memoryGb(),
                "options", plan.options(),
                "stored", stored));
        processes.put(engine, process);
    }

    private EngineRound measure(EngineCase one, int round, LocalStack stack) throws IOException, InterruptedException {
        PythonProcess process = Objects.requireNonNull(processes.get(one.engine()));
        List<List<Integer>> prompts = plan.prompts(one, round, one.promptTokens());
        DataPlaneUse before = DataPlaneUse.of(stack.dataPlanes());
        JsonNode answer = process.ask(Map.of("do", "run", "prompts", prompts, "tokens", plan.tokens()));
        DataPlaneUse use = DataPlaneUse.of(stack.dataPlanes()).since(before);
        List<Double> first = StreamSupport.stream(answer.path("first").spliterator(), false)
                .map(JsonNode::asDouble)
                .toList();
        EngineRound found = new EngineRound(
                answer.path("seconds").asDouble(),
                (long) prompts.size() * one.promptTokens(),
                (long) prompts.size() * plan.tokens(),
                first,
                answer.path("hits").asLong(),
                Math.round(use.fromMemory() + use.fromDisk() + use.fromStorage()));
        verify(one, round, found, answer.path("tokens"));
        return found;
    }

    private void verify(EngineCase one, int round, EngineRound found, JsonNode tokens) {
        String where = one + ", round " + round + ": ";
        JsonNode expected = outputs.merge(round + one.prompts(), tokens, (first, _) -> first);
        long others = IntStream.range(0, tokens.size())
                .filter(i -> !tokens.get(i).equals(expected.get(i)))
                .count();
        if (others > 0) {
            flaws.add(where + others + " of " + tokens.size() + " prompts had another output than without a store");
        }
        long hits = one.engine() == ComparedEngine.NONE ? 0 : (long) tokens.size() * one.storedTokens();
        if (found.hitTokens() != hits) {
            flaws.add(where + found.hitTokens() + " tokens were loaded, not the " + hits + " that are stored");
        }
        if (one.engine() == ComparedEngine.KVSTORE && found.servedBlocks() < hits / EngineCase.BLOCK_TOKENS) {
            flaws.add(where + "the data plane served " + found.servedBlocks() + " blocks, fewer than were loaded");
        }
    }

    private EngineReport report(double loadBefore, boolean interrupted) {
        Map<EngineCase, List<EngineRound>> found = rounds.found();
        List<EngineFigures> figures = found.entrySet().stream()
                .map(entry -> EngineFigures.of(
                        entry.getKey(),
                        entry.getValue(),
                        entry.getKey().engine() == ComparedEngine.NONE
                                ? List.of()
                                : found.getOrDefault(entry.getKey().with(ComparedEngine.NONE), List.of())))
                .toList();
        return new EngineReport(
                new EngineReport.EngineConditions(
                        Runtime.getRuntime().availableProcessors(),
                        python.modules(),
                        plan.model(),
                        plan.prompts(),
                        plan.tokens(),
                        plan.rounds(),
                        plan.memoryGb(),
                        loadBefore),
                figures,
                python.hasLmcache()
                        ? ""
                        : "it is not installed; ./kv test --engines lmcache makes an environment with it",
                flaws,
                interrupted);
    }
}
