package dev.kvstore.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Processor time since the machine started, in ticks of all its processors; both 0 where the system does not tell.
 *
 * @param all busy, idle or stolen
 * @param stolen that other machines on the same hardware had while this one wanted it
 */
record Stolen(long all, long stolen) {
    private static final Path STAT = Path.of("/proc/stat");

    // man 5 proc: user nice system idle iowait irq softirq steal; guests are in user and nice already.
    private static final int FIELDS = 8;

    static Stolen now() {
        try {
            return Files.isReadable(STAT) ? of(Files.readAllLines(STAT).getFirst()) : new Stolen(0, 0);
        } catch (IOException e) {
            // As on a system without such a file.
            return new Stolen(0, 0);
        }
    }

    /** The first line of {@code /proc/stat}. */
    static Stolen of(String line) {
        String[] words = line.split("\\s+");
        if (words.length <= FIELDS || !words[0].equals("cpu")) {
            return new Stolen(0, 0);
        }
        long[] ticks = Stream.of(words)
                .skip(1)
                .limit(FIELDS)
                .mapToLong(Long::parseLong)
                .toArray();
        long all = 0;
        for (long part : ticks) {
            all += part;
        }
        return new Stolen(all, ticks[FIELDS - 1]);
    }

    /** The part of the time since then, 0 to 1; -1 if it is not known. */
    double shareSince(Stolen before) {
        long time = all - before.all;
        return time <= 0 ? -1 : (double) Math.max(0, stolen - before.stolen) / time;
    }
}
