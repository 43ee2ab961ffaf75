package dev.kvstore.dataplane.tier.disk;

import dev.kvstore.dataplane.storage.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folders of a tier's disks: {@code disk-0}, {@code disk-1}, ... in the folder of the tier, each the mount point of
 * a local disk; the folder of the tier itself, if it has none of these. Stateless.
 */
final class DiskFolders {
    private static final Pattern DISK = Pattern.compile("disk-(\\d{1,3})");
    private static final Pattern MARK = Pattern.compile("disk-(\\d{1,3})\\.mark");

    private DiskFolders() {}

    /**
     * The folders that the tier uses now. Disks that it does not use must begin empty when it uses them again, and so
     * must the folder of a tier that has disks.
     *
     * @param most how many, 1 or more
     */
    static List<Path> settle(Path tier, int most) throws StorageException {
        try {
            return settled(tier, most);
        } catch (IOException e) {
            throw new StorageException(StorageException.Kind.UNAVAILABLE, String.valueOf(e.getMessage()), e);
        }
    }

    private static List<Path> settled(Path tier, int most) throws IOException {
        List<Path> disks = disks(tier);
        List<Path> used = disks.stream().limit(most).toList();
        for (Path mark : matching(tier, MARK)) {
            Path disk = DiskMark.folder(mark);
            if (!used.contains(disk)) {
                DiskMark.withdraw(disk);
            }
        }
        if (disks.isEmpty()) {
            return List.of(tier);
        }
        Folder.empty(tier);
        return used;
    }

    /** The folders of disks, by their numbers. */
    static List<Path> disks(Path tier) throws IOException {
        return matching(tier, DISK).stream().filter(Files::isDirectory).toList();
    }

    /** The files of a folder whose names match, by the numbers in these; none if there is no folder. */
    static List<Path> matching(Path folder, Pattern pattern) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> number(file, pattern) >= 0)
                    .sorted(Comparator.comparing(file -> number(file, pattern)))
                    .toList();
        }
    }

    /** The number in a file's name, or -1. */
    static int number(Path file, Pattern pattern) {
        Matcher name = pattern.matcher(file.getFileName().toString());
        return name.matches() ? Integer.parseInt(name.group(1)) : -1;
    }
}
