package dev.kvstore.benchmark.measure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.RestRequest;
import dev.kvstore.launcher.stack.ApiKey;
import dev.kvstore.launcher.stack.LocalStack;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The calls of an admin to the control plane of a stack, over REST. Paths are without {@code v1}. Each call throws an
 * {@code AdminException} if it is not accepted. Thread-safe.
 *
 * @param client closed with this
 */
public record AdminCalls(AdminClient client) implements AutoCloseable {
    private static final int LOOK_AGAIN_MILLIS = 50;

    /** @param stack with a control plane */
    public static AdminCalls of(LocalStack stack) {
        return new AdminCalls(Objects.requireNonNull(stack.controlPlane()).admin());
    }

    /** An empty object, to be filled. */
    public static ObjectNode spec() {
        return JsonNodeFactory.instance.objectNode();
    }

    public JsonNode get(String... path) throws InterruptedException {
        return accepted(RestRequest.get(versioned(path)));
    }

    /** Asks for a resource again and again until it is as wanted; returns it. */
    public JsonNode await(Predicate<JsonNode> wanted, String... path) throws InterruptedException {
        JsonNode resource = get(path);
        while (!wanted.test(resource)) {
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
            resource = get(path);
        }
        return resource;
    }

    public void put(JsonNode spec, String... path) throws InterruptedException {
        var _ = accepted(RestRequest.put(versioned(path), spec));
    }

    /** @param spec null for none */
    public JsonNode post(@Nullable JsonNode spec, String... path) throws InterruptedException {
        return accepted(RestRequest.post(versioned(path), spec));
    }

    public void delete(String... path) throws InterruptedException {
        var _ = accepted(RestRequest.delete(versioned(path)));
    }

    /** Makes an API key. */
    public ApiKey newKey(String tenant) throws InterruptedException {
        JsonNode made = post(spec().put("label", "bench"), "tenants", tenant, "keys");
        return new ApiKey(made.path("key").asText());
    }

    private JsonNode accepted(RestRequest request) throws InterruptedException {
        return client.send(request).accepted().body();
    }

    private static List<String> versioned(String... path) {
        return Stream.concat(Stream.of("v1"), Stream.of(path)).toList();
    }

    @Override
    public void close() {
        client.close();
    }
}
