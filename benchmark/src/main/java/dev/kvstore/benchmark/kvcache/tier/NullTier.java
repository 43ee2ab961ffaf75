package dev.kvstore.benchmark.kvcache.tier;

import java.util.function.LongConsumer;

/** Holds nothing and takes no time: what remains is what the benchmark itself takes. */
public final class NullTier implements Tier {
    @Override
    public IoTime write(EntryBytes blob, Scratch memory, LongConsumer moved) {
        moved.accept(blob.bytes());
        return IoTime.NONE;
    }

    @Override
    public IoTime read(EntryBytes blob, Scratch memory, boolean check, LongConsumer moved) {
        return write(blob, memory, moved);
    }
}
