package dev.kvstore.benchmark.kvcache.tier;

/**
 * How long a tier took for one entry, in nanoseconds. Making content and checking it is no part of it.
 *
 * @param device in the calls that move bytes and make them durable
 * @param host in the rest: opening and closing files
 */
public record IoTime(long device, long host) {
    public static final IoTime NONE = new IoTime(0, 0);

    public long total() {
        return device + host;
    }
}
