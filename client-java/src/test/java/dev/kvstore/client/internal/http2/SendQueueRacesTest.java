package dev.kvstore.client.internal.http2;

import static dev.kvstore.testing.schedule.RacingThreads.race;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.testing.schedule.Schedules;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Under every schedule a sender that saw no room is told when there is room. */
@Tag("slow")
final class SendQueueRacesTest {
    private static final int MESSAGE_BYTES = 200 * 1024;
    private static final int MESSAGES = 3;

    @Test
    void aSenderThatWaitsForRoomIsTold() {
        Schedules.explore(() -> {
            SendQueue queue = new SendQueue();
            queue.widen((long) MESSAGES * MESSAGE_BYTES);
            ConcurrentLinkedQueue<Integer> onTheirWay = new ConcurrentLinkedQueue<>();
            Semaphore work = new Semaphore(0);
            Semaphore told = new Semaphore(0);

            race(
                    () -> {
                        for (int i = 0; i < MESSAGES; i++) {
                            while (!queue.isReady()) {
                                told.acquire();
                            }
                            queue.announce(MESSAGE_BYTES);
                            onTheirWay.add(i);
                            work.release();
                        }
                    },
                    () -> {
                        for (int i = 0; i < MESSAGES; i++) {
                            work.acquire();
                            requireNonNull(onTheirWay.poll());
                            queue.add(List.of(Unpooled.wrappedBuffer(new byte[MESSAGE_BYTES])));
                            requireNonNull(queue.next(MESSAGE_BYTES)).release();
                            if (queue.isReadyAgain()) {
                                told.release();
                            }
                        }
                    });

            assertThat(queue.bytes()).isZero();
            assertThat(queue.isReady()).isTrue();
        });
    }
}
