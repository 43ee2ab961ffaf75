package dev.kvstore.dataplane.metrics;

import static dev.kvstore.metrics.Metric.counter;
import static dev.kvstore.metrics.Metric.gauge;
import static dev.kvstore.metrics.Metric.histogram;

import dev.kvstore.metrics.Metric;
import java.util.List;
import java.util.stream.Stream;

/** Metrics of the process, its connections and its calls. */
public final class ServerMetrics {
    private static final List<Double> CALL_DURATIONS = Stream.concat(
                    Stream.of(0.00025, 0.0005), StorageMetrics.DURATIONS.stream())
            .toList();

    public static final Metric INFO = gauge(
            "kvstore_info",
            "Always 1; the labels say what runs. transport is native (epoll) or java; storage_transport is the setting of"
                    + " that name; tls is boringssl, jdk or none; numa_node is the node the process is bound to, or none.",
            "version",
            "transport",
            "storage_transport",
            "tls",
            "numa_node");

    public static final Metric DRAINING =
            gauge("kvstore_draining", "1 while the process sends new calls elsewhere, else 0.");

    public static final Metric OPERATIONS_RUNNING = gauge(
            "kvstore_operations_running",
            "Calls that are being served. kind is blocks (Read, Write and the streams) or lookups.",
            "kind");

    public static final Metric OPERATIONS_LIMIT = gauge(
            "kvstore_operations_limit",
            "Most calls served at a time: the settings max-operations and max-lookups.",
            "kind");

    public static final Metric OPERATIONS_TENANTS =
            gauge("kvstore_operations_tenants", "Tenants whose calls are being served; they share the slots.", "kind");

    public static final Metric OPERATIONS_LARGEST_TENANT = gauge(
            "kvstore_operations_largest_tenant",
            "Calls that are being served of the tenant that has most of them: near the limit, one tenant uses the process.",
            "kind");

    public static final Metric OPERATIONS_IDLE = gauge(
            "kvstore_operations_idle",
            "Open calls whose clients send and take nothing. Their number is limited.",
            "kind");

    public static final Metric OPERATIONS_REFUSED = counter(
            "kvstore_operations_refused_total",
            "Calls refused with a hint when to try again. reason is operations (as many ran as may), account_operations (as"
                    + " many of the account), account_bytes (the account had moved as many bytes as it may; counts single"
                    + " blocks of streams too), idle (too many calls were idle, and this one longest), inbound_memory or"
                    + " unread_response_memory (that memory was used up), inbound_share (the tenant or connection had its"
                    + " share of inbound-memory).",
            "kind",
            "reason");

    public static final Metric CALL_DURATION = histogram(
            "kvstore_call_duration_seconds",
            "How long calls took that ended well: from the arrival of a call's headers until the system had the last byte"
                    + " of the answer, so with waiting for the client's blocks, and for a client that reads slowly.",
            CALL_DURATIONS,
            "method");

    public static final Metric FIRST_BLOCK = histogram(
            "kvstore_first_block_duration_seconds",
            "How long it took from the arrival of a StreamingRead's headers until the first part of its answer was sent.",
            CALL_DURATIONS);

    public static final Metric FAILED_CALLS = counter(
            "kvstore_failed_calls_total",
            "Calls that did not end well. status is gRPC's, such as unavailable, internal, unknown or data_loss, for which"
                    + " the service answers, or invalid_argument, for which the client does.",
            "method",
            "status");

    public static final Metric CONNECTIONS_OPEN =
            gauge("kvstore_connections_open", "Open connections of gRPC clients.");

    public static final Metric CONNECTIONS_LIMIT =
            gauge("kvstore_connections_limit", "Most open connections of gRPC clients: the setting max-connections.");

    public static final Metric CONNECTIONS_UNAUTHENTICATED = gauge(
            "kvstore_connections_unauthenticated",
            "Open connections on which no call has shown a good API key: new ones, health checks, attackers.");

    public static final Metric CONNECTIONS_REFUSED = counter(
            "kvstore_connections_refused_total",
            "Connections closed when they showed a good API key, as max-connections of such were open.");

    public static final Metric CONNECTIONS_CLOSED = counter(
            "kvstore_connections_closed_total",
            "Connections that the process closed for others or for what they did. reason is silent (no call in 10 s),"
                    + " displaced (it had shown no good key, and a new one came), idle (it had no call, its address had most"
                    + " connections, and max-connections were open), stranger (100 calls, none with a good key), rate (its address"
                    + " began more than max-new-connections without a good key), header (it came from an address of"
                    + " proxy-protocol-from and began without a header) or full (as"
                    + " kvstore_connections_refused_total).",
            "reason");

    public static final Metric UNAUTHENTICATED_REFUSED = counter(
            "kvstore_unauthenticated_calls_refused_total",
            "Calls refused by their headers alone, and calls to the health service. reason is no_key, unknown_key (nobody has"
                    + " it), busy (too many keys were being asked about, or the address had shown too many that nobody has),"
                    + " unanswered (the control plane did not answer), public_calls (too many health checks were open) or"
                    + " public_message (a health check sent too much, or too slowly).",
            "reason");

    public static final Metric UNAUTHENTICATED_WAITING = gauge(
            "kvstore_unauthenticated_calls_waiting",
            "Calls that wait until the control plane has said whether their API key exists.");

    public static final Metric INBOUND_MEMORY_USED = gauge(
            "kvstore_inbound_memory_used_bytes",
            "Memory of messages received, wholly or in part, that are still being processed: at most the setting"
                    + " inbound-memory and one message.");

    public static final Metric TLS_CERTIFICATE_EXPIRATION = gauge(
            "kvstore_tls_certificate_expiration_timestamp_seconds",
            "When the certificate in use ends, or one of its chain, in Unix time. Only with TLS.");

    public static final Metric TLS_RELOADS = counter(
            "kvstore_tls_reloads_total", "How often the process put changed files of TLS to use. Only with TLS.");

    public static final Metric TLS_RELOAD_FAILURES = counter(
            "kvstore_tls_reload_failures_total", "How often changed files of TLS could not be used. Only with TLS.");

    public static final Metric JOIN_TOKEN_RELOADS = counter(
            "kvstore_join_token_reloads_total",
            "How often the process put a new join token of --join-token-file to use. Only with such a file.");

    public static final Metric JOIN_TOKEN_RELOAD_FAILURES = counter(
            "kvstore_join_token_reload_failures_total",
            "How often a changed --join-token-file could not be used. Only with such a file.");

    static final List<Metric> ALL = List.of(
            INFO,
            DRAINING,
            OPERATIONS_RUNNING,
            OPERATIONS_LIMIT,
            OPERATIONS_TENANTS,
            OPERATIONS_LARGEST_TENANT,
            OPERATIONS_IDLE,
            OPERATIONS_REFUSED,
            CALL_DURATION,
            FIRST_BLOCK,
            FAILED_CALLS,
            CONNECTIONS_OPEN,
            CONNECTIONS_LIMIT,
            CONNECTIONS_UNAUTHENTICATED,
            CONNECTIONS_REFUSED,
            CONNECTIONS_CLOSED,
            UNAUTHENTICATED_REFUSED,
            UNAUTHENTICATED_WAITING,
            INBOUND_MEMORY_USED,
            TLS_CERTIFICATE_EXPIRATION,
            TLS_RELOADS,
            TLS_RELOAD_FAILURES,
            JOIN_TOKEN_RELOADS,
            JOIN_TOKEN_RELOAD_FAILURES);

    private ServerMetrics() {}
}
