package dev.kvstore.admin.problem;

import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.ForbiddenException;
import io.quarkus.security.UnauthorizedException;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Turns whatever ends a request into a {@link Problem}; what is the service's own fault is logged, and told nobody. */
public final class Answers {
    private static final Logger LOG = System.getLogger(Answers.class.getName());

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
                Kind.UNAUTHENTICATED, "send a valid token as Authorization: Bearer TOKEN", List.of());
        return Response.fromResponse(answer(problem))
                .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer")
                .build();
    }

    @ServerExceptionMapper
    Response forbidden(ForbiddenException e) {
        return answer(ProblemException.problem(Kind.FORBIDDEN, "your role does not allow that", List.of()));
    }

    @ServerExceptionMapper
    Response invalid(ConstraintViolationException e) {
        List<Problem.FieldError> errors = e.getConstraintViolations().stream()
                .map(violation -> new Problem.FieldError(field(violation), violation.getMessage()))
                .sorted((a, b) -> a.field().compareTo(b.field()))
                .toList();
        return answer(ProblemException.invalid(errors).problem());
    }

    /** The path below the method and its parameter: those are ours, not the caller's. */
    private static String field(ConstraintViolation<?> violation) {
        List<String> path = StreamSupport.stream(violation.getPropertyPath().spliterator(), false)
                .map(Object::toString)
                .toList();
        List<String> below =
                path.size() > 2 ? path.subList(2, path.size()) : path.subList(path.size() - 1, path.size());
        return String.join(".", below);
    }

    @ServerExceptionMapper
    Response web(WebApplicationException e) {
        Kind kind = Kind.of(e.getResponse().getStatus());
        if (kind == Kind.INTERNAL) {
            return flaw(e);
        }
        return answer(problem(kind));
    }

    /** What is told of a request that something else than a resource refuses. */
    public static Problem problem(Kind kind) {
        return ProblemException.problem(kind, detail(kind), List.of());
    }

    private static String detail(Kind kind) {
        return switch (kind) {
            case NOT_FOUND -> "there is nothing at this path, or it is not yours";
            case METHOD_NOT_ALLOWED -> "this path does not take this method; /q/openapi has what it takes";
            case NOT_ACCEPTABLE -> "answers are application/json";
            case MEDIA_TYPE -> "send the body as application/json";
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
        ProblemException problem = Failures.find(e, ProblemException.class);
        if (problem != null) {
            return answer(problem.problem());
        }
        if (Failures.isContention(e)) {
            return contention();
        }
        SQLException sql = Failures.find(e, SQLException.class);
        if (Failures.isUnansweredCommit(e)) {
            LOG.log(Level.WARNING, "whether a change was made is not known: the database did not say", e);
            return answer(problem(Kind.UNKNOWN));
        }
        if (sql != null) {
            return database(sql, e);
        }
        return flaw(e);
    }

    private Response database(SQLException sql, Exception e) {
        if (Failures.isAway(sql)) {
            return unavailable(sql);
        }
        String state = sql.getSQLState();
        if (state.equals(FOREIGN_KEY_VIOLATION) || state.equals(CHECK_VIOLATION)) {
            return answer(ProblemException.problem(
                    Kind.CONFLICT, "something that this refers to, or that refers to this, has changed", List.of()));
        }
        if (state.startsWith(DATA_EXCEPTIONS)) {
            return answer(
                    ProblemException.problem(Kind.INVALID, "a value is out of the range that can be kept", List.of()));
        }
        return flaw(e);
    }

    private Response unavailable(SQLException e) {
        boolean readOnly = Failures.isReadOnly(e);
        LOG.log(
                Level.WARNING,
                readOnly
                        ? "the database takes no changes, and is to be made writable, or this service led to the primary: {0}"
                        : "the database does not answer: {0}",
                e.getMessage());
        Problem problem = ProblemException.problem(
                Kind.UNAVAILABLE,
                (readOnly ? "the database takes no changes at present (it is read-only); " : "")
                        + "nothing was changed; try again in a few seconds",
                List.of());
        return Response.fromResponse(answer(problem)).header(RETRY_AFTER, 2).build();
    }

    /** Not 412, which is for preconditions alone: nobody has to read anything again. */
    private static Response contention() {
        return answer(ProblemException.problem(
                Kind.CONTENTION, "nothing was changed: others changed the same things at once; try again", List.of()));
    }

    private static Response flaw(Exception e) {
        LOG.log(Level.ERROR, "a request failed", e);
        return answer(ProblemException.problem(
                Kind.INTERNAL, "this is not your fault; the service's log has more", List.of()));
    }

    /** A problem as a response. */
    public static Response answer(Problem problem) {
        Response.ResponseBuilder answer = Response.status(problem.status())
                .header(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE)
                .entity(problem);
        for (Kind kind : Kind.values()) {
            if (kind.retryAfterSeconds() > 0 && kind.type().equals(problem.type())) {
                answer.header(RETRY_AFTER, kind.retryAfterSeconds());
            }
        }
        return answer.build();
    }
}
