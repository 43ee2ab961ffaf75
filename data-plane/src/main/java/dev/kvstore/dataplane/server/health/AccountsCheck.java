package dev.kvstore.dataplane.server.health;

import dev.kvstore.dataplane.account.AccountResolver;
import dev.kvstore.dataplane.account.control.ControlPlaneAccountResolver;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/**
 * Says where accounts and keys come from. The check is down only while no key could be good: there are no answers from
 * before, and the control plane was never heard. A process with answers goes on serving without it.
 */
@Readiness
@Singleton
public final class AccountsCheck implements HealthCheck {
    private final AccountResolver accounts;

    public AccountsCheck(AccountResolver accounts) {
        this.accounts = accounts;
    }

    /** Whether any caller can be served. */
    boolean isUp() {
        return !(accounts instanceof ControlPlaneAccountResolver resolver) || resolver.isUseful();
    }

    @Override
    public HealthCheckResponse call() {
        HealthCheckResponseBuilder answer =
                HealthCheckResponse.named("accounts").status(isUp()).withData("accounts", accounts.count());
        if (!(accounts instanceof ControlPlaneAccountResolver resolver)) {
            return answer.withData("source", "file").build();
        }
        answer.withData("source", "control plane")
                .withData("watch", resolver.isWatching() ? "connected" : "not connected")
                .withData(
                        "confirmed",
                        resolver.confirmedAge()
                                .map(age -> age.toSeconds() + " s ago")
                                .orElse("never"));
        Optional<String> flaw = resolver.flaw();
        flaw.ifPresent(why -> answer.withData("reason", why));
        return answer.build();
    }
}
