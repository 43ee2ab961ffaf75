package dev.kvstore.benchmark.control;

import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.launcher.admin.AdminClient;
import dev.kvstore.launcher.stack.Metrics;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.protocol.control.v1.AccountServiceGrpc.AccountServiceBlockingStub;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import org.jspecify.annotations.Nullable;

/** Asks over gRPC what keys may do, as a data plane does. For one thread. */
final class ResolveRun {
    /**
     * As fast as it goes; at a pace that leaves the machine idle in between, as data planes that keep answers do; and
     * many.
     */
    private static final List<RequestPace> PACES =
            List.of(new RequestPace(1, 0), new RequestPace(1, 200), new RequestPace(8, 0));

    private static final int PACED_SHARE = 4;
    private static final int WARM_UP = 150_000;
    private static final int WARM_UP_CALLERS = 4;

    private final StackControlPlane control;
    private final ManyAccounts many;
    private final int resolves;
    private final Consumer<String> progress;

    ResolveRun(StackControlPlane control, ManyAccounts many, int resolves, Consumer<String> progress) {
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
            round(subjects, channels, new RequestPace(WARM_UP_CALLERS, 0), WARM_UP);
            List<ResolveReport.ResolveRound> rounds = new ArrayList<>();
            for (RequestPace pace : PACES) {
                progress.accept("resolving, " + pace.callers() + " at a time"
                        + (!pace.isPaced() ? "" : ", " + pace.perSecond() + " a second"));
                int count = pace.isPaced() ? resolves / PACED_SHARE : resolves;
                rounds.add(round(subjects, channels, pace, count));
            }
            return new ResolveReport(rounds, null);
        }
    }

    private ResolveReport.ResolveRound round(Subjects subjects, ControlChannels channels, RequestPace pace, int count)
            throws InterruptedException {
        Latencies all = new Latencies();
        Map<String, Latencies> byOutcome = new TreeMap<>();
        List.of("own", "granted", "not granted", "unknown key").forEach(kind -> byOutcome.put(kind, new Latencies()));
        AtomicLong wrong = new AtomicLong();
        AtomicInteger left = new AtomicInteger(count);
        Latencies.Percentiles bare = bare(pace, count);
        Metrics before = control.metrics();
        long start = System.nanoTime();
        Workers.each(pace.callers(), IntStream.range(0, pace.callers()).boxed().toList(), caller -> {
            SplittableRandom random = new SplittableRandom(count + caller);
            AccountServiceBlockingStub stub = channels.blocking(0);
            while (left.getAndDecrement() > 0) {
                Subjects.ResolveQuestion question = subjects.any(random);
                pace.awaitTurn(start, count - left.get() - 1);
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
        return new ResolveReport.ResolveRound(
                pace.callers(),
                pace.perSecond(),
                count / seconds,
                all.percentiles(),
                kinds,
                ServerTimes.between("Resolve", before, control.metrics()),
                bare,
                wrong.get());
    }

    private static Latencies.@Nullable Percentiles bare(RequestPace pace, int count) {
        if (pace.callers() > 1) {
            return null;
        }
        try (BareChain chain = new BareChain()) {
            return chain.measure(pace, count);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
