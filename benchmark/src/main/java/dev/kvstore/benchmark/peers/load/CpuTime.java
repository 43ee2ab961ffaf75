package dev.kvstore.benchmark.peers.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Processor time from {@code /proc/PID/stat}, in seconds, in user and system mode, of all threads. 0 where there is no
 * such file: the system has none, or the process is gone.
 */
public final class CpuTime {
    /** USER_HZ, which Linux promises to programs whatever its own clock is. */
    private static final double TICKS_PER_SECOND = 100;

    // proc(5), counted from the field behind the program's name: utime, stime, cutime, cstime.
    private static final int USER = 11;
    private static final int SYSTEM = 12;
    private static final int REAPED_USER = 13;
    private static final int REAPED_SYSTEM = 14;

    private CpuTime() {}

    /** The CPU time of a process. */
    public static double of(long pid) {
        return seconds(stat(Long.toString(pid)), USER, SYSTEM);
    }

    /** The CPU time of a process and of its children that still run. */
    public static double ofTree(long pid) {
        return Stream.concat(
                        Stream.of(pid),
                        ProcessHandle.of(pid).stream()
                                .flatMap(ProcessHandle::descendants)
                                .map(ProcessHandle::pid))
                .mapToDouble(CpuTime::of)
                .sum();
    }

    /** The CPU time of this process. */
    public static double ofThis() {
        return seconds(stat("self"), USER, SYSTEM);
    }

    /** The CPU time of the children of this process that have ended and were waited for, and of their children. */
    public static double ofReapedChildren() {
        return seconds(stat("self"), REAPED_USER, REAPED_SYSTEM);
    }

    private static String stat(String process) {
        try {
            return Files.readString(Path.of("/proc", process, "stat"));
        } catch (IOException e) {
            return "";
        }
    }

    /** The sum of two fields of a line; the program's name, in parentheses, may have any characters. */
    static double seconds(String stat, int one, int other) {
        if (stat.isEmpty()) {
            return 0;
        }
        List<String> fields = Pattern.compile(" ")
                .splitAsStream(stat.substring(stat.lastIndexOf(')') + 2))
                .toList();
        return (Long.parseLong(fields.get(one)) + Long.parseLong(fields.get(other))) / TICKS_PER_SECOND;
    }
}
