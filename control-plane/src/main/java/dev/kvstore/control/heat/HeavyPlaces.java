package dev.kvstore.control.heat;

import dev.kvstore.admin.caller.Callers;
import jakarta.annotation.Priority;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import org.jspecify.annotations.Nullable;

/** Runs methods that are {@link TakesHeavyPlace} in a place of {@link HeavyQueries}. Thread-safe. */
@TakesHeavyPlace
@Interceptor
// The place is taken after the check of the caller's role, and before the transaction of a kept answer.
@Priority(Interceptor.Priority.PLATFORM_AFTER + 925)
public class HeavyPlaces {
    private final HeavyQueries queries;
    private final Callers callers;

    HeavyPlaces(HeavyQueries queries, Callers callers) {
        this.queries = queries;
        this.callers = callers;
    }

    @AroundInvoke
    @Nullable
    Object run(InvocationContext call) throws Exception {
        return queries.holding(callers.current().party(), call::proceed);
    }
}
