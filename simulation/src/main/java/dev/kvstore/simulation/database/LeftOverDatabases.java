package dev.kvstore.simulation.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Deletes the files of databases whose JVM was killed; each database ended with its JVM. Stateless. */
final class LeftOverDatabases {
    private static final String OWNER = "owner.pid";

    private LeftOverDatabases() {}

    /** Notes that the database in a folder belongs to this JVM. */
    static void own(Path folder) throws IOException {
        Files.writeString(
                folder.resolve(OWNER), Long.toString(ProcessHandle.current().pid()));
    }

    /** Deletes, below a folder, the files of databases whose JVM is gone. */
    static void deleteAll(Path below, String names) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(below, names)) {
            for (Path folder : folders) {
                deleteIfLeft(folder);
            }
        }
    }

    private static void deleteIfLeft(Path folder) {
        try {
            Path owner = folder.resolve(OWNER);
            if (Files.exists(owner)
                    && ProcessHandle.of(Long.parseLong(Files.readString(owner))).isEmpty()) {
                delete(folder);
            }
        } catch (IOException | UncheckedIOException e) {
            // Another process deletes the same folder now, or its database is still ending.
            System.getLogger(LeftOverDatabases.class.getName()).log(System.Logger.Level.DEBUG, folder + " stays", e);
        }
    }

    static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
