package dev.kvstore.control.job;

import dev.kvstore.admin.database.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * How data planes claim rows of a table, one data plane at a time a row: SQL over the columns {@code claim}, a number
 * that is new with each claim, {@code claimed_by}, the lease of the data plane, and {@code claimed_until}. All times are
 * of the database's clock. Immutable.
 *
 * @param sequence of the numbers of claims
 * @param time the time for which a claim lasts without a report, in whole seconds
 */
public record ClaimRule(String sequence, Duration time) {
    /** The condition of rows that no data plane has. */
    public static final String FREE = "(claimed_until is null or claimed_until <= now())";

    /** Assignments that give a row to the lease {@code :lease}. */
    public String taken() {
        return "claim = nextval('" + sequence + "'), claimed_by = :lease, claimed_until = " + end();
    }

    /** The end of a claim that a report renews now. A late claim is renewed, too, if no other data plane has the row. */
    public String end() {
        return "now() + make_interval(secs => " + time.toSeconds() + ")";
    }

    /**
     * The row that a lease reports on; empty if the claim is over.
     *
     * @param claimed selects the row of the claim, with {@code claimed_by}
     * @param job the kind and the id of the job
     * @throws AnothersClaim if the claim is another lease's
     */
    public static <T> Optional<T> held(Sql claimed, UUID lease, String job, Sql.RowReader<T> reader)
            throws SQLException {
        return claimed.first(row -> {
            if (!lease.equals(row.getObject("claimed_by", UUID.class))) {
                throw new AnothersClaim(job);
            }
            return reader.read(row);
        });
    }
}
