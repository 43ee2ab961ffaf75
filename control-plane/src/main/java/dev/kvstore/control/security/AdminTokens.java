package dev.kvstore.control.security;

import dev.kvstore.accounts.key.Secrets;
import dev.kvstore.admin.caller.Callers;
import dev.kvstore.admin.caller.Role;
import dev.kvstore.settings.SecretText;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.runtime.QuarkusPrincipal;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import io.quarkus.vertx.http.runtime.security.ChallengeData;
import io.quarkus.vertx.http.runtime.security.HttpAuthenticationMechanism;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/**
 * Knows the one admin token of a local control plane, {@code kva_...}; leaves tokens in the form of a JWT to OIDC.
 * Thread-safe.
 */
@ApplicationScoped
public class AdminTokens implements HttpAuthenticationMechanism {
    /** The beginning of the admin token. */
    public static final String PREFIX = "kva_";

    private static final String SCHEME = "Bearer ";
    private static final int UNAUTHORIZED = 401;

    /** The form of tokens that OIDC can read. */
    private static final Pattern JWT = Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+");

    private final byte @Nullable [] expected;

    AdminTokens(@ConfigProperty(name = "kvstore.admin-token") Optional<String> token) {
        this.expected = token.map(SecretText::of)
                .filter(text -> !text.isEmpty())
                .map(Secrets::sha256)
                .orElse(null);
    }

    @Override
    public Uni<SecurityIdentity> authenticate(RoutingContext context, IdentityProviderManager providers) {
        String header = context.request().getHeader("Authorization");
        if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Uni.createFrom().nullItem();
        }
        String token = header.substring(SCHEME.length()).strip();
        if (JWT.matcher(token).matches()) {
            return Uni.createFrom().nullItem();
        }
        if (!token.startsWith(PREFIX) || expected == null || !MessageDigest.isEqual(expected, Secrets.sha256(token))) {
            return Uni.createFrom().failure(new AuthenticationFailedException());
        }
        return Uni.createFrom()
                .item(QuarkusSecurityIdentity.builder()
                        .setPrincipal(new QuarkusPrincipal(Callers.LOCAL_ADMIN))
                        .addAttribute(Callers.SHARED_TOKEN, true)
                        .addRole(Role.PLATFORM_ADMIN.word())
                        .build());
    }

    @Override
    public Uni<ChallengeData> getChallenge(RoutingContext context) {
        return Uni.createFrom().item(new ChallengeData(UNAUTHORIZED, "WWW-Authenticate", "Bearer"));
    }

    @Override
    public int getPriority() {
        // This mechanism runs before OIDC's, which would refuse other tokens.
        return HttpAuthenticationMechanism.DEFAULT_PRIORITY + 1000;
    }
}
