package dev.kvstore.launcher.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.RestRequest;
import dev.kvstore.launcher.rest.RestResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Registers the parts of a stack at its control plane over REST, like an admin. A repetition changes nothing that is
 * right already. One thread uses it.
 */
final class StackRegistration {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int NOT_FOUND = 404;
    private static final int PRECONDITION_FAILED = 412;
    private static final int UNAVAILABLE = 503;
    private static final Duration POLL = Duration.ofMillis(100);

    // A data plane that was just started has to learn of the account first.
    private static final Duration READY_WITHIN = Duration.ofSeconds(60);

    // Heartbeats come each second. An admin may have taken all processes of a region out of service: the stack starts
    // all the same.
    private static final Duration ROUTED_WITHIN = Duration.ofSeconds(10);

    private final AdminClient admin;
    private final StackLayout layout;

    StackRegistration(AdminClient admin, StackLayout layout) {
        this.admin = admin;
        this.layout = layout;
    }

    /**
     * Registers regions, clusters, tenant and account, and makes a key of the tenant.
     *
     * @param storages the storages of the account, by region
     * @param folder keeps the key for the next start
     */
    ApiKey register(Map<String, StackAccounts.Storage> storages, StackFolder folder)
            throws IOException, InterruptedException {
        registerPlaces();
        putIfAbsent(JSON.objectNode(), "tenants", LocalStack.TENANT);
        put(account(storages), "accounts", LocalStack.RESOURCE);
        ApiKey kept = folder.keptKey();
        if (kept != null && isGood(kept)) {
            return kept;
        }
        ApiKey made = make();
        folder.keep(made);
        return made;
    }

    /**
     * A join token for each cluster, by the cluster's name. Must be called once the clusters are registered.
     *
     * @param folder keeps the tokens for the next start
     */
    Map<String, JoinToken> joinTokens(StackFolder folder) throws IOException, InterruptedException {
        Map<String, JoinToken> tokens = new HashMap<>();
        for (StackLayout.Region region : layout.regions()) {
            for (StackLayout.Cluster cluster : region.clusters()) {
                tokens.put(cluster.name(), joinToken(cluster.name(), folder));
            }
        }
        return Map.copyOf(tokens);
    }

    private JoinToken joinToken(String cluster, StackFolder folder) throws IOException, InterruptedException {
        JoinToken kept = folder.keptJoinToken(cluster);
        if (kept != null && isGood(cluster, kept)) {
            return kept;
        }
        RestRequest request = RestRequest.post(
                path("clusters", cluster, "join-tokens"), JSON.objectNode().put("label", "kv up"));
        JoinToken made =
                new JoinToken(send(request).accepted().body().path("token").asText());
        folder.keep(cluster, made);
        return made;
    }

    /** Whether a token is good: a revoked token is not listed. */
    private boolean isGood(String cluster, JoinToken token) throws InterruptedException {
        RestResponse response = send(RestRequest.get(path("clusters", cluster, "join-tokens", token.id())));
        return response.status() != NOT_FOUND && isAhead(response.accepted().body());
    }

    private static boolean isAhead(JsonNode view) {
        String expiresAt = view.path("expiresAt").asText(null);
        return expiresAt == null || Instant.parse(expiresAt).isAfter(Instant.now());
    }

    private void registerPlaces() throws InterruptedException {
        for (StackLayout.Region region : layout.regions()) {
            putIfAbsent(JSON.objectNode(), "regions", region.name());
            for (StackLayout.Cluster cluster : region.clusters()) {
                ObjectNode spec = JSON.objectNode().put("region", region.name()).put("state", "active");
                putIfAbsent(spec, "clusters", cluster.name());
            }
        }
        long micros = TimeUnit.NANOSECONDS.toMicros(layout.roundTrip().toNanos());
        List<StackLayout.Region> regions = layout.regions();
        for (int i = 0; i < regions.size(); i++) {
            for (StackLayout.Region other : regions.subList(i + 1, regions.size())) {
                ObjectNode spec = JSON.objectNode().put("micros", Math.max(1, micros));
                put(spec, "regions", regions.get(i).name(), "round-trips", other.name());
            }
        }
    }

    private ObjectNode account(Map<String, StackAccounts.Storage> storages) {
        ObjectNode account = JSON.objectNode()
                .put("tenant", LocalStack.TENANT)
                .put("homeRegion", layout.regions().getFirst().name());
        ArrayNode replicas = account.putArray("replicas");
        for (StackLayout.Region region : layout.regions()) {
            place(
                    replicas.addObject().put("region", region.name()),
                    Objects.requireNonNull(storages.get(region.name())));
        }
        return account;
    }

