package dev.kvstore.doctor.environment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kvstore.launcher.IoReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * An environment that is looked at. Immutable.
 *
 * @param source where it is from, for people
 * @param values by name; never printed, since some are secrets
 */
public record Variables(String source, Map<String, String> values) {
    private static final String STANDARD_INPUT = "-";

    public Variables {
        values = Map.copyOf(values);
    }

    /**
     * The variables of a file: lines {@code NAME=VALUE}, as {@code env} prints and container engines read them, or with
     * a zero byte between them, as {@code /proc/PID/environ} has them. {@code -} is standard input.
     *
     * @throws IllegalArgumentException if the file cannot be read
     */
    public static Variables read(String file) {
        try {
            boolean piped = file.equals(STANDARD_INPUT);
            byte[] bytes = piped ? System.in.readAllBytes() : Files.readAllBytes(Path.of(file));
            return new Variables(piped ? "standard input" : file, parse(new String(bytes, UTF_8)));
        } catch (IOException e) {
            throw new IllegalArgumentException("--environment: " + file + " cannot be read: " + IoReason.of(e), e);
        }
    }

    private static Map<String, String> parse(String text) {
        Map<String, String> values = new TreeMap<>();
        for (String line : text.split(text.indexOf('\0') < 0 ? "\n" : "\0", -1)) {
            int equals = line.indexOf('=');
            if (equals > 0 && !line.startsWith("#")) {
                values.put(
                        line.substring(0, equals).replaceFirst("^export ", "").strip(),
                        line.substring(equals + 1).strip());
            }
        }
        return values;
    }

    /** The value of a variable; empty if it is not set. */
    public String value(String name) {
        return values.getOrDefault(name, "");
    }
}
