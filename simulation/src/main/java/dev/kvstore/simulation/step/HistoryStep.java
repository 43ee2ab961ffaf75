package dev.kvstore.simulation.step;

import dev.kvstore.simulation.step.kind.ControlPlaneStep;
import dev.kvstore.simulation.step.kind.InjectedFault;
import dev.kvstore.simulation.step.kind.SdkStep;
import dev.kvstore.simulation.storage.StorageMood;

/** A step of a history: a call of a client, or a fault. */
public sealed interface HistoryStep {
    /** A client writes the first blocks of a prompt, one after the other. */
    record WritePrompt(int plane, int prompt, int blocks, int content) implements HistoryStep {}

    /** A client writes the first blocks of a prompt through one stream. */
    record StreamPrompt(int plane, int prompt, int blocks, int content) implements HistoryStep {}

    /** A client looks up the longest stored prefix of a prompt. */
    record LookUp(int plane, int prompt) implements HistoryStep {}

    /** A client looks up the longest stored prefix of a prompt, by the prompt's tokens. */
    record LookUpTokens(int plane, int prompt) implements HistoryStep {}

    /**
     * A client looks up the longest stored prefix of a prompt in two partitions. Nobody writes the second partition.
     */
    record LookUpAll(int plane, int prompt) implements HistoryStep {}

    record ReadBlock(int plane, int prompt, int block) implements HistoryStep {}

    /** A client reads all blocks of a prompt through one stream. */
    record ReadPrompt(int plane, int prompt) implements HistoryStep {}

    /** A client writes one block through a stream, and leaves in the middle of it. */
    record LeaveWrite(int plane, int prompt, int block, int content, long millis) implements HistoryStep {}
    /** A client makes a call, and waits for it no longer than this time. */
    record Hasty(HistoryStep call, long millis, boolean cancels) implements HistoryStep {}

    /** A data plane ends at once, and is started again. */
    record Kill(int plane, long downMillis) implements HistoryStep {}

    /** A data plane is told to end, and is started again. */
    record Stop(int plane, long downMillis) implements HistoryStep {}

    record Freeze(int plane, long millis) implements HistoryStep {}

    record Mood(int plane, StorageMood mood, long millis) implements HistoryStep {}

    /** Calls of another data plane, or of clients, do not reach a data plane. */
    record CutCable(String from, int plane, long millis) implements HistoryStep {}

    /** A data plane's clock steps. */
    record StepClock(int plane, long millis) implements HistoryStep {}

    /** Another program deletes a block. */
    record Lose(int prompt, int block) implements HistoryStep {}

    /** Somebody brings a block back that another program deleted. */
    record BringBack(int prompt, int block) implements HistoryStep {}

    /** Another program deletes all files of presence of a partition. */
    record LosePresence() implements HistoryStep {}

    /** Another program deletes the file that says a partition's name. */
    record LoseDescriptor() implements HistoryStep {}

    /**
     * Other processes, which have ended since, stored the same blocks as one process: there are more logs like a closed
     * log.
     *
     * @param which the closed log, among the closed logs that there are then; after the last, counting begins again
     */
    record RepeatLog(int which, int times) implements HistoryStep {}

    /** A bit of a block's buffer is flipped in storage. */
    record FlipBit(int prompt, int block, int bit) implements HistoryStep {}

    /** Another program puts the blob of another block of the prompt in place of a block's blob. */
    record Misplace(int prompt, int block, int other) implements HistoryStep {}

    /** Another step begins as soon as a file changes in storage whose name in its partition begins with this text. */
    record Ambush(String file, HistoryStep next) implements HistoryStep {}
    /** An injected fault happens. */
    record Inject(InjectedFault fault) implements HistoryStep {}
    /** A step of control planes happens. */
    record OfControlPlanes(ControlPlaneStep step) implements HistoryStep {}

    /**
     * Another step begins as soon as a purge reaches a moment.
     *
     * @param moment a moment in the life of a purge
     */
    record PurgeAmbush(String moment, HistoryStep next) implements HistoryStep {}

    /** A step in the far region, whose data plane reads through to the storage of the home region. */
    sealed interface InFarRegion extends HistoryStep {}

    /**
     * A client of the far region makes a call. The far data plane gets the call, and not the one that the call names.
     */
    record CallFar(HistoryStep call) implements InFarRegion {}

    record KillFar(long downMillis) implements InFarRegion {}

    record FreezeFar(long millis) implements InFarRegion {}

    /** The far region's storage treats the far data plane in this way. */
    record MoodFar(StorageMood mood, long millis) implements InFarRegion {}

    /** The home region's storage treats the far data plane in this way. */
    record MoodBetweenRegions(StorageMood mood, long millis) implements InFarRegion {}

    /** The clock of the far data plane steps. */
    record StepClockFar(long millis) implements InFarRegion {}

    /** Another program deletes a block in the far region. */
    record LoseFar(int prompt, int block) implements InFarRegion {}

    /** A step of a client of the SDK happens. */
    record OfSdk(SdkStep step) implements HistoryStep {}

    /** All connections of clients of the SDK to a data plane break. */
    record BreakConnections(int plane) implements HistoryStep {}
}
