package dev.kvstore.admin.repeat;

import dev.kvstore.admin.caller.Realm;
import dev.kvstore.admin.problem.FailureCauses;
import jakarta.annotation.Priority;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;

/**
 * Repeats a request whose transaction the database rolled back in favour of others: up to {@link #ATTEMPTS} times in
 * all, with pauses of random length between them. Thread-safe.
 */
@SafeToRepeat(Realm.TENANTS) // for classes of any realm
@Interceptor
// Parameters need not be validated again, so this runs within their validation.
@Priority(Interceptor.Priority.PLATFORM_AFTER + 900)
public class ContentionRetry {
    static final int ATTEMPTS = 4;

    /**
     * The longest pause before the second attempt, in milliseconds; each further pause may be twice as long as the one
     * before.
     */
    private static final int PAUSE_MILLIS = 20;

    private static final Logger LOG = System.getLogger(ContentionRetry.class.getName());

    private final SecureRandom random;

    ContentionRetry(SecureRandom random) {
        this.random = random;
    }

    @AroundInvoke
    Object run(InvocationContext call) throws Exception {
        for (int attempt = 1; ; attempt++) {
            try {
                return call.proceed();
            } catch (Exception e) {
                if (attempt == ATTEMPTS || !FailureCauses.isContention(e)) {
                    throw e;
                }
                LOG.log(
                        Level.DEBUG,
                        "attempt {0} of {1} was rolled back in favour of another change",
                        attempt,
                        call.getMethod().getName());
            }
            Thread.sleep(1 + random.nextInt(PAUSE_MILLIS << (attempt - 1)));
        }
    }
}
