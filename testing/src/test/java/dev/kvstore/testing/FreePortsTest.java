package dev.kvstore.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class FreePortsTest {
    @Test
    void noPortIsGivenTwice() {
        Set<Integer> given = new HashSet<>();
        for (int i = 0; i < 300; i++) {
            int first = FreePorts.row(2, 0, 1_000);
            for (int port : new int[] {first, first + 1, first + 1_000, first + 1_001}) {
                assertThat(given.add(port)).as("port %d is new", port).isTrue();
            }
        }
    }

    @Test
    void anotherProcessCannotHoldAPortThatWasGiven() {
        int port = FreePorts.one();

        assertThatExceptionOfType(SocketException.class).isThrownBy(() -> {
            try (DatagramSocket other =
                    new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
                assertThat(other.isBound()).isFalse();
            }
        });
    }
}
