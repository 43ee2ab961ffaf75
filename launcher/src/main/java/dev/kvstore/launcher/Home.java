package dev.kvstore.launcher;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Where the built parts of a checkout lie.
 *
 * @param path the folder of {@code kv}, absolute
 */
public record Home(Path path) {
    /**
     * The checkout this process was started from.
     *
     * @throws LaunchException if there is none
     */
    public static Home current() {
        try {
            return new Home(Checkout.home().normalize());
        } catch (IOException e) {
            throw new LaunchException("the checkout is not found: " + e.getMessage(), e);
        }
    }

    /** The folder for everything that may be deleted. */
    public Path target() {
        return path.resolve("target");
    }

    /** The folder of {@code kv up}, unless it is told another. */
    public Path stack() {
        return target().resolve("kv-up");
    }
}
