package dev.kvstore.benchmark.control;

import dev.kvstore.protocol.control.v1.Probe;
import dev.kvstore.protocol.control.v1.ProbeStep;
import dev.kvstore.protocol.control.v1.ReportProbeRequest;
import dev.kvstore.protocol.control.v1.WatchRequest;
import dev.kvstore.protocol.control.v1.WatchResponse;
import io.grpc.stub.StreamObserver;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for data planes of the accounts' regions, one each: whatever storage it is to try, it says that all is
 * well. So nothing is measured of storage. Thread-safe.
 */
final class Trials implements AutoCloseable {
    private static final String NODE = "bench";
    private static final int AT_A_TIME = 8;

    private final ControlChannels channels;
    private final ExecutorService reporting =
            Executors.newFixedThreadPool(AT_A_TIME, Thread.ofVirtual().factory());
    private final CountDownLatch allowed = new CountDownLatch(1);
    private final Set<String> reported = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable RuntimeException> failed = new AtomicReference<>();

    Trials(ControlChannels channels) {
        this.channels = channels;
    }

    /** Begins to take trials, and reports nothing yet. */
    void begin() {
        for (String region : ManyAccounts.REGIONS) {
            channels.async(0)
                    .watch(
                            WatchRequest.newBuilder()
                                    .setRegion(region)
                                    .setNode(NODE)
                                    .build(),
                            new TrialInput());
        }
    }

    /** Reports results from now on. */
    void report() {
        allowed.countDown();
    }

    /**
     * The number of accounts of which it has reported so.
     *
     * @throws RuntimeException why it cannot report any more
     */
    int reported() {
        RuntimeException failure = failed.get();
        if (failure != null) {
            throw failure;
        }
        return reported.size();
    }

    private void report(Probe probe) {
        try {
            allowed.await();
            ReportProbeRequest.Builder report =
                    ReportProbeRequest.newBuilder().setId(probe.getId()).setNode(NODE);
            Stream.of(
                            ProbeStep.Name.CREDENTIAL,
                            ProbeStep.Name.OWNERSHIP,
                            ProbeStep.Name.WRITE,
                            ProbeStep.Name.READ,
                            ProbeStep.Name.DELETE)
                    .forEach(step -> report.addStepsBuilder().setName(step).setOk(true));
            var _ = channels.blocking(0).reportProbe(report.build());
            reported.add(probe.getResourceName());
        } catch (RuntimeException e) {
            failed.compareAndSet(null, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Receives the messages of the watch. */
    private final class TrialInput implements StreamObserver<WatchResponse> {
        @Override
        public void onNext(WatchResponse message) {
            message.getProbesList().forEach(probe -> reporting.execute(() -> report(probe)));
        }

        @Override
        public void onError(Throwable failure) {
            failed.compareAndSet(null, new IllegalStateException("a watch ended: " + failure.getMessage(), failure));
        }

        @Override
        public void onCompleted() {
            failed.compareAndSet(null, new IllegalStateException("a watch ended"));
        }
    }

    @Override
    public void close() {
        reporting.shutdownNow();
        reporting.close();
    }
}
