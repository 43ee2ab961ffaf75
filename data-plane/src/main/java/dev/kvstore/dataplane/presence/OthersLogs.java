package dev.kvstore.dataplane.presence;

import static java.util.Objects.requireNonNull;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.presence.snapshot.HeapLimit;
import dev.kvstore.dataplane.presence.snapshot.Look;
import dev.kvstore.dataplane.presence.snapshot.UnreadableException;
import dev.kvstore.dataplane.presence.snapshot.Version;
import dev.kvstore.dataplane.storage.ReadLimits;
import dev.kvstore.dataplane.storage.StorageException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The logs of a partition as they were seen last: all but the one this process has open. For one thread at a time.
 */
final class OthersLogs {
    /** A log that is open and unchanged for this long is a dead process's; the living write theirs every 5 s. */
    static final Duration DEAD = Duration.ofSeconds(20);

    /** A block is to be visible 30 s after it was acknowledged; less one for the answer. */
    static final Duration UNPROVEN = Duration.ofSeconds(29);

    private static final int UNKNOWN = -1;

    /** Logs beyond limits after which no more are looked at. */
    private static final int MOST_REFUSED = 16;

    /** Damaged logs after which no more are looked at: a crash tears one of each process. */
    private static final int MOST_DAMAGED = 64;

    private static final System.Logger LOG = System.getLogger(OthersLogs.class.getName());

    /** What can be said of a log. */
    private enum State {
        /** Its process is alive, as far as can be told, and may have stored blocks since. */
        OPEN,
        /** Complete. */
        CLOSED,
        /** Its process died, and may have stored blocks that it does not say. */
        DEAD,
        /** Damaged. Its process, if it lives, will notice and begin another; after a while it counts as dead. */
        DAMAGED,
        /** A snapshot stands for it, and it cannot be deleted: somebody's lease or policy keeps it. */
        KEPT,
        /** In a format of the future. */
        FOREIGN,
        /** Beyond a limit, or without room: what it says is not known, and it stays where it is. */
        BEYOND_LIMITS
    }

    /**
     * A log as it was seen last.
     *
     * @param keys how many are known, none if they were forgotten
     * @param writtenAfter when it was last known not to have been written yet
     * @param seenAt when it was first seen like this
     */
    private record Seen(String etag, State state, int keys, long writtenAfter, long seenAt) {
        Seen in(State other) {
            return new Seen(etag, other, keys, writtenAfter, seenAt);
        }

        Seen with(int known) {
            return new Seen(etag, state, known, writtenAfter, seenAt);
        }
    }

    private final PresenceFiles files;
    private final Identity self;
    private final OwnLog own;
    private final Ticker ticker;
    private final Map<String, Seen> seen = new HashMap<>();
    private @Nullable Long lastLook;

    /** Why some are not read, for people; null if all are. */
    private @Nullable String beyondLimits;

    private int refused;
    private int damaged;

    OthersLogs(PresenceFiles files, Identity self, OwnLog own, Ticker ticker) {
        this.files = files;
        this.self = self;
        this.own = own;
        this.ticker = ticker;
    }

    /**
     * Looks at all logs; what they say that was not known goes to {@code news}.
     *
     * @param room is charged for that
     */
    void look(Consumer<List<Long>> news, HeapLimit.Claim room) throws StorageException, MemoryExhaustedException {
        long now = ticker.read();
        beyondLimits = null;
        refused = 0;
        damaged = 0;
        try {
            PresenceFiles.Logs logs = files.logs();
            if (!logs.all()) {
                beyondLimits = "there are more than " + logs.lengths().size() + " logs, or too many other names";
            }
            seen.keySet().retainAll(logs.lengths().keySet());
            room.take((long) (logs.lengths().size() - seen.size()) * ReadLimits.LOG_HEAP_BYTES);
            for (Map.Entry<String, Long> log : logs.lengths().entrySet()) {
                if (!own.isCurrent(log.getKey()) && refused < MOST_REFUSED) {
                    look(log.getKey(), log.getValue(), news, room);
                }
            }
        } catch (UnreadableException e) {
            beyondLimits = e.getMessage();
        }
        lastLook = now;
    }

    private void look(String name, long length, Consumer<List<Long>> news, HeapLimit.Claim room)
            throws StorageException, MemoryExhaustedException {
        Seen last = seen.get(name);
        if (length > Log.MOST_BYTES) {
            beyondLimits(name, "presence log " + name + " has " + length + " bytes");
            return;
        }
        boolean keysKnown = last != null && last.keys != UNKNOWN;
        if (last != null && keysKnown && last.state == State.CLOSED) {
            return;
        }
        try {
            // One that is gone since it was listed is not listed any more next time.
            if (files.logUnless(name, last != null && keysKnown ? last.etag : null, room)
                    instanceof Look.Other<Log>(Version<Log> log)) {
                List<Long> keys = log.content().keys();
                int known = last != null && keysKnown ? Math.min(last.keys, keys.size()) : 0;
                files.work(() -> news.accept(keys.subList(known, keys.size())));
                seen.put(
                        name,
                        last != null && last.etag.equals(log.etag())
                                ? last.with(keys.size())
                                : seen(last, log.etag(), state(name, log.content()), keys.size()));
            }
            Seen now = seen.get(name);
            if (now != null && isOld(now) && (now.state == State.DAMAGED || isOthersOpen(name, now))) {
                seen.put(name, now.in(State.DEAD));
            }
        } catch (UnreadableException e) {
            if (last != null && last.state == State.KEPT && last.etag.equals(e.etag())) {
                seen.put(name, last.with(0));
                return;
            }
            if (e.isBeyondLimits()) {
                beyondLimits(name, "presence log " + e.getMessage());
                return;
            }
            if (!e.isNewer() && ++damaged > MOST_DAMAGED) {
                tooManyDamaged(name);
                return;
            }
            LOG.log(Level.WARNING, "presence log {0}", e.getMessage());
            seen.put(name, seen(last, requireNonNull(e.etag()), e.isNewer() ? State.FOREIGN : State.DAMAGED, 0));
        }
    }

