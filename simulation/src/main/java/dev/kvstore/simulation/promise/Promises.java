package dev.kvstore.simulation.promise;

import dev.kvstore.simulation.plan.Plan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The promises of the service, and a list of broken ones. Each answer is held against the blobs that storage had
 * meanwhile. All times are nanoseconds of the world.
 *
 * <ul>
 *   <li>A process finds a block that it acknowledged, as long as the block is stored.
 *   <li>Other processes find the block 30 s later, unless storage fails them.
 *   <li>A read finds a stored block that its process acknowledged, or that has been stored for 30 s. (It may share a
 *       load that began before another process stored the block.)
 *   <li>A process serves a block as it was stored once. A process that stored or served the block never serves older
 *       bytes after that. (It may serve old bytes from memory until it hears that another process stored the block
 *       anew.) The process that takes its place does not serve older bytes either, unless the disk failed, or the first
 *       process ended within seconds.
 *   <li>A write says {@code STORED} if storage has the write's bytes now, and {@code ALREADY_PRESENT} if storage had a
 *       block. One of several writes of a block that storage lacks says {@code STORED}.
 *   <li>No process serves a damaged block. A process that finds the damage removes the block, if storage lets it, so
 *       that the next write stores the block. If the header tells of the damage, a write removes and stores the block.
 *   <li>While no process is cut off or ends, a process serves no older bytes 30 s after another one stored a block
 *       anew.
 *   <li>Each block that a process finds was stored once. The partition of an acknowledged block has its descriptor, or
 *       had it when the block's process last looked: within two minutes, and since the process was started.
 *   <li>A data plane answers a call if nothing has happened to the data plane for half a minute; each data plane
 *       answers a minute after the last fault. After the last call a process holds no memory beside its tier, and no
 *       call slot.
 * </ul>
 */
public final class Promises {
    static final long VISIBLE = 30_000_000_000L;

    /** Processes may not know each other before this time. */
    private static final long MET = 10_000_000_000L;

    /**
     * Other processes need not hear of a block that is stored so soon after its container was made: the block's process
     * may end before it notices that its log is gone (decision 56).
     */
    private static final long UNSETTLED = 20_000_000_000L;

    /**
     * A process looks for the descriptor each minute, if blocks are written. While one write looks, for half a minute
     * at most, other writes do not wait.
     */
    private static final long DESCRIBED = 110_000_000_000L;

    /** An answer may come from a load that began so long before. */
    private static final long SHARED = 10_000_000_000L;

    /** A process that ends sooner after an answer may not have told its disk that it has newer bytes. */
    private static final long INHERITED = 5_000_000_000L;

    /** A process may still leave its disk unused so long after the disk is well again. */
    private static final long RECOVERED = 15_000_000_000L;

    /** A time in which processes may not hear of each other. */
    private record Disturbance(long from, long until) {}

    private final Map<String, BlockState> blocks = new HashMap<>();
    private final List<String> broken = new ArrayList<>();
    private final List<Disturbance> disturbances = new ArrayList<>(List.of(new Disturbance(Long.MIN_VALUE, MET)));
    private boolean isDescribed;

    /** The number of writes under way. */
    private int writes;

    private long lastWrote;

    /** The time at which the descriptor was last deleted; {@code Long.MAX_VALUE} if it never was. */
    private long undescribed = Long.MAX_VALUE;

    private final PurgePromises purges = new PurgePromises();
    private long answers;
    private long visible = VISIBLE;
    private final long[] diskFailed = new long[Plan.PLANES];
    private final long[] answersDamaged = new long[Plan.PLANES];
    private final LifeEnds ends;
    private final @Nullable OriginPromises origin;
    private long containerMade = Long.MIN_VALUE / 2;

    /** Tells when processes ended. */
    @FunctionalInterface
    public interface LifeEnds {
        /** The time at which a process of a data plane ended; {@code Long.MAX_VALUE} if it has not. */
        long of(int plane, int life);
    }

