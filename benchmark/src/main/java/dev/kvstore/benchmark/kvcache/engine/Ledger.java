package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.result.Samples;
import dev.kvstore.benchmark.kvcache.workload.QosClass;
import java.util.EnumMap;
import java.util.Map;
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
    public final LongAdder readOperations = new LongAdder();
    public final LongAdder writeOperations = new LongAdder();
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
    public final Samples endToEnd = new Samples();
    public final Samples storage = new Samples();
    public final Samples generation = new Samples();
    public final Samples prefill = new Samples();
    public final Samples decode = new Samples();

    /** Of prompts in blocks. */
    public final PrefixCounts prefixes = new PrefixCounts();

    /** Moves between tiers, whose time is in no other figure. */
    public final Samples demotions = new Samples();

    /** Reads and writes that a tier refused. */
    public final LongAdder errors = new LongAdder();

    /** Reads that gave other bytes than were written. */
    public final LongAdder damaged = new LongAdder();

    public final Map<Slot, TierFigures> tiers = new EnumMap<>(Slot.class);
    public final Map<QosClass, Samples> classes = new EnumMap<>(QosClass.class);

    /** The counts of one tier. */
    public static final class TierFigures {
        public final LongAdder readBytes = new LongAdder();
        public final LongAdder writtenBytes = new LongAdder();
        public final Samples reads = new Samples();
        public final Samples writes = new Samples();
        public final Samples deviceReads = new Samples();
        public final Samples hostReads = new Samples();
        public final Samples deviceWrites = new Samples();
        public final Samples hostWrites = new Samples();
    }

    public Ledger() {
        for (Slot slot : Slot.values()) {
            tiers.put(slot, new TierFigures());
        }
        for (QosClass qos : QosClass.values()) {
            classes.put(qos, new Samples());
        }
    }

    public TierFigures tier(Slot slot) {
        TierFigures figures = tiers.get(slot);
        if (figures == null) {
            throw new IllegalStateException(slot + " is not counted");
        }
        return figures;
    }

    public Samples of(QosClass qos) {
        Samples samples = classes.get(qos);
        if (samples == null) {
            throw new IllegalStateException(qos + " is not counted");
        }
        return samples;
    }
}
