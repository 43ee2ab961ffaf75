package dev.kvstore.benchmark.peers.load;

/**
 * The bytes that were moved in some seconds.
 *
 * @param bytes of payload
 * @param clientCpuSeconds processor time of the process that asks; 0 where the system does not tell
 * @param serverCpuSeconds processor time of the process, or processes, that answer
 */
public record LoadMeasurement(long bytes, double seconds, double clientCpuSeconds, double serverCpuSeconds) {
    private static final double GIGABYTE = 1e9;

    public double gigabytesPerSecond() {
        return bytes / GIGABYTE / seconds;
    }

    public double clientCpuSecondsPerGigabyte() {
        return clientCpuSeconds * GIGABYTE / bytes;
    }

    public double serverCpuSecondsPerGigabyte() {
        return serverCpuSeconds * GIGABYTE / bytes;
    }

    /** The calls and bytes since an earlier moment, if both are counted from the same one. */
    LoadMeasurement minus(LoadMeasurement earlier) {
        return new LoadMeasurement(
                bytes - earlier.bytes,
                seconds - earlier.seconds,
                clientCpuSeconds - earlier.clientCpuSeconds,
                serverCpuSeconds - earlier.serverCpuSeconds);
    }
}
