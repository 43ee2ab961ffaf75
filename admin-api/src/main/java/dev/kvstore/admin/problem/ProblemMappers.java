package dev.kvstore.admin.problem;

import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.ForbiddenException;
import io.quarkus.security.UnauthorizedException;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/**
 * Turns every exception that ends a request into a {@link Problem}. The cause of a failure of the service goes to the
 * log alone.
 */
public final class ProblemMappers {
    private static final Logger LOG = System.getLogger(ProblemMappers.class.getName());

    private static final String RETRY_AFTER = "Retry-After";
    private static final String FOREIGN_KEY_VIOLATION = "23503";
    private static final String CHECK_VIOLATION = "23514";
    private static final String DATA_EXCEPTIONS = "22";

    @ServerExceptionMapper
    Response problem(ProblemException e) {
        return answer(e.problem());
    }

    @ServerExceptionMapper({UnauthorizedException.class, AuthenticationFailedException.class})
    Response unauthenticated() {
        Problem problem = ProblemException.problem(
                ProblemKind.UNAUTHENTICATED, "send a valid token as Authorization: Bearer TOKEN", List.of());
        return Response.fromResponse(answer(problem))
                .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer")
                .build();
    }

    @ServerExceptionMapper
    Response forbidden(ForbiddenException e) {
        return answer(ProblemException.problem(ProblemKind.FORBIDDEN, "your role does not allow that", List.of()));
    }

    @ServerExceptionMapper
    Response invalid(ConstraintViolationException e) {
        List<Problem.FieldError> errors = e.getConstraintViolations().stream()
                .map(violation -> new Problem.FieldError(field(violation), violation.getMessage()))
                .sorted((a, b) -> a.field().compareTo(b.field()))
                .toList();
        return answer(ProblemException.invalid(errors).problem());
    }

    /** The path of a field, without the names of the Java method and parameter. Of parameters, only bodies are required. */
    private static String field(ConstraintViolation<?> violation) {
        List<String> path = StreamSupport.stream(violation.getPropertyPath().spliterator(), false)
                .map(Object::toString)
                .toList();
        if (path.size() > 2) {
            return String.join(".", path.subList(2, path.size()));
        }
        return violation.getConstraintDescriptor().getAnnotation() instanceof NotNull ? "the body" : path.getLast();
    }

    @ServerExceptionMapper
    Response web(WebApplicationException e) {
        ProblemKind kind = ProblemKind.of(e.getResponse().getStatus());
        if (kind == ProblemKind.INTERNAL) {
            return flaw(e);
        }
        return answer(problem(kind));
    }

    /** The problem of a request that was refused before it reached a resource. */
    public static Problem problem(ProblemKind kind) {
        return ProblemException.problem(kind, detail(kind), List.of());
    }

    private static String detail(ProblemKind kind) {
        return switch (kind) {
            case NOT_FOUND -> "there is nothing at this path, or it is not yours";
            case METHOD_NOT_ALLOWED -> "this path does not take this method; /q/openapi has what it takes";
            case NOT_ACCEPTABLE -> "answers are application/json";
            case MEDIA_TYPE -> "send the body as application/json, that of a PATCH as application/merge-patch+json";
            case LENGTH_REQUIRED -> "send the body with its Content-Length, not in chunks";
            case TOO_LARGE -> "a body has at most 1 MiB";
            case UNKNOWN ->
                "the database did not say in time: read the resource again before you repeat the request,"
                        + " unless it had an Idempotency-Key";
            default -> "the request cannot be understood";
        };
    }

    @ServerExceptionMapper
    Response any(Exception e) {
        ProblemException problem = FailureCauses.find(e, ProblemException.class);
        if (problem != null) {
            return answer(problem.problem());
        }
        if (FailureCauses.isContention(e)) {
            return contention();
        }
        SQLException sql = FailureCauses.find(e, SQLException.class);
        if (FailureCauses.isUnansweredCommit(e)) {
            LOG.log(Level.WARNING, "the database did not confirm a change, which may have been made", e);
            return answer(problem(ProblemKind.UNKNOWN));
        }
        if (sql != null) {
            return database(sql, e);
        }
        return flaw(e);
    }

    private Response database(SQLException sql, Exception e) {
        if (FailureCauses.isAway(sql)) {
            return unavailable(sql);
        }
        String state = sql.getSQLState();
        if (state.equals(FOREIGN_KEY_VIOLATION) || state.equals(CHECK_VIOLATION)) {
            return answer(ProblemException.problem(
                    ProblemKind.CONFLICT,
                    "a resource that this one refers to, or that refers to it, has changed",
                    List.of()));
        }
        if (state.startsWith(DATA_EXCEPTIONS)) {
            return answer(ProblemException.problem(
                    ProblemKind.INVALID, "a value is too large or too small to be kept", List.of()));
        }
        return flaw(e);
    }

    private Response unavailable(SQLException e) {
        boolean readOnly = FailureCauses.isReadOnly(e);
        LOG.log(
                Level.WARNING,
                readOnly
                        ? "the database takes no changes, and is to be made writable, or this service led to the primary: {0}"
                        : "the database does not answer: {0}",
                e.getMessage());
        Problem problem = ProblemException.problem(
                ProblemKind.UNAVAILABLE,
                (readOnly ? "the database takes no changes at present (it is read-only); " : "")
                        + "nothing was changed; try again in a few seconds",
                List.of());
        return Response.fromResponse(answer(problem)).header(RETRY_AFTER, 2).build();
    }

    /** The answer to contention. It is not a 412, since the caller need not read the resource again. */
    private static Response contention() {
        return answer(ProblemException.problem(
                ProblemKind.CONTENTION,
                "nothing was changed, since other changes were in the way; try again",
                List.of()));
    }

    private static Response flaw(Exception e) {
        LOG.log(Level.ERROR, "a request failed", e);
        return answer(ProblemException.problem(
                ProblemKind.INTERNAL, "the request is not at fault; the service's log has the reason", List.of()));
    }

    /** A problem as a response. */
    public static Response answer(Problem problem) {
        Response.ResponseBuilder answer = Response.status(problem.status())
                .header(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE)
                .entity(problem);
        for (ProblemKind kind : ProblemKind.values()) {
            if (kind.retryAfterSeconds() > 0 && kind.type().equals(problem.type())) {
                answer.header(RETRY_AFTER, kind.retryAfterSeconds());
            }
        }
        return answer.build();
    }
}
