package dev.kvstore.client.internal.http2;

/** The stream of a call on its connection. Only the connection's event loop uses it. */
final class Stream {
    private final Http2Call<?, ?> call;
    private final int id;
    private final Credit credit;

    /** Bytes that came, for which the peer has no new credit yet. */
    private int held;

    /** Whether the stream waits for its turn to send. */
    boolean queued;

    Stream(Http2Call<?, ?> call, int id, Credit credit) {
        this.call = call;
        this.id = id;
        this.credit = credit;
    }

    Http2Call<?, ?> call() {
        return call;
    }

    int id() {
        return id;
    }

    /** Notes that a frame begins. False if the peer sends more than it was allowed. */
    boolean receive(int bytes) {
        return credit.receive(bytes);
    }

    /** Notes that bytes of the stream came. */
    void hold(int bytes) {
        held += bytes;
    }

    /** Notes that a reader took bytes. Returns the bytes that the peer may be allowed to send now. */
    int take(int bytes) {
        held -= bytes;
        return credit.take(bytes);
    }

    int held() {
        return held;
    }
}
