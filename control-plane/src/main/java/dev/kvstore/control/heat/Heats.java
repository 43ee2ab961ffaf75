package dev.kvstore.control.heat;

import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.List;

/** The heat of blocks, for the rest of the control plane. Thread-safe. */
@Singleton
public final class Heats {
    private final HeatLedger ledger;

    Heats(HeatLedger ledger) {
        this.ledger = ledger;
    }

    /** The blocks of an account that are used most in a region, the most used first. */
    public List<BlockHeat> hottest(String region, String resourceName) throws SQLException {
        return ledger.read(new HeatLedger.HeatSubject(region, resourceName)).hottest();
    }
}
