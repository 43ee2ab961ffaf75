package dev.kvstore.client.internal.http2;

/**
 * The bytes that a peer may send (RFC 9113, section 5.2). The peer gets more credit once half of the window was used,
 * so that it never waits for a reader that keeps up. One thread uses it.
 */
final class Credit {
    private final int window;
    private long open;
    private long taken;

    /** @param window bytes that the peer may send before any were taken, 2 or more */
    Credit(int window) {
        this.window = window;
        this.open = window;
    }

    /** Notes that bytes have come. False if the peer was not allowed to send as many. */
    boolean receive(int bytes) {
        open -= bytes;
        return open >= 0;
    }

    /** Notes that a reader took bytes. Returns the bytes by which to widen the peer's window now; mostly 0. */
    int take(int bytes) {
        taken += bytes;
        if (taken < window / 2) {
            return 0;
        }
        int more = (int) taken;
        taken = 0;
        open += more;
        return more;
    }
}
