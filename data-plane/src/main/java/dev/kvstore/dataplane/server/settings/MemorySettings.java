package dev.kvstore.dataplane.server.settings;

import dev.kvstore.settings.Described;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Memory and local disk for blocks and messages, and memory for the knowledge about both. No sizes are so large that
 * their sum overflows.
 */
public interface MemorySettings {
    @WithDefault("1G")
    @Described(
            least = "0",
            most = "1P",
            bounds = "Off-heap memory that keeps blocks; 0 for none. On a NUMA node the default is what the other"
                    + " settings and the heap leave of the node's memory.",
            reached = "The blocks with the lowest predicted hit rate leave for the disk tier, or are dropped.")
    MemorySize memoryTierSize();

    // The value is 0 or one that LocalDisk accepts; most is the room that the index can address.
    @WithDefault("0")
    @Described(
            least = "0",
            most = "256T",
            bounds = "Files on a local disk that keep blocks which left memory, in regions of 256 MiB; 0 for none, else"
                    + " 512M or more.",
            reached = "The oldest region is dropped; its blocks that were read are written again.")
    MemorySize diskTierSize();

    @Described(
            bounds = "Absolute path of the folder for the disk tier, made if it is missing. Each data plane needs its"
                    + " own; on a NUMA node it takes numa-N below it, in kv up data-plane-N. Folders disk-0, disk-1, ... in"
                    + " it, where several disks are mounted, take blocks in turns.")
    Optional<Path> diskTierPath();

    // Twice the longest block: half may be taken by blocks loaded ahead of it (Limits.sharedPrefetchBytes).
    @WithDefault("1G")
    @Described(
            least = "130M",
            most = "1P",
            bounds = "Off-heap memory for blocks on their way in or out; prefetching takes half of it at most.",
            reached = "Further calls wait for memory-wait-timeout, then get RESOURCE_EXHAUSTED with a retry hint.")
    MemorySize transferMemory();

    // The longest message (KvStoreMethods.MAX_MESSAGE_BYTES).
    @WithDefault("512M")
    @Described(
            least = "65M",
            most = "1P",
            bounds = "Memory of received messages, whole or partial, that are still being processed, of all clients"
                    + " together: network memory and the heap of their fields. One tenant may hold half of it, one"
                    + " connection a quarter, and each at least one longest message.",
            reached = "Calls whose messages need more get RESOURCE_EXHAUSTED with a retry hint.")
    MemorySize inboundMemory();

    // The answer to the longest Lookup (Limits.LOOKUP_BLOCKS).
    @WithDefault("256M")
    @Described(
            least = "16M",
            most = "1P",
            bounds = "Memory of responses to Read and Lookup that clients have not read, of all clients together; give"
                    + " 65M or more to serve blocks of 64 MiB.",
            reached = "Further responses wait for memory-wait-timeout, then their calls get RESOURCE_EXHAUSTED with a"
                    + " retry hint.")
    MemorySize unreadResponseMemory();

    // 0 loads one block after the other.
    @WithDefault("128M")
    @Described(
            least = "0",
            most = "1P",
            bounds = "Memory of blocks that one StreamingRead loads before their turn; 0 loads one block after the"
                    + " other.",
            reached = "The stream loads its next block when the client has read one; it is slower, nothing fails.")
    MemorySize streamPrefetchMemory();

    @WithDefault("5s")
    @Described(
            least = "1ms",
            most = "1d",
            bounds = "Time that a call waits for transfer-memory or unread-response-memory.",
            reached = "The call gets RESOURCE_EXHAUSTED with a retry hint.")
    Duration memoryWaitTimeout();

    @WithDefault("500000")
    @Described(
            least = "0",
            most = "1000000000",
            bounds = "Blocks that the process remembers as stored, about 150 bytes of heap each.",
            reached = "It forgets blocks; a Lookup that needs one asks storage whether the blob exists.")
    long maxVerifiedBlocks();

    // Without room, the knowledge of a partition is forgotten at once, and learnt again by the next lookup.
    @WithDefault("128M")
    @Described(
            least = "1M",
            most = "1T",
            bounds = "Heap for filters of partitions that are read, 1.5 to 3 bytes a block. Partitions that are being"
                    + " written come on top, and a partition is there twice while it is merged: in all at most twice this"
                    + " for one account, and three times this, or half of the heap if that is less, for all accounts.",
            reached = "It forgets the filters of partitions; the next Lookup there loads the snapshot from storage"
                    + " again.")
    MemorySize presenceFilterMemory();
}
