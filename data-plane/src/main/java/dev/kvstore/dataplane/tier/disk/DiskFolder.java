package dev.kvstore.dataplane.tier.disk;

import dev.kvstore.dataplane.storage.filesystem.DirectIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder of regions on one disk.
 *
 * @param buffered why its files go through the page cache; null if they do not
 * @param flaw why it cannot be used; null if it can
 */
record DiskFolder(
        Path path, @Nullable String buffered, @Nullable String flaw) {
    private static final Pattern DISK = Pattern.compile("disk-(\\d{1,3})");
    private static final Pattern REGION = Pattern.compile("region-(\\d{7})");

    /**
     * The folders of the disks below the folder of a disk tier, by their numbers; the folder itself if there are none.
     */
    static List<Path> paths(Path tier) throws IOException {
        try (Stream<Path> files = Files.list(tier)) {
            List<Path> disks = files.filter(file -> number(file, DISK) >= 0 && Files.isDirectory(file))
                    .sorted(Comparator.comparing(file -> number(file, DISK)))
                    .toList();
            return disks.isEmpty() ? List.of(tier) : disks;
        }
    }

    /**
     * Probes a disk.
     *
     * @param page of memory, aligned
     */
    static DiskFolder open(Path path, ByteBuffer page) {
        try {
            return new DiskFolder(path, probe(path.resolve("probe"), page), null);
        } catch (IOException e) {
            return new DiskFolder(path, null, flaw(e, path));
        }
    }

    private static String flaw(IOException e, Path path) {
        String message = String.valueOf(e.getMessage());
        return message.contains(path.toString()) ? message : path + ": " + message;
    }

    /** Why it takes no direct I/O, or null. */
    private static @Nullable String probe(Path probe, ByteBuffer page) throws IOException {
        try {
            Set<OpenOption> direct = Set.of(DirectIo.option());
            DirectIo.probe(probe, page, direct);
            return null;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            // If this fails too, it is not for O_DIRECT.
            DirectIo.probe(probe, page, Set.of());
            return String.valueOf(e.getMessage());
        }
    }

    private static int number(Path file, Pattern pattern) {
        Matcher name = pattern.matcher(file.getFileName().toString());
        return name.matches() ? Integer.parseInt(name.group(1)) : -1;
    }

    /** The last part of its path. */
    String name() {
        return path.getFileName().toString();
    }

    boolean isUsable() {
        return flaw == null;
    }

    /** The file of a region. */
    Path region(int number) {
        return path.resolve("region-%07d".formatted(number));
    }

    /**
     * Numbers of the regions there are.
     *
     * @param belongs false for a region that is to be deleted
     */
    List<Integer> regions(IntPredicate belongs) throws IOException {
        List<Integer> numbers = new ArrayList<>();
        try (Stream<Path> files = Files.list(path)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                int number = number(file, REGION);
                if (number >= 0 && !belongs.test(number)) {
                    Files.deleteIfExists(file);
                } else if (number >= 0 && number < DiskAddress.MAX_REGIONS) {
                    numbers.add(number);
                }
            }
        }
        return numbers;
    }
}
