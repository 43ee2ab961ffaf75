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
 *   <li>A minute after the last fault, each call is answered.
 * </ul>
 */
final class Promises {
    static final long VISIBLE = 30_000_000_000L;

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
        private long changed = Long.MIN_VALUE;
        private long gone = Long.MIN_VALUE;
    }

    private final Map<String, BlockState> blocks = new HashMap<>();
    private final List<String> broken = new ArrayList<>();
    private final PurgePromises purges = new PurgePromises();
    private long answers;

    private BlockState of(String block) {
        return blocks.computeIfAbsent(block, _ -> new BlockState());
    }

    /** What purges promise besides. */
    PurgePromises purges() {
        return purges;
    }

    /** Storage has a block now. */
    void put(String block, int content, long now) {
        BlockState state = of(block);
        state.puts.add(new ContentPut(content, now));
        state.isStored = true;
        state.changed = now;
    }

    /** Storage has it no more. */
    void gone(String block, long now) {
        BlockState state = of(block);
        state.isStored = false;
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
        if (!state.isStored && state.changed < asked) {
            broken.add("plane " + plane + " says that " + block + " is stored, and it is not");
        }
        acknowledged(state, plane, life, asked, now);
    }

    private static void acknowledged(BlockState state, int plane, int life, long asked, long now) {
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

    /** A process says of a prefix that a block is its last one that is stored. */
    void foundLast(String block, int plane, long asked) {
        BlockState state = of(block);
        if (!state.isStored && state.changed < asked && state.gone <= asked && isPurged(state, block, plane, asked)) {
            broken.add("plane " + plane + " finds " + block + ", which was purged");
        }
    }

    private boolean isPurged(BlockState state, String block, int plane, long asked) {
        return !state.puts.isEmpty() && state.puts.getLast().at <= purges.before(block, plane, asked);
    }

    /** A purge is done: storage has none of its blocks but those that were stored since it began. */
    void requirePurged(String id) {
        for (String block : purges.blocks(id)) {
            BlockState state = of(block);
            if (state.isStored && state.puts.getLast().at <= purges.begin(id)) {
                broken.add("the purge " + id + " is done, and storage still has " + block);
            }
        }
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
        long purged = purges.before(block, plane, asked);
        for (int put = least; put < state.puts.size(); put++) {
            long at = state.puts.get(put).at;
            if (state.puts.get(put).content == content && at <= now && at > purged) {
                state.served.add(new ServedContent(plane, life, put, now));
                return;
            }
        }
        broken.add("plane " + plane + " serves content " + content + " of " + block
                + (purged > Long.MIN_VALUE ? ", which was purged" : ", and had newer bytes before"));
    }

    List<String> broken() {
        return broken;
    }

    long answers() {
        return answers;
    }
}
