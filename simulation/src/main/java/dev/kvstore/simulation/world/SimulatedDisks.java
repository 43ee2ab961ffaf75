package dev.kvstore.simulation.world;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The disks of a machine, which outlive its processes: a folder, and a disk mounted at each of some folders in it. For
 * the thread of its world.
 */
public final class SimulatedDisks {
    /** All files of simulated disks are in this folder. */
    public static final Path ROOT = Path.of("/simulated-disks");

    /** The volumes of the disks, by folder. */
    private final Map<Path, DiskVolume> volumes = new TreeMap<>();

    /**
     * Makes the disks of a machine.
     *
     * @param machine a name that other machines do not have
     * @param mounts how many disks are mounted in the folder; 0 for the folder alone
     */
    public SimulatedDisks(World world, String machine, int mounts) {
        volumes.put(ROOT, new DiskVolume(world, world.random("disk of " + machine)));
        for (int i = 0; i < mounts; i++) {
            volumes.put(ROOT.resolve("disk-" + i), new DiskVolume(world, world.random("disk " + i + " of " + machine)));
        }
    }

    /**
     * The volume of a disk that gets a trouble or a flipped bit; the folder's own volume if no disk is mounted in it.
     */
    private DiskVolume volume(int number) {
        int mounts = volumes.size() - 1;
        return mounts == 0 ? of(ROOT) : of(ROOT.resolve("disk-" + number % mounts));
    }

    private DiskVolume of(Path folder) {
        DiskVolume volume = volumes.get(folder);
        if (volume == null) {
            throw new IllegalArgumentException(folder + " is no folder of these disks");
        }
        return volume;
    }

    /** Gives a disk a trouble, or {@link DiskTrouble#NONE}. */
    public void trouble(int disk, DiskTrouble trouble) {
        volume(disk).trouble(trouble);
    }

    /** Flips a bit on a disk. */
    public void flip(int disk) {
        volume(disk).flip();
    }

    /** Power is lost: a part of the last writes is not there any more. */
    public void losePower() {
        volumes.values().forEach(DiskVolume::loseUnsynced);
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    private DiskVolume holding(Path file) throws IOException {
        DiskVolume volume = volumes.get(file.getParent());
        if (volume == null) {
            throw new NoSuchFileException(file.toString());
        }
        return volume;
    }

    FileChannel open(Path path, Set<? extends OpenOption> options) throws IOException {
        for (OpenOption option : options) {
            if (!(option instanceof StandardOpenOption)) {
                throw new UnsupportedOperationException(option + " is not simulated");
            }
        }
        DiskVolume volume = holding(path);
        DiskFile file = volume.file(name(path));
        if (file == null && !options.contains(StandardOpenOption.CREATE)) {
            throw new NoSuchFileException(path.toString());
        }
        return new DiskChannel(volume, file == null ? volume.make(name(path)) : file);
    }

    boolean exists(Path path) {
        DiskVolume volume = volumes.get(path.getParent());
        return isFolder(path) || (volume != null && volume.file(name(path)) != null);
    }

    boolean isFolder(Path path) {
        return volumes.containsKey(path);
    }

    Stream<Path> list(Path folder) {
        Stream<Path> files = of(folder).names().stream().map(folder::resolve);
        Stream<Path> folders = volumes.keySet().stream().filter(other -> folder.equals(other.getParent()));
        return Stream.concat(files, folders);
    }

    boolean delete(Path path) throws IOException {
        return holding(path).delete(name(path));
    }

    InputStream read(Path path) throws IOException {
        DiskVolume volume = holding(path);
        DiskFile file = volume.file(name(path));
        if (file == null) {
            throw new NoSuchFileException(path.toString());
        }
        volume.work(file);
        ByteBuffer bytes = ByteBuffer.allocate(file.length());
        file.read(bytes, 0);
        return new ByteArrayInputStream(bytes.array());
    }
}
