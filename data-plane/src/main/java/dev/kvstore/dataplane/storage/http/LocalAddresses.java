package dev.kvstore.dataplane.storage.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The addresses of this machine that connections towards storage can leave from. Stateless. */
public final class LocalAddresses {
    /** Stands for {@link #usable} where addresses are named. */
    public static final String AUTO = "auto";

    // The folder in which Linux tells bridges, which lead to containers and no network, from interfaces.
    private static final Path INTERFACES = Path.of("/sys/class/net");

    private LocalAddresses() {}

    /**
     * The addresses that a setting names.
     *
     * @param value {@link #AUTO}, or addresses separated by commas; empty for none
     * @throws IllegalArgumentException naming the address that is not one of this machine, or saying that there is none
     */
    public static List<InetAddress> of(String value) {
        if (value.isEmpty()) {
            return List.of();
        }
        return value.equals(AUTO)
                ? usable()
                : Arrays.stream(value.split(",", -1))
                        .map(LocalAddresses::own)
                        .distinct()
                        .toList();
    }

    private static InetAddress own(String text) {
        try {
            InetAddress address = InetAddress.ofLiteral(text.strip());
            try (ServerSocket socket = new ServerSocket()) {
                socket.bind(new InetSocketAddress(address, 0));
            }
            return address;
        } catch (IOException e) {
            throw new IllegalArgumentException(text + " is no address of this machine", e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("\"" + text + "\" is no IP address", e);
        }
    }

    private static List<InetAddress> usable() {
        List<InetAddress> found = new ArrayList<>();
        try {
            for (NetworkInterface nic : NetworkInterface.networkInterfaces().toList()) {
                if (nic.isUp() && !nic.isLoopback() && !nic.isPointToPoint() && !isBridge(nic)) {
                    nic.inetAddresses()
                            .filter(address -> !address.isLinkLocalAddress())
                            .forEach(found::add);
                }
            }
        } catch (SocketException e) {
            throw new IllegalArgumentException("the network interfaces of this machine cannot be read: " + e, e);
        }
        if (found.isEmpty()) {
            throw new IllegalArgumentException("no network interface with an address is up; name the addresses");
        }
        return List.copyOf(found);
    }

    private static boolean isBridge(NetworkInterface nic) {
        return Files.exists(INTERFACES.resolve(nic.getName()).resolve("bridge"));
    }
}
