package dev.kvstore.control.database;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The log of a PostgreSQL that is being started. Thread-safe.
 *
 * @param from the log's length before, in bytes
 */
record ServerLog(Path file, long from) {
    private static final int MOST_BYTES = 64 << 10;

    /** pg_ctl's last word on a server that ended at once. */
    private static final String GIVEN_UP = "could not start server";

    /** The lines in which initdb and PostgreSQL say why they end. */
    private static final Pattern REASON = Pattern.compile(
            "(?:^|.*?[0-9\\] ])(?:(?:initdb|postgres|pg_ctl|sh): (?:error: )?|FATAL: +|PANIC: +)(?<why>.+)");

    static ServerLog of(Path file) throws IOException {
        return new ServerLog(file, Files.exists(file) ? Files.size(file) : 0);
    }

    /** Whether the server that was being started has ended. */
    boolean isGivenUp() {
        return lines().stream().anyMatch(line -> line.contains(GIVEN_UP));
    }

    /** Why it could not be started, as it said itself; empty if it did not. */
    String reason() {
        return lines().stream()
                .map(REASON::matcher)
                .filter(line -> line.matches() && !line.group("why").startsWith(GIVEN_UP))
                .map(line -> line.group("why").strip())
                // The first line is the cause; its consequences come later.
                .findFirst()
                .orElse("");
    }

    private List<String> lines() {
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            long begin = Math.max(from, log.length() - MOST_BYTES);
            byte[] said = new byte[(int) Math.max(0, log.length() - begin)];
            log.seek(begin);
            log.readFully(said);
            return new String(said, UTF_8).lines().toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
