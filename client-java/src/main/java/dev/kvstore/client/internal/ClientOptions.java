package dev.kvstore.client.internal;

import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.ClientCertificate;
import dev.kvstore.client.KvAsyncClient;
import dev.kvstore.client.KvClientBuilder;
import dev.kvstore.client.RetryOptions;
import dev.kvstore.client.TransportOptions;
import dev.kvstore.protocol.host.HostPattern;
import dev.kvstore.protocol.wire.Credentials;
import dev.kvstore.protocol.wire.PartSizes;
import io.netty.util.internal.PlatformDependent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The options that a client was built with; {@link KvClientBuilder} explains each. Immutable.
 *
 * @param endpoints fixed data planes; empty if the control plane names them
 * @param controlPlane control planes, {@code host:port}; empty if the data planes are fixed
 * @param region the client's region; empty for the account's home region
 * @param routeCache folder of the last good routes; null keeps none
 * @param serverStallTimeout longest silence of a data plane that owes answers; zero for no limit but the deadline
 * @param deadline of an operation whose call options name none
 * @param connectionsPerEndpoint TCP connections to each data plane, 1 to 64
 * @param partBytes largest part of a block on the wire, {@link PartSizes#MIN_BYTES} to {@link PartSizes#MAX_BYTES}
 * @param readWindowBytes bytes that a streaming read takes from the network ahead of the application
 * @param maxReadMemoryBytes bytes that all streaming reads may hold together
 * @param writeWindowBytes bytes of buffers of a {@link BlockWriter} that have no result yet
 * @param maxAsyncCalls operations of a {@link KvAsyncClient} at a time, 1 to 1,000,000
 * @param routedHosts patterns of the hosts that a route may name; empty for the default of {@link
 *     KvClientBuilder#routedHosts}
 * @param tls whether to use TLS even on loopback
 * @param trust authorities to trust instead of the system's, PEM
 * @param clientCertificate certificate for servers that ask for one
 */
public record ClientOptions(
        List<String> endpoints,
        List<String> controlPlane,
        String region,
        @Nullable Path routeCache,
        Duration serverStallTimeout,
        String apiKey,
        String resource,
        Duration deadline,
        int connectionsPerEndpoint,
        int partBytes,
        int readWindowBytes,
        long maxReadMemoryBytes,
        int writeWindowBytes,
        int maxAsyncCalls,
        RetryOptions retry,
        TransportOptions transport,
        List<String> routedHosts,
        boolean plaintextAnywhere,
        boolean tls,
        @Nullable Path trust,
        @Nullable ClientCertificate clientCertificate) {

    private static final int MOST_REGION_CHARS = 63;
    private static final Duration LEAST_STALL = Duration.ofMillis(400);
    private static final long LEAST_READ_MEMORY = 16 << 20;

    public ClientOptions {
        endpoints = List.copyOf(endpoints);
        controlPlane = List.copyOf(controlPlane);
        routedHosts = List.copyOf(routedHosts);
        require(
                "endpoints",
                !endpoints.isEmpty() || !controlPlane.isEmpty(),
                "name at least one, such as \"127.0.0.1:8085\", or the controlPlane that knows them");
        require(
                "controlPlane",
                endpoints.isEmpty() || controlPlane.isEmpty(),
                "choose either controlPlane, which says which processes there are, or endpoints");
        controlPlane.forEach(address -> EndpointAddress.parse("controlPlane", address));
        require(
                "controlPlane",
                controlPlane.stream().distinct().count() == controlPlane.size(),
                "name each replica only once");
        require(
                "routedHosts",
                routedHosts.isEmpty() || !controlPlane.isEmpty(),
                "is for the routes of the controlPlane; endpoints are used as they are");
        routedHosts.forEach(ClientOptions::requireHostPattern);
        require(
                "region",
                region.isEmpty() || !controlPlane.isEmpty(),
                "is for the controlPlane to choose by; name one, or leave the region out");
        require(
                "region",
                region.length() <= MOST_REGION_CHARS,
                "must have at most " + MOST_REGION_CHARS + " characters");
        require(
                "serverStallTimeout",
                serverStallTimeout.isZero() || serverStallTimeout.compareTo(LEAST_STALL) >= 0,
                "must be zero (never) or " + LEAST_STALL.toMillis() + " ms or more, not " + serverStallTimeout);
        endpoints.forEach(EndpointAddress::parse);
        require("endpoints", endpoints.stream().distinct().count() == endpoints.size(), "name each only once");
        require("apiKey", !apiKey.isEmpty(), "set the key that was issued for this client");
        Credentials.bearer(apiKey);
        require(
                "resource",
                resource.matches("[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?") && !resource.contains(".."),
                "set the storage account's registered name: 1 to 63 letters, digits, '.', '_' and '-',"
                        + " beginning and ending with a letter or digit, no \"..\"");
        requirePositive("deadline", deadline);
        requireRange("connectionsPerEndpoint", connectionsPerEndpoint, 1, 64);
        requireRange("partBytes", partBytes, PartSizes.MIN_BYTES, PartSizes.MAX_BYTES);
        requireRange("readWindowBytes", readWindowBytes, partBytes, 1 << 30);
        require(
                "maxReadMemoryBytes",
                maxReadMemoryBytes >= ReadMemory.least(partBytes),
                "must be 4 x partBytes or more, not " + maxReadMemoryBytes);
        requireRange("writeWindowBytes", writeWindowBytes, 1, 1 << 30);
        requireRange("maxAsyncCalls", maxAsyncCalls, 1, 1_000_000);
        require("tls", !(tls && plaintextAnywhere), "choose either tls or plaintextAnywhere");
    }

    /**
     * The default of {@link #maxReadMemoryBytes}: a quarter, so that blocks which the application holds have room, too.
     */
    public static long readMemory() {
        return Math.max(LEAST_READ_MEMORY, PlatformDependent.maxDirectMemory() / 4);
    }

    /** The addresses of all endpoints and control planes. */
    public Stream<EndpointAddress> addresses() {
        return Stream.concat(endpoints.stream(), controlPlane.stream()).map(EndpointAddress::parse);
    }

    /** The text of the options without the key, which is a secret. */
    @Override
    public String toString() {
        return "ClientOptions[endpoints=" + endpoints + ", controlPlane=" + controlPlane + ", region=" + region
                + ", resource=" + resource + ", deadline=" + deadline + "]";
    }

    private static void requireHostPattern(String pattern) {
        try {
            var unused = HostPattern.of(pattern);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("routedHosts: \"" + pattern + "\" must be " + HostPattern.SHAPE, e);
        }
    }

    public static void require(String option, boolean holds, String wayOut) {
        if (!holds) {
            throw new IllegalArgumentException(option + ": " + wayOut);
        }
    }

    public static void requireRange(String option, int value, int from, int to) {
        require(option, value >= from && value <= to, "must be " + from + " to " + to + ", not " + value);
    }

    public static void requirePositive(String option, Duration value) {
        require(option, !value.isNegative() && !value.isZero(), "must be more than zero, not " + value);
    }
}
