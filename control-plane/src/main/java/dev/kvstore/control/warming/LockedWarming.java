package dev.kvstore.control.warming;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A warming whose row this transaction has locked: the only way to change a warming's state, so that every change
 * starts from the state that the row has now. A transaction that changes a chunk locks the chunk's warming first. Only
 * the thread of the transaction uses it.
 */
final class LockedWarming {
    /** The SQL condition of warmings that can be planned. */
    static final String DUE = """
            ((state = 'PLANNING' and (listed or not listing)) or (state = 'WAITING' and plan_after <= now()))""";

    /** The least time between two rounds, even if a round takes longer than its period. */
    private static final Duration LEAST_REST = Duration.ofSeconds(5);

    private final Connection connection;
    private Warming job;

    private LockedWarming(Connection connection, Warming job) {
        this.connection = connection;
        this.job = job;
    }

    /** Waits for the lock of a warming. Returns empty if there is no such warming. */
    static Optional<LockedWarming> of(Connection connection, String id) throws SQLException {
        return JobRows.find(connection, id, "for update").map(job -> new LockedWarming(connection, job));
    }

    /** Locks a warming that is due. Returns empty if it is not due, or if another transaction has locked it. */
    static Optional<LockedWarming> due(Connection connection, String id) throws SQLException {
        return JobRows.find(connection, id, "and " + DUE + " for update skip locked")
                .map(job -> new LockedWarming(connection, job));
    }

    /** The warming after the last change. */
    Warming job() {
        return job;
    }

    /**
     * Carries out an admin's command.
     *
     * @return whether the command is possible now
     */
    boolean obey(Command command) throws SQLException {
        Optional<WarmingState> next = command.next(job);
        if (next.isPresent() && next.get() != job.state()) {
            change(
                    "state = ?, paused_in = ?, ended_at = case when ? then now() else ended_at end",
                    next.get().name(),
                    next.get() == WarmingState.PAUSED ? job.state().name() : null,
                    next.get().isOver());
        }
        return next.isPresent();
    }

    /** Begins one more round of a warming that waits. */
    void beginRound() throws SQLException {
        require(WarmingState.WAITING);
        forgetListed();
        // A data plane that listed blocks for the round before has lost its claim.
        change("""
                state = 'PLANNING', planned = false, listed = false, list_cursor = '', claim = nextval('warming_claim'),
                claimed_until = null""");
    }

    /**
     * Starts the copying of a round's blocks.
     *
     * @param all the number of blocks of this round
     */
    void planned(Warming.WarmingCount all) throws SQLException {
        require(WarmingState.PLANNING);
        forgetListed();
        change("""
                state = 'RUNNING', planned = true, planned_at = now(), flaw = null, started_at = coalesce(started_at, now()),
                blocks = ? + copied + present + failed, bytes = ? + copied_bytes + present_bytes + failed_bytes""", all.blocks(), all.bytes());
    }

    /**
     * Ends a round, whether it succeeded or not. A standing warming then waits for its next round, paused if an admin
     * paused it. If no round is under way, nothing changes.
     *
     * @param end how the warming ends if this was its only round
     * @param flaw why the round could not be carried out, or a remark; null if there is none
     * @param carriedOut whether every block of the round was tried
     */
    void endRound(WarmingState end, @Nullable String flaw, boolean carriedOut) throws SQLException {
        if (job.state().isOver() || job.open() == WarmingState.WAITING) {
            return;
        }
        forgetListed();
        if (job.every() == null) {
            change("state = ?, paused_in = null, flaw = coalesce(?, flaw), ended_at = now()", end.name(), flaw);
            return;
        }
        boolean paused = job.state() == WarmingState.PAUSED;
        change(
                """
                state = ?, paused_in = ?, flaw = ?, planned = false,
                caught_up_at = case when ? then planned_at else caught_up_at end,
                plan_after = case when planned
                    then greatest(planned_at + make_interval(secs => every_seconds), now() + make_interval(secs => ?))
                    else now() + make_interval(secs => every_seconds) end""",
                paused ? WarmingState.PAUSED.name() : WarmingState.WAITING.name(),
                paused ? WarmingState.WAITING.name() : null,
                flaw,
                carriedOut,
                (double) LEAST_REST.toSeconds());
    }

    private void require(WarmingState state) {
        if (job.state() != state) {
            throw new IllegalStateException(job.id() + " is " + job.state() + ", and not " + state);
        }
    }

    /** Forgets the blocks that a listing found, which belong to one round. */
    private void forgetListed() throws SQLException {
        if (job.listing()) {
            try (PreparedStatement delete =
                    connection.prepareStatement("delete from warming_found where warming = ?")) {
                delete.setString(1, job.id());
                delete.executeUpdate();
            }
        }
    }

    private void change(String assignments, @Nullable Object... values) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(
                "update warming set version = version + 1, " + assignments + " where id = ?")) {
            for (int i = 0; i < values.length; i++) {
                update.setObject(i + 1, values[i]);
            }
            update.setString(values.length + 1, job.id());
            update.executeUpdate();
        }
        job = JobRows.find(connection, job.id(), "").orElseThrow();
    }
}
