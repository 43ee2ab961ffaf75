package dev.kvstore.control.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.admin.problem.Answers;
import dev.kvstore.admin.problem.Kind;
import dev.kvstore.admin.problem.Problem;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/**
 * Refuses, with a problem document, what the server beneath would refuse without one, or take for something else: it
 * resolves {@code ..}, drops what follows a {@code ;}, and ends the connection on a body that is too large.
 */
@Singleton
public final class Gate {
    private static final int BEFORE_ALL_ELSE = 10_000;
    private static final String API = "/v1";

    /** Names need no others. */
    private static final Pattern NOT_IN_PATHS = Pattern.compile("[^/A-Za-z0-9._-]");

    private static final Pattern DOTS = Pattern.compile("/\\.\\.?(/|$)");

    private static final Pattern NOT_IN_QUERIES = Pattern.compile("[^!-~]|%(?![0-9A-Fa-f]{2})");

    /** A client that is still sending does not read what it is told; so far it is heard out. */
    private static final long BEARABLE_BYTES = 64 << 20;

    private final long most;
    private final ObjectMapper json;

    Gate(@ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize most, ObjectMapper json) {
        this.most = most.asLongValue();
        this.json = json;
    }

    void register(@Observes Filters filters) {
        filters.register(this::filter, BEFORE_ALL_ELSE);
    }

    /** What the server beneath cannot even take apart. */
    void register(@Observes Router router) {
        var _ = router.errorHandler(Kind.INVALID.status(), context -> answer(context.response(), Kind.INVALID));
    }

    private void filter(RoutingContext context) {
        HttpServerRequest request = context.request();
        Kind flaw = flaw(request);
        if (flaw == null) {
            context.next();
            return;
        }
        long[] heard = {0};
        request.handler(bytes -> {
            heard[0] += bytes.length();
            if (heard[0] > BEARABLE_BYTES) {
                var _ = request.connection().close();
            }
        });
        request.endHandler(_ -> answer(context.response(), flaw));
        request.resume();
    }

    private @Nullable Kind flaw(HttpServerRequest request) {
        String path = request.path();
        if (path == null || !path.startsWith(API)) {
            return null;
        }
        String query = request.query();
        if (NOT_IN_PATHS.matcher(path).find() || DOTS.matcher(path).find()) {
            return Kind.NOT_FOUND;
        }
        if (query != null && NOT_IN_QUERIES.matcher(query).find()) {
            return Kind.INVALID;
        }
        if (request.getHeader("Transfer-Encoding") != null) {
            return Kind.LENGTH_REQUIRED;
        }
        return length(request) > most ? Kind.TOO_LARGE : null;
    }

    /** 0 if it is not said, or not so that it can be read: then others count, or refuse it. */
    private static long length(HttpServerRequest request) {
        String length = request.getHeader("Content-Length");
        try {
            return length == null ? 0 : Long.parseLong(length);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private void answer(HttpServerResponse response, Kind kind) {
        if (response.headWritten() || response.ended()) {
            return;
        }
        var _ = response.setStatusCode(kind.status())
                .putHeader("Content-Type", Problem.MEDIA_TYPE)
                .putHeader("Connection", "close")
                .end(text(kind));
    }

    private String text(Kind kind) {
        try {
            return json.writeValueAsString(Answers.problem(kind));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a problem cannot be written as JSON", e);
        }
    }
}
