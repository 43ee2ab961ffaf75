package dev.kvstore.benchmark.mainjob;

import dev.kvstore.benchmark.measure.Latencies;
import java.util.Map;

/**
 * One operation at one number of clients for some seconds, with the names that the JSON has.
 *
 * @param seconds from the first operation's begin to the last one's end
 * @param latency of an operation; of writes, from handing a block over to its acknowledgement
 * @param firstBlock from asking for a prompt to its first block
 * @param clientCpuSeconds processor time of this process meanwhile
 * @param serverCpuSeconds processor time of the data plane meanwhile
 * @param storageCalls by operation
 */
public record OperationMeasurement(
        long operations,
        long blocks,
        long bytes,
        double seconds,
        Latencies.Percentiles latency,
        Latencies.Percentiles firstBlock,
        double clientCpuSeconds,
        double serverCpuSeconds,
        Map<String, Double> storageCalls) {
    private static final double MEGABYTE = 1e6;

    /** How many of the unit were done. */
    public double amount(MainJobOperation.ResultUnit unit) {
        return switch (unit) {
            case OPERATIONS -> operations;
            case BLOCKS -> blocks;
            case MEGABYTES -> bytes / MEGABYTE;
        };
    }

    public double rate(MainJobOperation.ResultUnit unit) {
        return amount(unit) / seconds;
    }

    double storageCallsPerOperation() {
        return storageCalls.values().stream().mapToDouble(Double::doubleValue).sum() / operations;
    }
}
