package dev.kvstore.control.heat;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import javax.sql.DataSource;

/** What the rest of this is made of. */
final class Parts {
    @Produces
    @Singleton
    HeatLedger ledger(DataSource database) {
        return new HeatLedger(database);
    }
}
