package dev.kvstore.launcher;

import java.io.IOException;
import java.nio.file.Files;
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

    /** Where everything goes that may be deleted. */
    public Path target() {
        return path.resolve("target");
    }

    /**
     * The data plane's runnable jar.
     *
     * @throws LaunchException if it was not built
     */
    public Path dataPlaneJar() {
        Path jar = path.resolve("data-plane/target/quarkus-app/quarkus-run.jar");
        if (!Files.exists(jar)) {
            throw new LaunchException("the data plane is not built (" + jar + " is missing): run ./kv, or mvn package");
        }
        return jar;
    }
}
