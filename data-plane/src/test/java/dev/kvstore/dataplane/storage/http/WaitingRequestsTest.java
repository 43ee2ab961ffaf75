package dev.kvstore.dataplane.storage.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.kvstore.testing.Patience;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/** Requests that wait for a connection, as many as clients like. */
@Tag("slow")
final class WaitingRequestsTest extends ClientFixture {
    /** Far more than frames of a stack of 1 MB. */
    private static final int MANY = 20_000;

    private final CountDownLatch answer = new CountDownLatch(1);

    private void answerLate(TestServer.Talk talk) throws Exception {
        talk.head();
        answer.await();
        talk.send(OK);
        talk.answerAll(OK);
    }

    @Test
    void howeverManyAreGivenUpTheNextOneIsAnswered() throws Exception {
        client = client(connections(1, Patience.LIMIT));
        try (TestServer server = new TestServer(this::answerLate)) {
            var first = text(get(server)).toFuture();
            await().untilAsserted(() -> assertThat(connections("active")).isEqualTo(1));
            List<Disposable> waiting = IntStream.range(0, MANY)
                    .mapToObj(_ -> http().send(get(server)).subscribe())
                    .toList();
            var last = text(get(server)).toFuture();

            waiting.forEach(Disposable::dispose);
            answer.countDown();

            assertThat(first).succeedsWithin(Patience.LIMIT).isEqualTo("ok");
            assertThat(last).succeedsWithin(Patience.LIMIT).isEqualTo("ok");
            assertThat(server.talks()).hasSize(1);
            assertThat(pendingRequests()).isZero();
        }
    }

    @Test
    void roomThatNoHostNeedsAnyMoreIsFreeHoweverManyAskedForIt() {
        ConnectionBudget budget = new ConnectionBudget(1);
        Loops loops = Loops.start(1);
        try {
            List<ConnectionPool> hosts = IntStream.range(0, MANY)
                    .mapToObj(host -> new ConnectionPool(
                            new HttpOrigin(false, "host" + host, 80),
                            OPTIONS,
                            loops,
                            AddressCache.ofSystem(OPTIONS.dnsTtl()),
                            null,
                            budget,
                            new ServiceMeters.AllServices(new SimpleMeterRegistry())
                                    .of(new HttpOrigin(false, "any", 80))))
                    .toList();
            hosts.forEach(budget::take);

            budget.giveBack(hosts.getFirst());

            assertThat(budget.open()).isZero();
        } finally {
            var _ = loops.group().shutdownGracefully();
        }
    }

    @Test
    void anAttemptThatFailsEndsNoRequestWhichAnotherConnectionWillServe() throws Exception {
        try (TestServer server = new TestServer(this::answerLate)) {
            var first = text(get(server)).toFuture();
            await().untilAsserted(() -> assertThat(connections("active")).isEqualTo(1));
            server.stopListening();
            var second = text(get(server)).toFuture();
            await().untilAsserted(() -> assertThat(counted("kvstore.storage.connection.attempts", "outcome", "failed"))
                    .isPositive());
            assertThat(second).isNotDone();
            answer.countDown();

            assertThat(first).succeedsWithin(Patience.LIMIT).isEqualTo("ok");
            assertThat(second).succeedsWithin(Patience.LIMIT).isEqualTo("ok");
        }
    }

    @Test
    void anErrorInTheEventLoopEndsItsRequestAndTheConnection() throws Exception {
        client = client(times(Duration.ofHours(1), Duration.ofHours(1), OPTIONS.idle()));
        try (TestServer server = new TestServer(TestServer.Talk::head)) {
            Flux<ByteBuffer> body = Flux.defer(() -> {
                throw new StackOverflowError("of a test");
            });

            assertThatThrownBy(() -> http().send(put(server, body, 5)).block(Patience.LIMIT))
                    .hasMessageContaining("127.0.0.1:" + server.port() + ": java.lang.StackOverflowError: of a test");
            assertThat(connections("active")).isZero();
        }
    }
}
