package dev.kvstore.control.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The folder of the unpacked PostgreSQL. A user who can write there can have this process run any program, so only the
 * owner may enter the folder, and no program is run from a folder that others could write. Stateless.
 */
final class ProgramFolder {
    private static final Logger LOG = System.getLogger(ProgramFolder.class.getName());
    private static final Set<PosixFilePermission> OWNERS = PosixFilePermissions.fromString("rwx------");

    private ProgramFolder() {}

    /**
     * Makes the folder ready: what another user could have written is unpacked anew.
     *
     * @throws BadDatabaseException if it is another user's, or has something that is
     */
    static void prepare(Path folder) throws IOException, BadDatabaseException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OWNERS));
            return;
        }
        PosixFileAttributes attributes = attributes(folder);
        requireOwn(folder, attributes);
        if (mayOthersWriteIn(attributes)) {
            LOG.log(Level.WARNING, "other users could write to {0}: PostgreSQL is unpacked there anew", folder);
            // First, so that nobody puts anything there meanwhile.
            close(folder);
            empty(folder);
        }
        for (Path program : programs(folder)) {
            PosixFileAttributes of = attributes(program);
            requireOwn(program, of);
            if (of.permissions().contains(PosixFilePermission.OTHERS_WRITE)
                    || of.permissions().contains(PosixFilePermission.GROUP_WRITE)) {
                throw new BadDatabaseException(
                        program + " can be written by other users, and is not run; remove " + folder);
            }
        }
    }

    /** Takes from others what unpacking gave them. */
    static void close(Path folder) throws IOException {
        Files.setPosixFilePermissions(folder, OWNERS);
    }

    private static PosixFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private static void requireOwn(Path path, PosixFileAttributes attributes) throws BadDatabaseException {
        String user = System.getProperty("user.name");
        if (!attributes.owner().getName().equals(user)) {
            throw new BadDatabaseException(
                    path + " belongs to " + attributes.owner().getName() + ", and " + user
                            + " runs no program of others; remove it, or start as its owner");
        }
    }

    /** To write in a folder takes the right to enter it. */
    private static boolean mayOthersWriteIn(PosixFileAttributes of) {
        Set<PosixFilePermission> permissions = of.permissions();
        return permissions.containsAll(Set.of(PosixFilePermission.OTHERS_WRITE, PosixFilePermission.OTHERS_EXECUTE))
                || permissions.containsAll(Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.GROUP_EXECUTE));
    }

    /** The folders with the programs, the programs, and what lies beside them. */
    private static List<Path> programs(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder, 3)) {
            return all.filter(path -> !path.equals(folder))
                    .filter(path -> !Files.isSymbolicLink(path))
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void empty(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> paths = Files.walk(folder)) {
            all = paths.filter(path -> !path.equals(folder))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        for (Path path : all) {
            Files.deleteIfExists(path);
        }
    }
}
