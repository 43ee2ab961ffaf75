package dev.kvstore.client;

import dev.kvstore.client.internal.ClientOptions;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * The options of {@link KvClientBuilder} for {@code kv help settings}: a head and a line for each option, with tabs
 * between the parts; {@code SettingGroup} of the module settings reads them.
 */
final class OptionTable {
    private static final String HEAD =
            "#\tJava SDK: KvClientBuilder\tKvClient.builder().NAME(VALUE)...build(); retry.* are components of"
                    + " RetryOptions, transport.* of TransportOptions. build() refuses an option that breaks its rule with"
                    + " IllegalArgumentException, which names it.";

    /**
     * One option in the table.
     *
     * @param standard the default
     * @param bounds the bound or purpose of the option
     * @param reached the effect that a user sees at that bound; empty if the option is no limit
     */
    record Row(String name, String type, String standard, String range, String bounds, String reached) {
        String line() {
            return String.join("\t", name, type, standard, range, bounds, reached);
        }
    }

    private final ClientOptions standard;
    private final List<Row> rows = new ArrayList<>();

    private OptionTable() {
        // Three options have no default, so the builder needs them here.
        this.standard = KvClient.builder()
                .endpoints("127.0.0.1:8085")
                .apiKey("kv_0_0")
                .resource("resource")
                .options();
    }

