package dev.kvstore.launcher.numa;

import dev.kvstore.launcher.process.Ports;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The addresses at which the data planes of a machine listen. Each has two ports, which follow those of the data plane
 * before it. Immutable.
 *
 * @param hosts the hosts at which clients connect: one for all, or one for each, such as the addresses of several
 *     network cards
 * @param http the host for health and metrics
 */
record Listeners(List<Host> hosts, Host http, int firstPort, int firstHttpPort, int count) {
    /**
     * An address that a data plane listens on.
     *
     * @param name the text of the user
     * @param address the address of that name
     */
    record Host(String name, InetAddress address) {
        /** The default host for health and metrics: this machine alone. */
        Host forHttp() {
            return address.isLoopbackAddress() ? this : new Host("127.0.0.1", InetAddress.ofLiteral("127.0.0.1"));
        }

        String at(int port) {
            return (name.contains(":") ? "[" + name + "]" : name) + ":" + port;
        }

        InetSocketAddress near(int port) {
            return new InetSocketAddress(
                    address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address, port);
        }

        void requireFree(String flag, int port) {
            if (!Ports.isFree(address, port)) {
                throw new IllegalArgumentException(flag + ": cannot listen on " + at(port) + ": it is taken, or " + name
                        + " is no address of this machine");
            }
        }
    }

    private static final int HTTP_OFFSET = 1_000;
    private static final int LAST = 65_535;

    /**
     * @param http null for this machine alone
     * @param firstHttpPort null for a port 1000 above the other
     */
    Listeners(List<Host> hosts, @Nullable Host http, int firstPort, @Nullable Integer firstHttpPort, int count) {
        this(
                hosts,
                http == null ? hosts.getFirst().forHttp() : http,
                firstPort,
                firstHttpPort == null ? firstPort + HTTP_OFFSET : firstHttpPort,
                count);
    }

    /**
     * @throws IllegalArgumentException if a port is out of range, or is used twice, or if there are hosts for some data
     *     planes alone
     */
    Listeners {
        hosts = List.copyOf(hosts);
        if (hosts.size() != 1 && hosts.size() != count) {
            throw new IllegalArgumentException(
                    "--host: must be one address for all, or one for each of %d data planes, not %d"
                            .formatted(count, hosts.size()));
        }
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

    private Host grpc(int index) {
        return hosts.get(hosts.size() == 1 ? 0 : index);
    }

    /**
     * Checks that all ports are free, before anything is started: a program that listens there already would be taken
     * for a data plane that serves.
     *
     * @throws IllegalArgumentException that names the first port in use
     */
    void requireFree() {
        for (int index = 0; index < count; index++) {
            grpc(index).requireFree("--port", firstPort + index);
            http.requireFree("--http-port", firstHttpPort + index);
        }
    }

    String endpoint(int index) {
        return grpc(index).at(firstPort + index);
    }

    String http(int index) {
        return http.at(firstHttpPort + index);
    }

    /** The addresses of the data planes' health, on this machine. */
    List<InetSocketAddress> https() {
        return IntStream.range(0, count)
                .mapToObj(index -> http.near(firstHttpPort + index))
                .toList();
    }

    /**
     * The address of the machine's health, beside its data planes.
     *
     * @throws IllegalArgumentException if the port is out of range, is a data plane's, or is in use
     */
    InetSocketAddress health(int port) {
        requirePorts("--health-port", port, 1);
        if (isIn(port, firstPort) || isIn(port, firstHttpPort)) {
            throw new IllegalArgumentException("--health-port: %d is the port of a data plane".formatted(port));
        }
        http.requireFree("--health-port", port);
        return new InetSocketAddress(http.address(), port);
    }

    private boolean isIn(int port, int first) {
        return port >= first && port < first + count;
    }

    /** The addresses at which a data plane takes connections. */
    List<InetSocketAddress> reachable(int index) {
        return List.of(grpc(index).near(firstPort + index), http.near(firstHttpPort + index));
    }

    List<String> flags(int index) {
        return List.of(
                "--host",
                grpc(index).name(),
                "--http-host",
                http.name(),
                "--port",
                Integer.toString(firstPort + index),
                "--http-port",
                Integer.toString(firstHttpPort + index));
    }
}
