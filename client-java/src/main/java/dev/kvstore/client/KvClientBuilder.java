package dev.kvstore.client;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds clients. {@code apiKey}, {@code resource} and one of {@code endpoints} and {@code controlPlane} have no default.
 * Not thread-safe.
 */
public final class KvClientBuilder {
    private List<String> endpoints = List.of();
    private List<String> controlPlane = List.of();
    private String region = "";
    private @Nullable Path routeCache = RouteFolder.byConvention();
    private Duration serverStallTimeout = Duration.ofSeconds(2);
    private String apiKey = "";
    private String resource = "";
    private Duration deadline = Duration.ofSeconds(30);
    private int connectionsPerEndpoint = 2;
    private int partBytes = 256 * 1024;
    private int readWindowBytes = 16 * 1024 * 1024;
    private int writeWindowBytes = 64 * 1024 * 1024;
    private int maxAsyncCalls = 1024;
    private RetryOptions retry = RetryOptions.DEFAULT;
    private TransportOptions transport = TransportOptions.DEFAULT;
    private List<String> routedHosts = List.of();
    private boolean plaintextAnywhere;
    private boolean tls;
    private @Nullable Path trust;
    private @Nullable ClientCertificate clientCertificate;

    KvClientBuilder() {}

    /** The data-plane processes to use, as {@code host:port}; every process, not one balancer in front of them. */
    public KvClientBuilder endpoints(String... endpoints) {
        this.endpoints = List.of(endpoints);
        return this;
    }

    /**
     * The control plane's replicas, as {@code host:port}: any of them says which processes serve the resource and goes on
     * telling of changes. In place of {@code endpoints}.
     */
    public KvClientBuilder controlPlane(String... replicas) {
        this.controlPlane = List.of(replicas);
        return this;
    }

    /** Where this client is, by a region's registered name, so that it is served from near. By default the account's home. */
    public KvClientBuilder region(String region) {
        this.region = region;
        return this;
    }

    /**
     * The hosts to which the control plane may send this client, and so its key: names, {@code *.} and the end of names, IP
     * addresses, networks such as {@code 10.0.0.0/8} or {@code [fd00::/8]}, or {@code *} for any. A process elsewhere is not used,
     * and a warning says so. By default: with {@link #trust}, any host, since it has to show a certificate of these authorities;
     * without it the control plane's own hosts, names below the domain that they are in, names without a dot, and IP addresses
     * of private networks.
     */
    public KvClientBuilder routedHosts(String... patterns) {
        this.routedHosts = List.of(patterns);
        return this;
    }

    /**
     * The folder that keeps the last good routes, for starts while the control plane is away; up to a day old. By default
     * {@code kvstore/routes} where this system has caches: {@code $XDG_CACHE_HOME} or {@code ~/.cache}, macOS
     * {@code ~/Library/Caches}, Windows {@code %LOCALAPPDATA%}. No key is in there.
     */
    public KvClientBuilder routeCache(Path folder) {
        this.routeCache = folder;
        return this;
    }

    /** Keeps no routes on disk: without the control plane this client cannot start. */
    public KvClientBuilder noRouteCache() {
        this.routeCache = null;
        return this;
    }

    /**
     * How long a process may say nothing at all, and not answer either when asked for its health in the second half of
     * that time, before what it owes is asked of another; 400 ms or more, or zero for never. 2 s: far beyond a pause of
     * its garbage collector, and short of what a user forgives. A process that is merely slow is waited for.
     */
    public KvClientBuilder serverStallTimeout(Duration timeout) {
        this.serverStallTimeout = timeout;
        return this;
    }

    /** Called {@link #serverStallTimeout} now. */
    @Deprecated(since = "0.2", forRemoval = true)
    @SuppressWarnings("InlineMeSuggester")
    public KvClientBuilder stallTimeout(Duration timeout) {
        return serverStallTimeout(timeout);
    }

    /** The key every call carries: visible ASCII. Null, as of a variable that is not set, is refused like none. */
    public KvClientBuilder apiKey(@Nullable String apiKey) {
        this.apiKey = apiKey == null ? "" : apiKey;
        return this;
    }

