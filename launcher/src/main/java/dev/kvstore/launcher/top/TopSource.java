package dev.kvstore.launcher.top;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.RestRequest;
import dev.kvstore.launcher.stack.Metrics;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;

/**
 * The pages of metrics of the data planes. Immutable.
 *
 * @param pages by the name of the data plane
 */
record TopSource(Map<String, URI> pages, SSLContext trust) {
    private static final int HTTP_OFFSET = 1_000;
    private static final int MOST = 10_000;

    TopSource {
        pages = Map.copyOf(pages);
    }

    /**
     * The data planes that a control plane knows, each with its page at the usual port: its gRPC port + 1000.
     *
     * @param tls whether a host is asked by HTTPS
     */
    static TopSource ofFleet(AdminClient client, SSLContext trust, Predicate<String> tls) throws InterruptedException {
        Map<String, URI> pages = new TreeMap<>();
        for (JsonNode cluster :
                client.list(RestRequest.get(List.of("v1", "clusters")), MOST).items()) {
            List<String> path = List.of("v1", "clusters", cluster.path("name").asText(), "processes");
            for (JsonNode process : client.list(RestRequest.get(path), MOST).items()) {
                URI address = URI.create("kv://" + process.path("address").asText());
                String page = "%s://%s:%d/q/metrics"
                        .formatted(
                                tls.test(address.getHost()) ? "https" : "http",
                                address.getHost(),
                                address.getPort() + HTTP_OFFSET);
                pages.put(address.getAuthority(), URI.create(page));
            }
        }
        return new TopSource(pages, trust);
    }

    /** Reads all pages at once; a page that cannot be read is left out. */
    Map<String, Metrics> read() throws InterruptedException {
        Map<String, Metrics> readings = new ConcurrentSkipListMap<>();
        List<Thread> threads = pages.entrySet().stream()
                .map(page -> Thread.startVirtualThread(
                        () -> scrape(page.getValue()).ifPresent(metrics -> readings.put(page.getKey(), metrics))))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        return readings;
    }

    private Optional<Metrics> scrape(URI page) {
        try {
            return Optional.of(Metrics.scrape(page, trust));
        } catch (LaunchException away) {
            return Optional.empty();
        }
    }
}
