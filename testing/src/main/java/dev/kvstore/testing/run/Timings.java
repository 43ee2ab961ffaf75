package dev.kvstore.testing.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The time that each class took in its last run, in a file of lines {@code milliseconds class}. Thread-safe. */
final class Timings {
    // The guess for a class that never ran here. With it, unknown classes do not come last.
    private static final Duration GUESS = Duration.ofSeconds(2);
    private static final Duration GUESS_INTEGRATION = Duration.ofSeconds(20);

    private final Path file;
    private final Map<String, Long> millis = new ConcurrentHashMap<>();

    private Timings(Path file) {
        this.file = file;
    }

    /** Reads the timings of a file; none if it does not exist. */
    static Timings read(Path file) throws IOException {
        Timings timings = new Timings(file);
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                String[] words = line.split(" ", 2);
                if (words.length == 2 && words[0].matches("[0-9]{1,12}")) {
                    timings.millis.put(words[1], Long.parseLong(words[0]));
                }
            }
        }
        return timings;
    }

    Duration expected(String className) {
        Long known = millis.get(className);
        if (known != null) {
            return Duration.ofMillis(known);
        }
        return className.endsWith("IT") ? GUESS_INTEGRATION : GUESS;
    }

    void took(String className, Duration time) {
        millis.put(className, time.toMillis());
    }

    void write() throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        StringBuilder text = new StringBuilder();
        new TreeMap<>(millis)
                .forEach((name, value) ->
                        text.append(value).append(' ').append(name).append('\n'));
        Files.writeString(file, text);
    }
}
