package dev.kvstore.clusters;

import dev.kvstore.admin.caller.Callers;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.runtime.QuarkusPrincipal;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import io.quarkus.vertx.http.runtime.security.ChallengeData;
import io.quarkus.vertx.http.runtime.security.HttpAuthenticationMechanism;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;

/** Believes every caller who says {@code Authorization: ROLE} or {@code ROLE@TENANT}. Thread-safe. */
@Singleton
final class CallerWords implements HttpAuthenticationMechanism {
    private static final int UNAUTHORIZED = 401;

    @Override
    public Uni<SecurityIdentity> authenticate(RoutingContext context, IdentityProviderManager providers) {
        String word = context.request().getHeader("Authorization");
        if (word == null) {
            return Uni.createFrom().nullItem();
        }
        String[] parts = word.split("@", 2);
        QuarkusSecurityIdentity.Builder identity = QuarkusSecurityIdentity.builder()
                .setPrincipal(new QuarkusPrincipal(word))
                .addRole(parts[0]);
        if (parts.length > 1) {
            identity.addAttribute(Callers.TENANT, parts[1]);
        }
        return Uni.createFrom().item(identity.build());
    }

    @Override
    public Uni<ChallengeData> getChallenge(RoutingContext context) {
        return Uni.createFrom().item(new ChallengeData(UNAUTHORIZED, "WWW-Authenticate", "Bearer"));
    }
}
