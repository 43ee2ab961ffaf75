package dev.kvstore.simulation.plan;

import dev.kvstore.simulation.control.DatabaseWeather;
import dev.kvstore.simulation.storage.StorageMood;

/** A step of a history: a call of a client, or a fault. */
public sealed interface HistoryStep {
    /** The first blocks of a prompt, one after the other. */
    record WritePrompt(int plane, int prompt, int blocks, int content) implements HistoryStep {}

    /** The first blocks of a prompt, through one stream. */
    record StreamPrompt(int plane, int prompt, int blocks, int content) implements HistoryStep {}

    /** The longest stored prefix of a prompt. */
    record LookUp(int plane, int prompt) implements HistoryStep {}

    /** The same, by the prompt's tokens. */
    record LookUpTokens(int plane, int prompt) implements HistoryStep {}

    /** The same in two partitions, of which nobody writes the second one. */
    record LookUpAll(int plane, int prompt) implements HistoryStep {}

    record ReadBlock(int plane, int prompt, int block) implements HistoryStep {}

    /** All blocks of a prompt, through one stream. */
    record ReadPrompt(int plane, int prompt) implements HistoryStep {}

    /** A stream of one block whose client leaves in the middle of it. */
    record LeaveWrite(int plane, int prompt, int block, int content, long millis) implements HistoryStep {}
    /** A call whose client does not wait for it longer. */
    record Hasty(HistoryStep call, long millis, boolean cancels) implements HistoryStep {}

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

    /** Somebody brings a block back that another program deleted. */
    record BringBack(int prompt, int block) implements HistoryStep {}

    /** Another program deletes all files of presence of a partition. */
    record LosePresence() implements HistoryStep {}

    /** Another program deletes the file that says a partition's name. */
    record LoseDescriptor() implements HistoryStep {}

    /**
     * Other processes, which have ended since, stored the same blocks as one did: there are more logs like one that is
     * closed.
     *
     * @param which of the closed logs there are then; counted again from the first one after the last
     */
    record RepeatLog(int which, int times) implements HistoryStep {}

    /** A bit of a block's buffer is another one, in storage. */
    record FlipBit(int prompt, int block, int bit) implements HistoryStep {}

    /** Another program puts the file of another block of the prompt in place of a block's. */
    record Misplace(int prompt, int block, int other) implements HistoryStep {}

    /** Something else happens as soon as a file changes in storage whose name in its partition begins so. */
    record Ambush(String file, HistoryStep next) implements HistoryStep {}
    /** A fault of another kind. */
    record Inject(InjectedFault fault) implements HistoryStep {}
    /** What befalls control planes and their database. */
    sealed interface OfControlPlanes extends HistoryStep {}

    /** A control plane ends at once, and is started again. */
    record KillControlPlane(int plane, long downMillis) implements OfControlPlanes {}

    record FreezeControlPlane(int plane, long millis) implements OfControlPlanes {}

    /** Calls of a data plane do not reach a control plane. */
    record CutFromControlPlane(String from, int plane, long millis) implements OfControlPlanes {}

    /** A control plane does not reach the database. */
    record CutFromDatabase(int plane, long millis) implements OfControlPlanes {}

    record ChangeWeather(DatabaseWeather weather, long millis) implements OfControlPlanes {}

    record StepControlPlaneClock(int plane, long millis) implements OfControlPlanes {}

    record StepDatabaseClock(long millis) implements OfControlPlanes {}

    /** An admin purges a block. */
    record PurgeBlock(int prompt, int block) implements OfControlPlanes {}

    /** An admin purges the partition. */
    record PurgePartition() implements OfControlPlanes {}

    /** An admin purges what the key wrote, which is all there is. */
    record PurgeKey() implements OfControlPlanes {}

    /**
     * Something else happens as soon as a purge comes so far.
     *
     * @param moment one of {@link ControlPlanePlan#MOMENTS}
     */
    record PurgeAmbush(String moment, HistoryStep next) implements OfControlPlanes {}

    /** A step in another region, whose data plane reads through to the storage of all others. */
    sealed interface InFarRegion extends HistoryStep {}

    /** A call of a client there: one that names a data plane, which is not asked. */
    record CallFar(HistoryStep call) implements InFarRegion {}

    record KillFar(long downMillis) implements InFarRegion {}

    record FreezeFar(long millis) implements InFarRegion {}

    /** The storage there treats its data plane so. */
    record MoodFar(StorageMood mood, long millis) implements InFarRegion {}

    /** The storage of the others treats the data plane there so. */
    record MoodBetweenRegions(StorageMood mood, long millis) implements InFarRegion {}

    /** The clock of the data plane there steps. */
    record StepClockFar(long millis) implements InFarRegion {}

    /** Another program deletes a block there. */
    record LoseFar(int prompt, int block) implements InFarRegion {}

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
