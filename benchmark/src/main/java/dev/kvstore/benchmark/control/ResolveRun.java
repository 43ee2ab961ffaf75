package dev.kvstore.benchmark.control;

import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.launcher.admin.AdminClient;
import dev.kvstore.launcher.stack.ControlPlane;
import dev.kvstore.launcher.stack.Metrics;
import dev.kvstore.protocol.control.v1.AccountServiceGrpc.AccountServiceBlockingStub;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Asks over gRPC what keys may do, as a data plane does. For one thread. */
final class ResolveRun {
    private static final List<Integer> CALLERS = List.of(1, 8);
    private static final int WARM_UP = 150_000;
    private static final int WARM_UP_CALLERS = 4;

    private final ControlPlane control;
    private final ManyAccounts many;
    private final int resolves;
    private final Consumer<String> progress;

    ResolveRun(ControlPlane control, ManyAccounts many, int resolves, Consumer<String> progress) {
        this.control = control;
        this.many = many;
        this.resolves = resolves;
        this.progress = progress;
    }

    ResolveReport run() throws InterruptedException {
        progress.accept("making keys and grants");
        try (AdminClient admin = control.admin();
                ControlChannels channels = new ControlChannels(control, 1)) {
            Subjects subjects = Subjects.register(many, admin);
            progress.accept("warming up resolves");
            round(subjects, channels, WARM_UP_CALLERS, WARM_UP);
            List<ResolveReport.Round> rounds = new ArrayList<>();
            for (int callers : CALLERS) {
                progress.accept("resolving, " + callers + " at a time");
                rounds.add(round(subjects, channels, callers, resolves));
            }
            return new ResolveReport(rounds, null);
        }
    }

    private ResolveReport.Round round(Subjects subjects, ControlChannels channels, int callers, int count)
            throws InterruptedException {
        Latencies all = new Latencies();
        Map<String, Latencies> byOutcome = new TreeMap<>();
        List.of("own", "granted", "not granted", "unknown key").forEach(kind -> byOutcome.put(kind, new Latencies()));
        AtomicLong wrong = new AtomicLong();
        AtomicInteger left = new AtomicInteger(count);
        Metrics before = control.metrics();
        long start = System.nanoTime();
        Workers.each(callers, IntStream.range(0, callers).boxed().toList(), caller -> {
            SplittableRandom random = new SplittableRandom(count + caller);
            AccountServiceBlockingStub stub = channels.blocking(0);
            while (left.getAndDecrement() > 0) {
                Subjects.Question question = subjects.any(random);
                long begun = System.nanoTime();
                var outcome = stub.resolve(question.request()).getOutcomeCase();
                long took = System.nanoTime() - begun;
                all.add(took);
                Objects.requireNonNull(byOutcome.get(question.name())).add(took);
                if (outcome != question.expected()) {
                    wrong.incrementAndGet();
                }
            }
        });
        double seconds = Workers.secondsSince(start);
        Map<String, Latencies.Percentiles> kinds = new TreeMap<>();
        byOutcome.forEach((kind, latencies) -> kinds.put(kind, latencies.percentiles()));
        return new ResolveReport.Round(
                callers,
                count / seconds,
                all.percentiles(),
                kinds,
                ServerTimes.between("Resolve", before, control.metrics()),
                wrong.get());
    }
}
