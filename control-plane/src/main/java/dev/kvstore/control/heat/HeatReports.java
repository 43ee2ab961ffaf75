package dev.kvstore.control.heat;

import dev.kvstore.accounts.resolve.DatabaseServed;
import dev.kvstore.clusters.member.LeaseHolder;
import dev.kvstore.control.security.RefusedReports;
import dev.kvstore.protocol.control.v1.ReportHeatRequest;
import io.grpc.StatusRuntimeException;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/** Keeps what data planes tell of use. Thread-safe. */
@Singleton
public final class HeatReports {
    private final HeatLedger ledger;
    private final DatabaseServed served;
    private final RefusedReports refused;
    private final Clock clock;

    HeatReports(HeatLedger ledger, DatabaseServed served, RefusedReports refused, Clock clock) {
        this.ledger = ledger;
        this.served = served;
        this.refused = refused;
        this.clock = clock;
    }

    /**
     * Keeps what a process told of the accounts that have their place where it is. Of others nothing is kept: no warming needs
     * it, and the process may never have seen them.
     *
     * @throws StatusRuntimeException if a field breaks its rule
     */
    public void told(LeaseHolder holder, ReportHeatRequest report) throws SQLException {
        Map<String, List<BlockHeat>> told = Told.of(report, clock.instant());
        if (told.isEmpty()) {
            return;
        }
        if (told.keySet().retainAll(served.of(told.keySet(), holder.region(), holder.cluster()))) {
            refused.heat(holder);
        }
        ledger.add(holder.region(), told);
    }
}
