package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.server.settings.DataPlaneSettings;
import dev.kvstore.dataplane.tier.disk.DiskSettings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The disk tier that its settings describe together. Stateless. */
final class LocalDisk {
    private static final long MIB = 1 << 20;

    private LocalDisk() {}

    /** The folder of this process: on a NUMA node one of its own, since all nodes have the same settings. */
    static Path folder(DataPlaneSettings settings) {
        Path path = settings.diskTierPath().orElseThrow();
        return settings.numaNode().isPresent()
                ? path.resolve("numa-" + settings.numaNode().getAsInt())
                : path;
    }

    /** Why these settings cannot be used, and the way out; null if they can. */
    static @Nullable String flaw(DataPlaneSettings settings) {
        long bytes = settings.diskTierSize().asLongValue();
        Path path = settings.diskTierPath().orElse(null);
        if (bytes == 0) {
            return null;
        }
        if (bytes < DiskSettings.MIN_BYTES) {
            return "kvstore.disk-tier-size: must be 0, or %dM or more, not %d bytes"
                    .formatted(DiskSettings.MIN_BYTES / MIB, bytes);
        }
        if (path == null || !path.isAbsolute()) {
            return "kvstore.disk-tier-path: give the absolute path of a folder for kvstore.disk-tier-size";
        }
        return null;
    }
}
