package dev.kvstore.benchmark.measure;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kvstore.client.CallOptions;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvClientBuilder;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.launcher.IoReason;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How clients reach a service.
 *
 * @param endpoints of its data planes, host:port each
 * @param trust a file of authorities; null for the system's
 * @param tls on loopback too
 * @param plaintext elsewhere too
 */
public record ServiceAccess(
        List<String> endpoints,
        String resource,
        String apiKey,
        @Nullable String trust,
        boolean tls,
        boolean plaintext) {
    /** The variable of the environment that holds the API key where no file is named. */
    public static final String KEY = "KV_API_KEY";

    // A call that waits its turn in an overload is slow, not lost; and the longest prompts have a thousand blocks.
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The access to data planes of this machine, in clear. */
    public static ServiceAccess local(List<String> endpoints, String resource, String apiKey) {
        return new ServiceAccess(endpoints, resource, apiKey, null, false, false);
    }

    /** The access to all data planes of a stack, without the control plane's routes. */
    public static ServiceAccess of(LocalStack stack) {
        return local(stack.endpoints(), LocalStack.RESOURCE, stack.key().text());
    }

    /**
     * The API key, of a file or else of the environment.
     *
     * @throws IllegalArgumentException if there is none, with the name of the flag
     */
    public static String key(String flag, @Nullable Path file, Map<String, String> environment) {
        if (file == null) {
            String key = environment.get(KEY);
            if (key == null || key.isBlank()) {
                throw new IllegalArgumentException(
                        flag + ": is missing; name the file with the API key of the service, or set " + KEY);
            }
            return key.strip();
        }
        try {
            return Files.readString(file, UTF_8).strip();
        } catch (IOException e) {
            throw new IllegalArgumentException(flag + ": " + IoReason.withFile(e), e);
        }
    }

    /**
     * Checks what can be checked without a connection.
     *
     * @throws IllegalArgumentException if there can be no client, with the name of the flag of the endpoints
     */
    public ServiceAccess requireUsable(String flag) {
        try {
            for (int i = 0; i < endpoints.size(); i++) {
                client(i, 1).close();
            }
            return this;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(flag + ": " + e.getMessage(), e);
        }
    }

    /**
     * Asks each data plane once.
     *
     * @param probe a chain that the service may or may not have
     * @throws LaunchException if one does not answer, or refuses, with the name of the flag of the endpoints
     */
    public void reach(String flag, Partition partition, BlockChain probe) {
        for (int i = 0; i < endpoints.size(); i++) {
            try (KvClient client = client(i, 1)) {
                client.lookup(partition, probe, CallOptions.DEFAULT.withDeadline(PATIENCE));
            } catch (KvStoreException e) {
                throw new LaunchException(flag + ": " + endpoints.get(i) + " cannot be used: " + wayOut(e), e);
            }
        }
    }

    private static String wayOut(KvStoreException failure) {
        return switch (failure.code()) {
            case UNAVAILABLE, DEADLINE_EXCEEDED ->
                "no data plane answers there; start one, or name its host and port (" + failure.getMessage() + ")";
            case UNAUTHENTICATED ->
                "it does not know the key; give the one that was issued for it with --key-file or " + KEY;
            case PERMISSION_DENIED -> "the key may not use this resource; name another with --resource, or grant it";
            default -> String.valueOf(failure.getMessage());
        };
    }

    /** A client of one data plane. */
    public KvClient client(int endpoint, int connections) {
        return client(List.of(endpoints.get(endpoint)), connections);
    }

    /** A client of all data planes. */
    public KvClient clientOfAll(int connections) {
        return client(endpoints, connections);
    }

    private KvClient client(List<String> of, int connections) {
        KvClientBuilder builder = KvClient.builder()
                .endpoints(of.toArray(String[]::new))
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
