package dev.kvstore.dataplane.presence;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.presence.PresenceFiles.Version;
import dev.kvstore.dataplane.storage.StorageException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The logs of a partition as they were seen last: all but the one this process has open. For one thread at a time.
 */
final class OthersLogs {
    /** A log that is open and unchanged for this long is a dead process's; the living write theirs every 5 s. */
    static final Duration DEAD = Duration.ofSeconds(20);

    private static final System.Logger LOG = System.getLogger(OthersLogs.class.getName());

    /** What can be said of a log. */
    private enum State {
        /** Its process is alive, as far as can be told, and may have stored blocks since. */
        OPEN,
        /** Complete. */
        CLOSED,
        /** Its process died, and may have stored blocks that it does not say. */
        DEAD,
        /** Damaged; as if dead. */
        DAMAGED,
        /** In a format of the future. */
        FOREIGN
    }

    private record Seen(String etag, State state, int keys, long changedAt) {
        Seen in(State other) {
            return new Seen(etag, other, keys, changedAt);
        }
    }

    private final PresenceFiles files;
    private final Identity self;
    private final OwnLog own;
    private final Ticker ticker;
    private final Map<String, Seen> seen = new HashMap<>();

    OthersLogs(PresenceFiles files, Identity self, OwnLog own, Ticker ticker) {
        this.files = files;
        this.self = self;
        this.own = own;
        this.ticker = ticker;
    }

    /** Looks at all logs; what they say that was not known goes to {@code news}. */
    void look(Consumer<List<Long>> news) throws StorageException, MemoryExhaustedException {
        List<String> names = files.logs();
        seen.keySet().retainAll(names);
        for (String name : names) {
            if (!own.isCurrent(name)) {
                look(name, news);
            }
        }
    }

    private void look(String name, Consumer<List<Long>> news) throws StorageException, MemoryExhaustedException {
        Seen last = seen.get(name);
        if (last != null && last.state == State.CLOSED) {
            return;
        }
        try {
            Version<Log> log = files.logUnless(name, last == null ? null : last.etag);
            if (log != null) {
                List<Long> keys = log.content().keys();
                news.accept(last == null ? keys : keys.subList(Math.min(last.keys, keys.size()), keys.size()));
                seen.put(name, new Seen(log.etag(), state(name, log.content()), keys.size(), ticker.read()));
            } else if (last != null && last.state == State.OPEN && isOld(last) && !self.wrote(name)) {
                seen.put(name, last.in(State.DEAD));
            }
        } catch (UnreadableException e) {
            LOG.log(Level.WARNING, "presence log {0}", e.getMessage());
            String etag = java.util.Objects.requireNonNull(e.etag());
            seen.put(name, new Seen(etag, e.isNewer() ? State.FOREIGN : State.DAMAGED, 0, ticker.read()));
        }
    }

    private State state(String name, Log log) {
        if (!log.open()) {
            return State.CLOSED;
        }
        return self.succeeds(name) ? State.DEAD : State.OPEN;
    }

    private boolean isOld(Seen log) {
        return ticker.read() - log.changedAt >= DEAD.toNanos();
    }

    boolean isEmpty() {
        return seen.isEmpty();
    }

    /** Some log is of a dead process, or damaged: only a listing tells what was stored. */
    boolean hideBlocks() {
        return seen.values().stream().anyMatch(log -> log.state == State.DEAD || log.state == State.DAMAGED);
    }

    /** Some log cannot be understood, now or after a listing. */
    boolean areForeign() {
        return seen.values().stream().anyMatch(log -> log.state == State.FOREIGN);
    }

    /** How many are complete. */
    long closed() {
        return seen.values().stream().filter(log -> log.state == State.CLOSED).count();
    }

    /** The complete ones with their ETags: a snapshot that has what they say stands for them. */
    Map<String, String> complete() {
        return etags(false);
    }

    /** The complete ones, the dead and the damaged ones: a listing begun now stands for all of them. */
    Map<String, String> listable() {
        return etags(true);
    }

    private Map<String, String> etags(boolean alsoDead) {
        Map<String, String> etags = new HashMap<>();
        seen.forEach((name, log) -> {
            boolean dead = log.state == State.DEAD || log.state == State.DAMAGED;
            if (log.state == State.CLOSED || (alsoDead && dead)) {
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
        seen.clear();
    }
}
