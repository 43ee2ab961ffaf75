package dev.kvstore.benchmark.measure;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
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
}
