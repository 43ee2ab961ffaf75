package dev.kvstore.launcher.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class LongLinkTest {
    private static final Duration ROUND_TRIP = Duration.ofMillis(60);

    private static final int CLOSED_LINKS = 100;

    private final AtomicInteger reached = new AtomicInteger();
    private ServerSocket server;
    private LongLink link;

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::echo);
        link = LongLink.to(server.getLocalPort(), ROUND_TRIP);
    }

    @AfterEach
    void stop() throws IOException {
        link.close();
        server.close();
    }

    private void echo() {
        try {
            while (true) {
                Socket socket = server.accept();
                reached.incrementAndGet();
                Thread.ofVirtual().start(() -> {
                    try (socket) {
                        var _ = socket.getInputStream().transferTo(socket.getOutputStream());
                    } catch (IOException e) {
                        // The test is over.
                    }
                });
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private Socket connect() throws IOException {
        return connect(link);
    }

    private static Socket connect(LongLink link) throws IOException {
        return new Socket(
                InetAddress.getLoopbackAddress(),
                Integer.parseInt(link.address().substring("127.0.0.1:".length())));
    }

    @Test
    void anAnswerTakesARoundTripMore() throws IOException {
        try (Socket socket = connect()) {
            long start = System.nanoTime();
            socket.getOutputStream().write(1);

            assertThat(socket.getInputStream().read()).isEqualTo(1);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(ROUND_TRIP);
        }
    }

    @Test
    void whatGoesInComesOutInOrderUntilItsEnd() throws Exception {
        byte[] bytes = new byte[5_000_000];
        new Random(1).nextBytes(bytes);
        try (Socket socket = connect()) {
            Thread.ofVirtual().start(() -> {
                try {
                    socket.getOutputStream().write(bytes);
                    socket.shutdownOutput();
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });

            assertThat(socket.getInputStream().readAllBytes()).isEqualTo(bytes);
        }
    }

    @Test
    void aLinkThatIsCutEndsItsConnectionsAndTakesNoneUntilItIsRestored() throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(1);
            assertThat(socket.getInputStream().read()).isEqualTo(1);

            link.cut();

            assertThat(endOf(socket)).isEqualTo(-1);
        }
        try (Socket refused = connect()) {
            assertThat(endOf(refused)).isEqualTo(-1);
        }
        link.restore();
        try (Socket socket = connect()) {
            socket.getOutputStream().write(2);
            assertThat(socket.getInputStream().read()).isEqualTo(2);
        }
    }

    @Test
    void whoeverConnectsWhileNobodyListensAtTheFarEndIsSentAway() throws IOException {
        try (Socket holder = new Socket()) { // a port that nobody listens at, nor can while it is held
            holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (LongLink toNobody = LongLink.to(holder.getLocalPort(), ROUND_TRIP);
                    Socket socket = connect(toNobody)) {
                assertThat(endOf(socket)).isEqualTo(-1);
            }
        }
    }

    /** Often: a thread that waits in accept took a connection after its socket was closed in one of six runs. */
    @Test
    void leadsNowhereOnceItIsClosed() throws IOException {
        for (int i = 0; i < CLOSED_LINKS; i++) {
            LongLink closed = LongLink.to(server.getLocalPort(), Duration.ZERO);
            closed.close();

            // Another program may listen at that port by now, so the far end tells whether it was reached.
            try (Socket socket = connect(closed)) {
                socket.setSoTimeout((int) ROUND_TRIP.toMillis());
                socket.getOutputStream().write(7);
                endOf(socket);
            } catch (IOException e) {
                // No program listens there.
            }
        }

        assertThat(reached).hasValue(0);
    }

    /** A connection may end by a reset too. */
    private static int endOf(Socket socket) {
        try {
            return socket.getInputStream().read();
        } catch (IOException e) {
            return -1;
        }
    }
}
