package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.AdminException;
import dev.kvstore.launcher.rest.Plain;
import java.io.Console;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Follows a warming until it is over, on one line of a terminal, or with a line now and then elsewhere. One thread uses
 * it.
 */
final class WarmingProgress {
    private static final Set<String> OVER = Set.of("done", "partial", "cancelled", "failed");

    private static final int LOOKS_BETWEEN_LINES = 20;
    private static final int BAR = 24;
    private static final String CLEAR = "\r\u001B[K";

    private final AdminClient client;
    private final PrintWriter err;
    private final boolean terminal;

    WarmingProgress(AdminClient client, PrintWriter err) {
        this.client = client;
        this.err = err;
        this.terminal =
                Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    }

    static boolean isOver(JsonNode warming) {
        return OVER.contains(warming.path("state").asText());
    }

    /**
     * The exit code of a command that followed a warming: 1 if the warming is over and not all of its blocks were
     * copied.
     */
    static int exitCode(JsonNode warming) {
        return isOver(warming) && !warming.path("state").asText().equals("done") ? 1 : 0;
    }

    /**
     * Follows a warming and returns its last state.
     *
     * @throws AdminException if the control plane refuses, or has not answered for a while
     */
    JsonNode follow(String id) throws InterruptedException {
        int looks = 0;
        while (true) {
            JsonNode warming = JobLook.at(client, "warmings", id);
            boolean over = isOver(warming);
            if (terminal) {
                err.print(CLEAR + line(warming) + (over ? "\n" : ""));
            } else if (over || looks % LOOKS_BETWEEN_LINES == 0) {
                err.println(line(warming));
            }
            err.flush();
            if (over) {
                return warming;
            }
            looks++;
            Thread.sleep(JobLook.INTERVAL);
        }
    }

    /**
     * The line of a warming, such as {@code running [######      ]  52 %  1,200 of 2,300 blocks, 98.2 MB/s, 12 s left}.
     */
    static String line(JsonNode warming) {
        JsonNode blocks = warming.path("blocks");
        JsonNode bytes = warming.path("bytes");
        long all = bytes.path("all").asLong();
        long done = all - bytes.path("left").asLong();
        String state = warming.path("state").asText();
        if (state.equals("planning")) {
            return "planning: %,d blocks found so far"
                    .formatted(blocks.path("all").asLong());
        }
        double share = all == 0 ? 1 : (double) done / all;
        int full = (int) (share * BAR);
        StringBuilder line = new StringBuilder("%-8s [%s%s] %3.0f %%  %,d of %,d blocks, %s of %s"
                .formatted(
                        state,
                        "#".repeat(full),
                        " ".repeat(BAR - full),
                        Math.floor(share * 100),
                        blocks.path("all").asLong() - blocks.path("left").asLong(),
                        blocks.path("all").asLong(),
                        Amount.text(done),
                        Amount.text(all)));
        if (state.equals("running")) {
            line.append(", ").append(Amount.text(warming.path("rate").asLong())).append("/s");
            if (warming.path("eta").isNumber()) {
                line.append(", ").append(time(warming.path("eta").asLong())).append(" left");
            }
        }
        count(line, blocks, "present", "there already");
        count(line, blocks, "failed", "failed");
        if (warming.path("waiting").isTextual()) {
            line.append("; waits: ").append(warming.path("waiting").asText());
        }
        if (warming.path("flaw").isTextual()) {
            line.append("; ").append(warming.path("flaw").asText());
        }
        return Plain.line(line.toString());
    }

    private static void count(StringBuilder line, JsonNode blocks, String field, String word) {
        if (blocks.path(field).asLong() > 0) {
            line.append("; %,d %s".formatted(blocks.path(field).asLong(), word));
        }
    }

    private static String time(long seconds) {
        Duration time = Duration.ofSeconds(seconds);
        return time.toHours() > 0
                ? "%d:%02d:%02d".formatted(time.toHours(), time.toMinutesPart(), time.toSecondsPart())
                : "%d:%02d".formatted(time.toMinutes(), time.toSecondsPart());
    }
}
