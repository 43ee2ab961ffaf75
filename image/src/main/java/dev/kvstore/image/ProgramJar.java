package dev.kvstore.image;

import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.apache.commons.compress.archivers.zip.ZipFile;

/**
 * A program's jar as images hold it. It lacks the programs of PostgreSQL, since a control plane in a container has its
 * database elsewhere, and native libraries of systems that are not Linux on an architecture of {@link Architecture}.
 * Stateless.
 */
final class ProgramJar {
    /** The group of the artifacts of which nothing is left. */
    static final String LEFT_OUT_GROUP = "io.zonky.test.postgres";

    private static final Pattern LEFT_OUT = Pattern.compile("postgres-[^/]*\\.txz"
            + "|META-INF/native/[^/]*(windows|osx)[^/]*"
            + "|com/sun/jna/(?!linux-x86-64/|linux-aarch64/)[a-z0-9]+-[a-z0-9-]+/.*");

    private ProgramJar() {}

    /** Copies all entries except those that are left out, compressed as they are: the same jar gives the same copy. */
    static void copy(Path jar, Path to) throws IOException {
        try (ZipFile from = ZipFile.builder().setPath(jar).get();
                ZipArchiveOutputStream out = new ZipArchiveOutputStream(to)) {
            from.copyRawEntries(out, entry -> !LEFT_OUT.matcher(entry.getName()).matches());
        }
    }

    /**
     * Takes PostgreSQL's program for this machine out of a control plane's whole jar, for a training run.
     *
     * @throws LaunchException if there is none
     */
    static void extractPostgresql(Path jar, Path to) throws IOException {
        String name = "postgres-linux-" + (Architecture.host() == Architecture.ARM64 ? "arm_64" : "x86_64") + ".txz";
        try (ZipFile from = ZipFile.builder().setPath(jar).get()) {
            ZipArchiveEntry entry = from.getEntry(name);
            if (entry == null) {
                throw new LaunchException("there is no " + name + " in " + jar + ", which the training run needs");
            }
            try (InputStream in = from.getInputStream(entry)) {
                Files.copy(in, to);
            }
        }
    }
}
