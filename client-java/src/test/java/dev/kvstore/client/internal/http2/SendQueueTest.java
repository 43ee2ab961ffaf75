package dev.kvstore.client.internal.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.junit.jupiter.api.Test;

class SendQueueTest {
    private static final int MUCH = 300 * 1024;

    private final SendQueue queue = new SendQueue();

    @Test
    void whoSawNoRoomHearsWhenThereIsSome() {
        queue.announce(MUCH);
        assertThat(queue.isReady()).isFalse();

        send(MUCH);

        assertThat(queue.isReady()).isTrue();
        assertThat(queue.isReadyAgain()).isTrue();
        assertThat(queue.isReadyAgain()).as("once").isFalse();
    }

    @Test
    void whoseBytesWereOnlyAnnouncedWhenOthersWereSentHearsToo() {
        queue.announce(200 * 1024);
        queue.announce(100 * 1024);
        assertThat(queue.isReady()).isFalse();

        send(200 * 1024);

        assertThat(queue.isReadyAgain()).isTrue();
    }

    @Test
    void whereThereWasAlwaysRoomNobodyHears() {
        queue.announce(1_000);

        send(1_000);

        assertThat(queue.isReadyAgain()).isFalse();
    }

    private void send(int bytes) {
        queue.widen(bytes);
        queue.add(List.of(Unpooled.wrappedBuffer(new byte[bytes])));
        ByteBuf piece = queue.next(bytes);
        if (piece != null) {
            piece.release();
        }
    }
}
