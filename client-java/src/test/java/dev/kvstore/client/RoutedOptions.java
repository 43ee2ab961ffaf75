package dev.kvstore.client;

import dev.kvstore.client.internal.ClientOptions;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Options of clients that follow routes. */
public final class RoutedOptions {
    private RoutedOptions() {}

    public static ClientOptions of(List<String> controlPlane, List<String> hosts, @Nullable Path trust) {
        KvClientBuilder builder = KvClient.builder()
                .controlPlane(controlPlane.toArray(String[]::new))
                .routedHosts(hosts.toArray(String[]::new))
                .apiKey("kv_test")
                .resource("demo");
        return (trust == null ? builder : builder.trust(trust)).options();
    }
}
