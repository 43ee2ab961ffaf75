package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.call.CallMeter;
import dev.kvstore.dataplane.call.Drain;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * {@code /drain} on the HTTP port: {@code PUT} has new calls go elsewhere, {@code DELETE} has them come again. Only
 * callers on this machine may do that, since the port asks for no key. A page in a browser of this machine cannot ask
 * for that: forms have neither method, and calls that name a page or a proxy are refused.
 */
@Singleton
public final class DrainEndpoint {
    /** Headers of a browser's page, which may be anybody's, and of a proxy, whose caller may be anywhere. */
    private static final List<String> FOREIGN =
            List.of("Origin", "Sec-Fetch-Site", "Forwarded", "X-Forwarded-For", "Via");

    private final Drain drain;
    private final CallMeter calls;

    DrainEndpoint(Drain drain, CallMeter calls) {
        this.drain = drain;
        this.calls = calls;
    }

    void register(@Observes Router router) {
        router.get("/drain").handler(this::tell);
        router.put("/drain").handler(call -> wish(call, true));
        router.delete("/drain").handler(call -> wish(call, false));
    }

    private void wish(RoutingContext call, boolean drained) {
        boolean foreign = FOREIGN.stream().anyMatch(call.request().headers()::contains);
        if (foreign || !isLocal(call.request().remoteAddress())) {
            call.response()
                    .setStatusCode(403)
                    .putHeader("content-type", "text/plain")
                    .end("a data plane is drained from its own machine, or by the control plane\n");
            return;
        }
        drain.wish(Drain.Wish.ASKED, drained);
        tell(call);
    }

    private static boolean isLocal(SocketAddress caller) {
        try {
            // A literal, which no name server is asked for.
            return InetAddress.getByName(caller.hostAddress()).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private void tell(RoutingContext call) {
        call.response()
                .putHeader("content-type", "application/json")
                .end(new JsonObject()
                        .put("draining", drain.isWanted())
                        .put("refusing", drain.isWanted() && !drain.left().isPositive())
                        .put("openCalls", calls.open())
                        .encode());
    }
}
