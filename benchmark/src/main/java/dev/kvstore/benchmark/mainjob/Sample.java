package dev.kvstore.benchmark.mainjob;

import dev.kvstore.benchmark.measure.Latencies;
import java.util.concurrent.atomic.LongAdder;

/** What the clients of one measurement did. Thread-safe. */
final class Sample {
    /** Of an operation; of writes, from handing a block over to its acknowledgement. */
    final Latencies latency = new Latencies();

    /** From asking for a prompt to its first block. */
    final Latencies firstBlock = new Latencies();

    final LongAdder operations = new LongAdder();
    final LongAdder blocks = new LongAdder();
    final LongAdder bytes = new LongAdder();
}
