package dev.kvstore.metrics;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Corrections of a library's metric.
 *
 * @param name the name in Micrometer
 * @param unit the unit that belongs to the name; null for a count
 */
record LibraryMetric(String name, @Nullable String unit, String help) {
    /** Metrics of libraries without help or unit, or with quotes in their help, by the libraries' names. */
    static final Map<String, LibraryMetric> ALL = Map.ofEntries(
            helped("process.cpu.usage", "Share of the machine's processors that the process has used of late, 0 to 1."),
            helped("system.cpu.usage", "Share of the machine's processors that was used of late, 0 to 1."),
            // The name ends like the count of a histogram.
            Map.entry(
                    "system.cpu.count", new LibraryMetric("system.cpus", null, "Processors that the process may use.")),
            helped("http.server.active.requests", "HTTP requests that are being served."),
            bytes("netty.allocator.memory.used", "Memory that Netty's allocator holds."),
            bytes("netty.allocator.memory.pinned", "Memory that Netty's allocator has handed out."),
            bytes("netty.allocator.pooled.chunk.size", "Size of the chunks of Netty's allocator."),
            helped("netty.allocator.pooled.arenas", "Arenas of Netty's allocator."),
            helped("netty.allocator.pooled.cache.size", "Entries in the caches of Netty's allocator."),
            helped("netty.allocator.pooled.threadlocal.caches", "Caches of threads of Netty's allocator."),
            helped("netty.eventexecutor.tasks.pending", "Tasks that wait for a network thread."));

    private static Map.Entry<String, LibraryMetric> helped(String name, String help) {
        return Map.entry(name, new LibraryMetric(name, null, help));
    }

    private static Map.Entry<String, LibraryMetric> bytes(String name, String help) {
        return Map.entry(name, new LibraryMetric(name, "bytes", help));
    }
}
