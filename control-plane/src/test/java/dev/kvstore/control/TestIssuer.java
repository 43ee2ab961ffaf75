package dev.kvstore.control;

import dev.kvstore.testing.TokenIssuer;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An OIDC issuer whose tokens the application under test believes. */
public final class TestIssuer implements QuarkusTestResourceLifecycleManager {
    private static final Duration LONG_AGO = Duration.ofHours(-1);

    @SuppressWarnings("NullAway.Init")
    private static volatile TokenIssuer issuer;

    @Override
    public Map<String, String> start() {
        try {
            issuer = TokenIssuer.start();
        } catch (IOException e) {
            throw new IllegalStateException("the issuer cannot be started", e);
        }
        return Map.of("kvstore.oidc.enabled", "true", "kvstore.oidc.issuer", issuer.url());
    }

    /** A token of somebody with these roles; of one tenant, if it is not null. */
    public static String token(List<String> roles, @Nullable String tenant) {
        return issuer.token(roles, tenant);
    }

    /** One that has ended. */
    public static String expired(List<String> roles) {
        return ended(Duration.ofMinutes(10), roles);
    }

    /** One that has just begun, by an issuer whose clock goes ahead of this machine's by so much. */
    public static String ofIssuerAhead(Duration ahead, List<String> roles) {
        return issuer.valid(ahead, ahead.plusMinutes(10), roles);
    }

    /** One that ended so long ago. */
    public static String ended(Duration ago, List<String> roles) {
        return issuer.valid(LONG_AGO, ago.negated(), roles);
    }

    /** One of a person of this name. */
    public static String named(String name, List<String> roles) {
        return issuer.named(name, roles);
    }

    /** One that somebody else has signed. */
    public static String forged(List<String> roles) {
        return issuer.forged(roles);
    }

    /** One that is meant for another service. */
    public static String forAnother(List<String> roles) {
        return issuer.forAnother(roles);
    }

    @Override
    public void stop() {
        issuer.close();
    }
}
