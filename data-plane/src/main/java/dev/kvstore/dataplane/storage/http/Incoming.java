package dev.kvstore.dataplane.storage.http;

import io.netty.handler.codec.http.HttpContent;
import java.io.IOException;

/** The body of an answer on its way in. Only for its event loop. */
sealed interface Incoming permits Collected, Streamed {
    /** Takes one more piece, whose memory it gives back. */
    void take(HttpContent piece);

    /** No more bytes come, whether the answer was complete or not. */
    void cut(IOException reason);

    /** Gives up bytes that have arrived and were not taken. */
    void fail(IOException reason);
}
