package dev.kvstore.simulation.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Databases whose JVM was killed: they would run on. Stateless. */
final class LeftOverDatabases {
    private static final String OWNER = "owner.pid";

    private LeftOverDatabases() {}

    /** Notes that the database in a folder is of this JVM. */
    static void own(Path folder) throws IOException {
        Files.writeString(
                folder.resolve(OWNER), Long.toString(ProcessHandle.current().pid()));
    }

    /** Ends those below a folder whose JVM is gone, and deletes the files of those that have ended. */
    static void end(Path below, String names) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(below, names)) {
            for (Path folder : folders) {
                end(folder);
            }
        }
    }

    private static void end(Path folder) {
        try {
            Path owner = folder.resolve(OWNER);
            if (!Files.exists(owner) || process(owner).isPresent()) {
                return;
            }
            Path postmaster = folder.resolve("postgresql").resolve("postmaster.pid");
            Optional<ProcessHandle> database = Files.exists(postmaster)
                    ? process(postmaster).filter(LeftOverDatabases::isDatabase)
                    : Optional.empty();
            if (database.isPresent()) {
                boolean _ = database.get().destroy();
            } else {
                delete(folder);
            }
        } catch (IOException | UncheckedIOException e) {
            // Another process does the same now.
            System.getLogger(LeftOverDatabases.class.getName()).log(System.Logger.Level.DEBUG, folder + " stays", e);
        }
    }

    /** A number is given to another process when that one has ended. */
    private static boolean isDatabase(ProcessHandle process) {
        return process.info()
                .command()
                .filter(command -> command.endsWith("postgres"))
                .isPresent();
    }

    private static Optional<ProcessHandle> process(Path pidFile) throws IOException {
        List<String> lines = Files.readAllLines(pidFile);
        return lines.isEmpty()
                ? Optional.empty()
                : ProcessHandle.of(Long.parseLong(lines.getFirst().strip()));
    }

    static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
