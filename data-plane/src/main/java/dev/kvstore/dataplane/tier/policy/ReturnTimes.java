package dev.kvstore.dataplane.tier.policy;

import org.jspecify.annotations.Nullable;

/**
 * Learns how soon blocks come back after a use, and computes the worth of keeping a block that has not come back for a
 * given time. Blocks are told apart by how far their conversation has come and by how much its last turn added: a sixth
 * turn comes back more often than a first one, and a question more often than a book.
 *
 * <p>The hazard of a kind and an age, that a block of that kind comes back at that age if it has not before, is
 * estimated as Kaplan and Meier do (<i>Nonparametric estimation from incomplete observations</i>, JASA 1958): blocks
 * that did not come back so far count for as long as they were watched. Worth is Gittins' index (<i>Bandit processes
 * and dynamic allocation indices</i>, JRSS B 1979) of a block's place: the most uses a second that any length of
 * further keeping promises. So a block that comes back after minutes is worth more when its time draws near than just
 * after it was used.
 *
 * <p>Ages are in classes of half an octave. A lesson takes half a millisecond, all else constant time. Not thread-safe.
 */
final class ReturnTimes {
    /** Turns of conversations: the first, the second, and so on; the last has all later ones. */
    private static final int TURNS = 8;

    /** Kinds of a turn by the number of blocks that it added, in octaves. */
    private static final int LENGTHS = 10;

    /**
     * Kinds of blocks that several conversations share, by the number of requests that have asked for them, in octaves.
     */
    private static final int SHARED = 16;

    static final int KINDS = TURNS * LENGTHS + SHARED + TURNS;

    /** Number of ages: up to two weeks. */
    private static final int AGES = 48;

    /** An age of one unit, 2^27 ns, is 0.13 s. */
    private static final int UNIT_SHIFT = 27;

    private static final double UNIT_SECONDS = (1L << UNIT_SHIFT) / 1e9;

    /**
     * The hazard that is assumed before anything is known. With it the worth falls with age: the least recently used
     * block leaves first.
     */
    private static final double FIRST_HAZARD = 0.3;

    /** How much smaller the hazard of an age is assumed to be than that of the age before. */
    private static final double FALLING = 0.9;

    /** The number of observations that the assumption counts for. */
    private static final double ASSUMED = 30;

    /**
     * The part of earlier observations that is left after the next lesson: an observation that is a hundred lessons old
     * counts a third.
     */
    private static final double REMEMBERED = 0.99;

    /**
     * The cost of a change, as time of the room that a block takes. Without it, a block that may come back within the
     * next second displaces a block that will come back for certain within a minute.
     */
    private static final double CHANGE_SECONDS = 6;

    private static final double[] SECONDS = seconds();
    private static final double[] BEGINS = begins();
    private static final double[] WEIGHTS = weights();

    private final double[][] returned = new double[KINDS][AGES];
    private final double[][] givenUp = new double[KINDS][AGES];
    private final double[][] waiting = new double[KINDS][AGES];
    private final double[][] worth = new double[KINDS][AGES];

    private int lessons;

    ReturnTimes() {
        learn();
    }

    /** How long each class of ages lasts. */
    private static double[] seconds() {
        double[] seconds = new double[AGES];
        for (int age = 0; age < AGES; age++) {
            seconds[age] = (age < 2 ? 1 : 1L << (age / 2 - 1)) * UNIT_SECONDS;
        }
        return seconds;
    }

    /** The youngest of each class of ages, in seconds. */
    private static double[] begins() {
        double[] begins = new double[AGES];
        for (int age = 1; age < AGES; age++) {
            begins[age] = begins[age - 1] + SECONDS[age - 1];
        }
        return begins;
    }

    private static double[] weights() {
        double[] weights = new double[400];
        weights[0] = 1;
        for (int ago = 1; ago < weights.length; ago++) {
            weights[ago] = weights[ago - 1] * REMEMBERED;
        }
        return weights;
    }

    /** The class of an age. */
    static int age(long nanos) {
        long units = Math.max(0, nanos) >> UNIT_SHIFT;
        if (units < 2) {
            return (int) units;
        }
        int octave = Long.SIZE - 1 - Long.numberOfLeadingZeros(units);
        return Math.min(AGES - 1, 2 * octave + (int) (units >> (octave - 1) & 1));
    }

    /** The kind of a block that belongs to one conversation, which is at this turn. */
    static int turn(int number, int blocks) {
        return Math.clamp(number - 1, 0, TURNS - 1) * LENGTHS + Math.clamp(octave(blocks), 0, LENGTHS - 1);
    }