    /** It is read again with the next look: for all that is known it may be whole by then. */
    private void beyondLimits(String name, String reason) {
        seen.put(name, new Seen("", State.BEYOND_LIMITS, UNKNOWN, 0, 0));
        beyondLimits = reason;
        refused++;
    }

    /** They are no crash's but somebody's, so they stay where they are, and none of them is made up for by a listing. */
    private void tooManyDamaged(String name) {
        seen.replaceAll(
                (_, log) -> log.state == State.DAMAGED ? new Seen("", State.BEYOND_LIMITS, UNKNOWN, 0, 0) : log);
        beyondLimits(name, "more than " + MOST_DAMAGED + " presence logs are damaged");
        refused = MOST_REFUSED;
    }

    /** Why some logs are not known, for people; null if all are. */
    @Nullable
    String beyondLimits() {
        return beyondLimits;
    }

    /** Heap this takes, about. */
    long bytes() {
        return (long) seen.size() * ReadLimits.LOG_HEAP_BYTES;
    }

    private Seen seen(@Nullable Seen last, String etag, State state, int keys) {
        long now = ticker.read();
        boolean mayBeOld = lastLook == null || (last != null && last.state == State.BEYOND_LIMITS);
        return new Seen(etag, state, keys, mayBeOld ? now - UNPROVEN.toNanos() : requireNonNull(lastLook), now);
    }

    private State state(String name, Log log) {
        if (!log.open()) {
            return State.CLOSED;
        }
        return self.succeeds(name) ? State.DEAD : State.OPEN;
    }

    private boolean isOthersOpen(String name, Seen log) {
        return log.state == State.OPEN && !self.wrote(name);
    }

    private boolean isOld(Seen log) {
        return ticker.read() - log.seenAt >= DEAD.toNanos();
    }

    boolean isEmpty() {
        return seen.isEmpty();
    }

    /** Some log is of a dead process: only a listing tells what was stored. */
    boolean callForListing() {
        return seen.values().stream().anyMatch(log -> log.state == State.DEAD);
    }

    /** Some log does not say what was stored. */
    boolean hideBlocks() {
        return seen.values().stream().anyMatch(log -> log.state == State.DEAD || log.state == State.DAMAGED);
    }

    /** Some log cannot be understood, now or after a listing. */
    boolean areForeign() {
        return seen.values().stream().anyMatch(log -> log.state == State.FOREIGN);
    }

    /**
     * Until when these logs can be taken for the whole truth, if nothing else is heard: the process of an open log may
     * have died right after it had been written, and after a block that it acknowledged.
     */
    long provenUntil() {
        long until = Long.MAX_VALUE;
        for (Map.Entry<String, Seen> log : seen.entrySet()) {
            if (isOthersOpen(log.getKey(), log.getValue())) {
                until = Math.min(until, log.getValue().writtenAfter + UNPROVEN.toNanos());
            }
        }
        return until;
    }

    /** How many are complete. */
    long closed() {
        return seen.values().stream().filter(log -> log.state == State.CLOSED).count();
    }

    /** The complete ones with their ETags: a snapshot that has what they say stands for them. */
    Map<String, String> complete() {
        return etags(false);
    }

    /** The complete ones and the dead ones: a listing begun now stands for all of them. */
    Map<String, String> listable() {
        return etags(true);
    }

    private Map<String, String> etags(boolean alsoDead) {
        Map<String, String> etags = new HashMap<>();
        seen.forEach((name, log) -> {
            if (log.state == State.CLOSED || (alsoDead && log.state == State.DEAD)) {
                etags.put(name, log.etag);
            }
        });
        return etags;
    }

    /**
     * Deletes logs that a snapshot stands for now, where they still are as they were seen. One that is kept by somebody's lease or
     * policy is made up for all the same: else it would call for a listing for as long as it is there.
     */
    void delete(Map<String, String> etags) throws StorageException {
        for (Map.Entry<String, String> log : etags.entrySet()) {
            try {
                files.deleteLog(log.getKey(), log.getValue());
                seen.remove(log.getKey());
            } catch (StorageException e) {
                if (e.kind() != StorageException.Kind.FORBIDDEN) {
                    throw e;
                }
                LOG.log(Level.DEBUG, "presence log {0} stays: {1}", log.getKey(), e.getMessage());
                seen.computeIfPresent(log.getKey(), (_, of) -> of.in(State.KEPT));
            }
        }
    }

    /** Next time, everything is news. */
    void forget() {
        seen.replaceAll((_, log) -> log.with(UNKNOWN));
    }
}
