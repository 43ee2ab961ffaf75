package dev.kvstore.client.internal.http2;

/** A call on its connection. For the connection's event loop. */
final class Stream {
    private final Http2Call<?, ?> call;
    private final int id;
    private final Credit credit;

    /** Bytes that came and that the peer may not yet send again. */
    private int held;

    /** Whether it waits for its turn to send. */
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

    /** A frame begins. False if the peer sends more than it was allowed. */
    boolean receive(int bytes) {
        return credit.receive(bytes);
    }

    /** Bytes of it came. */
    void hold(int bytes) {
        held += bytes;
    }

    /** This many bytes were taken. Returns the bytes that the peer may be allowed to send now. */
    int take(int bytes) {
        held -= bytes;
        return credit.take(bytes);
    }

    int held() {
        return held;
    }
}
