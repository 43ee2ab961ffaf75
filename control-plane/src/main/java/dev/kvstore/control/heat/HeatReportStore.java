package dev.kvstore.control.heat;

import dev.kvstore.accounts.resolve.DatabaseServed;
import dev.kvstore.clusters.lease.LeaseHolder;
import dev.kvstore.control.security.RefusedReports;
import dev.kvstore.protocol.control.v1.ReportHeatRequest;
import io.grpc.StatusRuntimeException;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/** Stores the data planes' reports of uses. Thread-safe. */
@Singleton
public final class HeatReportStore {
    private final HeatLedger ledger;
    private final DatabaseServed served;
    private final RefusedReports refused;
    private final Clock clock;

    HeatReportStore(HeatLedger ledger, DatabaseServed served, RefusedReports refused, Clock clock) {
        this.ledger = ledger;
        this.served = served;
        this.refused = refused;
        this.clock = clock;
    }

    /**
     * Stores a report for the accounts that have a storage or a placement in the data plane's region. Uses of other
     * accounts are dropped: no warming needs them, and the data plane may never have served them.
     *
     * @throws StatusRuntimeException if a field breaks its rule
     */
    public void told(LeaseHolder holder, ReportHeatRequest report) throws SQLException {
        Map<String, List<BlockHeat>> told = HeatReportParser.of(report, clock.instant());
        if (told.isEmpty()) {
            return;
        }
        if (told.keySet().retainAll(served.of(told.keySet(), holder.region(), holder.cluster()))) {
            refused.heat(holder);
        }
        ledger.add(holder.region(), told);
    }
}
