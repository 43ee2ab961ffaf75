package dev.kvstore.benchmark.kvcache;

import dev.kvstore.benchmark.kvcache.engine.Slot;
import java.util.Locale;
import picocli.CommandLine.TypeConversionException;

/** The tiers that {@code --tiers} takes. */
public enum TierName {
    GPU_SIM(Slot.GPU),
    CPU(Slot.CPU),
    DISK(Slot.STORAGE),
    KVSTORE(Slot.STORAGE),
    OBJECT(Slot.STORAGE),
    NULL(Slot.STORAGE);

    private final Slot slot;

    TierName(Slot slot) {
        this.slot = slot;
    }

    Slot slot() {
        return slot;
    }

    /** Reads what {@code --tiers} has. */
    static TierName of(String text) {
        for (TierName name : values()) {
            if (name.toString().equalsIgnoreCase(text)) {
                return name;
            }
        }
        throw new TypeConversionException("must be gpu-sim, cpu, disk, kvstore, object or null, not '" + text + "'");
    }

    /** As {@code --tiers} has it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
