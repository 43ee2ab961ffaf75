package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.AdminException;
import dev.kvstore.launcher.rest.Plain;
import java.io.PrintWriter;
import java.util.Set;

/** Follows a purge until it is over, and prints a line for each change. One thread uses it. */
final class PurgeProgress {
    private static final Set<String> OVER = Set.of("done", "partial", "cancelled");

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
     * Follows a purge and returns its last state.
     *
     * @throws AdminException if the control plane refuses, or has not answered for a while
     */
    JsonNode follow(String id) throws InterruptedException {
        String said = "";
        while (true) {
            JsonNode purge = JobLook.at(client, "purges", id);
            String line = line(purge);
            if (!line.equals(said)) {
                err.println(line);
                err.flush();
                said = line;
            }
            if (OVER.contains(purge.path("state").asText())) {
                return purge;
            }
            Thread.sleep(JobLook.INTERVAL);
        }
    }

    /** The line of a purge, such as {@code deleting: 1,200 blocks deleted of 2,300 looked at}. */
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
