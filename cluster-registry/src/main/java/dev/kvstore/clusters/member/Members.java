package dev.kvstore.clusters.member;

import dev.kvstore.admin.database.DatabaseQuery;
import dev.kvstore.admin.database.Sql;
import dev.kvstore.clusters.lease.LeaseHolder;
import java.sql.Connection;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** The last messages of members, for views of single processes. Thread-safe. */
public final class Members {
    private final DataSource database;
    private final Clock clock;

    /**
     * @param clock the clock by which all leases are judged
     */
    public Members(DataSource database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** The time by which leases are judged. */
    public Instant now() {
        return clock.instant();
    }

    /**
     * The process that has this lease; empty if no process has it.
     *
     * @throws IllegalStateException if the database does not answer; the cause is the database's exception
     */
    public Optional<LeaseHolder> holder(UUID lease) {
        return DatabaseQuery.answer(() -> {
            try (Connection connection = database.getConnection()) {
                return LeaseHolder.find(connection, lease);
            }
        });
    }

    /**
     * The members of a cluster with these names, by name; processes that have not joined are left out.
     *
     * @throws IllegalStateException if the database does not answer; the cause is the database's exception
     */
    public Map<String, MemberView> of(String cluster, Collection<String> names) {
        return DatabaseQuery.answer(() -> {
            Map<String, MemberView> members = new HashMap<>();
            Sql.on(database, """
                            select l.process, l.instance, l.remote_address, l.program, h.draining, l.joined_at, h.heard_at,
                                h.ends_at, %s
                            from lease l join heartbeat h on h.lease = l.id
                            where l.cluster = :cluster and l.process = any(:names)""".formatted(Heartbeats.FIGURES))
                    .with("cluster", cluster)
                    .array("names", "text", names)
                    .each(row -> members.put(
                            row.getString("process"),
                            new MemberView(
                                    row.getString("instance"),
                                    row.getString("remote_address"),
                                    row.getString("program"),
                                    row.getBoolean("draining"),
                                    Sql.time(row, "joined_at"),
                                    Sql.time(row, "heard_at"),
                                    Sql.time(row, "ends_at"),
                                    Heartbeats.capacity(row),
                                    MemberView.Load.of(Heartbeats.load(row)))));
            return members;
        });
    }
}
