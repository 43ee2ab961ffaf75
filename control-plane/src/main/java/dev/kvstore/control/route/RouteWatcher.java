package dev.kvstore.control.route;

import dev.kvstore.protocol.control.v1.Route;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;

/**
 * A client that watches a route. While the client reads nothing, older routes are dropped, and it gets the newest one.
 * Not thread-safe: the feed alone uses it.
 */
final class RouteWatcher {
    /** Bytes that may wait for a client that does not read: one route. */
    static final int UNREAD = 1;

    private final ServerCallStreamObserver<Route> call;
    private final Admitted admitted;
    private final String region;
    private final boolean explain;
    private String version = "";
    private long toldNanos;

    RouteWatcher(ServerCallStreamObserver<Route> call, Admitted admitted, String region, boolean explain) {
        this.call = call;
        this.admitted = admitted;
        this.region = region;
        this.explain = explain;
    }

    Admitted admitted() {
        return admitted;
    }

    boolean isGone() {
        return call.isCancelled();
    }

    /**
     * Sends the route if it differs from the last one, or the last one was sent long ago. Sends nothing while the
     * client does not read.
     */
    void tell(Board board, long nowNanos, long againNanos) {
        if (!call.isReady()) {
            return;
        }
        board.answer(admitted.terms().constraints(), region).ifPresent(encodedRoute -> {
            if (!encodedRoute.route().version().equals(version) || nowNanos - toldNanos >= againNanos) {
                call.onNext(explain ? explained(board, encodedRoute) : encodedRoute.message());
                version = encodedRoute.route().version();
                toldNanos = nowNanos;
            }
        });
    }

    private Route explained(Board board, EncodedRoute encodedRoute) {
        return board.explained(admitted.terms().constraints(), region, false)
                .map(Board.Explained::message)
                .orElse(encodedRoute.message());
    }

    void end(StatusRuntimeException reason) {
        if (!call.isCancelled()) {
            call.onError(reason);
        }
    }
}
