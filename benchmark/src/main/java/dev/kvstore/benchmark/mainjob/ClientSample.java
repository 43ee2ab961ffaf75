package dev.kvstore.benchmark.mainjob;

import dev.kvstore.benchmark.measure.Latencies;
import java.util.concurrent.atomic.LongAdder;

/** The work of the clients in one measurement. Thread-safe. */
public final class ClientSample {
    /** The latency of an operation; for writes, from handing a block over to its acknowledgement. */
    public final Latencies latency = new Latencies();

    public final LongAdder operations = new LongAdder();
    public final LongAdder blocks = new LongAdder();
    public final LongAdder bytes = new LongAdder();
}
