package dev.kvstore.benchmark.attack;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.attack.Attack.Stage;
import dev.kvstore.benchmark.control.OwnDatabase;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.admin.AdminClient;
import dev.kvstore.launcher.admin.RestRequest;
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

    /** The hostile tenant. */
    static final String TENANT = "hostile";

    private static final String RESOURCE = "hostile-store";
    private static final String CLUSTER = "rogue";
    private static final String VIEWER = "viewer";
    private static final String TENANT_ADMIN = "tenant-admin";
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
        AttackScene.Hostile hostile = hostile(stack, folder.resolve("hostile"));
        if (stage == Stage.HEAT) {
            heat(stack, folder);
        }
        String warming = stage == Stage.WARMING ? warming(stack) : "";
        return AttackScene.of(
                stack,
                hostile,
                issuer.token(VIEWER, ALL_TENANTS),
                issuer.token(TENANT_ADMIN, TENANT),
                rogue(stack, warming));
    }

    /** The name of one of the accounts whose use is known, for any number. */
    static String hotAccount(int i) {
        return "hot-" + i % HOT_ACCOUNTS;
    }

    private static StackControlPlane control(LocalStack stack) {
        return Objects.requireNonNull(stack.controlPlane());
    }

    private static void heat(LocalStack stack, Path folder) throws InterruptedException {
        String region = stack.layout().regions().getFirst().name();
        SecureRandom random = new SecureRandom();
        try (AdminClient admin = control(stack).admin();
                OwnDatabase database = OwnDatabase.of(control(stack))) {
            for (int i = 0; i < HOT_ACCOUNTS; i++) {
                String name = hotAccount(i);
                admin.send(RestRequest.put(List.of("v1", "accounts", name), account(region, folder.resolve(name))))
                        .accepted();
                database.heat(region, name, HOT_BLOCKS, random);
            }
        }
    }

    private static ObjectNode account(String region, Path storage) {
        ObjectNode account = JsonNodeFactory.instance.objectNode().put("tenant", TENANT);
        account.putArray("replicas")
                .addObject()
                .put("region", region)
                .put("endpoint", storage.toUri().toString())
                .put("vouched", true);
        return account;
    }

    /** Has the honest client's blocks copied, so slowly that it lasts longer than the attack. */
    private static String warming(LocalStack stack) throws InterruptedException {
        List<StackLayout.Region> regions = stack.layout().regions();
        ObjectNode spec = JsonNodeFactory.instance
                .objectNode()
                .put("resourceName", LocalStack.RESOURCE)
                .put("from", regions.getFirst().name())
                .put("to", regions.getLast().name())
                .put("bytesPerSecond", SLOW_BYTES_PER_SECOND);
        spec.set("select", HonestClient.partition());
        try (AdminClient admin = control(stack).admin()) {
            return admin.send(RestRequest.post(List.of("v1", "warmings"), spec))
                    .accepted()
                    .body()
                    .path("id")
                    .asText();
        }
    }

    private static AttackScene.Rogue rogue(LocalStack stack, String warming) throws InterruptedException {
        try (AdminClient admin = control(stack).admin()) {
            JsonNodeFactory json = JsonNodeFactory.instance;
            StackLayout.Region region = stack.layout().regions().getFirst();
            admin.send(RestRequest.put(
                            List.of("v1", "clusters", CLUSTER),
                            json.objectNode().put("region", region.name())))
                    .accepted();
            String token = admin.send(
                            RestRequest.post(List.of("v1", "clusters", CLUSTER, "join-tokens"), json.objectNode()))
                    .accepted()
                    .body()
                    .path("token")
                    .asText();
            return new AttackScene.Rogue(
                    region.name(), CLUSTER, token, region.clusters().getFirst().name(), warming);
        }
    }

    private static AttackScene.Hostile hostile(LocalStack stack, Path storage) throws InterruptedException {
        String region = stack.layout().regions().getFirst().name();
        try (AdminClient admin = control(stack).admin()) {
            JsonNodeFactory json = JsonNodeFactory.instance;
            admin.send(RestRequest.put(List.of("v1", "tenants", TENANT), json.objectNode()))
                    .accepted();
            admin.send(RestRequest.put(List.of("v1", "accounts", RESOURCE), account(region, storage)))
                    .accepted();
            String key = admin.send(RestRequest.post(List.of("v1", "tenants", TENANT, "keys"), json.objectNode()))
                    .accepted()
                    .body()
                    .path("key")
                    .asText();
            long last = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
            while (!admin.send(RestRequest.get(List.of("v1", "accounts", RESOURCE)))
                    .accepted()
                    .body()
                    .path("ready")
                    .asBoolean()) {
                if (System.nanoTime() > last) {
                    throw new LaunchException(
                            "the hostile tenant's storage was not ready within " + READY_SECONDS + " s");
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
            return new AttackScene.Hostile(RESOURCE, key, storage.toString());
        }
    }
}
