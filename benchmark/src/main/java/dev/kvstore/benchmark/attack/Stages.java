package dev.kvstore.benchmark.attack;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.attack.Attack.Stage;
import dev.kvstore.benchmark.control.OwnDatabase;
import dev.kvstore.benchmark.measure.AdminCalls;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.launcher.stack.StackLayout;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Puts into a stack what attackers find there: tenants, tokens, work. Stateless. */
final class Stages {
    /** Accounts whose use is known, where it is. */
    static final int HOT_ACCOUNTS = 20;

    /** The blocks of each. */
    static final int HOT_BLOCKS = 100_000;

    /** The cluster of a data plane that attacks. */
    static final String CLUSTER = "rogue";

    private static final String TENANT = "hostile";
    private static final String RESOURCE = "hostile-store";
    private static final String ALL_TENANTS = "*";
    private static final int SLOW_BYTES_PER_SECOND = 100_000;
    private static final long READY_SECONDS = 60;
    private static final long POLL_MILLIS = 200;

    private Stages() {}

    /**
     * Prepares a stage.
     *
     * @param folder of the stack, for storage
     */
    static AttackScene prepare(Stage stage, LocalStack stack, Issuer issuer, Path folder) throws InterruptedException {
        StackControlPlane control = Objects.requireNonNull(stack.controlPlane());
        List<StackLayout.Region> regions = stack.layout().regions();
        String region = regions.getFirst().name();
        Path storage = folder.resolve(TENANT);
        try (AdminCalls admin = AdminCalls.of(stack)) {
            admin.put(AdminCalls.spec(), "tenants", TENANT);
            admin.put(vouched(region, storage), "accounts", RESOURCE);
            String key = admin.newKey(TENANT).text();
            awaitReady(admin);
            if (stage == Stage.HEAT) {
                heat(control, admin, region, folder);
            }
            admin.put(AdminCalls.spec().put("region", region), "clusters", CLUSTER);
            String rogue = admin.post(AdminCalls.spec(), "clusters", CLUSTER, "join-tokens")
                    .path("token")
                    .asText();
            return new AttackScene(
                    stack.dataPlane(0).endpoint(),
                    control.address(),
                    control.restUrl().toString(),
                    RESOURCE,
                    key,
                    storage.toString(),
                    issuer.token("viewer", ALL_TENANTS),
                    issuer.token("tenant-admin", TENANT),
                    region,
                    rogue,
                    regions.getFirst().clusters().getFirst().name(),
                    stage == Stage.WARMING
                            ? warming(admin, region, regions.getLast().name())
                            : "");
        }
    }

    /** The name of one of the accounts whose use is known, for any number. */
    static String hotAccount(int i) {
        return "hot-" + i % HOT_ACCOUNTS;
    }

    /** An account of the hostile tenant over a folder. */
    static ObjectNode account(String region, Path storage) {
        ObjectNode account = AdminCalls.spec().put("tenant", TENANT);
        account.putArray("replicas")
                .addObject()
                .put("region", region)
                .put("endpoint", storage.toUri().toString());
        return account;
    }

    private static ObjectNode vouched(String region, Path storage) {
        ObjectNode account = account(region, storage);
        ((ObjectNode) account.at("/replicas/0")).put("vouched", true);
        return account;
    }

    private static void awaitReady(AdminCalls admin) throws InterruptedException {
        long last = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
        while (!admin.get("accounts", RESOURCE).path("ready").asBoolean()) {
            if (System.nanoTime() > last) {
                throw new LaunchException("the hostile tenant's storage was not ready within " + READY_SECONDS + " s");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private static void heat(StackControlPlane control, AdminCalls admin, String region, Path folder)
            throws InterruptedException {
        SecureRandom random = new SecureRandom();
        try (OwnDatabase database = OwnDatabase.of(control)) {
            for (int i = 0; i < HOT_ACCOUNTS; i++) {
                String name = hotAccount(i);
                admin.put(vouched(region, folder.resolve(name)), "accounts", name);
                database.heat(region, name, HOT_BLOCKS, random);
            }
        }
    }

    /** Has the honest client's blocks copied, so slowly that it lasts longer than the attack. */
    private static String warming(AdminCalls admin, String from, String to) throws InterruptedException {
        ObjectNode spec = AdminCalls.spec()
                .put("resourceName", LocalStack.RESOURCE)
                .put("from", from)
                .put("to", to)
                .put("bytesPerSecond", SLOW_BYTES_PER_SECOND);
        spec.putObject("select")
                .put("partition", HonestUsers.PARTITION.name())
                .put("blockTokens", HonestUsers.PARTITION.blockTokens());
        return admin.post(spec, "warmings").path("id").asText();
    }
}
