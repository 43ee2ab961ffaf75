package dev.kvstore.settings;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** The version of this build: the version of its Maven project, which Maven puts into {@code version.txt}. */
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"KV Store " + text()};
    }

    /** The version, such as {@code 0.1.0}. */
    public static String text() {
        try (InputStream file = Objects.requireNonNull(Version.class.getResourceAsStream("version.txt"))) {
            return new String(file.readAllBytes(), UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
