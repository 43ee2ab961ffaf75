package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Follows a purge until it is over, a line with each change. For one thread. */
final class PurgeProgress {
    private static final Set<String> OVER = Set.of("done", "partial", "cancelled");

    /** HTTP's, of what passes by itself; 0 where nothing answered. */
    private static final Set<Integer> PASSING = Set.of(0, 408, 429, 500, 502, 503, 504);

    /** For so long a control plane may be started anew, or its database be away. */
    private static final Duration AWAY = Duration.ofMinutes(1);

    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

    private final AdminClient client;
    private final PrintWriter err;

    PurgeProgress(AdminClient client, PrintWriter err) {
        this.client = client;
        this.err = err;
    }

    /** The exit code of a command that followed a purge: 1 if not all of its blocks are gone. */
    static int exitCode(JsonNode purge) {
        return purge.path("state").asText().equals("done") ? 0 : 1;
    }

    /**
     * The purge as it is then.
     *
     * @throws AdminException if the control plane refuses, or has not answered for a while
     */
    JsonNode follow(String id) throws InterruptedException {
        String said = "";
        while (true) {
            JsonNode purge = look(id);
            String line = line(purge);
            if (!line.equals(said)) {
                err.println(line);
                err.flush();
                said = line;
            }
            if (OVER.contains(purge.path("state").asText())) {
                return purge;
            }
            TimeUnit.NANOSECONDS.sleep(LOOK_AGAIN.toNanos());
        }
    }

    /** A control plane that is away for a moment, or overloaded, is asked again. */
    private JsonNode look(String id) throws InterruptedException {
        long end = System.nanoTime() + AWAY.toNanos();
        while (true) {
            try {
                return client.send(RestRequest.get(List.of("v1", "purges", id)))
                        .accepted()
                        .body();
            } catch (AdminException e) {
                if (!PASSING.contains(e.status()) || System.nanoTime() >= end) {
                    throw e;
                }
            }
            TimeUnit.NANOSECONDS.sleep(LOOK_AGAIN.toNanos());
        }
    }

    /** Such as {@code deleting: 1,200 blocks deleted of 2,300 looked at}. */
    static String line(JsonNode purge) {
        long failed = purge.path("failed").asLong();
        StringBuilder line = new StringBuilder("%s: %,d blocks deleted of %,d looked at"
                .formatted(
                        purge.path("state").asText(),
                        purge.path("deleted").asLong(),
                        purge.path("lookedAt").asLong()));
        if (failed > 0) {
            line.append("; %,d failed".formatted(failed));
        }
        if (purge.path("flaw").isTextual()) {
            line.append("; ").append(purge.path("flaw").asText());
        }
        if (purge.path("waiting").isTextual()) {
            line.append("; waits ").append(purge.path("waiting").asText());
        }
        return Plain.line(line.toString());
    }
}
