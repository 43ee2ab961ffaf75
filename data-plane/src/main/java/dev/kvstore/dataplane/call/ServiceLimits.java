package dev.kvstore.dataplane.call;

import java.time.Duration;

/**
 * Limits of calls.
 *
 * @param streamPrefetchBytes most bytes one stream has loaded, or is loading, ahead of the block it sends
 * @param sharedPrefetchBytes the same over all streams
 * @param unarySendBytes most bytes of responses of Read that clients have not read yet, over all calls
 * @param patience how long a call waits for memory before it is refused
 * @param stall how long a client may leave a response unread, or a message or block half sent
 */
public record ServiceLimits(
        long streamPrefetchBytes, long sharedPrefetchBytes, long unarySendBytes, Duration patience, Duration stall) {
    /**
     * Blocks that one stream has loaded or is loading and has not sent; fewer than the 100 connections to storage.
     * Sending this many usual blocks takes longer than loading the next one from a storage 20 ms away; sending half as
     * many does not.
     */
    public static final int STREAM_LOADS = 64;

    /**
     * Loads ahead of their turn under way in the process, over all streams: some that wait for each of the 100
     * connections to a storage. More loads would make the blocks whose turn it is wait for longer, and gain nothing.
     */
    public static final int LOADS_AHEAD = 512;

    /** Blocks one stream stores at the same time. */
    public static final int STREAM_STORES = 32;

    /** Blocks of one stream that were asked for and not sent; further requests wait in the transport. */
    public static final int STREAM_PENDING = 4096;

    /** Parts in one message of a StreamingWrite. */
    public static final int MESSAGE_PARTS = 4096;

    /** Results in one message of a StreamingWrite; 180 bytes each, and a refused one's reason. */
    public static final int MESSAGE_RESULTS = 1024;

    /** Blocks in one lookup, over all its partitions. */
    public static final int LOOKUP_BLOCKS = 65_536;

    /** Partitions in one LookupAll: the ranks of the largest tensor-parallel groups, with room to spare. */
    public static final int LOOKUP_PARTITIONS = 64;

    /**
     * Tokens that one LookupAll has the server hash, over all its partitions: 8 MiB, for eight ranks of a prompt of
     * 262,144 tokens. The request has them once, so without a limit of its own its caller could make the server work 64
     * times as long as it sends.
     */
    public static final long LOOKUP_ALL_TOKENS = 2_097_152;

    /** Partitions of one LookupAll that are looked at side by side; few of the 100 connections to a storage. */
    public static final int LOOKUP_THREADS = 16;
}
