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
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Answers bodies that say they are too large with a problem document. They are taken in and thrown away first, as far as
 * that is bearable: a client that is still sending does not read what it is told.
 */
@Singleton
public final class Oversize {
    private static final int BEFORE_ALL_ELSE = 10_000;
    private static final long BEARABLE_BYTES = 64 << 20;

    private final long most;
    private final ObjectMapper json;

    Oversize(@ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize most, ObjectMapper json) {
        this.most = most.asLongValue();
        this.json = json;
    }

    void register(@Observes Filters filters) {
        filters.register(this::filter, BEFORE_ALL_ELSE);
    }

    private void filter(RoutingContext context) {
        long length = length(context.request());
        if (length <= most) {
            context.next();
            return;
        }
        if (length > BEARABLE_BYTES) {
            answer(context.response());
            return;
        }
        context.request().handler(_ -> {});
        context.request().endHandler(_ -> answer(context.response()));
        context.request().resume();
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

    private void answer(HttpServerResponse response) {
        var _ = response.setStatusCode(Kind.TOO_LARGE.status())
                .putHeader("Content-Type", Problem.MEDIA_TYPE)
                .putHeader("Connection", "close")
                .end(text());
    }

    private String text() {
        try {
            return json.writeValueAsString(Answers.problem(Kind.TOO_LARGE));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a problem cannot be written as JSON", e);
        }
    }
}
