package dev.kvstore.benchmark.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
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
        return ProcessHandle.of(pid).stream()
                .flatMap(top -> Stream.concat(Stream.of(top), top.descendants()))
                .map(CpuClock::of)
                .reduce(Duration.ZERO, Duration::plus);
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
