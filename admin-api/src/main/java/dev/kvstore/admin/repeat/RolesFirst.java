package dev.kvstore.admin.repeat;

import dev.kvstore.admin.caller.Callers;
import dev.kvstore.admin.caller.Realm;
import dev.kvstore.admin.problem.ProblemException;
import jakarta.annotation.Priority;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a POST or PATCH of a caller whose role may change nothing in the realm, before the request takes a slot, a
 * connection or a lock, or reads whether the resource exists. The resource's method checks who owns the resource.
 * Thread-safe.
 */
@SafeToRepeat(Realm.TENANTS) // for classes of any realm
@Interceptor
// This runs before everything that makes others wait.
@Priority(Interceptor.Priority.PLATFORM_AFTER + 905)
public class RolesFirst {
    private final Callers callers;

    RolesFirst(Callers callers) {
        this.callers = callers;
    }

    /** @throws ProblemException if the role does not allow it */
    @AroundInvoke
    @Nullable
    Object run(InvocationContext call) throws Exception {
        SafeToRepeat resource = call.getMethod().getDeclaringClass().getAnnotation(SafeToRepeat.class);
        Method method = call.getMethod();
        boolean changes = method.isAnnotationPresent(POST.class) || method.isAnnotationPresent(PATCH.class);
        if (resource != null && changes) {
            resource.value().require(callers.current());
        }
        return call.proceed();
    }
}
