package dev.kvstore.simulation.world;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The files of one disk, by their names, and the disk's fault. For the thread of its world. */
final class DiskVolume {
    private static final double FAILURES = 0.6;

    /** A slow disk takes up to this many nanoseconds, longer than the product waits for a disk. */
    private static final long SLOWEST = 8_000_000_000L;

    private static final long QUICK = 50_000;

    private final World world;
    private final SplittableRandom random;
    private final SortedMap<String, DiskFile> files = new TreeMap<>();

    /** The files in the disk's mount point while the disk is away. */
    private final SortedMap<String, DiskFile> beneath = new TreeMap<>();

    private DiskTrouble trouble = DiskTrouble.NONE;

    DiskVolume(World world, SplittableRandom random) {
        this.world = world;
        this.random = random;
    }

    void trouble(DiskTrouble next) {
        trouble = next;
    }

    private SortedMap<String, DiskFile> visible() {
        return trouble == DiskTrouble.AWAY ? beneath : files;
    }

    @Nullable
    DiskFile file(String name) {
        return visible().get(name);
    }

    DiskFile make(String name) throws IOException {
        if (trouble == DiskTrouble.FULL) {
            throw happens("full", "no space left on device");
        }
        DiskFile made = new DiskFile(trouble == DiskTrouble.AWAY);
        visible().put(name, made);
        return made;
    }

    boolean delete(String name) {
        return visible().remove(name) != null;
    }

    Collection<String> names() {
        return List.copyOf(visible().keySet());
    }

    /** Waits for the time of a read or write, and fails as the disk's fault demands. */
    void work(DiskFile file) throws IOException {
        try {
            if (trouble == DiskTrouble.SLOW) {
                world.happened("disk: slow");
                Waits.sleep(Duration.ofNanos(random.nextLong(SLOWEST)));
            } else {
                Waits.sleep(Duration.ofNanos(random.nextLong(QUICK)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (trouble == DiskTrouble.AWAY && !file.isBeneath()) {
            throw happens("away", "no such device");
        }
        if (trouble == DiskTrouble.FAILING && random.nextDouble() < FAILURES) {
            throw happens("failing", "input/output error");
        }
    }

    private IOException happens(String what, String message) {
        world.happened("disk: " + what);
        return new IOException("simulated: " + message);
    }

    /** The number of bytes, of these, that the disk has room for. */
    int room(DiskFile file, int from, int bytes) {
        if (trouble != DiskTrouble.FULL || from + bytes <= file.length()) {
            return bytes;
        }
        world.happened("disk: full");
        return Math.max(0, file.length() - from);
    }

    /** Loses a part of the bytes that were written and not synced. */
    void loseUnsynced() {
        files.values().forEach(file -> file.loseUnsynced(random));
    }

    /** Flips a bit of a file. */
    void flip() {
        List<DiskFile> some =
                files.values().stream().filter(file -> file.length() > 0).toList();
        if (!some.isEmpty()) {
            world.happened("disk: bit flipped");
            some.get(random.nextInt(some.size())).flip(random);
        }
    }
}
