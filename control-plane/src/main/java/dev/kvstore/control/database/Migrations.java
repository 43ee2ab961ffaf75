package dev.kvstore.control.database;

import java.util.List;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.flywaydb.core.internal.exception.FlywaySqlException;

/**
 * Brings the schema up to what this version needs. Each registry has migrations and a history of its own. Several
 * replicas may do so at once: one does it, the others wait. Stateless.
 */
public final class Migrations {
    private static final List<String> ROOMS = List.of("change", "account", "cluster");

    private Migrations() {}

    /**
     * Migrates forward.
     *
     * @throws BadDatabaseException if the database cannot be reached, is of a newer version, or a migration fails; what
     *     had been done of that one is undone
     */
    public static void run(Database database) throws BadDatabaseException {
        for (String room : ROOMS) {
            try {
                Flyway flyway = of(database, room).load();
                requireKnown(flyway, room);
                flyway.migrate();
            } catch (FlywayValidateException e) {
                throw new BadDatabaseException(
                        "the schema \"" + room + "\" is not one that this version made: " + firstLine(e)
                                + ". Use the version that made it, or a newer one",
                        e);
            } catch (FlywaySqlException e) {
                throw new BadDatabaseException(
                        "the database at " + database.url() + " cannot be used: " + firstLine(e), e);
            } catch (FlywayException e) {
                throw new BadDatabaseException(
                        "the schema \"" + room + "\" could not be migrated: " + firstLine(e)
                                + ". Nothing of that step was kept; put it right and start again",
                        e);
            }
        }
    }

    /** Flyway itself lets a schema pass that is ahead of it. */
    private static void requireKnown(Flyway flyway, String room) throws BadDatabaseException {
        for (MigrationInfo info : flyway.info().applied()) {
            if (info.getState() == MigrationState.FUTURE_SUCCESS || info.getState() == MigrationState.FUTURE_FAILED) {
                throw new BadDatabaseException(
                        "the schema \"" + room + "\" is of version " + info.getVersion()
                                + ", which this version does not know: use a newer one");
            }
        }
    }

    static FluentConfiguration of(Database database, String room) {
        return Flyway.configure()
                .dataSource(database.url(), database.user(), database.password())
                .table("history_of_" + room)
                .locations("classpath:db/" + room)
                // The other rooms' tables are there already.
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .connectRetries(0);
    }

    private static String firstLine(Exception e) {
        return String.valueOf(e.getMessage())
                .strip()
                .lines()
                .filter(line -> !line.isBlank())
                .findFirst()
                .orElse("");
    }
}
