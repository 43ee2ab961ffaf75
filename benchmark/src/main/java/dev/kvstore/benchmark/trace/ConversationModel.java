package dev.kvstore.benchmark.trace;

/**
 * Measurements of the FAST'25 conversation trace that Mooncake publishes (12,031 requests of 3,537 s): the parameters
 * of {@link GeneratedTrace}. Tables have the quantiles from 0 to 1 in steps of 1/20; the first and the last of each are
 * set so that the mean of the outermost twentieth is the measured one.
 *
 * <p>A request continues another if it has a block in common with it beyond the first, which all requests share; it
 * continues the latest such request. Of these, 85 % repeat the whole blocks of the prompt before it and add the answer
 * and what is new; the others (an edited or a shortened history) share only a part.
 */
final class ConversationModel {
    /** The time from the first to the last request. */
    static final long SPAN_MILLIS = 3_537_000;

    /** Times are given in whole steps of this. */
    static final long STEP_MILLIS = 3_000;

    /** Requests that continue no other: 7,373; a little more, as some chance to share what only others had. */
    static final int CONVERSATIONS = 7_400;

    /** The context of the model: the longest input. */
    static final int MOST_INPUT = 126_195;

    /**
     * The part of first, second ... requests of a conversation that another one continues; the last is of all later
     * ones. Measured .306, .419, .510, .587, .585, .677, .754 ..., and raised by what the end of the trace cuts off.
     */
    private static final double[] CONTINUED = {.334, .45, .545, .635, .66, .73, .79};

    /** The part of continuing requests that share less than the prompt before them. */
    static final double CUT = .15;

    /** Input of a first request that is continued, in tokens. */
    static final Quantiles CONTINUED_INPUT = new Quantiles(
            983, 1133, 1300, 1544, 2020, 2897, 3876, 4509, 5203, 5953, 6893, 7968, 9225, 10_864, 12_499, 14_593, 17_476,
            20_563, 25_371, 33_597, 83_430);

    /** The same of one that is not. */
    static final Quantiles SINGLE_INPUT = new Quantiles(
            892, 896, 900, 906, 930, 1011, 1261, 1685, 2856, 4049, 4721, 5383, 6509, 7922, 9735, 12_104, 15_196, 18_814,
            25_690, 40_293, 99_260);

    /** Output, in tokens. */
    static final Quantiles OUTPUT = new Quantiles(
            1, 10, 24, 46, 100, 157, 213, 256, 291, 323, 350, 375, 399, 423, 447, 472, 504, 543, 597, 698, 1272);

    /** From a request to the one that continues it, in seconds. */
    static final Quantiles GAP_SECONDS = new Quantiles(
            8, 30, 42, 51, 60, 66, 75, 84, 96, 108, 123, 138, 162, 189, 222, 264, 318, 390, 483, 615, 1575);

    /** The tokens that a continuing request adds to input and output of the request before. */
    static final Quantiles ADDED =
            new Quantiles(0, 0, 0, 6, 7, 9, 11, 13, 16, 20, 26, 33, 52, 88, 172, 356, 694, 2541, 4192, 6921, 20_402);

    /** The part of the blocks before that a cut one still shares. */
    static final Quantiles CUT_KEEPS = new Quantiles(
            .022, .053, .068, .083, .097, .111, .129, .15, .167, .185, .214, .25, .29, .342, .4, .453, .516, .673, .833,
            .906, .962);

    /** The tokens by which the input of a cut request differs from that of the request before. */
    static final Quantiles CUT_DIFFERS = new Quantiles(
            -22_565, -10_386, -7804, -6119, -4283, -3700, -2727, -2042, -1126, -655, -90, 168, 365, 583, 1123, 1588,
            2493, 3555, 5038, 7589, 23_883);

    private ConversationModel() {}

    /** The part of requests of this turn (1 is the first) that another one continues. */
    static double continued(int turn) {
        return CONTINUED[Math.min(turn, CONTINUED.length) - 1];
    }
}
