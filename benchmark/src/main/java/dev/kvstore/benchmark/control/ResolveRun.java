package dev.kvstore.benchmark.control;

import dev.kvstore.benchmark.control.ControlReport.CachedLookups;
import dev.kvstore.benchmark.control.ControlReport.ResolveFigures;
import dev.kvstore.benchmark.control.ControlReport.ResolveRound;
import dev.kvstore.benchmark.measure.AdminCalls;
import dev.kvstore.benchmark.measure.CallLoad;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.benchmark.measure.StackChannels;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.Metrics;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.control.v1.AccountServiceGrpc;
import dev.kvstore.protocol.control.v1.AccountServiceGrpc.AccountServiceBlockingStub;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Asks over gRPC what keys may do, as a data plane does. For one thread. */
record ResolveRun(LocalStack stack, ManyAccounts many, Consumer<String> progress) {
    private static final int WARM_UP = 150_000;
    private static final int RESOLVES = 20_000;
    private static final int WARM_UP_CALLERS = 4;
    private static final int MANY_CALLERS = 8;

    /** Leaves the machine idle between two calls, as data planes that keep answers do. */
    private static final int PACED_PER_SECOND = 200;

    private static final int PACED_SHARE = 4;

    private static final int LOOKUPS = 10_000;
    private static final String QUESTIONS = "kvstore_account_resolutions_total";

    ResolveFigures run() throws InterruptedException {
        StackControlPlane control = Objects.requireNonNull(stack.controlPlane());
        progress.accept("making keys and grants");
        try (AdminCalls admin = AdminCalls.of(stack);
                StackChannels channels = new StackChannels(
                        control.address(), control.platformToken().text(), 1)) {
            Subjects subjects = Subjects.register(many, admin);
            AccountServiceBlockingStub stub = AccountServiceGrpc.newBlockingStub(channels.get(0));
            progress.accept("warming up resolves");
            var _ = round(control, subjects, stub, WARM_UP_CALLERS, 0, WARM_UP);
            List<ResolveRound> rounds = new ArrayList<>();
            progress.accept("resolving, one at a time");
            rounds.add(round(control, subjects, stub, 1, 0, RESOLVES));
            progress.accept("resolving, " + PACED_PER_SECOND + " a second");
            rounds.add(round(control, subjects, stub, 1, PACED_PER_SECOND, RESOLVES / PACED_SHARE));
            progress.accept("resolving, " + MANY_CALLERS + " at a time");
            rounds.add(round(control, subjects, stub, MANY_CALLERS, 0, RESOLVES));
            progress.accept("looking up through a data plane");
            return new ResolveFigures(rounds, cached(admin));
        }
    }

    private static ResolveRound round(
            StackControlPlane control,
            Subjects subjects,
            AccountServiceBlockingStub stub,
            int callers,
            int perSecond,
            int count)
            throws InterruptedException {
        Map<String, Latencies> byOutcome = new ConcurrentHashMap<>();
        LongAdder wrong = new LongAdder();
        Latencies.Percentiles bare = callers == 1 ? BareChain.measure(perSecond, count) : null;
        Metrics before = control.metrics();
        long start = System.nanoTime();
        CallLoad.calls(callers, perSecond, count, number -> {
            Subjects.ResolveQuestion question = subjects.any(new SplittableRandom(31L * count + number));
            long begun = System.nanoTime();
            var outcome = stub.resolve(question.request()).getOutcomeCase();
            byOutcome.computeIfAbsent(question.name(), _ -> new Latencies()).addSince(begun);
            if (outcome != question.expected()) {
                wrong.increment();
            }
        });
        double seconds = (System.nanoTime() - start) / 1e9;
        Latencies all = new Latencies();
        byOutcome.values().forEach(all::add);
        return new ResolveRound(
                callers,
                perSecond,
                count / seconds,
                all.percentiles(),
                Latencies.percentiles(byOutcome),
                ServerTimes.between("Resolve", before, control.metrics()),
                bare,
                wrong.sum());
    }

    /** Looks up with a key that was just made: once, so that the data plane asks, and then again and again. */
    private CachedLookups cached(AdminCalls admin) throws InterruptedException {
        StackDataPlane dataPlane = stack.dataPlane(0);
        Prompt prompt = Prompt.of(Partition.of("control"), 1, 1);
        try (KvClient client = KvClient.builder()
                .endpoints(dataPlane.endpoint())
                .resource(LocalStack.RESOURCE)
                .apiKey(admin.newKey(LocalStack.TENANT).text())
                .build()) {
            var _ = client.lookup(prompt.partition(), prompt.chain());
            double before = dataPlane.metrics().sum(QUESTIONS);
            if (before == 0) {
                throw new IllegalStateException(QUESTIONS + " of " + dataPlane.name() + " counts nothing");
            }
            long start = System.nanoTime();
            for (int i = 0; i < LOOKUPS; i++) {
                var _ = client.lookup(prompt.partition(), prompt.chain());
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            return new CachedLookups(
                    LOOKUPS, seconds, Math.round(dataPlane.metrics().sum(QUESTIONS) - before));
        }
    }
}
