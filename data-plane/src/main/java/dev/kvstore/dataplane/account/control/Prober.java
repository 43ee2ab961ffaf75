package dev.kvstore.dataplane.account.control;

import dev.kvstore.dataplane.storage.StorageTrait;
import dev.kvstore.protocol.control.v1.Probe;
import dev.kvstore.protocol.control.v1.ReportProbeRequest;
import dev.kvstore.protocol.control.v1.SeenTrait;
import io.grpc.StatusException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/** Tries storage when the control plane asks for it, beside other work, and reports the result. Thread-safe. */
final class Prober {
    private static final Logger LOG = System.getLogger(Prober.class.getName());

    /** Most trials at a time, since they take connections that calls would have. */
    static final int PARALLEL = 4;

    /** Most trials that wait; the control plane asks again for further ones. */
    static final int WAITING = 100;

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ControlPlaneReplicas plane;
    private final StorageTrial trial;
    private final String node;
    private final Executor executor;
    private final Semaphore places = new Semaphore(PARALLEL);
    private final Set<String> accepted = ConcurrentHashMap.newKeySet();

    Prober(ControlPlaneReplicas plane, StorageTrial trial, String node, Executor executor) {
        this.plane = plane;
        this.trial = trial;
        this.node = node;
        this.executor = executor;
    }

    /** Begins a trial, unless it is under way already. Returns at once. */
    void accept(Probe probe) {
        if (accepted.size() < WAITING && accepted.add(probe.getId())) {
            executor.execute(() -> serve(probe));
        }
    }

    private void serve(Probe probe) {
        try {
            places.acquire();
            try {
                report(probe, trial.of(probe));
            } finally {
                places.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "the result of the trial of " + probe.getResourceName() + " was not reported", e);
        } finally {
            accepted.remove(probe.getId());
        }
    }

    private static SeenTrait trait(StorageTrait seen) {
        return SeenTrait.newBuilder()
                .setName(seen.name().name().toLowerCase(Locale.ROOT))
                .setSight(
                        switch (seen.sight()) {
                            case ABSENT -> SeenTrait.Sight.ABSENT;
                            case PRESENT -> SeenTrait.Sight.PRESENT;
                            case UNKNOWN -> SeenTrait.Sight.UNKNOWN;
                        })
                .setReason(seen.reason())
                .build();
    }

    private void report(Probe probe, StorageTrial.TrialResult result) throws InterruptedException {
        ReportProbeRequest report = ReportProbeRequest.newBuilder()
                .setId(probe.getId())
                .addAllSteps(result.steps())
                .addAllTraits(result.traits().stream().map(Prober::trait).toList())
                .setNode(node)
                .build();
        try {
            var _ = plane.ask(stub -> stub.reportProbe(report), PATIENCE);
        } catch (StatusException e) {
            LOG.log(
                    Level.ERROR,
                    "the storage of {0} was tried, but the control plane did not take the report: {1}",
                    probe.getResourceName(),
                    e.getStatus());
        }
    }
}
