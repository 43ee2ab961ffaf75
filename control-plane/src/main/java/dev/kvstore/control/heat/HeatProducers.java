package dev.kvstore.control.heat;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import javax.sql.DataSource;

/** Makes the objects of this package that use the database of heat. */
final class HeatProducers {
    @Produces
    @Singleton
    HeatLedger ledger(DataSource database) {
        return new HeatLedger(database);
    }
}
