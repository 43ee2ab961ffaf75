package dev.kvstore.launcher;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where the built parts of a checkout lie.
 *
 * @param path the folder of {@code kv}, absolute
 */
public record Home(Path path) {
    /** The system property by which {@code kv} and the tests say where they are. */
    public static final String PROPERTY = "kvstore.home";

    /**
     * The checkout this process was started from.
     *
     * @throws LaunchException if nothing says where it is
     */
    public static Home current() {
        String path = System.getProperty(PROPERTY);
        if (path == null) {
            throw new LaunchException("system property " + PROPERTY + " is not set: start this through ./kv");
        }
        return new Home(Path.of(path).toAbsolutePath().normalize());
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
