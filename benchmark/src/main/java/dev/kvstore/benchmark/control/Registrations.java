package dev.kvstore.benchmark.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.control.ControlReport.RegistrationFigures;
import dev.kvstore.benchmark.measure.AdminCalls;
import dev.kvstore.benchmark.measure.CallLoad;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.launcher.stack.LocalStack;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** Registers regions, tenants and accounts. For one thread. */
record Registrations(LocalStack stack, ManyAccounts many, Consumer<String> progress) {
    static final int CONNECTIONS = 16;

    // No program listens there, and no data plane is in the accounts' regions to try it.
    private static final String ENDPOINT = "http://127.0.0.1:9/bench";

    RegistrationFigures register() throws InterruptedException {
        List<Integer> overRest = many.overRest().boxed().toList();
        Latencies latencies = new Latencies();
        double restSeconds;
        try (AdminCalls admin = AdminCalls.of(stack)) {
            for (String region : ManyAccounts.REGIONS) {
                admin.put(AdminCalls.spec(), "regions", region);
            }
            for (String tenant : ManyAccounts.tenants()) {
                admin.put(AdminCalls.spec(), "tenants", tenant);
            }
            admin.put(AdminCalls.spec(), "tenants", ManyAccounts.FEW);
            progress.accept("registering " + overRest.size() + " accounts over REST");
            long start = System.nanoTime();
            CallLoad.calls(CONNECTIONS, 0, overRest.size(), i -> {
                long begun = System.nanoTime();
                admin.put(account(overRest.get(i)), "accounts", many.name(overRest.get(i)));
                latencies.addSince(begun);
            });
            restSeconds = (System.nanoTime() - start) / 1e9;
        }
        progress.accept("registering the other " + (many.count() - overRest.size()) + " by SQL");
        long sql = System.nanoTime();
        try (OwnDatabase database = OwnDatabase.of(Objects.requireNonNull(stack.controlPlane()))) {
            database.fill(many);
        }
        return new RegistrationFigures(
                many.count(),
                overRest.size(),
                overRest.size() / restSeconds,
                latencies.percentiles(),
                (System.nanoTime() - sql) / 1e9);
    }

    private static ObjectNode account(int account) {
        ObjectNode spec = AdminCalls.spec().put("tenant", ManyAccounts.tenant(account));
        spec.putArray("replicas")
                .addObject()
                .put("region", ManyAccounts.region(account))
                .put("endpoint", ENDPOINT)
                .put("container", ManyAccounts.container(account))
                .put("credential", "managed-identity");
        return spec;
    }
}
