package dev.kvstore.client.internal.http2;

/**
 * The bytes that a peer may send (RFC 9113, section 5.2). The peer gets more credit once half of it was used, so that
 * it never waits for a reader that keeps up. For one thread.
 */
final class Credit {
    private final int window;
    private long open;
    private long taken;

    /** @param window bytes the peer may send before any were taken, 2 or more */
    Credit(int window) {
        this.window = window;
        this.open = window;
    }

    /** This many bytes have come. False if they were more than the peer was allowed. */
    boolean receive(int bytes) {
        open -= bytes;
        return open >= 0;
    }

    /** This many of the bytes were taken in. How many more the peer is to be told of now; mostly 0. */
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
