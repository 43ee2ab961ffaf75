package dev.kvstore.benchmark.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.launcher.admin.AdminClient;
import dev.kvstore.launcher.admin.RestRequest;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackControlPlane;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** Asks the stack's control plane over REST about the tenant, and compares the answer with the registration. */
final class RegistrationCheck {
    static final String CHECK = "tenant, key and account are registered over REST, and the storage was found good";

    private static final List<String> TENANT = List.of("v1", "tenants", LocalStack.TENANT);

    private RegistrationCheck() {}

    static void ask(LocalStack stack, Checks checks, Consumer<String> progress) throws InterruptedException {
        StackControlPlane control =
                Objects.requireNonNull(stack.controlPlane(), "the demo's stack has a control plane");
        try (AdminClient admin = control.admin()) {
            JsonNode tenant = get(admin, TENANT);
            JsonNode key = get(
                    admin,
                    List.of(
                            "v1",
                            "tenants",
                            LocalStack.TENANT,
                            "keys",
                            stack.key().id()));
            JsonNode account = get(admin, List.of("v1", "accounts", LocalStack.RESOURCE));
            JsonNode place = account.at("/replicas/0");
            checks.that(CHECK, tenant.path("state").asText().equals("active"), "the tenant: " + tenant);
            checks.that(CHECK, key.path("revokedAt").asText(null) == null, "its key: " + key);
            checks.that(
                    CHECK,
                    account.path("tenant").asText().equals(LocalStack.TENANT)
                            && account.path("ready").asBoolean(),
                    "its account: " + account);
            progress.accept("registered at " + control.restUrl() + ": account " + LocalStack.RESOURCE + " at "
                    + place.path("endpoint").asText() + ", tried by "
                    + place.at("/report/by").asText("nobody"));
        }
    }

    private static JsonNode get(AdminClient admin, List<String> path) throws InterruptedException {
        return admin.send(RestRequest.get(path)).accepted().body();
    }
}
