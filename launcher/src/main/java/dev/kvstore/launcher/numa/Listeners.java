package dev.kvstore.launcher.numa;

import dev.kvstore.launcher.process.Ports;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the data planes of a machine listen: two ports each, each of which follows that of the one before. Immutable.
 *
 * @param host as the user wrote it
 * @param address what that is
 */
record Listeners(String host, InetAddress address, int firstPort, int firstHttpPort, int count) {
    private static final int HTTP_OFFSET = 1_000;
    private static final int LAST = 65_535;

    /**
     * @param firstHttpPort null for 1000 above the other
     */
    Listeners(String host, InetAddress address, int firstPort, @Nullable Integer firstHttpPort, int count) {
        this(host, address, firstPort, firstHttpPort == null ? firstPort + HTTP_OFFSET : firstHttpPort, count);
    }

    /**
     * @throws IllegalArgumentException if a port is none, or is meant twice
     */
    Listeners {
        requirePorts("--port", firstPort, count);
        requirePorts("--http-port", firstHttpPort, count);
        if (Math.abs(firstPort - firstHttpPort) < count) {
            throw new IllegalArgumentException(
                    "--http-port: %d data planes use ports %d and on, and %d and on: they meet"
                            .formatted(count, firstPort, firstHttpPort));
        }
    }

    private static void requirePorts(String flag, int first, int count) {
        int highest = LAST - count + 1;
        if (first < 1 || first > highest) {
            throw new IllegalArgumentException("%s: must be 1 to %d, not %d".formatted(flag, highest, first));
        }
    }

    /**
     * Asked before anything is started: whoever is there already would be taken for a data plane that serves.
     *
     * @throws IllegalArgumentException naming the first port that is taken
     */
    void requireFree() {
        for (int index = 0; index < count; index++) {
            requireFree("--port", firstPort + index);
            requireFree("--http-port", firstHttpPort + index);
        }
    }

    private void requireFree(String flag, int port) {
        if (!Ports.isFree(address, port)) {
            throw new IllegalArgumentException(flag + ": cannot listen on " + at(port) + ": it is taken, or " + host
                    + " is no address of this machine");
        }
    }

    String endpoint(int index) {
        return at(firstPort + index);
    }

    String http(int index) {
        return at(firstHttpPort + index);
    }

    private String at(int port) {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    /** Where a data plane takes connections. */
    List<InetSocketAddress> reachable(int index) {
        InetAddress near = address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address;
        return List.of(
                new InetSocketAddress(near, firstPort + index), new InetSocketAddress(near, firstHttpPort + index));
    }

    List<String> flags(int index) {
        return List.of(
                "--host",
                host,
                "--port",
                Integer.toString(firstPort + index),
                "--http-port",
                Integer.toString(firstHttpPort + index));
    }
}
