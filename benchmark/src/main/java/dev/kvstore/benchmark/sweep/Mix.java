package dev.kvstore.benchmark.sweep;

import java.util.List;

/** One iteration of the load, as the original service was measured with: 7 Lookups, 6 Reads and 3 Writes. */
final class Mix {
    /** The kinds of results that are reported separately. */
    enum ResultKind {
        LOOKUP,
        READ,
        WRITE
    }

    /** A step of an iteration. */
    enum MixStep {
        /** A Lookup of a stored prompt. */
        LOOK_UP,
        READ,
        /** One more block of the iteration's own prompt. */
        WRITE,
        /** A Lookup of the iteration's own prompt, which must be found whole. */
        LOOK_UP_OWN
    }

    /** Interleaved, so that clients which begin together do not all read, and then all write. */
    static final List<MixStep> ITERATION = List.of(
            MixStep.LOOK_UP,
            MixStep.READ,
            MixStep.LOOK_UP,
            MixStep.READ,
            MixStep.WRITE,
            MixStep.LOOK_UP,
            MixStep.READ,
            MixStep.LOOK_UP,
            MixStep.READ,
            MixStep.WRITE,
            MixStep.LOOK_UP,
            MixStep.READ,
            MixStep.LOOK_UP,
            MixStep.READ,
            MixStep.WRITE,
            MixStep.LOOK_UP_OWN);

    /** Blocks that an iteration writes. */
    static final int WRITES =
            (int) ITERATION.stream().filter(MixStep.WRITE::equals).count();

    private Mix() {}
}
