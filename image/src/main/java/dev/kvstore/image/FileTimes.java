package dev.kvstore.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * The one time that every file of an image has, so that the same files are the same image; also before Java looks at
 * them, since a cache is good for one time of jar and run-time image only. Stateless.
 */
final class FileTimes {
    /** A second after the epoch: zero counts as no time for some. */
    static final Instant FIXED = Instant.EPOCH.plusSeconds(1);

    private FileTimes() {}

    static void fix(Path folder) throws IOException {
        for (Path file : files(folder)) {
            Files.setLastModifiedTime(file, FileTime.from(FIXED));
        }
    }

    /** All files below a folder, in the order of their names; links count as their targets. */
    static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> Files.isRegularFile(file) || Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .sorted()
                    .toList();
        }
    }
}
