package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.config.QosClass;
import dev.kvstore.benchmark.kvcache.tier.IoTime;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/** The counts of one period of a run. Thread-safe. */
public final class Ledger {
    public final LongAdder hits = new LongAdder();
    public final LongAdder misses = new LongAdder();
    public final LongAdder systemPromptHits = new LongAdder();
    public final LongAdder multiTurnHits = new LongAdder();
    public final LongAdder userHits = new LongAdder();
    public final LongAdder prefillWrites = new LongAdder();
    public final LongAdder decodeReads = new LongAdder();
    public final LongAdder readBytes = new LongAdder();
    public final LongAdder writtenBytes = new LongAdder();
    public final LongAdder evictions = new LongAdder();
    public final LongAdder offloadsCpu = new LongAdder();
    public final LongAdder offloadsStorage = new LongAdder();
    public final DoubleAdder storageTokens = new DoubleAdder();
    public final LongAdder prefixHits = new LongAdder();
    public final LongAdder prefixMisses = new LongAdder();
    public final LongAdder prefixBytesSaved = new LongAdder();
    public final LongAdder turnHits = new LongAdder();
    public final LongAdder turnMisses = new LongAdder();

    /** Parts of documents that were there when a request looked for them. */
    public final LongAdder chunkHits = new LongAdder();

    public final LongAdder chunkMisses = new LongAdder();
    public final LongAdder tokens = new LongAdder();
    public final DurationSamples endToEnd = new DurationSamples();
    public final DurationSamples storage = new DurationSamples();
    public final DurationSamples generation = new DurationSamples();
    public final DurationSamples prefill = new DurationSamples();
    public final DurationSamples decode = new DurationSamples();
    public final PrefixCounts prefixes = new PrefixCounts();

    /** Moves between tiers, whose time is in no other figure. */
    public final DurationSamples demotions = new DurationSamples();

    /** Reads and writes that a tier refused. */
    public final LongAdder errors = new LongAdder();

    /** Reads that gave other bytes than were written. */
    public final LongAdder damaged = new LongAdder();

    public final Map<Slot, TierCounts> tiers = new EnumMap<>(Slot.class);
    private final Map<QosClass, DurationSamples> classes = new EnumMap<>(QosClass.class);

    /** The counts of one tier. */
    public static final class TierCounts {
        private static final double NANOS = 1e9;

        public final LongAdder readBytes = new LongAdder();
        public final LongAdder writtenBytes = new LongAdder();
        public final DurationSamples reads = new DurationSamples();
        public final DurationSamples writes = new DurationSamples();
        public final DurationSamples deviceReads = new DurationSamples();
        public final DurationSamples hostReads = new DurationSamples();
        public final DurationSamples deviceWrites = new DurationSamples();
        public final DurationSamples hostWrites = new DurationSamples();

        /** A read took so long. */
        public void read(IoTime time) {
            reads.add(time.total() / NANOS);
            deviceReads.add(time.device() / NANOS);
            hostReads.add(time.host() / NANOS);
        }

        /** A write took so long. */
        public void wrote(IoTime time) {
            writes.add(time.total() / NANOS);
            deviceWrites.add(time.device() / NANOS);
            hostWrites.add(time.host() / NANOS);
        }
    }

    public Ledger() {
        for (Slot slot : Slot.values()) {
            tiers.put(slot, new TierCounts());
        }
        for (QosClass qos : QosClass.values()) {
            classes.put(qos, new DurationSamples());
        }
    }

    public TierCounts tier(Slot slot) {
        return Objects.requireNonNull(tiers.get(slot));
    }

    /** Bytes have come from a tier for a request. */
    public void read(Slot slot, long bytes) {
        readBytes.add(bytes);
        tier(slot).readBytes.add(bytes);
    }

    /** Bytes of a request have gone to a tier. */
    public void wrote(Slot slot, long bytes) {
        writtenBytes.add(bytes);
        tier(slot).writtenBytes.add(bytes);
    }

    /** The latencies of answered requests of a class, from end to end. */
    public DurationSamples of(QosClass qos) {
        return Objects.requireNonNull(classes.get(qos));
    }
}