    private static void place(ObjectNode replica, StackAccounts.Storage storage) {
        switch (storage) {
            case StackAccounts.Filesystem folder ->
                replica.put("endpoint", Path.of(folder.path()).toUri().toString());
            case StackAccounts.Azure azure ->
                replica.put("endpoint", azure.endpoint())
                        .put("container", azure.container())
                        .put("credential", azure.credential())
                        .put("createContainer", azure.createContainer());
        }
        // The storage is this stack's own, so it needs no proof.
        replica.put("vouched", true);
    }

    private boolean isGood(ApiKey key) throws InterruptedException {
        RestResponse response = send(RestRequest.get(path("tenants", LocalStack.TENANT, "keys", key.id())));
        if (response.status() == NOT_FOUND) {
            return false;
        }
        JsonNode view = response.accepted().body();
        return view.path("revokedAt").asText(null) == null && isAhead(view);
    }

    private ApiKey make() throws InterruptedException {
        ObjectNode spec = JSON.objectNode().put("label", "kv up");
        RestRequest request = RestRequest.post(path("tenants", LocalStack.TENANT, "keys"), spec);
        return new ApiKey(send(request).accepted().body().path("key").asText());
    }

    /**
     * Waits until a data plane has found the account's storage good, and then until clients are sent to the data
     * planes.
     *
     * @throws LaunchException if this takes longer than 60 s, with the last answer
     */
    void awaitReady(StackDataPlane dataPlane) throws InterruptedException {
        long start = System.nanoTime();
        JsonNode account = account();
        while (!account.path("ready").asBoolean()) {
            if (dataPlane.process().endsWithin(POLL)) {
                throw new LaunchException(dataPlane.name() + " ended before it had tried the storage; its log: "
                        + dataPlane.process().log());
            }
            if (System.nanoTime() - start > READY_WITHIN.toNanos()) {
                throw new LaunchException("the account " + LocalStack.RESOURCE + " was not ready within "
                        + READY_WITHIN.toSeconds() + " s: " + why(account) + "; the log of a data plane: "
                        + dataPlane.process().log());
            }
            account = account();
        }
        awaitRoutes();
    }

    /**
     * Waits until clients in each region are sent to a data plane there: a client whose route names none fails its
     * first call.
     */
    private void awaitRoutes() throws InterruptedException {
        long start = System.nanoTime();
        for (StackLayout.Region region : layout.regions()) {
            while (!isServed(region.name()) && System.nanoTime() - start < ROUTED_WITHIN.toNanos()) {
                Thread.sleep(POLL);
            }
        }
    }

    private boolean isServed(String region) throws InterruptedException {
        RestRequest request =
                RestRequest.get(path("routes", LocalStack.RESOURCE)).with("region", region);
        RestResponse response = send(request);
        if (response.status() == UNAVAILABLE) {
            return false;
        }
        return response.accepted()
                .body()
                .path("levels")
                .valueStream()
                .anyMatch(level -> level.path("region").asText().equals(region)
                        && !level.path("targets").isEmpty());
    }

    private JsonNode account() throws InterruptedException {
        return send(RestRequest.get(path("accounts", LocalStack.RESOURCE)))
                .accepted()
                .body();
    }

    /** The report of an account's first replica that is not ready. */
    static String why(JsonNode account) {
        JsonNode place = account.path("replicas")
                .valueStream()
                .filter(replica -> !replica.path("state").asText().equals("ready"))
                .findFirst()
                .orElse(JSON.objectNode());
        JsonNode report = place.path("report");
        if (!report.isObject()) {
            return "no data plane has tried its storage "
                    + place.path("endpoint").asText();
        }
        String step = report.path("steps")
                .valueStream()
                .filter(tried -> !tried.path("ok").asBoolean())
                .map(tried -> tried.path("name").asText() + " failed: "
                        + tried.path("reason").asText())
                .findFirst()
                .orElse("it gave no reason");
        return report.path("by").asText() + " tried its storage "
                + place.path("endpoint").asText() + ": " + step;
    }

    private void put(ObjectNode spec, String... path) throws InterruptedException {
        send(RestRequest.put(path(path), spec)).accepted();
    }

    /** Puts a resource unless it exists: changes that an admin has made since stay. */
    private void putIfAbsent(ObjectNode spec, String... path) throws InterruptedException {
        RestResponse response = send(RestRequest.put(path(path), spec).withHeaders(Map.of("If-None-Match", "*")));
        if (response.status() != PRECONDITION_FAILED) {
            response.accepted();
        }
    }

    private RestResponse send(RestRequest request) throws InterruptedException {
        return admin.send(request);
    }

    private static List<String> path(String... parts) {
        List<String> path = new ArrayList<>(List.of("v1"));
        path.addAll(List.of(parts));
        return path;
    }
}
