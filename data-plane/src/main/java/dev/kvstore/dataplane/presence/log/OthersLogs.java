package dev.kvstore.dataplane.presence.log;

import static java.util.Objects.requireNonNull;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.presence.snapshot.HeapLimit;
import dev.kvstore.dataplane.presence.snapshot.Look;
import dev.kvstore.dataplane.presence.snapshot.SnapshotVersion;
import dev.kvstore.dataplane.presence.snapshot.UnreadableException;
import dev.kvstore.dataplane.storage.ReadLimits;
import dev.kvstore.dataplane.storage.StorageException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The logs of a partition as they were last seen, except the one that this process has open. For one thread at a time.
 */
public final class OthersLogs {
    /**
     * A log that is open and unchanged for this long belongs to a dead process; a living one writes its log every 5 s.
     */
    public static final Duration DEAD = Duration.ofSeconds(20);

    /**
     * How long an open log is trusted after it was written, because its writer may have died after acknowledging a
     * block: the 30 s in which a block of a dead process must become visible, less one for the answer. A block of a
     * living process becomes visible earlier, since its log changes ({@link OwnLog#BEAT}).
     */
    public static final Duration UNPROVEN = Duration.ofSeconds(29);

    private static final int UNKNOWN = -1;

    /** After this many logs beyond limits, one look reads no further logs. */
    private static final int MOST_REFUSED = 16;

    /** After this many damaged logs, one look reads no further logs; a crash damages at most one of each process. */
    private static final int MOST_DAMAGED = 64;

    private static final System.Logger LOG = System.getLogger(OthersLogs.class.getName());

    /** The state of a log. */
    private enum LogState {
        /** The log's process is alive, as far as can be told, and may have stored blocks since. */
        OPEN,
        /** The log is complete. */
        CLOSED,
        /** The log's process died, and may have stored blocks that the log does not have. */
        DEAD,
        /** The log is damaged. Its process, if it lives, begins another one; after a while the log counts as dead. */
        DAMAGED,
        /** A snapshot stands for the log, which cannot be deleted: somebody's lease or policy keeps it. */
        KEPT,
        /** The log is in a newer format. */
        FOREIGN,
        /** The log is beyond a limit, or there is no heap for it. Its keys are not known, and nobody deletes it. */
        BEYOND_LIMITS
    }

    /**
     * A log as it was seen last.
     *
     * @param keys how many of its keys are known; {@code UNKNOWN} if they were forgotten
     * @param writtenAfter a moment when the log did not yet have this content
     * @param seenAt when the log was first seen with this content
     */
    private record SeenLog(String etag, LogState state, int keys, long writtenAfter, long seenAt) {
        SeenLog in(LogState other) {
            return new SeenLog(etag, other, keys, writtenAfter, seenAt);
        }

        SeenLog with(int known) {
            return new SeenLog(etag, state, known, writtenAfter, seenAt);
        }
    }

    private final PresenceFiles files;
    private final LogWriter writer;
    private final OwnLog own;
    private final Ticker ticker;
    private final Map<String, SeenLog> seen = new HashMap<>();

    /** When all logs were last looked at: a log that was not seen then was written later. */
    private @Nullable Long lastLook;

    /** Why some logs are not read, for the log of this process; null if all are. */
    private @Nullable String beyondLimits;

    private int refused;
    private int damaged;

    public OthersLogs(PresenceFiles files, LogWriter writer, OwnLog own, Ticker ticker) {
        this.files = files;
        this.writer = writer;
        this.own = own;
        this.ticker = ticker;
    }

