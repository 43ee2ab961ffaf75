package dev.kvstore.control.resolve;

import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.change.Change;
import dev.kvstore.control.security.DataPlane;
import dev.kvstore.protocol.control.v1.Probe;
import dev.kvstore.protocol.control.v1.WatchResponse;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** A data plane that watches. One that does not take what it is told is told the rest when it does. Thread-safe. */
final class Watcher {
    /** About so many in one message: well within the 4 MiB that a data plane takes. */
    private static final int NAMES = 5_000;

    private final ServerCallStreamObserver<WatchResponse> call;
    private final String region;
    private final DataPlane caller;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Probe> probes = new ArrayList<>();
    private long heard;
    private boolean reset;

    Watcher(ServerCallStreamObserver<WatchResponse> call, String region, DataPlane caller, Clock clock) {
        this.clock = clock;
        this.call = call;
        this.region = region;
        this.caller = caller;
    }

    /** Whether its call is over. */
    boolean isGone() {
        return call.isCancelled();
    }

    /** Whether it is to be told nothing more: it is no data plane any longer. */
    boolean isRevoked() {
        return !caller.isGood();
    }

    /** Whether it takes what it is told. */
    boolean isReady() {
        return !call.isCancelled() && call.isReady() && caller.isGood();
    }

    String region() {
        return region;
    }

    /** The last change that it was told of. */
    long heard() {
        lock.lock();
        try {
            return heard;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Says where it begins.
     *
     * @param reset it has missed more than it can be told
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

    /** Has it try storage, with what it is told next. */
    void probe(Probe probe) {
        lock.lock();
        try {
            probes.add(probe);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Tells what has happened since it was told last.
     *
     * @param news changes, lowest first; those it has heard of are left out
     * @param last the highest number that was read
     * @param more whether there are others that were not read yet
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
                .setClock(Wire.timestamp(clock.instant()))
                .build());
        reset = false;
    }

    void end() {
        end(Status.UNAVAILABLE.withDescription("this replica is being stopped"));
    }

    /** Ends the call of a data plane whose proof is good no longer. */
    void revoke() {
        end(Status.UNAUTHENTICATED.withDescription("the join token or certificate is good no longer"));
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
