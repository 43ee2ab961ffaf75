package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.config.Model;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.tier.Tier;
import dev.kvstore.benchmark.kvcache.tier.TierPolicy;
import dev.kvstore.benchmark.kvcache.workload.ArrivalProcess;
import dev.kvstore.benchmark.kvcache.workload.MersenneTwister;
import dev.kvstore.benchmark.kvcache.workload.User;
import dev.kvstore.benchmark.kvcache.workload.Workload;
import dev.kvstore.benchmark.measure.BenchProgress;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** A short run over one tier: users with small entries and short thoughts. */
record Trial(
        Tier tier,
        int workers,
        boolean honest,
        ArrivalProcess arrival,
        double rate,
        Duration window,
        long maxRequests,
        int maxQueue) {
    static final Model MODEL = new Model("test", 1, 1, 8, 0, 2);
    private static final int USERS = 20;

    static Trial of(Tier tier) {
        return new Trial(tier, 8, true, ArrivalProcess.USERS, 0, Duration.ofMillis(600), 0, 100_000);
    }

    Trial withWorkers(int number) {
        return new Trial(tier, number, honest, arrival, rate, window, maxRequests, maxQueue);
    }

    Trial asOriginal() {
        return new Trial(tier, workers, false, arrival, rate, window, maxRequests, maxQueue);
    }

    Trial withMaxRequests(long number) {
        return new Trial(tier, workers, honest, arrival, rate, Duration.ofMinutes(1), number, maxQueue);
    }

    Trial withMaxQueue(int number) {
        return new Trial(tier, workers, honest, arrival, rate, window, maxRequests, number);
    }

    Trial at(double perSecond) {
        return new Trial(tier, workers, honest, ArrivalProcess.FIXED, perSecond, window, maxRequests, maxQueue);
    }

    RunFigures run() {
        AtomicReference<Ledger> ledger = new AtomicReference<>(new Ledger());
        TieredCache cache = new TieredCache(
                new TieredCache.TierSetup(
                        MODEL,
                        1,
                        List.of(new TieredCache.CountedTier(Slot.STORAGE, tier)),
                        0,
                        honest,
                        null,
                        Clock.systemUTC()),
                new TierPolicy(
                        new double[] {Double.POSITIVE_INFINITY},
                        WorkloadConfig.usual().eviction()),
                ledger);
        Workload workload = new Workload(
                User.population(USERS, config(), new MersenneTwister(42)),
                config(),
                new Workload.WorkloadRules(true, true, !honest, arrival, rate, 0, null, 42));
        RunPlan plan = new RunPlan(
                workers,
                honest,
                true,
                RunPlan.RequestPart.BOTH,
                honest ? Duration.ofMillis(200) : Duration.ZERO,
                window,
                honest ? Duration.ofMillis(200) : Duration.ZERO,
                maxRequests,
                0,
                maxQueue,
                config());
        return new EngineRun(
                        plan,
                        workload,
                        new RequestServing(plan, MODEL, cache, ledger, List.of()),
                        ledger,
                        new BenchProgress(_ -> {}, Clock.systemUTC()),
                        EngineRun.EngineTime.SYSTEM,
                        null)
                .run();
    }

    private static WorkloadConfig config() {
        WorkloadConfig usual = WorkloadConfig.usual();
        return new WorkloadConfig(
                usual.models(),
                Map.of(
                        "test",
                        new WorkloadConfig.Persona(
                                new WorkloadConfig.TokenRange(100, 400),
                                new WorkloadConfig.TokenRange(1, 32),
                                new WorkloadConfig.SecondsRange(0.05, 0.1))),
                usual.generationTiming(),
                usual.qosProfiles(),
                usual.qosDistribution(),
                usual.eviction(),
                usual.gpuBackend(),
                usual.prefixCache(),
                usual.rag(),
                usual.conversation(),
                usual.autoscaler(),
                usual.decode(),
                usual.sharegpt(),
                usual.saturationDetection(),
                usual.validationLimits());
    }
}
