package dev.kvstore.benchmark.sweep;

import java.util.Locale;

/** Where the blocks lie that are read: what {@code --data} takes. */
public enum Data {
    /** In the data planes' memory. */
    HOT,
    /** On their local disks. */
    DISK,
    /** In storage alone. */
    COLD;

    /** As on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