    /**
     * Reads all logs that changed, and gives keys that were not known to {@code news}.
     *
     * @param reservation is charged for that
     */
    public void look(Consumer<List<Long>> news, HeapLimit.HeapReservation reservation)
            throws StorageException, MemoryExhaustedException {
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
            reservation.take((long) (logs.lengths().size() - seen.size()) * ReadLimits.LOG_HEAP_BYTES);
            for (Map.Entry<String, Long> log : logs.lengths().entrySet()) {
                if (!own.isCurrent(log.getKey()) && refused < MOST_REFUSED) {
                    look(log.getKey(), log.getValue(), news, reservation);
                }
            }
        } catch (UnreadableException e) {
            beyondLimits = e.getMessage();
        }
        if (beyondLimits == null) {
            lastLook = now;
        }
    }

    private void look(String name, long length, Consumer<List<Long>> news, HeapLimit.HeapReservation reservation)
            throws StorageException, MemoryExhaustedException {
        SeenLog last = seen.get(name);
        if (length > Log.MOST_BYTES) {
            beyondLimits(name, "presence log " + name + " has " + length + " bytes");
            return;
        }
        boolean keysKnown = last != null && last.keys != UNKNOWN;
        if (last != null && keysKnown && last.state == LogState.CLOSED) {
            return;
        }
        try {
            // A log that is gone since it was listed is missing from the next listing.
            if (files.logUnless(name, last != null && keysKnown ? last.etag : null, reservation)
                    instanceof Look.Other<Log>(SnapshotVersion<Log> log)) {
                List<Long> keys = log.content().keys();
                int known = last != null && keysKnown ? Math.min(last.keys, keys.size()) : 0;
                files.work(() -> news.accept(keys.subList(known, keys.size())));
                seen.put(
                        name,
                        last != null && last.etag.equals(log.etag())
                                ? last.with(keys.size())
                                : seen(last, log.etag(), state(name, log.content()), keys.size()));
            }
            SeenLog now = seen.get(name);
            if (now != null && isOld(now) && (now.state == LogState.DAMAGED || isOthersOpen(name, now))) {
                seen.put(name, now.in(LogState.DEAD));
            }
        } catch (UnreadableException e) {
            if (last != null && last.state == LogState.KEPT && last.etag.equals(e.etag())) {
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
            seen.put(name, seen(last, requireNonNull(e.etag()), e.isNewer() ? LogState.FOREIGN : LogState.DAMAGED, 0));
        }
    }

    /** Marks a log as beyond limits. The next look reads it again, since it may have changed by then. */
    private void beyondLimits(String name, String reason) {
        seen.put(name, new SeenLog("", LogState.BEYOND_LIMITS, UNKNOWN, 0, 0));
        beyondLimits = reason;
        refused++;
    }

    /** A crash does not leave this many damaged logs. They stay where they are, and no listing replaces them. */
    private void tooManyDamaged(String name) {
        seen.replaceAll((_, log) ->
                log.state == LogState.DAMAGED ? new SeenLog("", LogState.BEYOND_LIMITS, UNKNOWN, 0, 0) : log);
        beyondLimits(name, "more than " + MOST_DAMAGED + " presence logs are damaged");
        refused = MOST_REFUSED;
    }

    /** Why some logs were not read, for the log of this process; null if all were. */
    @Nullable
    public String beyondLimits() {
        return beyondLimits;
    }

    /** Approximate heap of this object, in bytes. */
    public long bytes() {
        return (long) seen.size() * ReadLimits.LOG_HEAP_BYTES;
    }

    private SeenLog seen(@Nullable SeenLog last, String etag, LogState state, int keys) {
        long now = ticker.read();
        boolean mayBeOld = lastLook == null || (last != null && last.state == LogState.BEYOND_LIMITS);
        return new SeenLog(etag, state, keys, mayBeOld ? now - UNPROVEN.toNanos() : requireNonNull(lastLook), now);
    }

    private LogState state(String name, Log log) {
        if (!log.open()) {
            return LogState.CLOSED;
        }
        return writer.succeeds(name) ? LogState.DEAD : LogState.OPEN;
    }

    private boolean isOthersOpen(String name, SeenLog log) {
        return log.state == LogState.OPEN && !writer.wrote(name);
    }

    private boolean isOld(SeenLog log) {
        return ticker.read() - log.seenAt >= DEAD.toNanos();
    }

    public boolean isEmpty() {
        return seen.isEmpty();
    }

    /** Whether a log belongs to a dead process, so that only a listing shows which blocks are stored. */
    public boolean callForListing() {
        return seen.values().stream().anyMatch(log -> log.state == LogState.DEAD);
    }

    /** Whether a log may lack blocks that its process stored. */
    public boolean hideBlocks() {
        return seen.values().stream().anyMatch(log -> log.state == LogState.DEAD || log.state == LogState.DAMAGED);
    }

    /** Whether a log has a newer format, which this version cannot read; a listing does not help. */
    public boolean areForeign() {
        return seen.values().stream().anyMatch(log -> log.state == LogState.FOREIGN);
    }

    /**
     * Until when these logs are trusted to have all blocks. The process of an open log may have died right after
     * writing it, with an acknowledged block that the log lacks.
     */
    public long provenUntil() {
        long until = Long.MAX_VALUE;
        for (Map.Entry<String, SeenLog> log : seen.entrySet()) {
            if (isOthersOpen(log.getKey(), log.getValue())) {
                until = Math.min(until, log.getValue().writtenAfter + UNPROVEN.toNanos());
            }
        }
        return until;
    }

    /** Number of closed logs. */
    public long closed() {
        return seen.values().stream()
                .filter(log -> log.state == LogState.CLOSED)
                .count();
    }

    /** The closed logs whose keys were read, with their ETags. They may be deleted once a snapshot has their keys. */
    public Map<String, String> complete() {
        return etags(log -> log.state == LogState.CLOSED && log.keys != UNKNOWN);
    }

    /**
     * The closed logs and those of dead processes, with their ETags. They may be deleted after a listing that begins
     * now.
     */
    public Map<String, String> listable() {
        return etags(log -> log.state == LogState.CLOSED || log.state == LogState.DEAD);
    }

    private Map<String, String> etags(Predicate<SeenLog> condition) {
        Map<String, String> etags = new HashMap<>();
        seen.forEach((name, log) -> {
            if (condition.test(log)) {
                etags.put(name, log.etag);
            }
        });
        return etags;
    }

    /**
     * Deletes logs whose keys a snapshot has, unless they have changed since. A log that a lease or a policy keeps in
     * storage counts as merged all the same: else the partition would be listed for as long as the log is there.
     */
    public void delete(Map<String, String> etags) throws StorageException {
        for (Map.Entry<String, String> log : etags.entrySet()) {
            try {
                files.deleteLog(log.getKey(), log.getValue());
                seen.remove(log.getKey());
            } catch (StorageException e) {
                if (e.kind() != StorageException.Kind.FORBIDDEN && e.kind() != StorageException.Kind.HELD) {
                    throw e;
                }
                LOG.log(Level.DEBUG, "presence log {0} stays: {1}", log.getKey(), e.getMessage());
                seen.computeIfPresent(log.getKey(), (_, of) -> of.in(LogState.KEPT));
            }
        }
    }

    /** Forgets the keys: the next look gives all of them to its consumer again. */
    public void forget() {
        seen.replaceAll((_, log) -> log.with(UNKNOWN));
    }
}
