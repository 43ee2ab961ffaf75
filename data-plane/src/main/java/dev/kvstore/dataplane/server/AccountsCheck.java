package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.account.AccountResolver;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.eclipse.microprofile.health.Startup;

/** Says of how many accounts it is known whose keys open them; without that a process does not start. */
@Startup
@Readiness
@Singleton
public final class AccountsCheck implements HealthCheck {
    private final AccountResolver accounts;

    AccountsCheck(AccountResolver accounts) {
        this.accounts = accounts;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("accounts")
                .up()
                .withData("accounts", accounts.count())
                .build();
    }
}
