package dev.kvstore.simulation.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the service promises, and what became of it. Each answer is held against the blobs that storage had meanwhile.
 * All times are nanoseconds of the world.
 *
 * <ul>
 *   <li>A block that a process acknowledged is found by that process, as long as it is stored.
 *   <li>Other processes find it 30 s later, unless storage fails them.
 *   <li>A read finds a stored block that its process acknowledged, or that has been stored for 30 s. (It may share a
 *       load that began before another process stored the block.)
 *   <li>A block is served as it was stored once. A process that stored or served it never serves older bytes after
 *       that. (It may serve old bytes from memory until it hears that another process stored the block anew.)
 *   <li>A write says {@code STORED} if its bytes are those that storage has now, and {@code ALREADY_PRESENT} if storage
 *       had a block.
 *   <li>While nobody is cut off or ends, a process serves no older bytes 30 s after another one stored a block anew.
 *   <li>What a process finds was stored once. The partition of an acknowledged block has its descriptor.
 *   <li>A minute after the last fault, each call is answered. After the last call a process holds no memory but that of
 *       its tier, and no slot of a call.
 * </ul>
 */
final class Promises {
    static final long VISIBLE = 30_000_000_000L;

    /** Before this time processes may not know each other. */
    private static final long MET = 10_000_000_000L;

    /** A time in which processes may not hear of each other. */
    private record Disturbance(long from, long until) {}

    /** An acknowledgement of a block that is stored. */
    private record StoredPromise(int plane, int life, long at) {}

    /** A content, and when it became what is stored. */
    private record ContentPut(int content, long at) {}

    /** Which of the puts a process served, or said that it stored. */
    private record ServedContent(int plane, int life, int put, long at) {}

    private static final class BlockState {
        private final List<ServedContent> served = new ArrayList<>();
        private final List<StoredPromise> acknowledged = new ArrayList<>();
        private final List<ContentPut> puts = new ArrayList<>();
        private boolean isStored;
        private boolean isDamaged;
        private long changed = Long.MIN_VALUE;
        private long gone = Long.MIN_VALUE;
    }

    private final Map<String, BlockState> blocks = new HashMap<>();
    private final List<String> broken = new ArrayList<>();
    private final List<Disturbance> disturbances = new ArrayList<>(List.of(new Disturbance(Long.MIN_VALUE, MET)));
    private boolean isDescribed;
    private long answers;

    private BlockState of(String block) {
        return blocks.computeIfAbsent(block, _ -> new BlockState());
    }

    /** Storage has a block now. */
    void put(String block, int content, long now) {
        BlockState state = of(block);
        state.puts.add(new ContentPut(content, now));
        state.isStored = true;
        state.isDamaged = false;
        state.changed = now;
    }

    /** The partition has its descriptor. */
    void described() {
        isDescribed = true;
    }

    /** Processes may not hear of each other for a time. */
    void disturbed(long from, long until) {
        disturbances.add(new Disturbance(from, until + MET));
    }

    private boolean wereDisturbed(long from, long until) {
        return disturbances.stream().anyMatch(one -> one.from <= until && one.until >= from);
    }

    /** A process holds something although all calls are over. */
    void leaked(String what) {
        broken.add(what);
    }

    /** Its buffer is damaged in storage, which its next reader notices, and no earlier writer. */
    void damaged(String block, long now) {
        gone(block, now);
        of(block).isDamaged = true;
    }

    /** Storage has it no more. */
    void gone(String block, long now) {
        BlockState state = of(block);
        state.isStored = false;
        state.isDamaged = false;
        state.changed = now;
        state.gone = now;
        state.acknowledged.clear();
    }

    void stored(String block, int plane, int life, int content, long asked, long now) {
        answers++;
        BlockState state = of(block);
        int put = state.puts.size() - 1;
        while (put >= 0 && state.puts.get(put).content != content) {
            put--;
        }
        if (put < 0 || state.puts.get(put).at < asked) {
            broken.add("plane " + plane + " says that it stored content " + content + " of " + block + ", and did not");
        } else {
            state.served.add(new ServedContent(plane, life, put, now));
        }
        acknowledged(state, plane, life, asked, now);
    }

    void alreadyPresent(String block, int plane, int life, long asked, long now) {
        answers++;
        BlockState state = of(block);
        if (!state.isStored && !state.isDamaged && state.changed < asked) {
            broken.add("plane " + plane + " says that " + block + " is stored, and it is not");
        }
        acknowledged(state, plane, life, asked, now);
    }

    private void acknowledged(BlockState state, int plane, int life, long asked, long now) {
        if (!isDescribed) {
            broken.add("plane " + plane + " acknowledges a block of a partition without a descriptor");
        }
        // A block that is lost while it is acknowledged was never promised.
        if (state.isStored && state.gone < asked) {
            state.acknowledged.add(new StoredPromise(plane, life, now));
        }
    }

    /**
     * A process denied a block.
     *
     * @param failed when storage failed it last
     */
    void denied(String block, int plane, int life, long asked, long now, long failed) {
        answers++;
        for (StoredPromise one : of(block).acknowledged) {
            boolean own = one.plane == plane && one.life == life;
            boolean due = own ? one.at <= asked : one.at + VISIBLE <= asked && failed < asked - VISIBLE;
            if (due) {
                broken.add("plane " + plane + " denies " + block + ", acknowledged by plane " + one.plane + " "
                        + (now - one.at) / 1_000_000 + " ms ago");
                return;
            }
        }
    }

    void found() {
        answers++;
    }

    /** A process says that storage has a block. */
    void isFound(String block, int plane) {
        if (of(block).puts.isEmpty()) {
            broken.add("plane " + plane + " finds " + block + ", which was never stored");
        }
    }

    /** Whether storage ever had it. */
    boolean isKnown(String block) {
        return !of(block).puts.isEmpty();
    }

    /** A call failed although all faults are long over. */
    void unanswered(String call) {
        broken.add(call);
    }

    /** A process says that storage does not have a block. */
    void missing(String block, int plane, int life, long asked) {
        answers++;
        BlockState state = of(block);
        boolean own =
                state.acknowledged.stream().anyMatch(one -> one.plane == plane && one.life == life && one.at <= asked);
        if (state.isStored && state.changed < (own ? asked : asked - VISIBLE)) {
            broken.add("plane " + plane + " does not find " + block + " to read, and it is stored");
        }
    }

    /** A process served a block. */
    void served(String block, int content, int plane, int life, long asked, long now) {
        answers++;
        BlockState state = of(block);
        int least = 0;
        for (ServedContent earlier : state.served) {
            if (earlier.plane == plane && earlier.life == life && earlier.at <= asked) {
                least = Math.max(least, earlier.put);
            }
        }
        int due = state.puts.size() - 1;
        while (due >= 0 && state.puts.get(due).at + VISIBLE > asked) {
            due--;
        }
        if (due >= 0 && !wereDisturbed(state.puts.get(due).at - MET, state.puts.get(due).at + VISIBLE)) {
            least = Math.max(least, due);
        }
        for (int put = least; put < state.puts.size(); put++) {
            if (state.puts.get(put).content == content && state.puts.get(put).at <= now) {
                state.served.add(new ServedContent(plane, life, put, now));
                return;
            }
        }
        broken.add("plane " + plane + " serves content " + content + " of " + block + ", and must have newer bytes");
    }

    List<String> broken() {
        return broken;
    }

    long answers() {
        return answers;
    }
}