    public Promises(LifeEnds ends) {
        this(ends, null);
    }

    /** @param origin the promises about the region that is read through to; null for none */
    public Promises(LifeEnds ends, @Nullable OriginPromises origin) {
        this.ends = ends;
        this.origin = origin;
        Arrays.fill(diskFailed, Long.MIN_VALUE / 2);
        Arrays.fill(answersDamaged, Long.MIN_VALUE / 2);
    }

    private BlockState of(String block) {
        return blocks.computeIfAbsent(block, _ -> new BlockState());
    }

    /** Clocks are up to a tenth slow, so that promises of 30 s take so much longer. */
    public void clocksDrift() {
        visible = VISIBLE * 10 / 9;
    }

    /** The promises of purges. */
    public PurgePromises purges() {
        return purges;
    }

    /** Storage has a block now. */
    public void put(String block, int content, long now) {
        BlockState state = of(block);
        state.puts.add(new BlockState.ContentPut(content, now));
        state.isStored = true;
        state.change(now);
    }

    /** The partition has its descriptor. */
    public void described() {
        isDescribed = true;
    }

    /** The partition does not have its descriptor any more. */
    public void undescribed(long now) {
        isDescribed = false;
        undescribed = now;
    }

    /** Whether a process that acknowledges a block must have looked for the descriptor since it was deleted. */
    private boolean isDescriptorDue(int plane, int life, long asked) {
        if (undescribed == Long.MAX_VALUE) {
            return true;
        }
        boolean isNew = plane >= 0 && life > 1 && ends.of(plane, life - 1) > undescribed;
        boolean isAlone = writes <= 1 && lastWrote < asked;
        return undescribed < asked && (isNew || (isAlone && asked - undescribed > DESCRIBED));
    }

    /** A client begins to write. */
    public void writing() {
        writes++;
    }

    /** A client's write is over. */
    public void wrote(long now) {
        writes--;
        lastWrote = now;
    }

    /** Processes may not hear of each other for a time. */
    public void disturbed(long from, long until) {
        disturbances.add(new Disturbance(from, until + MET));
    }

    private boolean wereDisturbed(long from, long until) {
        return disturbances.stream().anyMatch(one -> one.from <= until && one.until >= from);
    }

    /** A process holds something although all calls are over. */
    public void leaked(String what) {
        broken.add(what);
    }

    /** Storage does not have a block any more. */
    public void gone(String block, long now) {
        BlockState state = of(block);
        state.isStored = false;
        state.change(now);
        state.gone = now;
        state.acknowledged.clear();
    }

    /**
     * Storage has other bytes in place of a block.
     *
     * @param isDeep whether only a read of all of the bytes shows the damage
     */
    public void damaged(String block, boolean isDeep, long now) {
        gone(block, now);
        BlockState state = of(block);
        state.isDamaged = true;
        state.isDamageDeep = isDeep;
    }

    /** A disk of a data plane fails until then. */
    public void diskFails(int plane, long until) {
        diskFailed[plane] = Math.max(diskFailed[plane], until);
    }

    /**
     * Answers of storage to a data plane are damaged on their way until then: it must take good blocks for damaged
     * ones.
     */
    public void answersAreDamaged(int plane, long until) {
        answersDamaged[plane] = Math.max(answersDamaged[plane], until);
    }

    /** The container was deleted, and is there again. */
    public void containerMade(long now) {
        containerMade = now;
    }

    public void stored(String block, int plane, int life, int content, long asked, long now) {
        answers++;
        BlockState state = of(block);
        int put = state.firstUnanswered(content, asked);
        if (put == state.puts.size()) {
            broken.add("plane " + plane + " says that it stored content " + content + " of " + block + ", and did not");
        } else {
            state.answeredPuts.set(put);
            state.served.add(new BlockState.ServedContent(plane, life, put, now));
        }
        acknowledged(state, plane, life, asked, now);
    }

