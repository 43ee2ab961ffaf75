package dev.kvstore.client.internal.http2;

import java.time.Duration;

/**
 * Whether a connection is alive: one with calls that has heard nothing for a while is to be asked, and is given up if
 * that is not answered in time; one without calls is to be closed after a while. For one thread; the caller passes the
 * time.
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

    /** Anything came. */
    void heard(long now) {
        heard = now;
        waiting = false;
    }

    /** The last call ended, or the first began. */
    void rests(long now) {
        restingSince = now;
    }

    /** How long until the next look is worth it. */
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
