package dev.kvstore.admin.repeat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.interceptor.InvocationContext;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.core.Response;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * Makes a call once for each {@code Idempotency-Key}: the change and its answer are kept in one transaction.
 * Thread-safe.
 */
@ApplicationScoped
public class IdempotentCall {
    private final KeptAnswers answers;
    private final ObjectMapper json;
    private final SecureRandom random;

    IdempotentCall(KeptAnswers answers, ObjectMapper json, SecureRandom random) {
        this.answers = answers;
        this.json = json;
        this.random = random;
    }

    /** The outcome of a call. */
    sealed interface IdempotentOutcome {}

    /**
     * The call was made now.
     *
     * @param result of the resource's method
     */
    record FirstAnswer(@Nullable Object result) implements IdempotentOutcome {}

    /**
     * The call was made before.
     *
     * @param status the status of its answer
     * @param body the body of that answer, JSON; empty for none
     */
    record MadeBefore(int status, String body) implements IdempotentOutcome {}

    /**
     * Makes a call, unless the same call was made before with the same key.
     *
     * @throws ProblemException if another call was made with the key
     */
    @Transactional(rollbackOn = Exception.class)
    IdempotentOutcome run(Caller caller, IdempotencyKey key, String path, InvocationContext call) throws Exception {
        byte[] fingerprint = key.fingerprint("POST", path, written(call.getParameters()));
        KeptAnswer kept = answers.find(caller, key.id());
        if (kept != null) {
            if (!kept.isTo(fingerprint)) {
                throw ProblemException.of(
                        ProblemKind.KEY_REUSED, "another request was made with this Idempotency-Key: choose a new one");
            }
            return new MadeBefore(kept.status(), kept.body(key.seal()));
        }
        String who = IdempotencyKey.who(caller);
        answers.requireRoom(who);
        Object result = call.proceed();
        Object body = result instanceof Response response ? response.getEntity() : result;
        int status = result instanceof Response response ? response.getStatus() : Response.Status.OK.getStatusCode();
        byte[] sealed = body == null ? new byte[0] : key.seal().seal(written(body), random);
        answers.keep(key.id(), who, fingerprint, status, sealed);
        return new FirstAnswer(result);
    }

    private byte[] written(Object value) {
        try {
            return json.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a request or its answer cannot be written as JSON", e);
        }
    }
}