    /** The kind of a block that so many requests have asked for, not all of one conversation. */
    static int shared(int requests) {
        return TURNS * LENGTHS + Math.clamp(octave(requests), 0, SHARED - 1);
    }

    /** The kind of the last block of a conversation, which is at this turn. */
    static int last(int number) {
        return TURNS * LENGTHS + SHARED + Math.clamp(number - 1, 0, TURNS - 1);
    }

    private static int octave(int number) {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(number);
    }

    /** Number of lessons so far. */
    int lessons() {
        return lessons;
    }

    /**
     * A block of this kind came back at this age; {@code since} is how many lessons there were when it was used before.
     */
    void returned(int kind, long nanos, int since) {
        returned[kind][age(nanos)] += weight(since);
    }

    /** A block is watched no more. */
    void givenUp(int kind, long nanos, int since) {
        givenUp[kind][age(nanos)] += weight(since);
    }

    /** A block has not come back yet; to be said of each between two lessons. */
    void waiting(int kind, long nanos, int since) {
        waiting[kind][age(nanos)] += weight(since);
    }

    /**
     * The weight of a use, whether or not the block came back: otherwise uses with a return would be forgotten sooner
     * than uses without.
     */
    private double weight(int since) {
        int ago = lessons - since;
        return ago < WEIGHTS.length ? WEIGHTS[ago] : 0;
    }

    /**
     * Uses a second that the place of such a block promises, more than 0; between two classes of ages it is between
     * theirs.
     */
    double worth(int kind, long nanos) {
        int age = age(nanos);
        double here = worth[kind][age];
        if (age == AGES - 1) {
            return here;
        }
        double part = (nanos / 1e9 - BEGINS[age]) / SECONDS[age];
        return here + part * (worth[kind][age + 1] - here);
    }

    /** Draws the conclusions from the observations. */
    void learn() {
        lessons++;
        double[][] hazards = new double[KINDS][];
        for (int kind = 0; kind < KINDS; kind++) {
            hazards[kind] = hazards(kind, assumed(kind, hazards));
            index(hazards[kind], worth[kind]);
            for (int age = 0; age < AGES; age++) {
                returned[kind][age] *= REMEMBERED;
                givenUp[kind][age] *= REMEMBERED;
                waiting[kind][age] = 0;
            }
        }
    }

    /** Hazards that are not known of a kind are taken from the most similar kinds; null if there are none. */
    private static double @Nullable [] assumed(int kind, double[][] hazards) {
        int length = kind % LENGTHS;
        if (kind == 0 || kind == TURNS * LENGTHS || kind == last(1)) {
            return null;
        }
        if (kind > TURNS * LENGTHS || kind < LENGTHS) {
            return hazards[kind - 1];
        }
        if (length == 0) {
            return hazards[kind - LENGTHS];
        }
        double[] both = new double[AGES];
        for (int age = 0; age < AGES; age++) {
            both[age] = (hazards[kind - 1][age] + hazards[kind - LENGTHS][age]) / 2;
        }
        return both;
    }

    private double[] hazards(int kind, double @Nullable [] assumed) {
        double[] watched = new double[AGES];
        double older = 0;
        for (int age = AGES - 1; age >= 0; age--) {
            double ended = givenUp[kind][age] + waiting[kind][age];
            // A block that was watched for a part of this age counts half.
            watched[age] = older + returned[kind][age] + ended / 2;
            older += returned[kind][age] + ended;
        }
        double[] hazards = new double[AGES];
        double expected = assumed == null ? FIRST_HAZARD : assumed[0];
        for (int age = 0; age < AGES; age++) {
            if (age > 0) {
                double fallen = FALLING * hazards[age - 1];
                expected = assumed == null ? fallen : (fallen + assumed[age]) / 2;
            }
            hazards[age] = (returned[kind][age] + ASSUMED * expected) / (watched[age] + ASSUMED);
        }
        return hazards;
    }

    private static void index(double[] hazards, double[] worth) {
        for (int from = 0; from < AGES; from++) {
            double left = 1;
            double uses = 0;
            double seconds = CHANGE_SECONDS;
            double best = 0;
            for (int age = from; age < AGES; age++) {
                double back = left * hazards[age];
                uses += back;
                seconds += (left - back / 2) * SECONDS[age];
                left -= back;
                best = Math.max(best, uses / seconds);
            }
            worth[from] = best;
        }
    }
}
