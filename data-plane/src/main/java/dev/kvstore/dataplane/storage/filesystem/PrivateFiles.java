package dev.kvstore.dataplane.storage.filesystem;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Files and folders with blocks of tenants: made for their owner alone (0600, 0700), whatever the umask is. Stateless.
 */
public final class PrivateFiles {
    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    private PrivateFiles() {}

    /** Opens a file; a file that is made is its owner's alone. */
    public static FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
        return FileChannel.open(file, options, only("rw-------"));
    }

    /** Makes a folder and the missing ones above it, for their owner alone; those that exist stay as they are. */
    public static void createFolders(Path folder) throws IOException {
        Files.createDirectories(folder, only("rwx------"));
    }

    /** Takes back the permissions that an earlier version gave others on a file or folder, if this process owns it. */
    public static void close(Path path) throws IOException {
        if (POSIX && Files.exists(path) && isOwn(path)) {
            String permissions = Files.isDirectory(path) ? "rwx------" : "rw-------";
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
        }
    }

    private static boolean isOwn(Path path) throws IOException {
        return Files.getOwner(path).getName().equals(System.getProperty("user.name"));
    }

    private static FileAttribute<?>[] only(String permissions) {
        return POSIX
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
