package dev.kvstore.benchmark.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.benchmark.measure.AdminCalls;
import dev.kvstore.launcher.stack.LocalStack;
import java.util.Objects;
import java.util.function.Consumer;

/** Asks the stack's control plane over REST about the tenant, and compares the answer with the registration. */
final class RegistrationCheck {
    static final String CHECK = "tenant, key and account are registered over REST, and the storage was found good";

    private RegistrationCheck() {}

    static void ask(LocalStack stack, Checks checks, Consumer<String> progress) throws InterruptedException {
        try (AdminCalls admin = AdminCalls.of(stack)) {
            JsonNode tenant = admin.get("tenants", LocalStack.TENANT);
            JsonNode key =
                    admin.get("tenants", LocalStack.TENANT, "keys", stack.key().id());
            JsonNode account = admin.get("accounts", LocalStack.RESOURCE);
            JsonNode place = account.at("/replicas/0");
            checks.that(CHECK, tenant.path("state").asText().equals("active"), "the tenant: " + tenant);
            checks.that(CHECK, key.path("revokedAt").asText(null) == null, "its key: " + key);
            checks.that(
                    CHECK,
                    account.path("tenant").asText().equals(LocalStack.TENANT)
                            && account.path("ready").asBoolean(),
                    "its account: " + account);
            progress.accept("registered at "
                    + Objects.requireNonNull(stack.controlPlane()).restUrl() + ": account " + LocalStack.RESOURCE
                    + " at " + place.path("endpoint").asText() + ", tried by "
                    + place.at("/report/by").asText("nobody"));
        }
    }
}
