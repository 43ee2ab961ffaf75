package dev.kvstore.control.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A PostgreSQL's folder of data that initdb has not finished: the disk was full, or it was killed. Stateless. */
final class DataFolder {
    private static final Logger LOG = System.getLogger(DataFolder.class.getName());

    /** The first number of users' objects in PostgreSQL: initdb makes none from here on. */
    private static final int FIRST_OF_USERS = 16_384;

    /** Each of them says that a server has run there, or is to. */
    private static final List<String> USED =
            List.of("postmaster.opts", "backup_label", "backup_manifest", "standby.signal");

    private DataFolder() {}

    /** Empties a folder that initdb began and did not finish, so that it can begin again; touches no other. */
    static void clearUnfinished(Path data) throws IOException {
        if (!Files.isDirectory(data) || isUsed(data)) {
            return;
        }
        List<Path> all = below(data);
        if (all.isEmpty()) {
            return;
        }
        LOG.log(Level.WARNING, "{0} holds a database that was not made to its end, and is made anew", data);
        for (Path path : all) {
            Files.deleteIfExists(path);
        }
    }

    private static boolean isUsed(Path data) throws IOException {
        return USED.stream().anyMatch(name -> Files.exists(data.resolve(name)))
                || below(data).stream().anyMatch(DataFolder::isOfUsers);
    }

    private static boolean isOfUsers(Path file) {
        String name = file.getFileName().toString();
        return name.length() <= 9 && name.matches("[0-9]+") && Integer.parseInt(name) >= FIRST_OF_USERS;
    }

    /** The files and folders below a folder, the deepest first. */
    private static List<Path> below(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(path -> !path.equals(folder))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
