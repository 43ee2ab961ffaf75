package dev.kvstore.launcher.process;

import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.random.RandomGenerator;

/** TCP ports, of the loopback address unless another is named. */
public final class Ports {
    // The search begins below the range from which systems take the ports of outgoing connections (32768 and up on
    // Linux, 49152 elsewhere).
    private static final int FROM = 15_000;
    private static final int TO = 30_000;
    private static final int ATTEMPTS = 1_000;

    private Ports() {}

    /** Whether a server can listen at this port now. */
    public static boolean isFree(int port) {
        return isFree(InetAddress.getLoopbackAddress(), port);
    }

    /** Whether a server can listen at this address now. */
    public static boolean isFree(InetAddress address, int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(address, port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }

    /**
     * A port that is free now, with its successors, in each of the ranges {@code [port + offset, port + offset +
     * size)}.
     *
     * @param random the source of the search's begin, so that two stacks started at once rarely collide
     * @throws LaunchException if no port is free
     */
    public static int free(RandomGenerator random, int size, int... offsets) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = random.nextInt(FROM, TO);
            if (allFree(port, size, offsets)) {
                return port;
            }
        }
        throw new LaunchException("no " + size + " free ports in a row between " + FROM + " and " + TO);
    }

    private static boolean allFree(int port, int size, int... offsets) {
        for (int offset : offsets) {
            for (int i = 0; i < size; i++) {
                if (!isFree(port + offset + i)) {
                    return false;
                }
            }
        }
        return true;
    }
}
