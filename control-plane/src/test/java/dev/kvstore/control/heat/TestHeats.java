package dev.kvstore.control.heat;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** The heat of blocks, for tests that have a database and no server. */
public final class TestHeats {
    private final HeatLedger ledger;
    private final Heats heats;

    public TestHeats(DataSource database) {
        ledger = new HeatLedger(database);
        heats = new Heats(ledger);
    }

    /** As the control plane asks for it. */
    public Heats heats() {
        return heats;
    }

    /** Tells of the use of a block, now. */
    public void tell(String region, String account, BlockName block, int bytes, double uses) throws SQLException {
        ledger.add(region, Map.of(account, List.of(new BlockHeat(block, 0, bytes, uses, 0))));
    }
}
