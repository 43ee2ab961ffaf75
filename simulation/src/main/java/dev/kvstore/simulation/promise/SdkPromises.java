package dev.kvstore.simulation.promise;

import dev.kvstore.client.ClientCounters;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.simulation.fleet.SdkClient;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The further promises of the Java SDK, whichever data plane it asks. All times are nanoseconds of the world.
 *
 * <ul>
 *   <li>An operation ends by its deadline, whatever fails.
 *   <li>An operation fails with the code of an outside cause: never with the code of a bug of the client or the server,
 *       and never as cancelled while its client is open.
 *   <li>An operation is not refused as one too many while there are few.
 *   <li>An operation succeeds a minute after the last fault; in a history without faults, running into its deadline is
 *       its worst failure.
 *   <li>An operation that has 20 s succeeds while any data plane is well, and has been for 45 s.
 *   <li>A stream gives each block once, in its place.
 *   <li>A client that was closed ends its operations as cancelled, and leaves neither threads nor borrowed memory.
 *   <li>No block is damaged on its way, and no attempt fails where there are no faults.
 * </ul>
 */
public final class SdkPromises {
    /** A stream that ends waits for the threads of its client, and for messages on their way. */
    private static final long SLACK = 50_000_000;

    /** The codes of an absent data plane, an absent network, a deadline, and a block of another length. */
    private static final Set<ErrorCode> OUTSIDE = EnumSet.of(
            ErrorCode.UNAVAILABLE,
            ErrorCode.RESOURCE_EXHAUSTED,
            ErrorCode.DEADLINE_EXCEEDED,
            ErrorCode.FAILED_PRECONDITION);

    private final boolean hasFaults;
    private final List<String> broken = new ArrayList<>();
    private long answersExpectedFrom = Long.MAX_VALUE;

    /** @param hasFaults whether the history has faults */
    public SdkPromises(boolean hasFaults) {
        this.hasFaults = hasFaults;
    }

    /** No fault excuses the failure of an operation that begins from now on. */
    public void expectAnswers(long now) {
        answersExpectedFrom = now;
    }

    /**
     * An operation ended.
     *
     * @param due the time by which the operation had to end
     */
    public void ended(String operation, long due, long now) {
        if (now > due + SLACK) {
            broken.add("SDK: %s ended at %.3f s, %d ms late".formatted(operation, now / 1e9, (now - due) / 1_000_000));
        }
    }

    /**
     * An operation failed.
     *
     * @param asked the time at which the operation began
     * @param closedFor the time since the client was closed; less than 0 if it was not
     * @param besides the number of other reads, or of other asynchronous operations, that were open
     */
    public void failed(String operation, KvStoreException failure, long asked, long closedFor, int besides) {
        String text = "SDK: " + operation + ": " + failure.getMessage();
        if (closedFor >= 0) {
            if (closedFor > SLACK && failure.code() == ErrorCode.UNAVAILABLE) {
                broken.add(text + ", and its client is closed");
            }
            return;
        }
        if (asked >= answersExpectedFrom || !isExcused(failure)) {
            broken.add(text);
        } else if (isRefusedHere(failure, "maxReadMemoryBytes") && besides < SdkClient.READS) {
            broken.add(text + ", with " + besides + " besides");
        } else if (isRefusedHere(failure, "maxAsyncCalls") && besides < SdkClient.ASYNC_CALLS) {
            broken.add(text + ", with " + besides + " besides");
        }
    }

    /** An operation of 20 s failed although a data plane has been well all the time. */
    public void failedBesideAWellOne(String operation, KvStoreException failure) {
        broken.add("SDK: although a data plane is well, " + operation + ": " + failure.getMessage());
    }

    private boolean isExcused(KvStoreException failure) {
        return OUTSIDE.contains(failure.code()) && (hasFaults || failure.code() != ErrorCode.UNAVAILABLE);
    }

    private static boolean isRefusedHere(KvStoreException failure, String option) {
        return String.valueOf(failure.getMessage()).contains(option);
    }

    /** The client gave a block in the place of another one. */
    public void misplaced(String what) {
        broken.add("SDK: " + what);
    }

    /**
     * A client was closed.
     *
     * @param leftovers the threads and blocks that are left of the client; empty for none
     */
    public void closed(String leftovers) {
        if (!leftovers.isEmpty()) {
            broken.add("SDK: a closed client has left " + leftovers);
        }
    }

    /** A client that is about to be closed has these counters. */
    public void counted(ClientCounters counters) {
        String wrong = wrong(counters);
        if (wrong != null) {
            broken.add("SDK: " + wrong + ": " + counters);
        }
    }

    private @Nullable String wrong(ClientCounters counters) {
        if (counters.damagedBlocks() != 0 || counters.leakedBlocks() != 0) {
            return "blocks were damaged or forgotten";
        }
        if (counters.failovers() != 0 || counters.level() != 0) {
            return "there is one region only";
        }
        boolean hadTrouble = counters.retries() != 0 || counters.ejections() != 0;
        return hadTrouble && !hasFaults ? "attempts failed without a fault" : null;
    }

    public List<String> broken() {
        return broken;
    }
}
