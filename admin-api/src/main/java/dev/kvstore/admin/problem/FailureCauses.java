package dev.kvstore.admin.problem;

import jakarta.persistence.OptimisticLockException;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.SystemException;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.transaction.xa.XAException;
import org.hibernate.StaleStateException;
import org.jspecify.annotations.Nullable;

/** Searches a failure: its causes and its suppressed exceptions, where the transaction manager puts them. Stateless. */
public final class FailureCauses {
    /** Exceptions of a failed commit, or of the last statement before it. */
    private static final List<Class<? extends Throwable>> OF_COMMITS = List.of(
            RollbackException.class,
            HeuristicMixedException.class,
            HeuristicRollbackException.class,
            SystemException.class,
            XAException.class);

    private static final String CONNECTION_EXCEPTIONS = "08";
    private static final String OPERATOR_INTERVENTION = "57";
    private static final String INSUFFICIENT_RESOURCES = "53";

    /** The class of SQL states for files of the database that cannot be read or written. */
    private static final String SYSTEM_ERRORS = "58";

    /** The SQL state of a database that takes no changes: it is a standby, or was made read-only. */
    private static final String READ_ONLY = "25006";

    /** Classes of SQL states of a refused login: another password, no such user, no such database. */
    private static final List<String> LOCKED_OUT = List.of("28", "3D");

    /** SQL states of a statement that waited too long for a lock, and of a transaction that was idle for too long. */
    private static final Set<String> TOO_LONG = Set.of("55P03", "25P03");

    /** SQL states of a unique violation, a serialization failure and a deadlock. */
    private static final Set<String> OTHERS_FIRST = Set.of("23505", "40001", "40P01");

    private FailureCauses() {}

    /** The first failure of this type; null if there is none. */
    static <E extends Throwable> @Nullable E find(Throwable failure, Class<E> type) {
        return all(failure).filter(type::isInstance).findFirst().map(type::cast).orElse(null);
    }

    private static Stream<Throwable> all(Throwable failure) {
        Set<Throwable> seen = new LinkedHashSet<>();
        Deque<Throwable> next = new ArrayDeque<>(List.of(failure));
        while (!next.isEmpty()) {
            Throwable e = next.removeFirst();
            if (seen.add(e)) {
                if (e.getCause() != null) {
                    next.addLast(e.getCause());
                }
                next.addAll(List.of(e.getSuppressed()));
            }
        }
        return seen.stream();
    }

    /** Whether the database rolled the transaction back because of another change, so that a repetition may succeed. */
    public static boolean isContention(Throwable failure) {
        if (find(failure, OptimisticLockException.class) != null || find(failure, StaleStateException.class) != null) {
            return true;
        }
        SQLException sql = find(failure, SQLException.class);
        return sql != null && sql.getSQLState() != null && OTHERS_FIRST.contains(sql.getSQLState());
    }

    /** Whether the database did not answer a commit, so that the change may have been made or not. */
    static boolean isUnansweredCommit(Throwable failure) {
        boolean commit = all(failure).anyMatch(e -> OF_COMMITS.stream().anyMatch(type -> type.isInstance(e)));
        SQLException sql = find(failure, SQLException.class);
        return commit && (sql == null || (isAway(sql) && !isReadOnly(sql)));
    }

    /** Whether the database takes no changes: it is a standby or read-only, and has changed nothing. */
    public static boolean isReadOnly(Throwable failure) {
        return all(failure).anyMatch(e -> e instanceof SQLException sql && READ_ONLY.equals(sql.getSQLState()));
    }

    /** Whether the connection or the whole database failed. */
    static boolean isAway(SQLException sql) {
        String state = sql.getSQLState();
        // An exception of the pool itself has no state: no connection came free in time, or none could be made.
        return state == null
                || state.startsWith(CONNECTION_EXCEPTIONS)
                || TOO_LONG.contains(state)
                || state.startsWith(OPERATOR_INTERVENTION)
                || state.startsWith(INSUFFICIENT_RESOURCES)
                || state.startsWith(SYSTEM_ERRORS)
                || state.equals(READ_ONLY)
                || LOCKED_OUT.stream().anyMatch(state::startsWith);
    }
}
