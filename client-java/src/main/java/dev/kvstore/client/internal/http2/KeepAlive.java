package dev.kvstore.client.internal.http2;

import java.time.Duration;

/**
 * Decides whether a connection is alive. A connection with calls is probed after a silence, and given up if no answer
 * comes in time; a connection without calls is closed after a while. One thread uses it; the caller passes the time.
 */
final class KeepAlive {
    /** The finding of a check. */
    enum Finding {
        WELL,
        ASK,
        DEAD,
        IDLE
    }

    private final long keepAlive;
    private final long timeout;
    private final long idle;
    private long heard;
    private long asked;
    private boolean waiting;
    private long restingSince;

    KeepAlive(ChannelSettings settings, long now) {
        this.keepAlive = Nanos.of(settings.keepAlive());
        this.timeout = Nanos.of(settings.keepAliveTimeout());
        this.idle = Nanos.of(settings.idle());
        this.heard = now;
        this.restingSince = now;
    }

    /** Notes that bytes came. */
    void heard(long now) {
        heard = now;
        waiting = false;
    }

    /** Notes that the last call ended, or that the first began. */
    void rests(long now) {
        restingSince = now;
    }

    /** The time between two checks. */
    Duration interval() {
        return Duration.ofNanos(Math.max(1, Math.min(keepAlive, Math.min(timeout, idle)) / 2));
    }

    Finding look(boolean inUse, long now) {
        if (!inUse) {
            waiting = false;
            return now - restingSince >= idle ? Finding.IDLE : Finding.WELL;
        }
        if (waiting) {
            return now - asked >= timeout ? Finding.DEAD : Finding.WELL;
        }
        // A call that began after a long rest has not waited for long.
        if (now - Math.max(heard, restingSince) < keepAlive) {
            return Finding.WELL;
        }
        waiting = true;
        asked = now;
        return Finding.ASK;
    }
}
