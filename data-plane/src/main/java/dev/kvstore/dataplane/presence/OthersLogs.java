package dev.kvstore.dataplane.presence;

import static java.util.Objects.requireNonNull;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.presence.snapshot.Look;
import dev.kvstore.dataplane.presence.snapshot.UnreadableException;
import dev.kvstore.dataplane.presence.snapshot.Version;
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
        /** In a format of the future. */
        FOREIGN
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

    OthersLogs(PresenceFiles files, Identity self, OwnLog own, Ticker ticker) {
        this.files = files;
        this.self = self;
        this.own = own;
        this.ticker = ticker;
    }

    /** Looks at all logs; what they say that was not known goes to {@code news}. */
    void look(Consumer<List<Long>> news) throws StorageException, MemoryExhaustedException {
        long now = ticker.read();
        List<String> names = files.logs();
        seen.keySet().retainAll(names);
        for (String name : names) {
            if (!own.isCurrent(name)) {
                look(name, news);
            }
        }
        lastLook = now;
    }

    private void look(String name, Consumer<List<Long>> news) throws StorageException, MemoryExhaustedException {
        Seen last = seen.get(name);
        boolean keysKnown = last != null && last.keys != UNKNOWN;
        if (last != null && keysKnown && last.state == State.CLOSED) {
            return;
        }
        try {
            // One that is gone since it was listed is not listed any more next time.
            if (files.logUnless(name, last != null && keysKnown ? last.etag : null)
                    instanceof Look.Other<Log>(Version<Log> log)) {
                List<Long> keys = log.content().keys();
                news.accept(
                        last != null && keysKnown ? keys.subList(Math.min(last.keys, keys.size()), keys.size()) : keys);
                seen.put(
                        name,
                        last != null && last.etag.equals(log.etag())
                                ? last.with(keys.size())
                                : seen(log.etag(), state(name, log.content()), keys.size()));
            }
            Seen now = seen.get(name);
            if (now != null && isOld(now) && (now.state == State.DAMAGED || isOthersOpen(name, now))) {
                seen.put(name, now.in(State.DEAD));
            }
        } catch (UnreadableException e) {
            LOG.log(Level.WARNING, "presence log {0}", e.getMessage());
            seen.put(name, seen(requireNonNull(e.etag()), e.isNewer() ? State.FOREIGN : State.DAMAGED, 0));
        }
    }

    private Seen seen(String etag, State state, int keys) {
        long now = ticker.read();
        return new Seen(etag, state, keys, lastLook == null ? now - UNPROVEN.toNanos() : lastLook, now);
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

    /** Deletes logs that a snapshot stands for now, where they still are as they were seen. */
    void delete(Map<String, String> etags) throws StorageException {
        for (Map.Entry<String, String> log : etags.entrySet()) {
            files.deleteLog(log.getKey(), log.getValue());
            seen.remove(log.getKey());
        }
    }

    /** Next time, everything is news. */
    void forget() {
        seen.replaceAll((_, log) -> log.with(UNKNOWN));
    }
}
