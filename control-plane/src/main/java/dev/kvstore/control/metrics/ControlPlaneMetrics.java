package dev.kvstore.control.metrics;

import static dev.kvstore.metrics.Metric.counter;
import static dev.kvstore.metrics.Metric.gauge;
import static dev.kvstore.metrics.Metric.histogram;

import dev.kvstore.metrics.Metric;
import java.util.List;

/** The list of a control plane's metrics. */
public final class ControlPlaneMetrics {
    private static final List<Double> DURATIONS =
            List.of(0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0);

    public static final Metric PROCESSES = gauge(
            "kvstore_membership_processes",
            "Data planes in the fleet, as this control plane read it last. state is serving, draining or lapsed (without a"
                    + " lease).",
            "region",
            "state");

    public static final Metric JOINS = counter(
            "kvstore_membership_joins_total",
            "Registrations of data planes at this control plane. outcome is joined or refused.",
            "outcome");

    public static final Metric HEARTBEATS = counter(
            "kvstore_membership_heartbeats_total",
            "Heartbeats at this control plane. outcome is kept, unknown (the lease was not there any more), refused (too"
                    + " many waited) or failed (the database did not answer).",
            "outcome");

    public static final Metric HEARTBEAT_BATCHES = counter(
            "kvstore_membership_heartbeat_batches_total",
            "Statements in which this control plane wrote heartbeats to the database.");

    public static final Metric EVICTIONS = counter(
            "kvstore_membership_evictions_total",
            "Data planes that this control plane deleted after their leases had ended.");

    public static final Metric LEASE_EXTENSIONS = counter(
            "kvstore_membership_lease_extensions_total",
            "How often this control plane extended all leases by as long as nobody could renew them.");

    public static final Metric WARMINGS = gauge(
            "kvstore_warmings",
            "Warmings that are not over. state is planning, running, waiting (for the next time) or paused. The same on"
                    + " every control plane.",
            "state");

    public static final Metric WARMING_LAG = gauge(
            "kvstore_warming_lag_seconds",
            "For how long blocks used at home may not have been copied, by the standing warming that is furthest behind."
                    + " The same on every control plane.");

    public static final Metric PURGES = gauge(
            "kvstore_purges",
            "Purges that are not over. state is telling, deleting or forgetting. The same on every control plane.",
            "state");

    public static final Metric PURGE_AGE = gauge(
            "kvstore_purge_oldest_age_seconds",
            "Time since the oldest purge that is not over began; 0 if there is none. The same on every control plane.");

    public static final Metric DATA_PLANES_REFUSED = counter(
            "kvstore_data_plane_calls_refused_total",
            "Calls of data planes that this control plane refused. reason is credential (no join token or certificate that"
                    + " is good) or scope (a good one, of another cluster, node or region).",
            "reason");

    public static final Metric REPORTS_REFUSED = counter(
            "kvstore_reports_refused_total",
            "Reports that this control plane did not take, since the work was given to another data plane, or took in part."
                    + " report is probe (a trial of storage), copied or listed (a warming), or heat (use, some of it of"
                    + " accounts that have neither a storage nor a placement in the data plane's region).",
            "report");

    public static final Metric CONNECTIONS =
            gauge("kvstore_connections_open", "Open connections of data planes and clients to the gRPC port.");

    public static final Metric CONNECTIONS_CLOSED = counter(
            "kvstore_connections_refused_total",
            "Connections to the gRPC port that this control plane closed. reason is silent (no call in 10 s), displaced (others"
                    + " came, and it had shown no good credential, or its tenant or cluster had the most connections), idle (the"
                    + " same, and it had no call), stranger (100 calls, none with a good credential), rate (its address began"
                    + " more than max-new-connections without a good credential), header (it came from an address of"
                    + " proxy-protocol-from and began without a header) or full (max-connections were open, and its tenant or"
                    + " cluster had no fewer than any other).",
            "reason");

    public static final Metric RESOLUTIONS = counter(
            "kvstore_resolutions_total",
            "Questions what a key may do, at this control plane. outcome is granted, not_granted, unknown_key (the database"
                    + " said so), made_up_key (refused without the database) or refused (too many asked at a time).",
            "outcome");

    public static final Metric CHANGES_UNREADABLE = counter(
            "kvstore_changes_unreadable_total",
            "Changes in the database that this control plane could not read, so that data planes asked for everything"
                    + " again.");

    public static final Metric TLS_CERTIFICATE_EXPIRATION = gauge(
            "kvstore_tls_certificate_expiration_timestamp_seconds",
            "When the certificate in use ends, or one of its chain, in Unix time. Only with TLS.");

    public static final Metric TLS_RELOADS = counter(
            "kvstore_tls_reloads_total", "How often the process put changed files of TLS to use. Only with TLS.");

    public static final Metric TLS_RELOAD_FAILURES = counter(
            "kvstore_tls_reload_failures_total", "How often changed files of TLS could not be used. Only with TLS.");

    public static final Metric DATABASE_READ_ONLY = gauge(
            "kvstore_database_read_only",
            "1 while the database refuses changes, since it is a standby or was made read-only, else 0.");

    public static final Metric ROUTE_DURATION = histogram(
            "kvstore_route_computation_duration_seconds",
            "How long it took to work out a route that was not known yet for this fleet.",
            DURATIONS);

    public static final Metric ROUTE_WATCHERS =
            gauge("kvstore_route_watchers", "Open calls that are told when their route changes.");

    public static final List<Metric> ALL = List.of(
            PROCESSES,
            JOINS,
            HEARTBEATS,
            HEARTBEAT_BATCHES,
            EVICTIONS,
            LEASE_EXTENSIONS,
            WARMINGS,
            WARMING_LAG,
            PURGES,
            PURGE_AGE,
            DATA_PLANES_REFUSED,
            REPORTS_REFUSED,
            CONNECTIONS,
            CONNECTIONS_CLOSED,
            RESOLUTIONS,
            DATABASE_READ_ONLY,
            CHANGES_UNREADABLE,
            TLS_CERTIFICATE_EXPIRATION,
            TLS_RELOADS,
            TLS_RELOAD_FAILURES,
            ROUTE_DURATION,
            ROUTE_WATCHERS);

    private ControlPlaneMetrics() {}
}
