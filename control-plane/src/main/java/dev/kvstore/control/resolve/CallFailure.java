package dev.kvstore.control.resolve;

import dev.kvstore.admin.problem.FailureCauses;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The answer to a call that failed through no fault of the caller. The cause goes to the log alone. Stateless. */
public final class CallFailure {
    private static final Logger LOG = System.getLogger(CallFailure.class.getName());

    private CallFailure() {}

    /** {@code UNAVAILABLE} if the database failed, else {@code INTERNAL}. */
    public static StatusRuntimeException of(Throwable e) {
        SQLException database = database(e);
        if (database != null) {
            StatusRuntimeException told = unavailable(database);
            LOG.log(Level.WARNING, "{0}: {1}", told.getStatus().getDescription(), database.getMessage());
            return told;
        }
        LOG.log(Level.ERROR, "a call failed", e);
        return Status.INTERNAL
                .withDescription("the control plane failed; its log has the reason")
                .asRuntimeException();
    }

    /** Like {@link #of}, for a frequent call: does not log that the database is away, since other code does. */
    public static StatusRuntimeException ofOneOfMany(Throwable e) {
        SQLException database = database(e);
        return database == null ? of(e) : unavailable(database);
    }

    private static StatusRuntimeException unavailable(SQLException database) {
        return Status.UNAVAILABLE
                .withDescription(
                        FailureCauses.isReadOnly(database)
                                ? "the database takes no changes (it is read-only)"
                                : "the database does not answer")
                .asRuntimeException();
    }

    private static @Nullable SQLException database(Throwable e) {
        for (@Nullable Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException database) {
                return database;
            }
        }
        return null;
    }
}
