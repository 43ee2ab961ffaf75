package dev.kvstore.benchmark.sweep.step;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** The load of a sweep: what a client does in one iteration, again and again. What {@code --load} takes. */
public enum Mix {
    /** The load with which the original service was measured. */
    MIXED("7 Lookups, 6 Reads and 3 Writes"),
    LOOKUP("a Lookup of a stored prompt"),
    MISSING_LOOKUP("a Lookup of a prompt that no client has stored"),
    READ("a Read of a block"),
    STREAMING_READ("a StreamingRead of a prompt"),
    WRITE("a Write of a new block"),
    STREAMING_WRITE("a StreamingWrite of a new prompt");

    /** A step of an iteration. */
    public enum MixStep {
        /** A Lookup of a stored prompt. */
        LOOK_UP,
        /** A Lookup of a prompt that no client has stored, in a partition of its own. */
        LOOK_UP_MISSING,
        READ,
        /** A StreamingRead of a stored prompt. */
        STREAMING_READ,
        /** One more block of the iteration's own prompt. */
        WRITE,
        /** The iteration's own prompt as one stream. */
        STREAMING_WRITE,
        /** A Lookup of the iteration's own prompt, which must be found whole. */
        LOOK_UP_OWN
    }

    private static final List<MixStep> MIXED_STEPS = mixed();

    private final String text;

    Mix(String text) {
        this.text = text;
    }

    /** Interleaved, so that clients which begin together do not all read, and then all write. */
    private static List<MixStep> mixed() {
        List<MixStep> third = List.of(MixStep.LOOK_UP, MixStep.READ, MixStep.LOOK_UP, MixStep.READ, MixStep.WRITE);
        List<MixStep> steps = new ArrayList<>();
        Collections.nCopies(3, third).forEach(steps::addAll);
        steps.add(MixStep.LOOK_UP_OWN);
        return List.copyOf(steps);
    }

    /** The calls of an iteration, for people. */
    public String text() {
        return text;
    }

    public List<MixStep> steps() {
        return switch (this) {
            case MIXED -> MIXED_STEPS;
            case LOOKUP -> List.of(MixStep.LOOK_UP);
            case MISSING_LOOKUP -> List.of(MixStep.LOOK_UP_MISSING);
            case READ -> List.of(MixStep.READ);
            case STREAMING_READ -> List.of(MixStep.STREAMING_READ);
            case WRITE -> List.of(MixStep.WRITE);
            case STREAMING_WRITE -> List.of(MixStep.STREAMING_WRITE);
        };
    }

    /** Blocks that an iteration writes. */
    public int writes(int promptBlocks) {
        return this == STREAMING_WRITE ? promptBlocks : Collections.frequency(steps(), MixStep.WRITE);
    }

    /** Latencies that an iteration adds to those of Lookups, Reads and Writes: each block of a written stream has one. */
    public int results(int promptBlocks) {
        return this == STREAMING_WRITE ? promptBlocks : steps().size();
    }

    /** The load's name on the command line and in the JSON. */
    @JsonValue
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
