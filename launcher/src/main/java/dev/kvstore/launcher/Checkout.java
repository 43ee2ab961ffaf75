package dev.kvstore.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Finds the folder that this project is checked out in. */
public final class Checkout {
    private Checkout() {}

    /**
     * The system property {@code kvstore.home} if set, else the nearest folder with the parent pom from the working
     * directory upward.
     */
    public static Path home() throws IOException {
        String home = System.getProperty("kvstore.home");
        return home != null && !home.isBlank()
                ? Path.of(home).toAbsolutePath()
                : above(Path.of("").toAbsolutePath());
    }

    static Path above(Path start) throws IOException {
        for (@Nullable Path folder = start; folder != null; folder = folder.getParent()) {
            Path pom = folder.resolve("pom.xml");
            if (Files.isRegularFile(pom)
                    && Files.readString(pom).contains("<artifactId>kvstore-parent</artifactId>")
                    && Files.isDirectory(folder.resolve("launcher"))) {
                return folder;
            }
        }
        throw new IOException(
                "no checkout of KV Store in " + start + " or above: run there, or name it with -Dkvstore.home=FOLDER");
    }
}
