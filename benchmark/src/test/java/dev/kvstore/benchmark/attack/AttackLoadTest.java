package dev.kvstore.benchmark.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The callers of an attacker. */
class AttackLoadTest {
    @Test
    void callsAgainAndAgainAndCountsWhatItWon() throws InterruptedException {
        CountDownLatch calls = new CountDownLatch(100);
        AtomicBoolean ended = new AtomicBoolean();
        AttackLoad attack = AttackLoad.calling(
                2,
                0,
                number -> {
                    calls.countDown();
                    return number == 1;
                },
                () -> ended.set(true));

        calls.await();
        attack.close();

        assertThat(attack.done()).isGreaterThanOrEqualTo(100);
        assertThat(attack.won()).isEqualTo(1);
        assertThat(ended).isTrue();
    }

    @Test
    void aConnectionThatBreaksIsMadeAnewAndBegins() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            Thread.startVirtualThread(() -> closeEach(server));
            CountDownLatch begun = new CountDownLatch(3);
            AttackLoad attack = AttackLoad.connecting(endpoint(server), 1, 0, () -> connection -> {
                if (connection.begin()) {
                    begun.countDown();
                }
                connection.write(RawConnection.frame(RawConnection.PING, 0, 0, new byte[8]));
                connection.flush();
                return 1;
            });

            begun.await();
            attack.close();

            assertThat(attack.done()).isGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void endsAStepThatNobodyAnswers() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            CountDownLatch stuck = new CountDownLatch(1);
            AttackLoad attack = AttackLoad.connecting(endpoint(server), 1, 0, () -> connection -> {
                stuck.countDown();
                connection.awaitEnd(Long.MAX_VALUE);
                return 1;
            });
            try (Socket accepted = server.accept()) {
                stuck.await();
                attack.close();

                assertThat(accepted.isClosed()).isFalse();
            }
            assertThat(attack.done()).isEqualTo(1);
        }
    }

    private static String endpoint(ServerSocket server) {
        return "127.0.0.1:" + server.getLocalPort();
    }

    private static void closeEach(ServerSocket server) {
        try {
            while (true) {
                server.accept().close();
            }
        } catch (IOException closed) {
            // The test ends.
        }
    }
}
