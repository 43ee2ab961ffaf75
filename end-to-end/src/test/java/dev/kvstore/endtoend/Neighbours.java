package dev.kvstore.endtoend;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.RestRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Two tenants of a stack, registered as an admin would: an owner of two accounts, and a guest with one of its own, who
 * may read one partition of one of the owner's.
 */
final class Neighbours implements AutoCloseable {
    static final String OWNER = "owner";
    static final String GUEST = "guest";

    /** The owner's account that has something for the guest. */
    static final String SHARED = "owner-shared";

    /** The owner's account that has nothing for anybody else. */
    static final String PRIVATE = "owner-private";

    static final String GUESTS = "guest-own";

    /** Blocks of every prompt. */
    static final int BLOCKS = 4;

    /** The number of these blocks that are stored. */
    static final int STORED = 3;

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final Duration READY_WITHIN = Duration.ofSeconds(30);

    /** In {@link #SHARED}; the guest may read it. */
    final TestPrompt granted = TestPrompt.unique(BLOCKS);

    /** In {@link #SHARED}; the guest may not. */
    final TestPrompt withheld = TestPrompt.unique(BLOCKS);

    /** In {@link #PRIVATE}. */
    final TestPrompt hidden = TestPrompt.unique(BLOCKS);

    /** In {@link #GUESTS}. */
    final TestPrompt guests = TestPrompt.unique(BLOCKS);

    private final AdminClient admin;
    private final String ownerKey;
    private final String guestKey;

    /**
     * Registers them.
     *
     * @param admin is closed in the end
     * @param storage a folder for what they store
     */
    Neighbours(AdminClient admin, Path storage) throws InterruptedException {
        this.admin = admin;
        put(JSON.objectNode(), "tenants", OWNER);
        put(JSON.objectNode(), "tenants", GUEST);
        account(SHARED, OWNER, storage);
        account(PRIVATE, OWNER, storage);
        account(GUESTS, GUEST, storage);
        ObjectNode grant = JSON.objectNode().put("grantee", GUEST);
        grant.put("partition", granted.partition().name()).putArray("access").add("read");
        put(grant, "accounts", SHARED, "grants", "reading");
        this.ownerKey = key(OWNER, null);
        this.guestKey = key(GUEST, null);
        for (String account : List.of(SHARED, PRIVATE, GUESTS)) {
            await().atMost(READY_WITHIN)
                    .until(() -> get("accounts", account).path("ready").asBoolean());
        }
    }

    private void account(String name, String tenant, Path storage) throws InterruptedException {
        ObjectNode account = JSON.objectNode().put("tenant", tenant);
        account.putArray("replicas")
                .addObject()
                .put("region", "local")
                .put("endpoint", storage.resolve(name).toUri().toString())
                .put("vouched", true);
        put(account, "accounts", name);
    }

    String ownerKey() {
        return ownerKey;
    }

    String guestKey() {
        return guestKey;
    }

    /** A new key. */
    String key(String tenant, @Nullable Instant end) throws InterruptedException {
        ObjectNode spec = JSON.objectNode();
        if (end != null) {
            spec.put("expiresAt", end.toString());
        }
        return admin.send(RestRequest.post(path("tenants", tenant, "keys"), spec))
                .accepted()
                .body()
                .path("key")
                .asText();
    }

    void revoke(String tenant, String key) throws InterruptedException {
        admin.send(RestRequest.delete(path("tenants", tenant, "keys", id(key)))).accepted();
    }

    /** The public part of a key. */
    static String id(String key) {
        return key.split("_", 3)[1];
    }

    /** The callers and the requests in the control plane's list of refusals. */
    Set<String> refusals() throws InterruptedException {
        return admin.list(RestRequest.get(path("refusals")), 10_000).items().stream()
                .map(refusal -> refusal.path("actor").asText() + " "
                        + refusal.path("what").asText())
                .collect(Collectors.toSet());
    }

    private void put(ObjectNode spec, String... path) throws InterruptedException {
        admin.send(RestRequest.put(path(path), spec)).accepted();
    }

    private JsonNode get(String... path) throws InterruptedException {
        return admin.send(RestRequest.get(path(path))).accepted().body();
    }

    private static List<String> path(String... parts) {
        return Stream.concat(Stream.of("v1"), Arrays.stream(parts)).toList();
    }

    @Override
    public void close() {
        admin.close();
    }
}
