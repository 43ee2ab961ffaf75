package dev.kvstore.benchmark.fleet;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.admin.AdminClient;
import dev.kvstore.launcher.admin.RestRequest;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.protocol.control.v1.GetRouteRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The registry from which routes are computed, as an admin registers it: clusters spread over regions, and accounts
 * that may be used from three of the regions. For one thread.
 *
 * @param folder where the accounts' blocks would lie
 */
record RoutesScene(AdminClient admin, List<String> clusters, Path folder) {
    static final int REGIONS = 10;
    static final int ACCOUNTS = 50;

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final long PATIENCE_SECONDS = 60;
    private static final int POLL_MILLIS = 100;
    private static final double NANOS = 1e9;

    /** Each pair of account and region, in turn. */
    static GetRouteRequest request(int number) {
        return GetRouteRequest.newBuilder()
                .setResourceName(account(number % ACCOUNTS))
                .setRegion(region(number / ACCOUNTS % REGIONS))
                .build();
    }

    /** The API key of somebody who may ask for routes. */
    String key() throws InterruptedException {
        return admin.send(RestRequest.post(List.of("v1", "tenants", LocalStack.TENANT, "keys"), JSON.objectNode()))
                .accepted()
                .body()
                .path("key")
                .asText();
    }

    /** Registers all, and waits until every account can be used. */
    void register() throws InterruptedException {
        regions();
        for (int i = 0; i < clusters.size(); i++) {
            state(i, "active");
        }
        for (int i = 0; i < ACCOUNTS; i++) {
            register(account(i));
        }
        for (int i = 0; i < ACCOUNTS; i++) {
            awaitReady(account(i));
        }
    }

    private void regions() throws InterruptedException {
        for (int i = 0; i < REGIONS; i++) {
            put(JSON.objectNode(), "regions", region(i));
            for (int j = 0; j < i; j++) {
                ObjectNode time = JSON.objectNode().put("micros", 10_000 * (i - j));
                put(time, "regions", region(i), "round-trips", region(j));
            }
        }
    }

    /** The cluster that all routes name. */
    String chosen() {
        return clusters.getFirst();
    }

    /** Sets the state of the cluster that all routes name. */
    void choose(String state) throws InterruptedException {
        state(0, state);
    }

    private void state(int cluster, String state) throws InterruptedException {
        ObjectNode spec =
                JSON.objectNode().put("region", region(cluster % REGIONS)).put("state", state);
        put(spec, "clusters", clusters.get(cluster));
    }

    private void register(String name) throws InterruptedException {
        ObjectNode account = JSON.objectNode().put("tenant", LocalStack.TENANT);
        account.putArray("allowedRegions").add(region(0)).add(region(1)).add(region(2));
        account.putArray("replicas")
                .addObject()
                .put("region", region(0))
                .put("endpoint", folder.resolve(name).toUri().toString())
                .put("vouched", true);
        put(account, "accounts", name);
        // So that all routes name it.
        put(JSON.objectNode().put("cluster", chosen()), "accounts", name, "placements", region(0));
    }

    private void awaitReady(String account) throws InterruptedException {
        long start = System.nanoTime();
        while (!admin.send(RestRequest.get(List.of("v1", "accounts", account)))
                .accepted()
                .body()
                .path("ready")
                .asBoolean()) {
            if ((System.nanoTime() - start) / NANOS > PATIENCE_SECONDS) {
                throw new LaunchException(account + " was not ready within " + PATIENCE_SECONDS + " s");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private void put(ObjectNode spec, String... path) throws InterruptedException {
        List<String> all = new ArrayList<>(List.of("v1"));
        all.addAll(List.of(path));
        admin.send(RestRequest.put(all, spec)).accepted();
    }

    private static String region(int number) {
        return "bench-r" + number;
    }

    private static String account(int number) {
        return "bench-a" + number;
    }
}