    static List<Row> rows() {
        OptionTable table = new OptionTable();
        table.addService();
        table.addLimits();
        table.addRetry();
        table.addTransport();
        return List.copyOf(table.rows);
    }

    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        out.print(HEAD + "\n");
        rows().forEach(row -> out.print(row.line() + "\n"));
    }

    private void addService() {
        other("endpoints", "host:port,...", "none", "Data planes to use: every process, no load balancer.");
        other(
                "controlPlane",
                "host:port,...",
                "none",
                "Replicas of the control plane, in place of endpoints; it names the data planes.");
        other("region", "text", "the account's home", "Registered name of the client's region, at most 63 characters.");
        other(
                "routedHosts",
                "host,...",
                "any with trust; else the control plane's domain, names without a dot and private IP addresses",
                "Hosts to which a route may send the client and its key: names, *.suffix, IP addresses, networks, or *.");
        other(
                "routeCache",
                "Path",
                "kvstore/routes in the user's cache folder",
                "Folder that keeps the last good routes for a day, for starts while the control plane is away.");
        other("noRouteCache", "switch", "off", "Keeps no routes on disk; no start without the control plane.");
        other("apiKey", "text", "none", "Key that every call carries, visible ASCII; required.");
        other("resource", "text", "none", "Registered name of the storage account; required.");
        other("plaintextAnywhere", "switch", "off", "Sends key and blocks unencrypted to other hosts than this one.");
        other("tls", "switch", "off", "Uses TLS on loopback too; elsewhere TLS is used anyway.");
        other("trust", "Path", "the JDK's authorities", "Authorities (PEM) of the servers' certificates.");
        other(
                "clientCertificate",
                "Path, Path",
                "none",
                "Certificate chain and key (PEM) for servers that ask for one.");
    }

    private void addLimits() {
        add(
                "deadline",
                "Duration",
                ClientOptions::deadline,
                "more than 0",
                "Time of one operation, retries included; of a stream from its opening to its last block.",
                "The operation fails with DEADLINE_EXCEEDED; a stream keeps the blocks it has.");
        add(
                "serverStallTimeout",
                "Duration",
                ClientOptions::serverStallTimeout,
                "0 (never), or 400 ms or more",
                "Time that a data plane may send nothing, nor answer a health check in its second half.",
                "The client asks another data plane.");
        add(
                "connectionsPerEndpoint",
                "number",
                ClientOptions::connectionsPerEndpoint,
                "1 to 64",
                "TCP connections to each data plane, used in turn.",
                "");
        add(
                "partBytes",
                "bytes",
                ClientOptions::partBytes,
                "4096 to 4194304",
                "Largest part of a block in one message.",
                "Larger blocks are sent in several parts.");
        add(
                "readWindowBytes",
                "bytes",
                ClientOptions::readWindowBytes,
                "partBytes to 1073741824",
                "Bytes that a streaming read takes in before the application asks for them.",
                "The read pauses until the application takes a block.");
        rows.add(new Row(
                "maxReadMemoryBytes",
                "bytes",
                "a quarter of the JVM's direct memory, 16 MiB at least",
                "4 x partBytes or more",
                "Bytes that all open streaming reads take in before the application asks for them.",
                "Reads get smaller windows; one more fails with RESOURCE_EXHAUSTED, at once."));
        add(
                "writeWindowBytes",
                "bytes",
                ClientOptions::writeWindowBytes,
                "1 to 1073741824",
                "Bytes that a BlockWriter sent and that are not acknowledged.",
                "write blocks its caller until a block is acknowledged.");
        add(
                "maxAsyncCalls",
                "number",
                ClientOptions::maxAsyncCalls,
                "1 to 1000000",
                "Operations of the asynchronous client at a time.",
                "One more fails with RESOURCE_EXHAUSTED, at once.");
    }

    private void addRetry() {
        other("retry", "RetryOptions", "the values below", "When an operation is tried again.");
        add(
                "retry.maxAttempts",
                "number",
                options -> options.retry().maxAttempts(),
                "1 to 20",
                "Attempts of one operation, the first included; of a stream since it last made progress.",
                "The operation fails with the last attempt's status.");
        add(
                "retry.initialBackoff",
                "Duration",
                options -> options.retry().initialBackoff(),
                "more than 0",
                "Longest pause before the first retry; the pause is random between 0 and that.",
                "");
        add(
                "retry.maxBackoff",
                "Duration",
                options -> options.retry().maxBackoff(),
                "more than 0",
                "Longest pause before any retry; pauses double up to it.",
                "");
        add(
                "retry.budgetPercent",
                "number",
                options -> options.retry().budgetPercent(),
                "0 to 100",
                "Retries for each 100 operations of the client.",
                "Operations fail without a retry.");
        add(
                "retry.budgetBurst",
                "number",
                options -> options.retry().budgetBurst(),
                "0 to 1000",
                "Retries besides those of budgetPercent.",
                "Operations fail without a retry.");
    }

    private void addTransport() {
        other("transport", "TransportOptions", "the values below", "How connections are run.");
        add(
                "transport.flowControlWindowBytes",
                "bytes",
                options -> options.transport().flowControlWindowBytes(),
                "65535 to 1073741824",
                "HTTP/2 flow-control window of a stream and of a connection.",
                "The data plane stops sending until the client reads.");
        add(
                "transport.keepAlive",
                "Duration",
                options -> options.transport().keepAlive(),
                "10 s or more",
                "Time without traffic after which a connection with calls is pinged.",
                "");
        add(
                "transport.keepAliveTimeout",
                "Duration",
                options -> options.transport().keepAliveTimeout(),
                "more than 0",
                "Time that the answer to a ping may take.",
                "The connection is closed; its calls fail with UNAVAILABLE and are retried.");
        add(
                "transport.idle",
                "Duration",
                options -> options.transport().idle(),
                "more than 0",
                "Time without calls that a connection stays open.",
                "The connection is closed; the next call opens one.");
        add(
                "transport.connectTimeout",
                "Duration",
                options -> options.transport().connectTimeout(),
                "more than 0",
                "Time that opening a connection may take.",
                "The attempt fails with UNAVAILABLE and is retried.");
        rows.add(new Row(
                "transport.eventLoopThreads",
                "number",
                "4, or the CPUs if there are fewer",
                "1 to 256",
                "Threads that serve all connections of a client.",
                ""));
        add(
                "transport.stack",
                "TransportOptions.Stack",
                options -> options.transport().stack(),
                "KVSTORE or GRPC_JAVA",
                "HTTP/2 implementation towards data planes: the SDK's own, or grpc-java's.",
                "");
    }

    /** Adds an option that is no limit. */
    private void other(String name, String type, String standard, String text) {
        rows.add(new Row(name, type, standard, "", text, ""));
    }

    private void add(
            String name,
            String type,
            Function<ClientOptions, Object> value,
            String range,
            String bounds,
            String reached) {
        rows.add(new Row(name, type, written(value.apply(standard)), range, bounds, reached));
    }

    private static String written(Object value) {
        if (value instanceof Duration duration) {
            if (duration.toMillis() % 1000 != 0) {
                return duration.toMillis() + " ms";
            }
            long seconds = duration.toSeconds();
            return seconds >= 60 && seconds % 60 == 0 ? seconds / 60 + " min" : seconds + " s";
        }
        return Objects.toString(value);
    }
}
