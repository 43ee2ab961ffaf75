package dev.kvstore.benchmark.control;

import dev.kvstore.benchmark.control.ControlReport.WatchFigures;
import dev.kvstore.benchmark.measure.AdminCalls;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.measure.StackChannels;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.protocol.control.v1.AccountServiceGrpc;
import dev.kvstore.protocol.control.v1.WatchRequest;
import dev.kvstore.protocol.control.v1.WatchResponse;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Changes accounts over REST, one at a time, while many watch as data planes do. For one thread. */
final class WatchRun {
    private static final int CHANGES = 50;
    private static final int WARM_UP = 10;
    private static final int PER_CONNECTION = 50;
    private static final long PATIENCE_SECONDS = 10;

    // Longer than the pulse of the watches, so that changes fall anywhere between two.
    private static final int LONGEST_PAUSE_MILLIS = 1_200;

    private final LocalStack stack;
    private final ManyAccounts many;
    private final int watchers;
    private final Consumer<String> progress;
    private final CountDownLatch begun;
    private final AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
    private volatile ExpectedChange expected;
    private final Latencies fromSending = new Latencies();
    private final Latencies fromAnswer = new Latencies();
    private final Latencies slowest = new Latencies();
    private long unheard;

    WatchRun(LocalStack stack, ManyAccounts many, int watchers, Consumer<String> progress) {
        this.stack = stack;
        this.many = many;
        this.watchers = watchers;
        this.progress = progress;
        this.begun = new CountDownLatch(watchers);
        this.expected = new ExpectedChange("", watchers);
    }

    /** A change of an account, and when each watcher heard of it that has. */
    private record ExpectedChange(String account, CountDownLatch missing, Queue<Long> arrivals) {
        private ExpectedChange(String account, int watchers) {
            this(account, new CountDownLatch(watchers), new ConcurrentLinkedQueue<>());
        }
    }

    private final class ChangeWatcher implements StreamObserver<WatchResponse> {
        private boolean first = true;

        @Override
        public void onNext(WatchResponse message) {
            long now = System.nanoTime();
            ExpectedChange change = expected;
            if (message.getResourceNamesList().contains(change.account())) {
                change.arrivals().add(now);
                change.missing().countDown();
            }
            if (first) {
                first = false;
                begun.countDown();
            }
        }

        @Override
        public void onError(Throwable failure) {
            failed.compareAndSet(null, failure);
        }

        @Override
        public void onCompleted() {
            failed.compareAndSet(null, new IllegalStateException("the control plane ended it"));
        }
    }

    WatchFigures run() throws InterruptedException {
        StackControlPlane control = Objects.requireNonNull(stack.controlPlane());
        int connections = Math.ceilDiv(watchers, PER_CONNECTION);
        progress.accept(watchers + " watchers");
        try (AdminCalls admin = AdminCalls.of(stack);
                StackChannels channels = new StackChannels(
                        control.address(), control.platformToken().text(), connections)) {
            for (int i = 0; i < watchers; i++) {
                WatchRequest request = WatchRequest.newBuilder()
                        .setRegion(ManyAccounts.REGION)
                        .setNode("bench-" + i)
                        .build();
                AccountServiceGrpc.newStub(channels.get(i)).watch(request, new ChangeWatcher());
            }
            if (!begun.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new LaunchException("not all watchers were told anything within " + PATIENCE_SECONDS + " s");
            }
            for (int i = 0; i < WARM_UP; i++) {
                var _ = change(admin, i, false);
            }
            progress.accept(CHANGES + " changes");
            SplittableRandom random = new SplittableRandom(1);
            for (int i = WARM_UP; i < WARM_UP + CHANGES; i++) {
                TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
                unheard += watchers - change(admin, i, true);
            }
        }
        return new WatchFigures(
                watchers,
                connections,
                CHANGES,
                fromSending.percentiles(),
                fromAnswer.percentiles(),
                slowest.percentiles(),
                unheard);
    }

    /** Changes an account; returns how many watchers heard of it in time. */
    private int change(AdminCalls admin, int number, boolean measured) throws InterruptedException {
        Throwable failure = failed.get();
        if (failure != null) {
            throw new IllegalStateException("a watch ended: " + failure.getMessage(), failure);
        }
        // One that nobody deleted, and not the one before.
        String account = many.name(number * ManyAccounts.TENANTS % many.count());
        ExpectedChange change = new ExpectedChange(account, watchers);
        expected = change;
        long sent = System.nanoTime();
        admin.put(
                AdminCalls.spec().put("operations", 1 + number).put("bytesPerSecond", 0),
                "accounts",
                account,
                "limits");
        long answered = System.nanoTime();
        var _ = change.missing().await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        List<Long> arrivals = List.copyOf(change.arrivals());
        if (measured) {
            for (long arrival : arrivals) {
                fromSending.add(arrival - sent);
                fromAnswer.add(arrival - answered);
            }
            arrivals.stream().max(Long::compare).ifPresent(last -> slowest.add(last - sent));
        }
        return arrivals.size();
    }
}
