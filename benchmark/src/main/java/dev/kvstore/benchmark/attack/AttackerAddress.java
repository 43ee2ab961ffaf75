package dev.kvstore.benchmark.attack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * Where attackers connect from: an address of this machine that no honest client has, as an attacker elsewhere would
 * have one of its own. Linux has all of 127.0.0.0/8; on a machine that has only 127.0.0.1 attackers and honest clients
 * share it.
 */
final class AttackerAddress {
    private static final InetAddress OWN = InetAddress.ofLiteral("127.0.0.66");
    private static final boolean USABLE = isUsable();

    private AttackerAddress() {}

    private static boolean isUsable() {
        try (Socket socket = new Socket()) {
            socket.bind(new InetSocketAddress(OWN, 0));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Has a socket connect from there. */
    static void bind(Socket socket) throws IOException {
        if (USABLE) {
            socket.bind(new InetSocketAddress(OWN, 0));
        }
    }
}
