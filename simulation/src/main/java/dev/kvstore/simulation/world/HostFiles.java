package dev.kvstore.simulation.world;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import java.util.stream.Stream;

/** Files on the disks of the host that asks, below {@link SimulatedDisks#ROOT}; all other files are the JDK's. */
public final class HostFiles {
    private HostFiles() {}

    private static boolean isSimulated(Path path) {
        return path.startsWith(SimulatedDisks.ROOT);
    }

    private static SimulatedDisks disks() {
        return World.current().host().disks();
    }

    @InPlaceOf(FileChannel.class)
    public static FileChannel open(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        return isSimulated(path) ? disks().open(path, options) : FileChannel.open(path, options, attributes);
    }

    @InPlaceOf(Files.class)
    public static boolean exists(Path path, LinkOption... options) {
        return isSimulated(path) ? disks().exists(path) : Files.exists(path, options);
    }

    @InPlaceOf(Files.class)
    public static boolean isDirectory(Path path, LinkOption... options) {
        return isSimulated(path) ? disks().isFolder(path) : Files.isDirectory(path, options);
    }

    @InPlaceOf(Files.class)
    @SuppressWarnings("StreamResourceLeak") // who asks for it closes it
    public static Stream<Path> list(Path folder) throws IOException {
        return isSimulated(folder) ? disks().list(folder) : Files.list(folder);
    }

    /** Makes no simulated folder: all folders that a history needs exist. */
    @InPlaceOf(Files.class)
    public static Path createDirectories(Path folder, FileAttribute<?>... attributes) throws IOException {
        return isSimulated(folder) ? folder : Files.createDirectories(folder, attributes);
    }

    @InPlaceOf(Files.class)
    public static boolean deleteIfExists(Path path) throws IOException {
        return isSimulated(path) ? disks().delete(path) : Files.deleteIfExists(path);
    }

    @InPlaceOf(Files.class)
    public static InputStream newInputStream(Path path, OpenOption... options) throws IOException {
        return isSimulated(path) ? disks().read(path) : Files.newInputStream(path, options);
    }

    @InPlaceOf(Files.class)
    public static UserPrincipal getOwner(Path path, LinkOption... options) throws IOException {
        return isSimulated(path) ? () -> "somebody" : Files.getOwner(path, options);
    }
}
