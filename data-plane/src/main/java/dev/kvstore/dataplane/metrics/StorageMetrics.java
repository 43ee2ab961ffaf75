package dev.kvstore.dataplane.metrics;

import static dev.kvstore.metrics.Metric.counter;
import static dev.kvstore.metrics.Metric.gauge;
import static dev.kvstore.metrics.Metric.histogram;

import dev.kvstore.metrics.Metric;
import java.util.List;

/** Metrics of the tenants' storage. */
public final class StorageMetrics {
    /** The buckets of durations, in seconds: from a page in memory of a fast service to the patience of a slow one. */
    static final List<Double> DURATIONS =
            List.of(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0);

    public static final Metric CALLS = counter(
            "kvstore_storage_calls_total", "Calls to storage that have ended, whatever their outcome.", "operation");

    public static final Metric CALL_DURATION = histogram(
            "kvstore_storage_call_duration_seconds", "How long calls to storage took.", DURATIONS, "operation");

    public static final Metric ERRORS = counter(
            "kvstore_storage_errors_total",
            "Calls to storage that failed. error is the kind of failure, such as unavailable, throttled or forbidden.",
            "operation",
            "error");

    public static final Metric BYTES = counter(
            "kvstore_storage_bytes_total",
            "Bytes from storage (direction is read) and to storage (written).",
            "direction");

    public static final Metric DAMAGED_BLOCKS =
            counter("kvstore_storage_damaged_blocks_total", "Blocks in storage that failed a checksum.");

    public static final Metric REQUESTS = counter(
            "kvstore_storage_requests_total",
            "Single HTTP requests to Azure. Those beyond the calls are repetitions by the SDK.");

    public static final Metric WITHHELD_REQUESTS = counter(
            "kvstore_storage_withheld_requests_total",
            "HTTP requests that were not sent, since the storage account had asked for fewer (429, 503).");

    public static final Metric CONNECTIONS = gauge(
            "kvstore_storage_connections",
            "Open connections to Azure. state is active or idle; service is the host without the account, at most 20 of"
                    + " them and other. Only with the storage transport netty.",
            "service",
            "state");

    public static final Metric PENDING_REQUESTS = gauge(
            "kvstore_storage_pending_requests",
            "HTTP requests to Azure that wait for a connection. Only with the storage transport netty.",
            "service");

    public static final Metric CONNECTION_ATTEMPTS = counter(
            "kvstore_storage_connection_attempts_total",
            "Connections to Azure that were opened, or could not be (failed). Only with the storage transport netty.",
            "service",
            "outcome");

    public static final Metric TLS_HANDSHAKES = counter(
            "kvstore_storage_tls_handshakes_total",
            "TLS handshakes with Azure. kind is full or resumed. Only with the storage transport netty.",
            "service",
            "kind");

    static final List<Metric> ALL = List.of(
            CALLS,
            CALL_DURATION,
            ERRORS,
            BYTES,
            DAMAGED_BLOCKS,
            REQUESTS,
            WITHHELD_REQUESTS,
            CONNECTIONS,
            PENDING_REQUESTS,
            CONNECTION_ATTEMPTS,
            TLS_HANDSHAKES);

    private StorageMetrics() {}
}