    public void alreadyPresent(String block, int plane, int life, long asked, long now) {
        answers++;
        BlockState state = of(block);
        boolean isKnown = !state.isDamageDeep
                || state.knowDamage.getOrDefault(new BlockState.PlaneLife(plane, life), Long.MAX_VALUE) < asked;
        if (!state.isStored && isKnown && state.changed < asked) {
            broken.add("plane " + plane + " says that " + block + " is stored, and it is not");
        }
        acknowledged(state, plane, life, asked, now);
    }

    private void acknowledged(BlockState state, int plane, int life, long asked, long now) {
        if (!isDescribed && isDescriptorDue(plane, life, asked)) {
            broken.add("plane " + plane + " acknowledges a block of a partition without a descriptor");
        }
        // A block that is lost while it is acknowledged was never promised.
        if (state.isStored && state.gone < asked) {
            state.acknowledged.add(new BlockState.StoredPromise(plane, life, now, now - containerMade >= UNSETTLED));
        }
    }

    /**
     * A process denied a block.
     *
     * @param failed the time at which storage last failed the process
     */
    public void denied(String block, int plane, int life, long asked, long now, long failed) {
        answers++;
        for (BlockState.StoredPromise one : of(block).acknowledged) {
            boolean own = one.plane() == plane && one.life() == life;
            boolean due = own
                    ? one.at() <= asked && answersDamaged[plane] + SHARED < asked
                    : one.isForAll() && one.at() + visible <= asked && failed < asked - visible;
            if (due) {
                broken.add("plane " + plane + " denies " + block + ", acknowledged by plane " + one.plane() + " "
                        + (now - one.at()) / 1_000_000 + " ms ago");
                return;
            }
        }
        if (origin != null && origin.isMissed(block, true, asked)) {
            broken.add("plane " + plane + " denies " + block + ", which the other region has");
        }
    }

    /**
     * Whether a process of another region must find a block that is asked for at this time. It may miss blocks that a
     * process stored in its last seconds (decision 31).
     */
    boolean isDueElsewhere(String block, long asked) {
        return of(block).acknowledged.stream()
                .anyMatch(one -> one.isForAll()
                        && one.at() + visible <= asked
                        && one.plane() >= 0
                        && ends.of(one.plane(), one.life()) > asked);
    }

    /** Whether storage ever had this content of a block. */
    boolean wasStored(String block, int content) {
        return of(block).puts.stream().anyMatch(put -> put.content() == content);
    }

    public void found() {
        answers++;
    }

    /** A process says that storage has a block. */
    public void isFound(String block, int plane) {
        if (!wasThere(block) && (origin == null || !origin.wasThere(block))) {
            broken.add("plane " + plane + " finds " + block + ", which was never stored");
        }
    }

    /** Whether storage ever had a block, or other bytes in its place. */
    boolean wasThere(String block) {
        BlockState state = of(block);
        return !state.puts.isEmpty() || state.isDamaged || state.damaged != Long.MIN_VALUE;
    }

    /** A process found a block that was never written. */
    public void unwrittenFound(String what) {
        broken.add(what);
    }

    /** Whether storage has a block, and no other bytes in its place. */
    public boolean isStored(String block) {
        return of(block).isStored;
    }

    /** Whether storage ever had a block. */
    public boolean isKnown(String block) {
        return !of(block).puts.isEmpty();
    }

    /** A process says that the stored prefix of a prompt ends with a block. */
    public void foundLast(String block, int plane, long asked) {
        BlockState state = of(block);
        boolean isAway = !state.isStored && !state.isDamaged && state.changed < asked && state.gone <= asked;
        if (isAway && isPurged(state, block, plane, asked)) {
            purges.suspect(plane, asked, "plane " + plane + " finds " + block + ", which was purged");
        }
    }

    private boolean isPurged(BlockState state, String block, int plane, long asked) {
        return !state.puts.isEmpty() && state.puts.getLast().at() <= purges.before(block, plane, asked);
    }

