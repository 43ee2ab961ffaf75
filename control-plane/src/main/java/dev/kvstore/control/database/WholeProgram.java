package dev.kvstore.control.database;

import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * Unpacks PostgreSQL's program so that it is there whole or not at all: into a folder beside, which gets its name once
 * every file is written. The library would mark a program as whole although the disk was full. One that bears no mark
 * of this class, as of an earlier version or after a start that failed, is compared with the archive, and unpacked anew
 * if anything is missing. Thread-safe; several processes may share a folder. No record: the library asks equal ones
 * only once in a process.
 */
final class WholeProgram implements PgBinaryResolver {
    private static final Logger LOG = System.getLogger(WholeProgram.class.getName());

    /** The file by which the library knows a program that it has unpacked whole. */
    private static final String UNPACKED = ".exists";

    private static final String WHOLE = ".whole";
    private static final int EXECUTABLE = 0b001_001_001;

    private final Path folder;
    private final PgBinaryResolver archives;

    /**
     * @param folder of the programs of all versions
     * @param archives where the archive of a system comes from
     */
    WholeProgram(Path folder, PgBinaryResolver archives) {
        this.folder = folder;
        this.archives = archives;
    }

    @Override
    public InputStream getPgBinary(String system, String machine) throws IOException {
        byte[] archive;
        try (InputStream in = archives.getPgBinary(system, machine)) {
            if (in == null) {
                throw new IOException("there is no PostgreSQL for " + system + " on " + machine
                        + ": give --jdbc-url instead of --data");
            }
            archive = in.readAllBytes();
        }
        // The library's name for it.
        Path program = folder.resolve("PG-" + HexFormat.of().formatHex(md5(archive)));
        if (!Files.exists(program.resolve(WHOLE)) || !Files.exists(program.resolve(UNPACKED))) {
            makeWhole(program, archive);
        }
        return new ByteArrayInputStream(archive);
    }

    /** Has the next start compare the programs with their archives: one of them could not be started. */
    static void doubt(Path folder) {
        try (Stream<Path> programs = Files.list(folder)) {
            for (Path program : programs.toList()) {
                Files.deleteIfExists(program.resolve(WHOLE));
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.log(Level.DEBUG, "the programs in {0} are as they were: {1}", folder, e);
        }
    }

    private static byte[] md5(byte[] archive) {
        try {
            return MessageDigest.getInstance("MD5").digest(archive);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private void makeWhole(Path program, byte[] archive) throws IOException {
        if (Files.exists(program)) {
            if (isWhole(program, archive)) {
                mark(program);
                return;
            }
            LOG.log(Level.WARNING, "{0} lacks some of its files, and is unpacked anew", program);
            delete(program);
        }
        Path made = Files.createTempDirectory(
                folder,
                program.getFileName() + "-",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try {
            unpack(archive, made);
            mark(made);
            Files.move(made, program, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileAlreadyExistsException | DirectoryNotEmptyException e) {
            LOG.log(Level.DEBUG, "another process has unpacked {0} meanwhile", program);
        } finally {
            delete(made);
        }
    }

    /** The action for an entry of the archive. */
    private interface Visitor {
        void visit(TarArchiveEntry entry, Path file, InputStream content) throws IOException;
    }

    private static void read(byte[] archive, Path root, Visitor visitor) throws IOException {
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new XZInputStream(new ByteArrayInputStream(archive)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path file = root.resolve(entry.getName()).normalize();
                if (!file.startsWith(root)) {
                    throw new IOException(
                            "the archive of PostgreSQL has a file outside of its folder: " + entry.getName());
                }
                visitor.visit(entry, file, tar);
            }
        }
    }

    private static void unpack(byte[] archive, Path root) throws IOException {
        read(archive, root, (entry, file, content) -> {
            if (entry.isDirectory()) {
                Files.createDirectories(file);
                return;
            }
            Files.createDirectories(file.getParent());
            if (entry.isSymbolicLink()) {
                Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
            } else if (entry.isLink()) {
                Files.createLink(file, root.resolve(entry.getLinkName()));
            } else {
                Files.copy(content, file);
                Files.setPosixFilePermissions(
                        file,
                        PosixFilePermissions.fromString(
                                (entry.getMode() & EXECUTABLE) != 0 ? "rwxr-xr-x" : "rw-r--r--"));
            }
        });
    }

    private static boolean isWhole(Path root, byte[] archive) throws IOException {
        boolean[] lacking = {false};
        read(
                archive,
                root,
                (entry, file, _) -> lacking[0] |= !Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                        || (entry.isFile()
                                && !entry.isLink()
                                && !entry.isSymbolicLink()
                                && Files.size(file) != entry.getSize()));
        return !lacking[0];
    }

    /** The library's mark comes last: it is believed only if it is not older than the folder. */
    private static void mark(Path program) throws IOException {
        Files.write(program.resolve(WHOLE), new byte[0]);
        Path unpacked = Files.write(program.resolve(UNPACKED), new byte[0]);
        Files.setLastModifiedTime(unpacked, FileTime.fromMillis(System.currentTimeMillis()));
    }

    private static void delete(Path root) throws IOException {
        if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> paths = Files.walk(root)) {
            all = paths.sorted(Comparator.reverseOrder()).toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        for (Path path : all) {
            Files.deleteIfExists(path);
        }
    }
}
