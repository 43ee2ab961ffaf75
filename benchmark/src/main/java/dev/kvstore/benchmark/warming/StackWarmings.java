package dev.kvstore.benchmark.warming;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.admin.AdminClient;
import dev.kvstore.launcher.admin.RestRequest;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackLayout;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Warmings of a stack's account from its home, as an admin has them. */
record StackWarmings(AdminClient admin) {
    private static final int LOOK_AGAIN_MILLIS = 200;

    /**
     * Begins one.
     *
     * @param hottestBytes of those used most; 0 for all that are stored
     */
    String begin(String region, long hottestBytes, long bytesPerSecond, int requestsPerSecond)
            throws InterruptedException {
        ObjectNode spec = JsonNodeFactory.instance
                .objectNode()
                .put("resourceName", LocalStack.RESOURCE)
                .put("from", StackLayout.HOME)
                .put("to", region)
                .put("bytesPerSecond", bytesPerSecond)
                .put("requestsPerSecond", requestsPerSecond);
        ObjectNode select = spec.putObject("select");
        if (hottestBytes == 0) {
            select.put("all", true);
        } else {
            select.put("hottestBytes", hottestBytes);
        }
        return admin.send(RestRequest.post(List.of("v1", "warmings"), spec))
                .accepted()
                .body()
                .path("id")
                .asText();
    }

    void order(String id, String verb) throws InterruptedException {
        var _ = admin.send(RestRequest.post(List.of("v1", "warmings", id, verb), null))
                .accepted();
    }

    JsonNode get(String id) throws InterruptedException {
        return admin.send(RestRequest.get(List.of("v1", "warmings", id)))
                .accepted()
                .body();
    }

    /** @throws LaunchException if it ends otherwise than well */
    JsonNode await(String id, Predicate<JsonNode> wanted) throws InterruptedException {
        while (true) {
            JsonNode warming = get(id);
            if (wanted.test(warming)) {
                return warming;
            }
            String state = warming.path("state").asText();
            if (!List.of("planning", "running", "paused").contains(state)) {
                throw new LaunchException("the warming " + id + " is " + state + ": "
                        + warming.path("flaw").asText("no reason was given"));
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
        }
    }

    /** Until every block is there. */
    JsonNode awaitDone(String id) throws InterruptedException {
        return await(id, warming -> warming.path("state").asText().equals("done"));
    }

    /** Blocks of whose use at home is known. */
    long hotBlocks() throws InterruptedException {
        return admin.send(RestRequest.get(List.of("v1", "accounts", LocalStack.RESOURCE, "heat")))
                .accepted()
                .body()
                .path("blocks")
                .asLong();
    }
}
