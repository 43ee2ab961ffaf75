package dev.kvstore.dataplane.call;

import java.time.Duration;

/** Slows a stream down to the bytes per second of its account. Stateless. */
public final class BandwidthGate {
    /** The longest wait for a block; a block that would have to wait longer is refused. */
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Lets a stream wait. */
    @FunctionalInterface
    public interface StreamPause {
        /** Waits for this time or less. */
        void on(Duration time) throws CallRefusal, InterruptedException;
    }

    private BandwidthGate() {}

    /**
     * Waits until the account's limit allows a block.
     *
     * @return whether it waited
     * @throws CallRefusal if the wait would be too long; or if the pause throws one
     */
    public static boolean keep(CallAdmission admission, AccountUsage usage, long bytes, StreamPause pause)
            throws CallRefusal, InterruptedException {
        long since = admission.now();
        boolean waited = false;
        for (Duration due = usage.take(bytes); due.isPositive(); due = usage.take(bytes)) {
            if (due.plusNanos(admission.now() - since).compareTo(PATIENCE) > 0) {
                throw admission.spent(usage, due);
            }
            pause.on(due);
            waited = true;
        }
        return waited;
    }
}
