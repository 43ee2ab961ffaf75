package dev.kvstore.benchmark.sweep;

/**
 * Little's law (L = X W: Little, "A Proof for the Queuing Formula L = lambda W", 1961) as a check on the instrument:
 * clients of a closed loop that do nothing but wait for answers are all under way all the time. Where throughput times
 * mean latency is less than their number, they were busy with themselves; where it is more, latencies or rates are
 * wrong.
 *
 * @param clients that there were
 * @param underWay operations a second times their mean latency
 * @param deviationPercent of the second from the first
 * @param holds whether within 5 %
 */
record Little(int clients, double underWay, double deviationPercent, boolean holds) {
    private static final double MOST_PERCENT = 5;

    static Little of(int clients, double underWay) {
        double deviation = (underWay / clients - 1) * 100;
        return new Little(clients, underWay, deviation, Math.abs(deviation) <= MOST_PERCENT);
    }
}
