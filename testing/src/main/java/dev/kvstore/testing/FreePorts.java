package dev.kvstore.testing;

import dev.kvstore.launcher.process.Ports;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Ports for servers that a test stops and starts again, or that know their port before they listen. The ports lie below
 * those of outgoing connections and below those that {@link Ports} gives to stacks, so neither takes one meanwhile. No
 * other test of this machine gets the same port before this process ends: a UDP socket of the same number, which no
 * other program uses, holds the port. Thread-safe.
 */
public final class FreePorts {
    private static final int FROM = 5_000;
    private static final int TO = 13_900;
    private static final int ATTEMPTS = 1_000;
    private static final int[] AS_IT_IS = {0};

    /** The held ports, as many as tests asked for. */
    private static final Queue<DatagramSocket> HELD = new ConcurrentLinkedQueue<>();

    private FreePorts() {}

    /** A port at which no server listens now. */
    public static int one() {
        return row(1);
    }

    /** The first of {@code size} ports in a row at which no server listens now. */
    public static int row(int size) {
        return row(size, AS_IT_IS);
    }

    /**
     * The first of {@code size} ports in a row at which no server listens now; the same holds for the rows that lie
     * higher by each of the offsets.
     *
     * @param offsets 0 for the row itself, and others up to 1,000
     */
    public static int row(int size, int... offsets) {
        return new Random()
                .ints(ATTEMPTS, FROM, TO)
                .filter(first -> hold(first, size, offsets))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + size + " free ports from " + FROM + " to " + TO));
    }

    private static boolean hold(int first, int size, int... offsets) {
        List<DatagramSocket> held = new ArrayList<>();
        for (int offset : offsets) {
            for (int port = first + offset; port < first + offset + size; port++) {
                DatagramSocket one = Ports.isFree(port) ? hold(port) : null;
                if (one == null) {
                    held.forEach(DatagramSocket::close);
                    return false;
                }
                held.add(one);
            }
        }
        HELD.addAll(held);
        return true;
    }

    /** Holds a port; null if another test has it. */
    private static @Nullable DatagramSocket hold(int port) {
        try {
            return new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (SocketException taken) {
            return null;
        }
    }
}
