package dev.kvstore.dataplane.presence;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.presence.log.OthersLogs;
import dev.kvstore.dataplane.presence.log.OwnLog;
import dev.kvstore.dataplane.presence.log.PresenceFiles;
import dev.kvstore.dataplane.presence.snapshot.HeapLimit;

/** The heap of what is known of one partition, which counts for its account. Thread-safe. */
final class PartitionHeap {
    /** The bytes that are charged before a file is read. */
    final HeapLimit.HeapReservation reservation;

    private final PresenceFiles files;
    private final OwnLog own;
    private final OthersLogs logs;
    private final Knowledge knowledge;
    private final Ticker ticker;

    PartitionHeap(PresenceFiles files, OwnLog own, OthersLogs logs, Knowledge knowledge, Ticker ticker) {
        this.files = files;
        this.own = own;
        this.logs = logs;
        this.knowledge = knowledge;
        this.ticker = ticker;
        this.reservation = files.guard().heap().claim(files.guard().account());
    }

    /** Approximate heap, in bytes. */
    long bytes() {
        return knowledge.bytes() + logs.bytes();
    }

    /**
     * Charges the heap that is really taken. If that is more than the account may have, everything is forgotten, and
     * nothing is denied until it is read again. For callers that hold the learner's lock.
     */
    void settle() {
        if (!reservation.settle(bytes())) {
            files.guard().warn(files.toString(), "what is known of it takes more heap than there is for presence");
            knowledge.forgetAll(own::keys, ticker.read());
            logs.forget();
            boolean _ = reservation.settle(bytes());
        }
    }
}
