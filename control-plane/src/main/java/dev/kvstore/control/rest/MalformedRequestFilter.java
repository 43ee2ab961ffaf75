package dev.kvstore.control.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.admin.problem.Problem;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import dev.kvstore.admin.problem.ProblemMappers;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/**
 * Refuses, with a problem document, requests that the server below would refuse without one, or misread: it resolves
 * {@code ..}, joins slashes, decodes {@code %}, drops the text after a {@code ;}, and ends the connection on a body
 * that is too large.
 */
@Singleton
public final class MalformedRequestFilter {
    private static final int BEFORE_ALL_ELSE = 10_000;
    private static final String API = "/v1";
    private static final int NO_CONTENT = 204;
    private static final List<String> NEVER_EMPTY = List.of("If-Match", "If-None-Match", "Idempotency-Key");

    /** Parameters with which {@code kv admin} asks for each list, also for one that is never longer than a page. */
    private static final Set<String> OF_PAGES = Set.of("cursor", "limit");

    /** Characters that no path of the API has. */
    private static final Pattern NOT_IN_PATHS = Pattern.compile("[^/A-Za-z0-9._-]");

    /**
     * Sequences that the server below would rewrite before it looks for a resource, so that such a path passes other
     * filters.
     */
    private static final Pattern REWRITTEN = Pattern.compile("//|/\\.\\.?(/|$)");

    private static final Pattern NOT_IN_QUERIES = Pattern.compile("[^!-~]|%(?![0-9A-Fa-f]{2})");

    /**
     * The largest body that is read to the end after a refusal: a client that is still sending does not read an answer.
     */
    private static final long BEARABLE_BYTES = 64 << 20;

    private final long most;
    private final ObjectMapper json;
    private final PathMethods methods;

    MalformedRequestFilter(
            @ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize most, ObjectMapper json) {
        this.most = most.asLongValue();
        this.json = json;
        this.methods = PathMethods.ofThisProgram(json);
    }

    void register(@Observes Filters filters) {
        filters.register(this::filter, BEFORE_ALL_ELSE);
    }

    /** Answers requests that the server below cannot parse. */
    void register(@Observes Router router) {
        var _ = router.errorHandler(
                ProblemKind.INVALID.status(),
                context -> answer(context.response(), ProblemMappers.problem(ProblemKind.INVALID)));
    }

    private void filter(RoutingContext context) {
        HttpServerRequest request = context.request();
        if (context.response().writeQueueFull()) {
            // The client keeps sending requests and reads no answer; all of them would be kept in memory.
            var _ = request.connection().close();
            return;
        }
        Problem flaw = flaw(request);
        if (flaw == null) {
            goOn(context);
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

    /**
     * Refuses a method that the path does not have, and a parameter that the method does not have; {@code Allow} names
     * the methods that the path has (RFC 9110, 10.2.1).
     */
    private void goOn(RoutingContext context) {
        HttpServerRequest request = context.request();
        String method = request.method().name();
        PathMethods.Methods taken =
                methods.of(Objects.requireNonNullElse(request.path(), "")).orElse(null);
        if (taken == null) {
            context.next();
            return;
        }
        if (taken.names().contains(method) && !method.equals("OPTIONS")) {
            Problem flaw = unknown(request, taken.parameters().getOrDefault(method, Set.of()));
            if (flaw == null) {
                context.next();
            } else {
                answer(context.response(), flaw);
            }
            return;
        }
        HttpServerResponse response = context.response().putHeader("Allow", String.join(", ", taken.names()));
        if (method.equals("OPTIONS")) {
            var _ = response.setStatusCode(NO_CONTENT).end();
        } else {
            answer(response, ProblemMappers.problem(ProblemKind.METHOD_NOT_ALLOWED));
        }
    }

    /** Refuses a query parameter that the method does not have: {@code limt=5} would list everything. */
    private static @Nullable Problem unknown(HttpServerRequest request, Set<String> parameters) {
        return request.params().names().stream()
                .filter(name -> !parameters.contains(name) && !OF_PAGES.contains(name))
                .findFirst()
                .map(name -> ProblemException.invalid(name, "there is no such parameter here; " + rule(parameters))
                        .problem())
                .orElse(null);
    }

    private static String rule(Set<String> parameters) {
        return parameters.isEmpty() ? "the path takes none" : "there are " + String.join(", ", parameters);
    }

    private @Nullable Problem flaw(HttpServerRequest request) {
        String path = Objects.requireNonNullElse(request.path(), "");
        if (NOT_IN_PATHS.matcher(path).find() || REWRITTEN.matcher(path).find()) {
            return ProblemException.of(
                            ProblemKind.NOT_FOUND,
                            "there is nothing at this path: names in it have a-z, A-Z, 0-9, '.', '_' and '-' alone")
                    .problem();
        }
        if (!path.startsWith(API)) {
            return null;
        }
        String query = request.query();
        if (query != null && NOT_IN_QUERIES.matcher(query).find()) {
            return ProblemMappers.problem(ProblemKind.INVALID);
        }
        if (request.getHeader("Transfer-Encoding") != null) {
            return ProblemMappers.problem(ProblemKind.LENGTH_REQUIRED);
        }
        return length(request) > most ? ProblemMappers.problem(ProblemKind.TOO_LARGE) : empty(request);
    }

    /**
     * Refuses an empty header: the server below takes an empty value for an absent one, so a client that lost an ETag
     * would overwrite the resource.
     */
    private static @Nullable Problem empty(HttpServerRequest request) {
        for (String header : NEVER_EMPTY) {
            String value = request.getHeader(header);
            if (value != null && value.isBlank()) {
                return ProblemException.invalid(header, "must not be empty: leave it out, or give it a value")
                        .problem();
            }
        }
        for (Map.Entry<String, String> parameter : request.params()) {
            // An empty cursor means the first page.
            if (parameter.getValue().isEmpty() && !parameter.getKey().equals("cursor")) {
                return ProblemException.invalid(parameter.getKey(), "must not be empty: leave it out")
                        .problem();
            }
        }
        return null;
    }

    /**
     * The value of {@code Content-Length}; 0 if the header is missing or cannot be read: then other code counts the
     * bytes, or refuses the request.
     */
    private static long length(HttpServerRequest request) {
        String length = request.getHeader("Content-Length");
        try {
            return length == null ? 0 : Long.parseLong(length);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private void answer(HttpServerResponse response, Problem problem) {
        if (response.headWritten() || response.ended()) {
            return;
        }
        var _ = response.setStatusCode(problem.status())
                .putHeader("Content-Type", Problem.MEDIA_TYPE)
                .putHeader("Connection", "close")
                .end(text(problem));
    }

    private String text(Problem problem) {
        try {
            return json.writeValueAsString(problem);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a problem cannot be written as JSON", e);
        }
    }
}
