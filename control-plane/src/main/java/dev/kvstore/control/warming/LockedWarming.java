package dev.kvstore.control.warming;

import dev.kvstore.admin.database.Sql;
import java.sql.Connection;
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
            change(update("""
                            state = :state, paused_in = :pausedIn,
                            ended_at = case when :isOver then now() else ended_at end""")
                    .with("state", next.get())
                    .with("pausedIn", next.get() == WarmingState.PAUSED ? job.state() : null)
                    .with("isOver", next.get().isOver()));
        }
        return next.isPresent();
    }

    /** Begins one more round of a warming that waits. */
    void beginRound() throws SQLException {
        require(WarmingState.WAITING);
        forgetListed();
        // A data plane that listed blocks for the round before has lost its claim.
        change(update("""
                state = 'PLANNING', planned = false, listed = false, list_cursor = '', claim = nextval('warming_claim'),
                claimed_until = null"""));
    }

    /**
     * Starts the copying of a round's blocks.
     *
     * @param all the number of blocks of this round
     */
    void planned(Warming.WarmingCount all) throws SQLException {
        require(WarmingState.PLANNING);
        forgetListed();
        change(update("""
                        state = 'RUNNING', planned = true, planned_at = now(), flaw = null,
                        started_at = coalesce(started_at, now()), blocks = :blocks + copied + present + failed,
                        bytes = :bytes + copied_bytes + present_bytes + failed_bytes""").with(all));
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
            change(update("state = :state, paused_in = null, flaw = coalesce(:flaw, flaw), ended_at = now()")
                    .with("state", end)
                    .with("flaw", flaw));
            return;
        }
        boolean paused = job.state() == WarmingState.PAUSED;
        change(update("""
                        state = :state, paused_in = :pausedIn, flaw = :flaw, planned = false,
                        caught_up_at = case when :carriedOut then planned_at else caught_up_at end,
                        plan_after = case when planned
                            then greatest(planned_at + make_interval(secs => every_seconds), now() + make_interval(secs => :rest))
                            else now() + make_interval(secs => every_seconds) end""")
                .with("state", paused ? WarmingState.PAUSED : WarmingState.WAITING)
                .with("pausedIn", paused ? WarmingState.WAITING : null)
                .with("flaw", flaw)
                .with("carriedOut", carriedOut)
                .with("rest", LEAST_REST));
    }

    private void require(WarmingState state) {
        if (job.state() != state) {
            throw new IllegalStateException(job.id() + " is " + job.state() + ", and not " + state);
        }
    }

    /** Forgets the blocks that a listing found, which belong to one round. */
    private void forgetListed() throws SQLException {
        if (job.listing()) {
            var _ = Sql.on(connection, "delete from warming_found where warming = :id")
                    .with("id", job.id())
                    .run();
        }
    }

    private Sql update(String assignments) {
        return Sql.on(connection, "update warming set version = version + 1, " + assignments + " where id = :id")
                .with("id", job.id());
    }

    private void change(Sql update) throws SQLException {
        var _ = update.run();
        job = JobRows.find(connection, job.id(), "").orElseThrow();
    }
}
