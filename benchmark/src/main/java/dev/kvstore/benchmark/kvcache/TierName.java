package dev.kvstore.benchmark.kvcache;

import dev.kvstore.benchmark.kvcache.engine.Slot;
import java.util.Locale;

/** The tiers that {@code --tiers} takes. */
enum TierName {
    GPU_SIM(Slot.GPU),
    CPU(Slot.CPU),
    DISK(Slot.STORAGE),
    KVSTORE(Slot.STORAGE),
    OBJECT(Slot.STORAGE),
    NULL(Slot.STORAGE);

    final Slot slot;

    TierName(Slot slot) {
        this.slot = slot;
    }

    /** The tier's name in {@code --tiers}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
