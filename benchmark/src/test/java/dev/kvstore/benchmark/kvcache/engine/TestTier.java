package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.tier.EntryBytes;
import dev.kvstore.benchmark.kvcache.tier.IoTime;
import dev.kvstore.benchmark.kvcache.tier.Scratch;
import dev.kvstore.benchmark.kvcache.tier.Tier;
import java.io.IOException;
import java.util.function.LongConsumer;

/** A tier over another one; tests change what they want. */
class TestTier implements Tier {
    private final Tier tier;

    TestTier(Tier tier) {
        this.tier = tier;
    }

    @Override
    public IoTime write(EntryBytes blob, Scratch memory, LongConsumer moved) throws IOException {
        return tier.write(blob, memory, moved);
    }

    @Override
    public IoTime read(EntryBytes blob, Scratch memory, boolean check, LongConsumer moved) throws IOException {
        return tier.read(blob, memory, check, moved);
    }

    @Override
    public void delete(EntryBytes blob) throws IOException {
        tier.delete(blob);
    }

    @Override
    public void close() throws IOException {
        tier.close();
    }
}
