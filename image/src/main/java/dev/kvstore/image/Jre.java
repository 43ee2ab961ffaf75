package dev.kvstore.image;

import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.process.ManagedProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.commons.io.file.PathUtils;

/**
 * A Java, such as the one that an image holds.
 *
 * @param folder the folder with {@code bin/java}
 * @param architecture of the machines that can run it
 */
record Jre(Path folder, Architecture architecture) {
    /**
     * The modules that the programs and their libraries need, including those found by service loaders and reflection.
     */
    private static final String MODULES = "java.se,jdk.crypto.ec,jdk.httpserver,jdk.jfr,jdk.management,jdk.naming.dns,"
            + "jdk.net,jdk.security.auth,jdk.unsupported,jdk.zipfs";

    /** The JDK that this process runs on. */
    static Jre own() {
        return new Jre(Path.of(System.getProperty("java.home")), Architecture.host());
    }

    /** Whether this machine can run this Java, which is necessary for making an AOT cache. */
    boolean runsHere() {
        return architecture == Architecture.host();
    }

    /** Links a Java of this machine's JDK. */
    static Jre link(Path to) throws IOException {
        own().link(List.of(), to);
        Jre jre = new Jre(to, Architecture.host());
        jre.fixTimes();
        // kv admin has no cache of its own and uses this archive, which is bound to the times of files.
        jre.run("java", List.of("-Xshare:dump"));
        jre.fixTimes();
        return jre;
    }

    /**
     * A Java of another architecture: linked from packaged modules if {@code given} is a JDK that has them, else a
     * whole copy.
     *
     * @param given the folder of a JDK or JRE
     * @throws LaunchException if {@code given} is no Java, or has another architecture or major version than images
     *     need
     */
    static Jre foreign(Path given, Architecture architecture, Path to) throws IOException {
        String flag = "--jdk " + architecture + "=" + given + ": ";
        if (!Files.exists(given.resolve("bin/java")) || !Files.exists(given.resolve("release"))) {
            throw new LaunchException(flag + "there is no bin/java and release in it");
        }
        if (!architecture.runs(given.resolve("bin/java"))) {
            throw new LaunchException(flag + "its bin/java is no program of Linux on " + architecture);
        }
        String version = new Jre(given, architecture).version();
        int needed = Runtime.version().feature();
        if (!version.replaceFirst("\\D.*", "").equals("" + needed)) {
            throw new LaunchException(flag + "it is Java " + version + "; the programs are built for " + needed);
        }
        if (!Files.isDirectory(given.resolve("jmods"))) {
            return new Jre(given, architecture);
        }
        own().link(List.of("--module-path", given.resolve("jmods").toString()), to);
        return new Jre(to, architecture);
    }

    private void link(List<String> source, Path to) throws IOException {
        if (Files.exists(to)) {
            PathUtils.deleteDirectory(to);
        }
        List<String> flags = new ArrayList<>(source);
        flags.addAll(List.of("--add-modules", MODULES, "--no-man-pages", "--no-header-files", "--output", "" + to));
        run("jlink", flags);
    }

    /**
     * Runs one of this Java's programs to the end.
     *
     * @throws LaunchException if the program fails, with its output
     */
    void run(String program, List<String> arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(folder.resolve("bin/" + program).toString()));
        command.addAll(arguments);
        Map<String, String> environment = Map.of("JAVA_TOOL_OPTIONS", "", "JDK_JAVA_OPTIONS", "");
        Path log = Files.createTempFile("kv-image-", ".log");
        try {
            if (ManagedProcess.start(program, command, environment, log)
                            .onExit()
                            .join()
                    != 0) {
                throw new LaunchException(String.join(" ", command) + " failed: "
                        + Files.readString(log).strip());
            }
        } finally {
            Files.delete(log);
        }
    }

    /** The version, such as {@code 25.0.2}. */
    String version() throws IOException {
        Properties release = new Properties();
        try (InputStream in = Files.newInputStream(folder.resolve("release"))) {
            release.load(in);
        }
        return release.getProperty("JAVA_VERSION", "unknown").replace("\"", "");
    }

    /** Gives the files their time in an image, since a cache is good for one time only. */
    private void fixTimes() throws IOException {
        for (Path file : ImageLayers.below("", folder, Integer.MAX_VALUE).values()) {
            Files.setLastModifiedTime(file, FileTime.from(FileEntriesLayer.DEFAULT_MODIFICATION_TIME));
        }
    }
}
