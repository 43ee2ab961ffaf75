package dev.kvstore.protocol.wire;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Connections that do not leave the machine, where there is no network to be careful of. BBR, where it is the machine's
 * congestion control, paces sent bytes by a timer, and so takes a third of the bandwidth there. Reno does not; every
 * Linux has it, and every process may choose it (tcp(7)). A socket that had BBR when it was connected is paced ever
 * after, so it has to be told before. On a network the machine's own stays, which is its admin's choice.
 */
public final class WithinMachine {
    /** A congestion control that sends at once. */
    public static final String UNPACED = "reno";

    /** {@code IPPROTO_TCP} of Linux. */
    public static final int TCP = 6;

    /** {@code TCP_CONGESTION} of Linux. */
    public static final int TCP_CONGESTION = 13;

    /** {@code TCP_CA_NAME_MAX} of Linux: bytes that a name takes up, zeros behind it. */
    public static final int NAME_BYTES = 16;

    private static final Path CONGESTION_CONTROL = Path.of("/proc/sys/net/ipv4/tcp_congestion_control");

    private static final String PACES = "bbr";

    private WithinMachine() {}

    /** The machine's congestion control, if it is one that paces; empty if it is not, or there is no telling. */
    public static Optional<String> pacing() {
        return pacing(CONGESTION_CONTROL);
    }

    /** The congestion control that a file names, if it is one that paces; empty otherwise. */
    static Optional<String> pacing(Path file) {
        try {
            String name = Files.readString(file, StandardCharsets.US_ASCII).strip();
            return Optional.of(name).filter(known -> known.startsWith(PACES) && known.length() < NAME_BYTES);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Whether this address is the machine's own: Linux sends bytes for such an address through the loopback device. */
    public static boolean has(InetAddress address) {
        try {
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    /**
     * Whether a connection stays on the machine.
     *
     * @param here the socket's own address, or null if it has none
     * @param there its peer's
     */
    public static boolean is(@Nullable SocketAddress here, @Nullable SocketAddress there) {
        return here instanceof InetSocketAddress own
                && there instanceof InetSocketAddress peer
                && peer.getAddress() != null
                && (peer.getAddress().isLoopbackAddress() || peer.getAddress().equals(own.getAddress()));
    }

    /** The value of {@link #TCP_CONGESTION} for a congestion control: {@link #NAME_BYTES} in a buffer of their own. */
    public static ByteBuffer congestionControl(String name) {
        return ByteBuffer.allocateDirect(NAME_BYTES)
                .put(name.getBytes(StandardCharsets.US_ASCII))
                .clear();
    }
}
