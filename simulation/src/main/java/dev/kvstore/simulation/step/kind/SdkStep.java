package dev.kvstore.simulation.step.kind;

/** A step of a client of the Java SDK, which chooses a data plane by itself. */
public sealed interface SdkStep {
    /** The deadline of the step's operation; a step without an operation ignores it. */
    long deadlineMillis();

    record LookUp(int prompt, long deadlineMillis) implements SdkStep {}

    record ReadBlock(int prompt, int block, long deadlineMillis) implements SdkStep {}

    /**
     * A client reads all blocks of a prompt through one stream.
     *
     * @param pauseMillis the time that the reader takes for the first block
     * @param breakAfter the number of blocks after which all connections of the client break; 0 for never
     */
    record ReadPrompt(int prompt, long deadlineMillis, long pauseMillis, int breakAfter) implements SdkStep {}

    /** A client writes the first blocks of a prompt, one after the other. */
    record WritePrompt(int prompt, int blocks, int content, long deadlineMillis) implements SdkStep {}

    /**
     * A client writes the first blocks of a prompt through one stream.
     *
     * @param pauseMillis the time that the writer takes for the first block
     * @param breakAfter the number of blocks after which all connections of the client break; 0 for never
     */
    record StreamPrompt(int prompt, int blocks, int content, long deadlineMillis, long pauseMillis, int breakAfter)
            implements SdkStep {}

    /** The client is closed, and another one comes in its place. */
    record Restart(long deadlineMillis) implements SdkStep {}
}
