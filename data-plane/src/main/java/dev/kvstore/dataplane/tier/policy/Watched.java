package dev.kvstore.dataplane.tier.policy;

import org.jspecify.annotations.Nullable;

/** The knowledge of {@link HitDensity} about a block, kept or not. */
final class Watched<K> {
    /** A turn that has just begun may not have all its blocks yet. */
    private static final long GROWING_NANOS = 1_000_000_000;

    final K key;

    /** How many requests its lineage had been part of when the block was first seen, that one among them. */
    final int born;

    /** Requests that asked for it since. */
    int uses;

    long usedNanos;

    /** How many lessons there were by then. */
    int lesson;

    long bytes;

    /** Its index among all watched blocks; -1 if it is watched no more. */
    int place;

    boolean kept;

    @Nullable
    K parentKey;

    /** The block before it, if that was known. */
    @Nullable
    Watched<K> parent;

    /** Kept blocks right behind it. */
    int children;

    /** The last turn that it was part of. */
    ConversationTurn turn;

    /** The worth of keeping it when it was last computed, if it may leave. */
    double worth;

    /** Where it is among all that may leave, and among its owner's; -1 if it may not. */
    final int[] leaf = {-1, -1};

    /** Its owner, while it is kept. */
    @Nullable
    Object owner;

    /** Its place in the turn, 1 for the first; 0 if the turn only goes on behind it. */
    int step;

    Watched(K key, ConversationTurn turn) {
        this.key = key;
        this.turn = turn;
        this.born = turn.number;
    }

    /** How many requests its lineage has been part of. */
    int requests() {
        return born + uses;
    }

    /** Its kind, as {@link ReturnTimes} tells them apart, if it has not been used for so long. */
    int kind(long nanos) {
        if (requests() != turn.number) {
            return ReturnTimes.shared(requests());
        }
        if (step == turn.blocks && nanos > GROWING_NANOS) {
            return ReturnTimes.last(turn.number);
        }
        return ReturnTimes.turn(turn.number, turn.blocks);
    }

    boolean isLeaf() {
        return kept && children == 0;
    }
}
