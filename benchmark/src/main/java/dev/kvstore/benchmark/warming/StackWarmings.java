package dev.kvstore.benchmark.warming;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.measure.AdminCalls;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackLayout;
import java.util.Set;
import java.util.function.Predicate;

/** Warmings of a stack's account from its home, as an admin has them. */
record StackWarmings(AdminCalls admin) {
    private static final Set<String> GOES_ON = Set.of("planning", "running", "paused");

    /**
     * Begins one.
     *
     * @param hottestBytes of those used most; 0 for all that are stored
     */
    String begin(String region, long hottestBytes, long bytesPerSecond, int requestsPerSecond)
            throws InterruptedException {
        ObjectNode spec = AdminCalls.spec()
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
        return admin.post(spec, "warmings").path("id").asText();
    }

    void order(String id, String verb) throws InterruptedException {
        var _ = admin.post(null, "warmings", id, verb);
    }

    /**
     * Waits until a warming is as wanted; returns how many blocks it has copied.
     *
     * @throws LaunchException if it ends otherwise than well
     */
    long await(String id, Predicate<JsonNode> wanted) throws InterruptedException {
        JsonNode warming = admin.await(seen -> wanted.test(seen) || !GOES_ON.contains(state(seen)), "warmings", id);
        if (!wanted.test(warming)) {
            throw new LaunchException("the warming " + id + " is " + state(warming) + ": "
                    + warming.path("flaw").asText("no reason was given"));
        }
        return warming.at("/blocks/copied").asLong();
    }

    private static String state(JsonNode warming) {
        return warming.path("state").asText();
    }

    /** Blocks of whose use at home is known. */
    long hotBlocks() throws InterruptedException {
        return admin.get("accounts", LocalStack.RESOURCE, "heat").path("blocks").asLong();
    }
}
