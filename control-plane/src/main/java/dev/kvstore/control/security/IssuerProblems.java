package dev.kvstore.control.security;

import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import dev.kvstore.admin.problem.ProblemMappers;
import dev.kvstore.admin.refusal.TokenBucket;
import io.quarkus.oidc.OIDCException;
import jakarta.ws.rs.core.Response;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/**
 * Answers requests whose token cannot be checked, since its issuer does not answer. Anybody can send such a token, so
 * the log has few of them. Thread-safe.
 */
public final class IssuerProblems {
    private static final Logger LOG = System.getLogger(IssuerProblems.class.getName());

    private static final long LOG_EVERY_MILLIS = 10_000;

    private final TokenBucket lines = new TokenBucket(1, LOG_EVERY_MILLIS, System::nanoTime);

    @ServerExceptionMapper
    Response away(OIDCException e) {
        if (lines.take()) {
            LOG.log(Level.WARNING, "the issuer of tokens (KVSTORE_OIDC_ISSUER) does not answer: {0}", e.getMessage());
        }
        return ProblemMappers.answer(ProblemException.of(
                        ProblemKind.ISSUER_AWAY,
                        "the issuer of tokens does not answer, so yours cannot be checked; try again")
                .problem());
    }
}
