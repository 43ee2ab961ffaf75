package dev.kvstore.image;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/**
 * The Java that an image holds.
 *
 * @param folder with {@code bin/java}
 * @param runsHere whether this machine can run it, which an AOT cache takes
 */
record Jre(Path folder, boolean runsHere) {
    /**
     * The modules that the programs and their libraries need, including those found by service loaders and reflection.
     */
    private static final String MODULES = "java.se,jdk.crypto.ec,jdk.httpserver,jdk.jfr,jdk.management,jdk.naming.dns,"
            + "jdk.net,jdk.security.auth,jdk.unsupported,jdk.zipfs";

    /** Links one of this machine's own JDK. */
    static Jre link(Path jdk, Path to) throws IOException, InterruptedException {
        Commands.run(
                "jlink",
                List.of(
                        jdk.resolve("bin/jlink").toString(),
                        "--add-modules",
                        MODULES,
                        "--no-man-pages",
                        "--no-header-files",
                        "--output",
                        to.toString()));
        FileTimes.fix(to);
        // For kv admin, which has no cache of its own; after the times, which it is bound to.
        Commands.run("java -Xshare:dump", List.of(to.resolve("bin/java").toString(), "-Xshare:dump"));
        FileTimes.fix(to);
        return new Jre(to, true);
    }

    /** A value of the release file; "unknown" where it has none. */
    String release(String key) throws IOException {
        Properties release = new Properties();
        try (InputStream in = Files.newInputStream(folder.resolve("release"))) {
            release.load(in);
        }
        return release.getProperty(key, "unknown").replace("\"", "");
    }

    /** Otherwise a Java of another version or machine would only be noticed when the image is started. */
    private static void requireFit(Path given, Architecture architecture, String version) throws IOException {
        Jre jre = new Jre(given, false);
        String flag = "--jdk " + architecture + "=" + given + ": ";
        if (!architecture.runs(given.resolve("bin/java"))) {
            throw new ImageException(flag + "its bin/java is no program of Linux on " + architecture);
        }
        if (!major(jre.release("JAVA_VERSION")).equals(major(version))) {
            throw new ImageException(flag + "it is Java " + jre.release("JAVA_VERSION")
                    + "; the programs are built for " + major(version));
        }
    }

    private static String major(String version) {
        return version.replaceFirst("\\D.*", "");
    }

    /**
     * One of another architecture: linked of its packaged modules if it is a JDK that has them, else taken whole.
     *
     * @param given the folder of a JDK or JRE
     */
    static Jre foreign(Path given, Architecture architecture, Path jdk, Path to)
            throws IOException, InterruptedException {
        if (!Files.exists(given.resolve("bin/java")) || !Files.exists(given.resolve("release"))) {
            throw new ImageException(
                    "--jdk " + architecture + "=" + given + ": there is no bin/java and release in it");
        }
        requireFit(given, architecture, new Jre(jdk, true).release("JAVA_VERSION"));
        if (!Files.isDirectory(given.resolve("jmods"))) {
            return new Jre(given, false);
        }
        Commands.run(
                "jlink",
                List.of(
                        jdk.resolve("bin/jlink").toString(),
                        "--module-path",
                        given.resolve("jmods").toString(),
                        "--add-modules",
                        MODULES,
                        "--no-man-pages",
                        "--no-header-files",
                        "--output",
                        to.toString()));
        return new Jre(to, false);
    }
}
