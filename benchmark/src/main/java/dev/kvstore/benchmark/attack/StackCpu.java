package dev.kvstore.benchmark.attack;

import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.launcher.stack.StackProcess;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Processor time that the attacked programs have used so far, by process id.
 *
 * @param dataPlane with the processes below it
 * @param database PostgreSQL of the control plane, with the processes below it
 * @param nanos when, of {@link System#nanoTime}
 */
record StackCpu(
        Map<Long, Duration> dataPlane, Map<Long, Duration> controlPlane, Map<Long, Duration> database, long nanos) {
    private static final double NANOS = 1e9;

    /**
     * Processors used on average, of which 1 is all of one core.
     *
     * @param database PostgreSQL's
     */
    record Cores(double dataPlane, double controlPlane, double database) {
        /** All programs together. */
        double sum() {
            return dataPlane + controlPlane + database;
        }
    }

    /** The CPU time until now; none for a program that has ended. */
    static StackCpu now(LocalStack stack) {
        StackControlPlane control = Objects.requireNonNull(stack.controlPlane());
        return new StackCpu(
                stack.dataPlanes().stream()
                        .flatMap(StackCpu::processes)
                        .collect(Collectors.toMap(ProcessHandle::pid, StackCpu::used)),
                processes(control).collect(Collectors.toMap(ProcessHandle::pid, StackCpu::used)),
                database(control).collect(Collectors.toMap(ProcessHandle::pid, StackCpu::used)),
                System.nanoTime());
    }

    private static Stream<ProcessHandle> processes(StackProcess program) {
        return tree(program.process().pid());
    }

    private static Stream<ProcessHandle> tree(long pid) {
        return ProcessHandle.of(pid).stream().flatMap(top -> Stream.concat(Stream.of(top), top.descendants()));
    }

    /** PostgreSQL detaches itself from the process that starts it. */
    private static Stream<ProcessHandle> database(StackControlPlane control) {
        return control.database().pid().stream().flatMap(StackCpu::tree);
    }

    private static Duration used(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** CPU time since an earlier reading, of the processes that still run. */
    Cores since(StackCpu before) {
        double seconds = (nanos - before.nanos) / NANOS;
        return new Cores(
                seconds(before.dataPlane, dataPlane) / seconds,
                seconds(before.controlPlane, controlPlane) / seconds,
                seconds(before.database, database) / seconds);
    }

    private static double seconds(Map<Long, Duration> before, Map<Long, Duration> after) {
        return after.entrySet().stream()
                        .map(process -> process.getValue().minus(before.getOrDefault(process.getKey(), Duration.ZERO)))
                        .mapToLong(Duration::toNanos)
                        .sum()
                / NANOS;
    }
}
