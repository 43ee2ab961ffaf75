package dev.kvstore.simulation.control;

import java.lang.reflect.InvocationTargetException;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** A request of a session to the database, and its answer. The session's thread waits for the answer. */
final class DatabaseRequest {
    /** Work on the real connection. */
    @FunctionalInterface
    interface DatabaseWork {
        @Nullable
        Object run() throws SQLException, ReflectiveOperationException;
    }

    private final DatabaseSession session;
    private final DatabaseWork work;
    private final CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();

    DatabaseRequest(DatabaseSession session, DatabaseWork work) {
        this.session = session;
        this.work = work;
    }

    DatabaseSession session() {
        return session;
    }

    /** Does the work; returns a task that completes the answer. */
    Runnable run() {
        try {
            Object result = work.run();
            return () -> answer.complete(result);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            return failing(cause instanceof SQLException sql ? sql : new SQLException(cause));
        } catch (SQLException e) {
            return failing(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a task that completes the answer with a failure. */
    Runnable failing(SQLException failure) {
        return () -> answer.completeExceptionally(failure);
    }

    /**
     * Waits for the answer. An interrupt does not end the wait, because an interrupt ends no wait for a socket either.
     */
    @Nullable
    Object await() throws SQLException {
        try {
            return answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof SQLException failure) {
                throw new SQLException(failure.getMessage(), failure.getSQLState(), failure);
            }
            throw e;
        }
    }
}
