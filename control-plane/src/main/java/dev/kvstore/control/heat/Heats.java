package dev.kvstore.control.heat;

import dev.kvstore.protocol.control.v1.ReportHeatRequest;
import io.grpc.StatusRuntimeException;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;

/** What is used, for the rest of the control plane. Thread-safe. */
@Singleton
public final class Heats {
    private final HeatLedger ledger;
    private final Clock clock;

    Heats(HeatLedger ledger, Clock clock) {
        this.ledger = ledger;
        this.clock = clock;
    }

    /**
     * Keeps what a process of a region told.
     *
     * @throws StatusRuntimeException if a field breaks its rule
     */
    public void told(String region, ReportHeatRequest report) throws SQLException {
        ledger.add(region, Told.of(report, clock.instant()));
    }

    /** The blocks of an account that are used most in a region, the first of all first. */
    public List<BlockHeat> hottest(String region, String resourceName) throws SQLException {
        return ledger.read(new HeatLedger.Subject(region, resourceName)).hottest();
    }
}