    /** A purge is done: storage must have none of its blocks, except blocks that were stored since the purge began. */
    public void requirePurged(String id) {
        for (String block : purges.blocks(id)) {
            BlockState state = of(block);
            if (state.isStored && state.puts.getLast().at() <= purges.begin(id)) {
                broken.add("the purge " + id + " is done, and storage still has " + block);
            }
        }
    }

    /** A call failed although all faults are long over. */
    public void unanswered(String call) {
        broken.add(call);
    }

    /** A process says that storage does not have a block. */
    public void missing(String block, int plane, int life, long asked) {
        answers++;
        BlockState state = of(block);
        boolean own = state.acknowledged.stream()
                .anyMatch(one -> one.plane() == plane && one.life() == life && one.at() <= asked);
        if (state.isStored && state.changed < (own ? asked : asked - visible)) {
            broken.add("plane " + plane + " does not find " + block + " to read, and it is stored");
        }
        if (origin != null && origin.isMissed(block, false, asked)) {
            broken.add("plane " + plane + " does not find " + block + " to read, and the other region has it");
        }
    }

    /**
     * A process says that a block is damaged.
     *
     * @param failed the time at which storage last failed the process
     */
    public void foundDamaged(String block, int plane, int life, long asked, long now, long failed) {
        answers++;
        BlockState state = of(block);
        if (!state.isDamaged && state.damaged < asked - visible && failed < asked - visible) {
            broken.add("plane " + plane + " says that " + block + " is damaged, and it is not");
        }
        if (state.isDamaged && state.changed < asked - SHARED) {
            state.knowDamage.putIfAbsent(new BlockState.PlaneLife(plane, life), now);
            if (failed < asked - SHARED) {
                broken.add("plane " + plane + " says that " + block + " is damaged, and leaves it as it is");
            }
        }
    }

    /** A process served a block. */
    public void served(String block, int content, int plane, int life, long asked, long now) {
        answers++;
        if (origin != null && origin.wasStored(block, content)) {
            return;
        }
        BlockState state = of(block);
        int least = 0;
        for (BlockState.ServedContent earlier : state.served) {
            boolean isBefore =
                    earlier.life() == life ? earlier.at() <= asked : earlier.life() < life && isInherited(earlier);
            if (earlier.plane() == plane && isBefore) {
                least = Math.max(least, earlier.put());
            }
        }
        int due = state.puts.size() - 1;
        while (due >= 0 && state.puts.get(due).at() + visible > asked) {
            due--;
        }
        if (due >= 0
                && !wereDisturbed(
                        state.puts.get(due).at() - MET, state.puts.get(due).at() + visible)
                && diskFailed(plane) + RECOVERED < state.puts.get(due).at()) {
            least = Math.max(least, due);
        }
        long purged = purges.before(block, plane, asked);
        boolean isPurged = false;
        for (int put = least; put < state.puts.size(); put++) {
            long at = state.puts.get(put).at();
            if (state.puts.get(put).content() == content && at <= now) {
                if (at > purged) {
                    state.served.add(new BlockState.ServedContent(plane, life, put, now));
                    return;
                }
                isPurged = true;
            }
        }
        String what = "plane " + plane + " serves content " + content + " of " + block;
        if (isPurged) {
            purges.suspect(plane, asked, what + ", which was purged");
        } else {
            broken.add(what + ", and must have newer bytes");
        }
    }

    /** The time at which the disk of a data plane, or any disk if the data plane is not known, last failed. */
    private long diskFailed(int plane) {
        return plane >= 0 ? diskFailed[plane] : Arrays.stream(diskFailed).max().orElseThrow();
    }

    /** Whether the disk has the content that a process which has ended served last. */
    private boolean isInherited(BlockState.ServedContent by) {
        return by.plane() >= 0
                && by.at() + INHERITED < ends.of(by.plane(), by.life())
                && diskFailed[by.plane()] + RECOVERED < by.at();
    }

    public List<String> broken() {
        return broken;
    }

    public long answers() {
        return answers;
    }
}
