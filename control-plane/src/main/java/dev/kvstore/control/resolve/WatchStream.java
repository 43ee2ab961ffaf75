package dev.kvstore.control.resolve;

import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.change.Change;
import dev.kvstore.control.security.CallingDataPlane;
import dev.kvstore.protocol.control.v1.Probe;
import dev.kvstore.protocol.control.v1.WatchResponse;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A data plane that watches. While the data plane reads nothing, changes wait; it gets them when it reads again.
 * Thread-safe.
 */
final class WatchStream {
    /** Most names in one message, about; well within the 4 MiB that a data plane accepts. */
    private static final int NAMES = 5_000;

    /**
     * Bytes that may wait for a data plane that does not read: two or three messages without names. gRPC's own limit is
     * 32 KiB for each of thousands of streams.
     */
    static final int UNREAD = 64;

    private final ServerCallStreamObserver<WatchResponse> call;
    private final String region;
    private final CallingDataPlane caller;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Probe> probes = new ArrayList<>();
    private long heard;
    private boolean reset;

    WatchStream(ServerCallStreamObserver<WatchResponse> call, String region, CallingDataPlane caller, Clock clock) {
        this.clock = clock;
        this.call = call;
        this.region = region;
        this.caller = caller;
    }

    /** Whether the watcher's call is over. */
    boolean isGone() {
        return call.isCancelled();
    }

    /** Whether the watcher must get nothing more, because its token or certificate is no longer good. */
    boolean isRevoked() {
        return !caller.isGood();
    }

    /** Whether the watcher is reading. */
    boolean isReady() {
        return !call.isCancelled() && call.isReady() && caller.isGood();
    }

    String region() {
        return region;
    }

    /** The cluster of the watcher's credential; empty for a data plane of the whole platform. */
    String cluster() {
        String cluster = caller.scope().cluster();
        return cluster == null ? "" : cluster;
    }

    /** The number of the last change that the watcher got. */
    long heard() {
        lock.lock();
        try {
            return heard;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends the change at which the watch begins.
     *
     * @param reset whether the watcher has missed more changes than it can get one by one
     */
    void begin(long change, boolean reset) {
        lock.lock();
        try {
            this.heard = change;
            this.reset = reset;
        } finally {
            lock.unlock();
        }
    }

    /** Adds a trial of storage to the watcher's next message. */
    void probe(Probe probe) {
        lock.lock();
        try {
            probes.add(probe);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends the changes since the watcher's last message.
     *
     * @param news changes, lowest first; changes that the watcher got before are left out
     * @param last the highest number that was read
     * @param more whether there are further changes that were not read yet
     */
    void tell(List<Change> news, long last, boolean more) {
        lock.lock();
        try {
            if (call.isCancelled() || !call.isReady()) {
                return;
            }
            WatchResponse.Builder message = WatchResponse.newBuilder();
            for (Change change : news) {
                if (change.id() > heard) {
                    message.addAllKeyIds(change.keyIds()).addAllResourceNames(change.resourceNames());
                    reset |= change.resourceNames().contains(Affected.ALL);
                    heard = change.id();
                    if (message.getKeyIdsCount() + message.getResourceNamesCount() >= NAMES) {
                        send(message.setMore(true));
                        message.clear();
                    }
                }
            }
            if (news.isEmpty() || news.getLast().id() >= last) {
                heard = Math.max(heard, last);
            }
            send(message.addAllProbes(probes).setMore(more || heard < last));
            probes.clear();
        } finally {
            lock.unlock();
        }
    }

    private void send(WatchResponse.Builder message) {
        call.onNext(message.setReset(reset)
                .setChange(heard)
                .setClock(ResolutionEncoder.timestamp(clock.instant()))
                .build());
        reset = false;
    }

    void end() {
        end(Status.UNAVAILABLE.withDescription("this replica is being stopped"));
    }

    /** Ends the call, since the token or certificate of the data plane is no longer good. */
    void revoke() {
        end(Status.UNAUTHENTICATED.withDescription("the join token or certificate is no longer good"));
    }

    private void end(Status status) {
        lock.lock();
        try {
            if (!call.isCancelled()) {
                call.onError(status.asRuntimeException());
            }
        } finally {
            lock.unlock();
        }
    }
}
