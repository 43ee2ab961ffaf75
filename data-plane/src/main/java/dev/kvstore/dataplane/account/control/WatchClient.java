package dev.kvstore.dataplane.account.control;

import dev.kvstore.protocol.control.v1.WatchRequest;
import dev.kvstore.protocol.control.v1.WatchResponse;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.BlockingClientCall;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Watches changes at one control plane or another for as long as the process runs. Each message has taken effect, also
 * in the file, before the next one is read. Its getters are thread-safe.
 */
final class WatchClient implements Runnable {
    private static final Logger LOG = System.getLogger(WatchClient.class.getName());

    private final ControlPlaneReplicas plane;
    private final WatchRequest introduction;
    private final ResolutionCache resolutions;
    private final ResolutionFileWriter writer;
    private final Prober prober;
    private final ResolverCounters counters;
    private final ResolverBounds bounds;
    private final ServiceClock clock;
    private final RandomGenerator random;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile boolean connected;
    private volatile boolean everConnected;
    private volatile @Nullable String flaw;
    private volatile @Nullable BlockingClientCall<?, WatchResponse> call;

    WatchClient(
            ControlPlaneReplicas plane,
            WatchRequest introduction,
            ResolutionCache resolutions,
            ResolutionFileWriter writer,
            Prober prober,
            ResolverCounters counters,
            ResolverBounds bounds,
            ServiceClock clock,
            RandomGenerator random) {
        this.plane = plane;
        this.introduction = introduction;
        this.resolutions = resolutions;
        this.writer = writer;
        this.prober = prober;
        this.counters = counters;
        this.bounds = bounds;
        this.clock = clock;
        this.random = random;
    }

    boolean isConnected() {
        return connected;
    }

    boolean wasEverConnected() {
        return everConnected;
    }

    /** Why the watch is not connected; null if it is, or was not tried yet. */
    @Nullable
    String flaw() {
        return flaw;
    }

    /** Ends the watch soon. Does not interrupt its thread, which may be writing the file. */
    void close() {
        closing.countDown();
        BlockingClientCall<?, WatchResponse> under = call;
        if (under != null) {
            under.cancel("this data plane stops", null);
        }
    }

    @Override
    public void run() {
        Duration pause = bounds.firstPause();
        try {
            do {
                int replica = plane.turn();
                Status why = listen(replica);
                if (connected) {
                    pause = bounds.firstPause();
                }
                lost(why);
                plane.failed(replica);
                Duration wait = pause.multipliedBy(50 + random.nextInt(51)).dividedBy(100);
                pause = min(pause.multipliedBy(2), bounds.longestPause());
                if (closing.await(wait.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
            } while (true);
        } catch (InterruptedException e) {
            connected = false;
        }
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /** Listens to one control plane until its watch ends. Answers why it ended. */
    private Status listen(int replica) throws InterruptedException {
        long since = resolutions.heard();
        BlockingClientCall<?, WatchResponse> mine = plane.stubConnectingNow(replica)
                .watch(introduction.toBuilder().setSince(since).build());
        call = mine;
        try {
            boolean first = true;
            while (closing.getCount() > 0) {
                WatchResponse message = mine.read(bounds.silence().toMillis(), TimeUnit.MILLISECONDS);
                if (message == null) {
                    return Status.UNAVAILABLE.withDescription("the control plane ended the watch");
                }
                hear(message, first && since == 0);
                first = false;
            }
            return Status.CANCELLED;
        } catch (TimeoutException e) {
            return Status.DEADLINE_EXCEEDED.withDescription(
                    "nothing arrived for " + bounds.silence().toSeconds() + " s");
        } catch (StatusException e) {
            return e.getStatus();
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "a message of the control plane could not be processed; it is asked for again", e);
            return Status.INTERNAL.withDescription("a message could not be processed");
        } finally {
            mine.cancel("the watch is over", null);
        }
    }

    /** @param fromNow whether no change was heard before, so that all known answers may be out of date */
    private void hear(WatchResponse message, boolean fromNow) {
        if (message.hasClock()) {
            clock.heard(ResolutionDecoder.instant(message.getClock()));
        }
        ChangedSubjects changed =
                new ChangedSubjects(Set.copyOf(message.getKeyIdsList()), Set.copyOf(message.getResourceNamesList()));
        if (message.getReset() || fromNow) {
            resolutions.forgetAll(message.getChange());
            writer.forgotten(_ -> true);
        } else {
            resolutions.forget(message.getChange(), changed);
            if (changed.count() > 0) {
                writer.forgotten(changed::touches);
            }
        }
        counters.changed(changed.count());
        message.getProbesList().forEach(prober::accept);
        if (message.getMore()) {
            // The next message may name a key or resource that this one does not.
            return;
        }
        resolutions.confirm(clock.get());
        if (!connected) {
            // An operator who saw the error of the loss must see its end, too, at the default level.
            LOG.log(flaw == null ? Level.INFO : Level.WARNING, "the control plane sends changes of accounts");
        }
        connected = true;
        everConnected = true;
        flaw = null;
    }

    /** Logs the loss of the watch once, until it is connected again. */
    private void lost(Status why) {
        String said = said(why);
        if (flaw == null && closing.getCount() > 0) {
            LOG.log(
                    Level.ERROR,
                    "the control plane does not answer ({0}); known accounts are served for up to {1} h, "
                            + "or for as long as maxOfflineSeconds of an account says",
                    said,
                    ResolverBounds.SURVIVAL.toHours());
        }
        connected = false;
        flaw = said;
    }

    /** The reason in one line, with the causes from network or TLS. */
    private static String said(Status why) {
        Throwable root = why.getCause();
        while (root != null && root.getCause() != null) {
            root = root.getCause();
        }
        return Stream.of(why.getDescription(), root == null ? null : root.getMessage())
                .filter(Objects::nonNull)
                .map(text -> text.lines().findFirst().orElse(""))
                .collect(Collectors.joining(": ", why.getCode() + ": ", ""));
    }
}
