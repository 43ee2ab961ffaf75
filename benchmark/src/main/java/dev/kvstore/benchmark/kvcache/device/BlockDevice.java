package dev.kvstore.benchmark.kvcache.device;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The disk under a folder, as Linux' block layer names it. Immutable.
 *
 * @param number {@code major << 20 | minor} of the disk; 0 if no single disk has all requests of the folder
 * @param description the disk, or the reason why there is no single one
 */
public record BlockDevice(long number, String description) {
    private static final Path DEVICES = Path.of("/sys/dev/block");
    private static final int KERNEL_MINOR_BITS = 20;
    private static final String DISK = "disk ";
    private static final double GIBIBYTE = 1L << 30;

    /**
     * Finds it.
     *
     * @throws IOException if the folder or the kernel's description of the disk cannot be read
     */
    public static BlockDevice under(Path folder) throws IOException {
        return of((Long) Files.getAttribute(folder, "unix:dev"), DEVICES);
    }

    /** The disk for people, without the folder's name, such as "ext4 on disk vda, 61.2 of 252.0 GiB free". */
    public static String describe(Path folder) throws IOException {
        FileStore store = Files.getFileStore(folder);
        BlockDevice device = under(folder);
        Path model = device.fact("device/model");
        String named = Files.isReadable(model) ? " (" + Files.readString(model).strip() + ")" : "";
        return "%s%s, %.1f of %.1f GiB free"
                .formatted(
                        store.type(),
                        device.number == 0 ? "" : " on " + device.description + named,
                        store.getUsableSpace() / GIBIBYTE,
                        store.getTotalSpace() / GIBIBYTE);
    }

    /** How fast its kind is: 2 of NVMe, 1 of other disks that do not turn, 0 of all else. */
    public int speed() throws IOException {
        Path turns = fact("queue/rotational");
        boolean flash =
                Files.isReadable(turns) && Files.readString(turns).strip().equals("0");
        return description.startsWith(DISK + "nvme") ? 2 : flash ? 1 : 0;
    }

    /** A file in the kernel's description of the disk, which may be missing. */
    private Path fact(String name) {
        return Path.of("/sys/block", description.replace(DISK, "")).resolve(name);
    }

    /**
     * Finds the disk of a device number.
     *
     * @param dev the number that {@code stat} tells, in glibc's encoding
     * @param devices a folder with an entry {@code major:minor} for each disk and partition
     */
    static BlockDevice of(long dev, Path devices) throws IOException {
        long major = (dev >>> 8 & 0xfff) | (dev >>> 32 & ~0xfffL);
        long minor = (dev & 0xff) | (dev >>> 12 & ~0xffL);
        if (major == 0) {
            return new BlockDevice(0, "all disks: the folder lies on a network, in memory or on an overlay");
        }
        Path entry = devices.resolve(major + ":" + minor);
        if (!Files.exists(entry)) {
            return new BlockDevice(0, "all disks: the kernel does not describe device " + major + ":" + minor);
        }
        Path described = entry.toRealPath();
        // A partition is described in a folder of its disk.
        Path disk = Files.exists(described.resolve("partition"))
                ? described.resolve("..").normalize()
                : described;
        // Requests of LVM, RAID and encryption carry the numbers of the disks below.
        Path below = disk.resolve("slaves");
        try (Stream<Path> disks = Files.isDirectory(below) ? Files.list(below) : Stream.empty()) {
            if (disks.findAny().isPresent()) {
                return new BlockDevice(0, "all disks: " + disk.getFileName() + " is made of several");
            }
        }
        String[] numbers = Files.readString(disk.resolve("dev")).strip().split(":", 2);
        long number = Long.parseLong(numbers[0]) << KERNEL_MINOR_BITS | Long.parseLong(numbers[1]);
        return new BlockDevice(number, DISK + disk.getFileName());
    }
}
