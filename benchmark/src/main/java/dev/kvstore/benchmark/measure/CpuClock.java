package dev.kvstore.benchmark.measure;

import java.time.Duration;
import java.util.stream.Stream;

/** Processor time that processes have used so far; zero where the system does not tell, or they are gone. Stateless. */
public final class CpuClock {
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
}
