package dev.kvstore.control.server;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Answers {@code /q/metrics} on the REST port to this machine alone, unless an operator opens it: the path requires no
 * token.
 */
@Singleton
final class MetricsGuard {
    private static final String PATH = "/q/metrics";

    /** The priority of this filter: before anything else looks at a request. */
    private static final int PRIORITY = 1_000;

    private final boolean open;

    MetricsGuard(@ConfigProperty(name = "kvstore.open-metrics") boolean open) {
        this.open = open;
    }

    void register(@Observes Filters filters) {
        filters.register(this::filter, PRIORITY);
    }

    private void filter(RoutingContext call) {
        if (allows(call.normalizedPath(), call.request().remoteAddress())) {
            call.next();
        } else {
            call.response()
                    .setStatusCode(403)
                    .putHeader("content-type", "text/plain")
                    .end("metrics are for this machine; KVSTORE_OPEN_METRICS=true opens them\n");
        }
    }

    /** Whether the caller may read a path. */
    boolean allows(String path, SocketAddress caller) {
        return open || !(path.equals(PATH) || path.startsWith(PATH + "/")) || isLocal(caller);
    }

    private static boolean isLocal(SocketAddress caller) {
        try {
            // The text is an address, so no name server is asked.
            return caller.hostAddress() == null
                    || InetAddress.getByName(caller.hostAddress()).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
