package dev.kvstore.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A checkout with its built parts.
 *
 * @param path the folder of {@code kv}, absolute
 */
public record Home(Path path) {
    /**
     * The checkout this process was started from: the system property {@code kvstore.home} if set, else the nearest
     * folder with the parent pom from the working directory upward.
     *
     * @throws LaunchException if there is no checkout
     */
    public static Home current() {
        String home = System.getProperty("kvstore.home");
        return home != null && !home.isBlank()
                ? new Home(Path.of(home).toAbsolutePath().normalize())
                : above(Path.of("").toAbsolutePath());
    }

    private static Home above(Path start) {
        for (@Nullable Path folder = start; folder != null; folder = folder.getParent()) {
            if (isCheckout(folder)) {
                return new Home(folder);
            }
        }
        throw new LaunchException(
                "no checkout of KV Store in " + start + " or above: run there, or name it with -Dkvstore.home=FOLDER");
    }

    private static boolean isCheckout(Path folder) {
        try {
            return Files.isDirectory(folder.resolve("launcher"))
                    && Files.readString(folder.resolve("pom.xml")).contains("<artifactId>kvstore-parent</artifactId>");
        } catch (IOException noPom) {
            return false;
        }
    }

    /** The folder for everything that may be deleted. */
    public Path target() {
        return path.resolve("target");
    }

    /** The folder of {@code kv up}, unless a flag names another. */
    public Path stack() {
        return target().resolve("kv-up");
    }
}
