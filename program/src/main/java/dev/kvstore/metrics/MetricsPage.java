package dev.kvstore.metrics;

import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * Serves {@code /q/metrics} in Prometheus' text format, unless a client accepts OpenMetrics by name. Quarkus itself
 * serves OpenMetrics to clients that accept anything, such as curl, and promtool cannot read it.
 */
@Singleton
public final class MetricsPage {
    private static final String PATH = "/q/metrics";
    private static final String ACCEPT = "Accept";

    void register(@Observes Router router) {
        router.get(PATH).order(Integer.MIN_VALUE).handler(MetricsPage::preferText);
    }

    private static void preferText(RoutingContext call) {
        String accepted = call.request().getHeader(ACCEPT);
        if (accepted == null || !accepted.contains("openmetrics")) {
            call.request().headers().set(ACCEPT, "text/plain");
        }
        call.next();
    }
}
