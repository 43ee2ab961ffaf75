package dev.kvstore.benchmark.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Processor time that processes have used so far; zero where the system does not tell, or they are gone. Stateless. */
public final class CpuClock {
    // Of proc(5), behind the program's name: cutime is the 14th field, and cstime the next, in hundredths of a second.
    private static final int FIELDS_BEFORE = 13;
    private static final int TICK_MILLIS = 10;

    private CpuClock() {}

    /** The time that one process has used. */
    public static Duration of(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** The time that a process has used, and the processes below it that still run. */
    public static Duration ofTree(long pid) {
        return tree(pid).map(CpuClock::of).reduce(Duration.ZERO, Duration::plus);
    }

    private static Stream<ProcessHandle> tree(long pid) {
        return ProcessHandle.of(pid).stream().flatMap(top -> Stream.concat(Stream.of(top), top.descendants()));
    }

    /**
     * The time that each of some processes has used.
     *
     * @param used by process id
     * @param nanos when, of {@link System#nanoTime}
     */
    public record CpuReading(Map<Long, Duration> used, long nanos) {
        /** Reads the time of processes and of those below them. */
        public static CpuReading now(long... pids) {
            return new CpuReading(
                    Arrays.stream(pids)
                            .boxed()
                            .flatMap(CpuClock::tree)
                            .collect(Collectors.toMap(ProcessHandle::pid, CpuClock::of, (one, _) -> one)),
                    System.nanoTime());
        }

        /** Processors used on average since an earlier reading, by the processes that still run. */
        public double coresSince(CpuReading before) {
            return (double) used.entrySet().stream()
                            .map(one -> one.getValue().minus(before.used.getOrDefault(one.getKey(), Duration.ZERO)))
                            .mapToLong(Duration::toNanos)
                            .sum()
                    / (nanos - before.nanos);
        }
    }

    /** The time that children of this process have used which have ended, and the children of these. */
    public static Duration ofEndedChildren() {
        try {
            String stat = Files.readString(Path.of("/proc/self/stat"));
            return Duration.ofMillis(TICK_MILLIS
                    * Pattern.compile(" ")
                            .splitAsStream(stat.substring(stat.lastIndexOf(')') + 2))
                            .skip(FIELDS_BEFORE)
                            .limit(2)
                            .mapToLong(Long::parseLong)
                            .sum());
        } catch (IOException e) {
            return Duration.ZERO;
        }
    }
}
