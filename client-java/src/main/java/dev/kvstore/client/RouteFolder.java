package dev.kvstore.client;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the system's folder for caches. Stateless. */
final class RouteFolder {
    private RouteFolder() {}

    static @Nullable Path byConvention() {
        return of(System.getenv(), System.getProperty("os.name", ""), System.getProperty("user.home", ""));
    }

    /** The folder; null if the system names none. */
    static @Nullable Path of(Map<String, String> environment, String system, String home) {
        String os = system.toLowerCase(Locale.ROOT);
        try {
            Path caches;
            if (os.startsWith("windows")) {
                caches = place(environment.get("LOCALAPPDATA"), null);
            } else if (os.startsWith("mac")) {
                caches = place(home, "Library/Caches");
            } else {
                Path named = place(environment.get("XDG_CACHE_HOME"), null);
                caches = named != null ? named : place(home, ".cache");
            }
            return caches == null ? null : caches.resolve("kvstore").resolve("routes");
        } catch (InvalidPathException e) {
            return null; // a folder that cannot exist counts as none
        }
    }

    /**
     * The folder for a value of the environment. The XDG Base Directory Specification demands that relative names are
     * ignored.
     */
    private static @Nullable Path place(@Nullable String folder, @Nullable String below) {
        if (folder == null || folder.isBlank() || !Path.of(folder).isAbsolute()) {
            return null;
        }
        return below == null ? Path.of(folder) : Path.of(folder).resolve(below);
    }
}
