package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.AdminException;
import dev.kvstore.launcher.rest.RestRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Reads a job that is followed to its end: a warming or a purge. Stateless. */
final class JobLook {
    /** The time between two looks at a job. */
    static final Duration INTERVAL = Duration.ofMillis(500);

    /** HTTP statuses of failures that pass by themselves; 0 if no server answered. */
    private static final Set<Integer> PASSING = Set.of(0, 408, 429, 500, 502, 503, 504);

    /** The time in which a control plane may be restarted, or its database may be away. */
    private static final Duration AWAY = Duration.ofMinutes(1);

    private JobLook() {}

    /**
     * Reads the job. A control plane that is away for a moment, or overloaded, is asked again.
     *
     * @param kind {@code warmings} or {@code purges}
     * @throws AdminException if the control plane refuses, or has not answered for a minute
     */
    static JsonNode at(AdminClient client, String kind, String id) throws InterruptedException {
        long end = System.nanoTime() + AWAY.toNanos();
        while (true) {
            try {
                return client.send(RestRequest.get(List.of("v1", kind, id)))
                        .accepted()
                        .body();
            } catch (AdminException e) {
                if (!PASSING.contains(e.status()) || System.nanoTime() >= end) {
                    throw e;
                }
            }
            Thread.sleep(INTERVAL);
        }
    }
}
