package dev.kvstore.benchmark.sweep;

import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvClientBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How clients reach a service.
 *
 * @param endpoints of its data planes, host:port each
 * @param trust a file of authorities; null for the system's
 * @param tls on loopback too
 * @param plaintext elsewhere too
 */
record Access(
        List<String> endpoints,
        String resource,
        String apiKey,
        @Nullable String trust,
        boolean tls,
        boolean plaintext) {
    // A call that waits its turn in an overload is slow, not lost.
    private static final Duration DEADLINE = Duration.ofMinutes(1);

    /** Of data planes of this machine, in clear. */
    static Access local(List<String> endpoints, String resource, String apiKey) {
        return new Access(endpoints, resource, apiKey, null, false, false);
    }

    /** A client of one data plane. */
    KvClient client(int endpoint, int connections) {
        KvClientBuilder builder = KvClient.builder()
                .endpoints(endpoints.get(endpoint))
                .resource(resource)
                .apiKey(apiKey)
                .connectionsPerEndpoint(connections)
                .deadline(DEADLINE);
        if (plaintext) {
            builder.plaintextAnywhere();
        }
        if (tls) {
            builder.tls();
        }
        if (trust != null) {
            builder.trust(Path.of(trust));
        }
        return builder.build();
    }

    /** The key is a secret. */
    @Override
    public String toString() {
        return endpoints + " " + resource;
    }
}
