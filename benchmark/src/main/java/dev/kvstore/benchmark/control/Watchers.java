package dev.kvstore.benchmark.control;

import dev.kvstore.protocol.control.v1.WatchRequest;
import dev.kvstore.protocol.control.v1.WatchResponse;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Watches, as data planes have them, that note when they hear of what. Thread-safe. */
final class Watchers {
    private final int count;
    private final CountDownLatch heard;
    private final Map<String, ExpectedChange> expected = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();

    /** A change that is to come. */
    static final class ExpectedChange {
        private final CountDownLatch missing;
        private final Queue<Long> arrivals = new ConcurrentLinkedQueue<>();

        private ExpectedChange(int watchers) {
            this.missing = new CountDownLatch(watchers);
        }

        private void arrived(long nanos) {
            arrivals.add(nanos);
            missing.countDown();
        }

        /** Waits until all have heard of it, or so long; when each of those did that have. */
        List<Long> await(long seconds) throws InterruptedException {
            var _ = missing.await(seconds, TimeUnit.SECONDS);
            return List.copyOf(arrivals);
        }
    }

    private Watchers(int count) {
        this.count = count;
        this.heard = new CountDownLatch(count);
    }

    /** Begins to watch, on these connections in turn; their closing ends it. */
    static Watchers begin(ControlChannels channels, int count) {
        Watchers all = new Watchers(count);
        for (int i = 0; i < count; i++) {
            channels.async(i)
                    .watch(
                            WatchRequest.newBuilder()
                                    .setRegion(ManyAccounts.REGION)
                                    .setNode("bench-" + i)
                                    .build(),
                            all.new ChangeWatcher());
        }
        return all;
    }

    /** Waits until each was told something; false if that takes too long. */
    boolean awaitHeard(long seconds) throws InterruptedException {
        return heard.await(seconds, TimeUnit.SECONDS);
    }

    /**
     * A change of an account that nobody has heard of yet.
     *
     * @throws IllegalStateException if a watch has ended
     */
    ExpectedChange expect(String resourceName) {
        Throwable failure = failed.get();
        if (failure != null) {
            throw new IllegalStateException("a watch ended: " + failure.getMessage(), failure);
        }
        ExpectedChange change = new ExpectedChange(count);
        expected.put(resourceName, change);
        return change;
    }

    /** One of them. */
    private final class ChangeWatcher implements StreamObserver<WatchResponse> {
        private boolean first = true;

        @Override
        public void onNext(WatchResponse message) {
            long now = System.nanoTime();
            for (String name : message.getResourceNamesList()) {
                ExpectedChange change = expected.get(name);
                if (change != null) {
                    change.arrived(now);
                }
            }
            if (first) {
                first = false;
                heard.countDown();
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
}
