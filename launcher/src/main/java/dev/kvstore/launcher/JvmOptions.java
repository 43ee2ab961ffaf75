package dev.kvstore.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The JVM flags that every process of KV Store shares: the list in {@code jvm.options}, next to this class. */
public final class JvmOptions {
    private JvmOptions() {}

    /** One flag per entry, in the file's order. */
    public static List<String> common() {
        return read("jvm.options");
    }

    /** One flag per entry of a file next to this class. */
    static List<String> read(String name) {
        try (InputStream file = Objects.requireNonNull(JvmOptions.class.getResourceAsStream(name), name)) {
            return new String(file.readAllBytes(), UTF_8)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The start of a command line: this process's own java with the common flags.
     *
     * @param more further flags, after the common ones
     */
    public static List<String> java(List<String> more) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(common());
        command.addAll(more);
        return List.copyOf(command);
    }
}
