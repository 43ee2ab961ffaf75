package dev.kvstore.benchmark.sweep;

/**
 * A step that a client process is to do, a line of JSON.
 *
 * @param partition for written blocks
 * @param dataPlanes among which clients are dealt out, of those in the {@link ClientSetup}
 * @param clients of all processes together: the clients of a closed loop, or the most calls that an open loop may have
 *     under way
 * @param rate iterations a second of all processes together; 0 for a closed loop
 * @param leadMillis load before the window begins
 * @param windowMillis its length
 * @param mostBytes written in the window by this process before it ends early
 */
record StepOrder(
        String partition,
        int dataPlanes,
        int clients,
        double rate,
        long leadMillis,
        long windowMillis,
        long mostBytes) {
    boolean hasRate() {
        return rate > 0;
    }
}
