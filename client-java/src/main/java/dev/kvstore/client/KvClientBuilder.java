package dev.kvstore.client;

import dev.kvstore.client.internal.ClientOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds clients. {@code apiKey}, {@code resource}, and either {@code endpoints} or {@code controlPlane} are required;
 * all other options have defaults. {@link #build} refuses options that exclude each other: {@code endpoints} with
 * {@code controlPlane}, {@code region} or {@code routedHosts}; and {@code plaintextAnywhere} with {@code tls}, {@code
 * trust} or {@code clientCertificate}. Not thread-safe.
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
    private long maxReadMemoryBytes = ClientOptions.readMemory();
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

    /** The data planes to use, as {@code host:port}. Name every data plane, not a load balancer in front of them. */
    public KvClientBuilder endpoints(String... endpoints) {
        this.endpoints = List.of(endpoints);
        return this;
    }

    /**
     * The control planes, as {@code host:port}. The client asks one of them which data planes serve the resource,
     * receives changes, and turns to another one if it fails. Excludes {@code endpoints}.
     */
    public KvClientBuilder controlPlane(String... replicas) {
        this.controlPlane = List.of(replicas);
        return this;
    }

    /**
     * The registered name of the client's region, so that near data planes serve the client; by default the account's
     * home region. A name that the control plane does not know counts as that default, with one warning in the log.
     */
    public KvClientBuilder region(String region) {
        this.region = region;
        return this;
    }

    /**
     * The hosts to which the control plane may send this client, and so its key: names, {@code *.} and the end of
     * names, IP addresses, networks such as {@code 10.0.0.0/8} or {@code [fd00::/8]}, or {@code *} for any. The client
     * does not use a data plane at another host, and logs a warning. The default depends on {@link #trust}. With that
     * option: any host, since each must show a certificate of the trusted authorities. Without it: the control planes'
     * own hosts, names below the domain of these, names without a dot, and IP addresses of private networks.
     */
    public KvClientBuilder routedHosts(String... patterns) {
        this.routedHosts = List.of(patterns);
        return this;
    }

    /**
     * The folder that keeps the last good routes. While the control plane is away, a client starts from a route that is
     * at most a day old. The default is {@code kvstore/routes} in the system's folder for caches: {@code
     * $XDG_CACHE_HOME} or {@code ~/.cache}, macOS {@code ~/Library/Caches}, Windows {@code %LOCALAPPDATA%}. The folder
     * holds no key.
     */
    public KvClientBuilder routeCache(Path folder) {
        this.routeCache = folder;
        return this;
    }

    /** Keeps no routes on disk: while the control plane is away, a new client cannot work. */
    public KvClientBuilder noRouteCache() {
        this.routeCache = null;
        return this;
    }

    /**
     * The longest silence of a data plane that owes answers. After half of this time the client asks for its health;
     * after all of it, without an answer, the client repeats the open operations at other data planes. The timeout is
     * 400 ms or more, or zero for never. The default is 2 s: far longer than a pause of a garbage collector, and short
     * for a user. A data plane that is only slow answers for its health, and is waited for.
     */
    public KvClientBuilder serverStallTimeout(Duration timeout) {
        this.serverStallTimeout = timeout;
        return this;
    }

    /** The old name of {@link #serverStallTimeout}. */
    @Deprecated(since = "0.2", forRemoval = true)
    @SuppressWarnings("InlineMeSuggester")
    public KvClientBuilder stallTimeout(Duration timeout) {
        return serverStallTimeout(timeout);
    }

    /**
     * The API key, which every call carries: visible ASCII; spaces and line ends around it are removed. Null (an
     * environment variable that is not set) counts as missing: {@link #build} refuses it. A client keeps its key: after
     * a rotation, build another client before the old key ends, and close this one.
     */
    public KvClientBuilder apiKey(@Nullable String apiKey) {
        this.apiKey = apiKey == null ? "" : apiKey.strip();
        return this;
    }

    /** The registered name of the account whose storage has the blocks. */
    public KvClientBuilder resource(String resource) {
        this.resource = resource;
        return this;
    }

    /**
     * The longest time of one operation, retries included; 30 s by default. The time of a stream runs from its opening
     * until the application takes the last block, also while the application is slow.
     */
    public KvClientBuilder deadline(Duration deadline) {
        this.deadline = deadline;
        return this;
    }

    /**
     * The number of TCP connections to each data plane, 1 to 64; 2 by default. Calls use them in turn. One thread of
     * the client and one of the data plane serve each connection, so several connections use several processors.
     */
    public KvClientBuilder connectionsPerEndpoint(int connections) {
        this.connectionsPerEndpoint = connections;
        return this;
    }

    /**
     * The largest part of a block on the wire, 4 KiB to 4 MiB; by default 256 KiB, which stays in a processor's cache.
     */
    public KvClientBuilder partBytes(int bytes) {
        this.partBytes = bytes;
        return this;
    }

    /**
     * Bytes of blocks that a streaming read takes ahead of the application, {@code partBytes} to 1 GiB; 16 MiB by
     * default. The transport holds at most its flow-control window in addition. While many reads are open, both are
     * smaller: see {@link #maxReadMemoryBytes}. Blocks that the application has taken and not closed do not count.
     */
    public KvClientBuilder readWindowBytes(int bytes) {
        this.readWindowBytes = bytes;
        return this;
    }

    /**
     * Bytes that all open streaming reads of this client may take ahead of the application together, 4 times {@code
     * partBytes} or more; by default a quarter of the JVM's direct memory ({@code -XX:MaxDirectMemorySize}), and 16 MiB
     * at least. A new read gets both its windows in full while enough memory is left, then smaller ones, down to 4
     * times {@code partBytes}; if less is left, the read fails with {@code RESOURCE_EXHAUSTED}. A read no longer counts
     * when it has delivered its last block, has failed or was closed. With {@link TransportOptions.Stack#GRPC_JAVA}
     * only the first window becomes smaller.
     */
    public KvClientBuilder maxReadMemoryBytes(long bytes) {
        this.maxReadMemoryBytes = bytes;
        return this;
    }

    /**
     * Bytes of buffers that a {@link BlockWriter} sends or has sent without a result yet, 1 byte to 1 GiB; 64 MiB by
     * default. Beyond this limit {@code write} waits.
     */
    public KvClientBuilder writeWindowBytes(int bytes) {
        this.writeWindowBytes = bytes;
        return this;
    }

    /**
     * The most operations of the asynchronous client at a time, 1 to 1,000,000; 1,024 by default. Further ones are
     * refused with {@code RESOURCE_EXHAUSTED}.
     */
    public KvClientBuilder maxAsyncCalls(int calls) {
        this.maxAsyncCalls = calls;
        return this;
    }

    /** The old name of {@link #maxAsyncCalls}. */
    @Deprecated(since = "0.2", forRemoval = true)
    @SuppressWarnings("InlineMeSuggester")
    public KvClientBuilder asyncCalls(int calls) {
        return maxAsyncCalls(calls);
    }

    /** The rules for repeating failed operations; by default {@link RetryOptions#DEFAULT}. */
    public KvClientBuilder retry(RetryOptions retry) {
        this.retry = retry;
        return this;
    }

    /** Settings of connections; by default {@link TransportOptions#DEFAULT}. */
    public KvClientBuilder transport(TransportOptions transport) {
        this.transport = transport;
        return this;
    }

    /**
     * Sends key and blocks unencrypted, also to other machines. Without this option the client sends the key in clear
     * only to its own machine. Excludes {@link #tls}, {@link #trust} and {@link #clientCertificate}.
     */
    public KvClientBuilder plaintextAnywhere() {
        this.plaintextAnywhere = true;
        return this;
    }

    /** Uses TLS also on loopback. To other machines the client uses TLS anyway. */
    public KvClientBuilder tls() {
        this.tls = true;
        return this;
    }

    /**
     * Uses TLS everywhere, loopback included, and trusts servers with a certificate of these authorities (PEM) instead
     * of those of the JVM. Without this option TLS trusts the JVM's authorities. The file is read again when it
     * changes; new connections use its new content. See also {@link #routedHosts}.
     */
    public KvClientBuilder trust(Path authorities) {
        this.tls = true;
        this.trust = authorities;
        return this;
    }

    /**
     * Uses TLS everywhere and shows this certificate to servers that ask for one.
     *
     * @param chain PEM, the client's own certificate first; chain and key are read again when the files change, for new
     *     connections
     * @param key PKCS#8, PKCS#1 or SEC1 in PEM, not encrypted
     */
    public KvClientBuilder clientCertificate(Path chain, Path key) {
        this.tls = true;
        this.clientCertificate = new ClientCertificate(chain, key);
        return this;
    }

    /**
     * Builds a client with these options. The client asks the control plane for a route at once, and the first
     * operation waits for that. It connects to data planes when operations need them.
     *
     * @throws IllegalArgumentException if an option breaks its rule; the message names it
     */
    public KvClient build() {
        return new KvClient(options());
    }

    /**
     * Builds a client for callers that must not block, like {@link #build}. Closing this client closes all connections.
     */
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
                maxReadMemoryBytes,
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
