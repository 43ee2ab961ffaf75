package dev.kvstore.admin.repeat;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Callers;
import dev.kvstore.admin.caller.Realm;
import jakarta.annotation.Priority;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.UriInfo;
import org.jspecify.annotations.Nullable;

/** Answers a POST whose {@code Idempotency-Key} was used before with the first answer. Thread-safe. */
@SafeToRepeat(Realm.TENANTS) // for classes of any realm
@Interceptor
// This runs within the retry, so that each attempt looks for a kept answer again.
@Priority(Interceptor.Priority.PLATFORM_AFTER + 950)
public class IdempotentCalls {
    private final Callers callers;
    private final IdempotentCall idempotentCall;
    private final HttpHeaders headers;
    private final UriInfo uri;

    IdempotentCalls(Callers callers, IdempotentCall idempotentCall, HttpHeaders headers, UriInfo uri) {
        this.callers = callers;
        this.idempotentCall = idempotentCall;
        this.headers = headers;
        this.uri = uri;
    }

    @AroundInvoke
    @Nullable
    Object run(InvocationContext call) throws Exception {
        @Nullable
        String text = call.getMethod().isAnnotationPresent(POST.class)
                ? headers.getHeaderString(IdempotencyKey.HEADER)
                : null;
        if (text == null) {
            return call.proceed();
        }
        Caller caller = callers.current();
        IdempotencyKey key = IdempotencyKey.of(text, caller);
        return switch (idempotentCall.run(caller, key, uri.getRequestUri().getRawPath(), call)) {
            case IdempotentCall.FirstAnswer made -> made.result();
            case IdempotentCall.MadeBefore before -> throw new RepeatedAnswer(before);
        };
    }
}
