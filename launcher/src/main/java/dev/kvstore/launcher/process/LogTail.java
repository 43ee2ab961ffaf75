package dev.kvstore.launcher.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** The end of a log, for the message about a failed start. */
final class LogTail {
    private static final int BYTES = 8 << 10;
    private static final int LINES = 20;

    private LogTail() {}

    /** The last 20 lines or 8 KiB, whichever is less, with the file's name above them. */
    static String of(Path log) {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            long from = Math.max(0, file.length() - BYTES);
            byte[] end = new byte[(int) (file.length() - from)];
            file.seek(from);
            file.readFully(end);
            List<String> lines = new String(end, UTF_8).lines().toList();
            if (lines.isEmpty()) {
                return "; its log is empty: " + log;
            }
            return lines.subList(Math.max(0, lines.size() - LINES), lines.size()).stream()
                    .map(line -> "    " + line)
                    .collect(Collectors.joining("\n", "; the end of its log " + log + ":\n", ""));
        } catch (IOException e) {
            return "; its log cannot be read: " + e.getMessage();
        }
    }
}
