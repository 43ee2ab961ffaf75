package dev.kvstore.dataplane.server;

import com.sun.management.OperatingSystemMXBean;
import dev.kvstore.dataplane.server.settings.DataPlaneSettings;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * The memory that a process may use.
 *
 * @param physicalBytes of the machine, or of the container if that has a limit
 * @param heapBytes most the Java heap may grow to
 * @param directBytes most off-heap memory the JVM hands out ({@code -XX:MaxDirectMemorySize})
 */
public record ProcessMemory(long physicalBytes, long heapBytes, long directBytes) {
    private static final int UNCOUNTED_PART = 8;

    private static final String SUM = "kvstore.memory-tier-size + kvstore.transfer-memory + kvstore.inbound-memory"
            + " + kvstore.unread-response-memory";

    static ProcessMemory ofThisProcess() {
        var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new ProcessMemory(
                system.getTotalMemorySize(),
                Runtime.getRuntime().maxMemory(),
                PlatformDependent.estimateMaxDirectMemory());
    }

    /** The memory of a process on a part of the machine, such as a NUMA node. */
    public ProcessMemory within(long bytes) {
        return new ProcessMemory(Math.min(physicalBytes, bytes), heapBytes, directBytes);
    }

    /**
     * The memory that is left for {@code kvstore.memory-tier-size}, in whole MiB: all memory except the Java heap, the
     * memory of other settings, and an eighth for the system, the JVM beside its heap and the page cache, which no
     * setting counts. 0 if nothing is left.
     */
    public long memoryTierBytes(DataPlaneSettings settings) {
        long others = settings.transferMemory().asLongValue()
                + settings.inboundMemory().asLongValue()
                + settings.unreadResponseMemory().asLongValue();
        long most = Math.min(physicalBytes - physicalBytes / UNCOUNTED_PART - heapBytes, directBytes);
        return Math.max(0, most - others) >> 20 << 20;
    }

    /** Why these settings do not fit, and the way out; null if they do. */
    @Nullable
    public String flaw(DataPlaneSettings settings) {
        long wanted = settings.memoryTierSize().asLongValue()
                + settings.transferMemory().asLongValue()
                + settings.inboundMemory().asLongValue()
                + settings.unreadResponseMemory().asLongValue();
        if (wanted > directBytes) {
            return ("%s: %s are more than -XX:MaxDirectMemorySize allows, %s;"
                            + " lower kvstore.memory-tier-size or raise the flag")
                    .formatted(SUM, mebibytes(wanted), mebibytes(directBytes));
        }
        if (wanted + heapBytes > physicalBytes) {
            return "%s: %s and a Java heap of %s are more than the memory there is, %s; lower one of them or -Xmx"
                    .formatted(SUM, mebibytes(wanted), mebibytes(heapBytes), mebibytes(physicalBytes));
        }
        return null;
    }

    private static String mebibytes(long bytes) {
        return (bytes >> 20) + " MiB";
    }
}
