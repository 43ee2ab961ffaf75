package dev.kvstore.simulation.history;

import dev.kvstore.simulation.fleet.StorageMood;

/** A step of a history: a call of a client, or a fault. */
public sealed interface HistoryStep {
    /** The first blocks of a prompt, one after the other. */
    record WritePrompt(int plane, int prompt, int blocks, int content) implements HistoryStep {}

    /** The first blocks of a prompt, through one stream. */
    record StreamPrompt(int plane, int prompt, int blocks, int content) implements HistoryStep {}

    /** The longest stored prefix of a prompt. */
    record LookUp(int plane, int prompt) implements HistoryStep {}

    record ReadBlock(int plane, int prompt, int block) implements HistoryStep {}

    /** All blocks of a prompt, through one stream. */
    record ReadPrompt(int plane, int prompt) implements HistoryStep {}

    /** A data plane ends at once, and is started again. */
    record Kill(int plane, long downMillis) implements HistoryStep {}

    /** A data plane is told to end, and is started again. */
    record Stop(int plane, long downMillis) implements HistoryStep {}

    record Freeze(int plane, long millis) implements HistoryStep {}

    record Mood(int plane, StorageMood mood, long millis) implements HistoryStep {}

    /** Calls of a host do not reach a data plane; of another data plane, or of clients. */
    record CutCable(String from, int plane, long millis) implements HistoryStep {}

    /** A data plane's clock steps. */
    record StepClock(int plane, long millis) implements HistoryStep {}

    /** Another program deletes a block. */
    record Lose(int prompt, int block) implements HistoryStep {}

    /** Another program deletes all files of presence of a partition. */
    record LosePresence() implements HistoryStep {}

    /** A step of a client of the Java SDK, which chooses a data plane by itself. */
    sealed interface OfSdk extends HistoryStep {
        /** Of an operation: a plan has steps without one, too. */
        long deadlineMillis();
    }

    record SdkLookUp(int prompt, long deadlineMillis) implements OfSdk {}

    record SdkReadBlock(int prompt, int block, long deadlineMillis) implements OfSdk {}

    /**
     * All blocks of a prompt, through one stream.
     *
     * @param pauseMillis the time that the reader takes for the first block
     * @param breakAfter blocks after which all connections of the client break; 0 for never
     */
    record SdkReadPrompt(int prompt, long deadlineMillis, long pauseMillis, int breakAfter) implements OfSdk {}

    /** The first blocks of a prompt, one after the other. */
    record SdkWritePrompt(int prompt, int blocks, int content, long deadlineMillis) implements OfSdk {}

    /** The first blocks of a prompt, through one stream; the rest as of a {@link SdkReadPrompt}. */
    record SdkStreamPrompt(int prompt, int blocks, int content, long deadlineMillis, long pauseMillis, int breakAfter)
            implements OfSdk {}

    /** The client is closed, and another one comes in its place. */
    record SdkRestart(long deadlineMillis) implements OfSdk {}

    /** All connections of clients of the SDK to a data plane break. */
    record BreakConnections(int plane) implements HistoryStep {}
}
