package dev.kvstore.benchmark.attack;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.kvstore.launcher.admin.AdminClient;
import dev.kvstore.launcher.admin.RestRequest;
import java.time.Duration;
import java.util.List;

/** A small change, and a look at it, in turn. Thread-safe. */
record HonestAdmin(AdminClient client) implements HonestCalls.HonestCaller {
    static final int CALLS_PER_SECOND = 8;

    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final List<String> OWN = List.of("v1", "tenants", "honest");

    @Override
    public void call(int number) throws InterruptedException {
        long begun = System.nanoTime();
        RestRequest call = number % 2 == 0 ? RestRequest.get(OWN) : change(number);
        var _ = client.send(call).accepted();
        Duration taken = Duration.ofNanos(System.nanoTime() - begun);
        if (taken.compareTo(DEADLINE) > 0) {
            throw new IllegalStateException("an admin was answered after " + taken.toMillis() + " ms");
        }
    }

    private static RestRequest change(int number) {
        return RestRequest.put(
                OWN, JsonNodeFactory.instance.objectNode().put("displayName", "Honest, as of change " + number));
    }

    @Override
    public void close() {
        client.close();
    }
}
