package dev.kvstore.benchmark.mainjob;

import dev.kvstore.benchmark.measure.Latencies;
import java.util.Map;

/**
 * One operation at one number of clients for some seconds.
 *
 * @param seconds from the first operation's begin to the last one's end
 * @param latency of an operation; of writes, from handing a block over to its acknowledgement
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
        double clientCpuSeconds,
        double serverCpuSeconds,
        Map<String, Double> storageCalls) {}
