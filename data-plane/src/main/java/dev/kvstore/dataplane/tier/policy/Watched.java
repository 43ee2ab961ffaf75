package dev.kvstore.dataplane.tier.policy;

import org.jspecify.annotations.Nullable;

/** The knowledge of {@link HitDensity} about a block, kept or not. */
final class Watched<K> {
    /** A turn that has just begun may not have all its blocks yet. */
    private static final long GROWING_NANOS = 1_000_000_000;

    final K key;

    /** How many requests the block's lineage had been part of when it was first seen, that request among them. */
    final int born;

    /** Requests that have asked for the block since. */
    int uses;

    long usedNanos;

    /** How many lessons there were when the block was used last. */
    int lesson;

    long bytes;

    /** The block's index among all watched blocks; -1 if it is watched no more. */
    int place;

    boolean kept;

    @Nullable
    K parentKey;

    /** The block before this one, if that was known. */
    @Nullable
    Watched<K> parent;

    /** Kept blocks right behind this one. */
    int children;

    /** The last turn that the block was part of. */
    ConversationTurn turn;

    /** The worth of keeping the block when it was last computed, if the block may leave. */
    double worth;

    /** The block's places among all blocks that may leave, and among those of its owner; -1 if it may not leave. */
    final int[] leaf = {-1, -1};

    /** The block's owner, while the block is kept. */
    @Nullable
    Object owner;

    /** The block's place in the turn, 1 for the first; 0 if the turn only goes on behind it. */
    int step;

    Watched(K key, ConversationTurn turn) {
        this.key = key;
        this.turn = turn;
        this.born = turn.number;
    }

    /** How many requests the block's lineage has been part of. */
    int requests() {
        return born + uses;
    }

    /** The block's kind, as {@link ReturnTimes} tells them apart, if the block has not been used for so long. */
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
