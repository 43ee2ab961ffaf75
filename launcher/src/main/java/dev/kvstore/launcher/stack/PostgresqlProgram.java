package dev.kvstore.launcher.stack;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** The program of PostgreSQL, whose archive is on the class path of a checkout's programs. Stateless. */
public final class PostgresqlProgram {
    private static final int EXECUTABLE = 0100;

    private PostgresqlProgram() {}

    /**
     * The folder of the program below the checkout's {@code target}, which all databases of the checkout share. The
     * first call unpacks the program: into a folder beside it, which is renamed once it is whole. Only this user may
     * write to the folder, since this user runs its programs.
     *
     * @throws LaunchException if there is no program for this system
     */
    public static Path unpacked(Home home) throws IOException {
        Path folder = home.target().resolve("postgresql");
        Path program = folder.resolve(checksum());
        if (Files.exists(program)) {
            return program;
        }
        Files.createDirectories(
                folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path made = Files.createTempDirectory(folder, "unpacking-");
        try {
            unpack(made);
            Files.move(made, program, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            // If it exists by now, another process was faster.
            if (!Files.exists(program)) {
                throw e;
            }
        } finally {
            delete(made);
        }
        return program;
    }

    /** Unpacks the program into an existing folder. */
    public static void unpack(Path folder) throws IOException {
        try (TarArchiveInputStream tar = new TarArchiveInputStream(new XZCompressorInputStream(archive()))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path file = folder.resolve(entry.getName());
                Files.createDirectories(entry.isDirectory() ? file : file.getParent());
                if (entry.isSymbolicLink()) {
                    Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
                } else if (entry.isFile()) {
                    Files.copy(tar, file);
                    boolean _ = file.toFile().setExecutable((entry.getMode() & EXECUTABLE) != 0, false);
                }
            }
        }
    }

    /** The packed program for this system. */
    public static InputStream archive() {
        String system = System.getProperty("os.name").startsWith("Mac")
                ? "darwin-x86_64"
                : System.getProperty("os.arch").equals("aarch64") ? "linux-arm_64" : "linux-x86_64";
        String name = "/postgres-" + system + ".txz";
        InputStream archive = PostgresqlProgram.class.getResourceAsStream(name);
        if (archive == null) {
            throw new LaunchException(
                    "there is no PostgreSQL here (" + name + " is missing): images and machines have a"
                            + " database elsewhere, and local stacks run in a checkout");
        }
        return archive;
    }

    private static String checksum() throws IOException {
        CRC32 checksum = new CRC32();
        try (InputStream archive = new CheckedInputStream(archive(), checksum)) {
            archive.transferTo(OutputStream.nullOutputStream());
        }
        return Long.toHexString(checksum.getValue());
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> below = Files.walk(folder)) {
            all = below.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.deleteIfExists(path);
        }
    }
}