    /** The storage account blocks live in, by its registered name. */
    public KvClientBuilder resource(String resource) {
        this.resource = resource;
        return this;
    }

    /** Longest time of one operation, retries included; of a stream: from opening it to its last block. 30 s. */
    public KvClientBuilder deadline(Duration deadline) {
        this.deadline = deadline;
        return this;
    }

    /** TCP connections to each process, used in turn: one is served by one thread. 1 to 64; 2. */
    public KvClientBuilder connectionsPerEndpoint(int connections) {
        this.connectionsPerEndpoint = connections;
        return this;
    }

    /** Largest part of a block on the wire, 4 KiB to 4 MiB; 256 KiB, which stays in a CPU's cache on its way. */
    public KvClientBuilder partBytes(int bytes) {
        this.partBytes = bytes;
        return this;
    }

    /**
     * What a streaming read takes ahead of the application, in bytes: {@code partBytes} to 1 GiB; 16 MiB. Behind it the
     * transport holds at most its flow-control window; blocks the application holds are its own.
     */
    public KvClientBuilder readWindowBytes(int bytes) {
        this.readWindowBytes = bytes;
        return this;
    }

    /** Buffers a {@link BlockWriter} has under way before it makes its caller wait, up to 1 GiB; 64 MiB. */
    public KvClientBuilder writeWindowBytes(int bytes) {
        this.writeWindowBytes = bytes;
        return this;
    }

    /** Operations of the asynchronous client at a time; more are refused. 1024. */
    public KvClientBuilder maxAsyncCalls(int calls) {
        this.maxAsyncCalls = calls;
        return this;
    }

    /** Called {@link #maxAsyncCalls} now. */
    @Deprecated(since = "0.2", forRemoval = true)
    @SuppressWarnings("InlineMeSuggester")
    public KvClientBuilder asyncCalls(int calls) {
        return maxAsyncCalls(calls);
    }

    /** When to try again; {@link RetryOptions#DEFAULT}. */
    public KvClientBuilder retry(RetryOptions retry) {
        this.retry = retry;
        return this;
    }

    /** How connections are run; {@link TransportOptions#DEFAULT}. */
    public KvClientBuilder transport(TransportOptions transport) {
        this.transport = transport;
        return this;
    }

    /** Sends key and blocks unencrypted to endpoints that are not on this machine. */
    public KvClientBuilder plaintextAnywhere() {
        this.plaintextAnywhere = true;
        return this;
    }

    /** Uses TLS on loopback too, where plaintext is the default; elsewhere TLS is used anyway. */
    public KvClientBuilder tls() {
        this.tls = true;
        return this;
    }

    /**
     * Uses TLS everywhere and trusts servers with a certificate of these authorities (PEM) instead of the system's. The
     * file is followed: new connections trust what it holds by then.
     */
    public KvClientBuilder trust(Path authorities) {
        this.tls = true;
        this.trust = authorities;
        return this;
    }

    /**
     * Uses TLS everywhere and shows this certificate to servers that ask for one.
     *
     * @param chain PEM, the client's own certificate first; followed, together with the key, for new connections
     * @param key PKCS#8, PKCS#1 or SEC1 in PEM, not encrypted
     */
    public KvClientBuilder clientCertificate(Path chain, Path key) {
        this.tls = true;
        this.clientCertificate = new ClientCertificate(chain, key);
        return this;
    }

    /**
     * A client with these options. It connects when it is first used; a control plane is asked at once, and the first
     * operation waits for what it says.
     *
     * @throws IllegalArgumentException if an option breaks its rule; the message names it
     */
    public KvClient build() {
        return new KvClient(options());
    }

    /** As {@link #build}, for callers that do not block. Closing it closes everything. */
    public KvAsyncClient buildAsync() {
        return build().async();
    }

    ClientOptions options() {
        return new ClientOptions(
                endpoints,
                controlPlane,
                region,
                routeCache,
                serverStallTimeout,
                apiKey,
                resource,
                deadline,
                connectionsPerEndpoint,
                partBytes,
                readWindowBytes,
                writeWindowBytes,
                maxAsyncCalls,
                retry,
                transport,
                routedHosts,
                plaintextAnywhere,
                tls,
                trust,
                clientCertificate);
    }
}
