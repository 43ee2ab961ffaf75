package dev.kvstore.simulation.sockets;

import dev.kvstore.simulation.world.Alarm;
import dev.kvstore.simulation.world.SimulatedHost;
import dev.kvstore.simulation.world.World;
import io.netty.channel.ChannelId;
import io.netty.util.concurrent.AbstractScheduledEventExecutor;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Connections between hosts, like TCP connections: bytes come in their order, after the time of their way, in pieces of
 * any length. While a way is cut, bytes wait. For the thread of its world.
 */
public final class SimulatedSockets {
    private static final int PORT = 8085;
    private static final int FIRST_LOCAL_PORT = 10_000;
    private static final long SHORTEST_WAY = Duration.ofNanos(50_000).toNanos();
    private static final long WAY_SPREAD = Duration.ofMillis(2).toNanos();

    /** The sockets of the world that runs. Netty makes sockets by itself, and passes them no parameters. */
    private static @Nullable SimulatedSockets current;

    private final World world;
    private final SplittableRandom random;

    /** The host of events that no process causes. */
    private final SimulatedHost wires;

    private final Map<String, InetSocketAddress> addresses = new HashMap<>();
    private final Map<InetSocketAddress, SimulatedServerSocket> listening = new HashMap<>();
    private final Map<InetSocketAddress, String> names = new HashMap<>();
    private final Set<SimulatedSocket> connected = new LinkedHashSet<>();
    private final Map<Way, Long> cut = new HashMap<>();
    private long ids;
    private int localPorts = FIRST_LOCAL_PORT;

    /** The way from one host to another one. */
    private record Way(String from, String to) {}

    public SimulatedSockets(World world) {
        this.world = world;
        this.random = world.random("sockets");
        this.wires = new SimulatedHost(world, "sockets");
        current = this;
        beginNettysTime();
    }

    /** Loads the class whose loading begins Netty's time, so that it begins at the same time in each process. */
    private static void beginNettysTime() {
        try {
            var _ = Class.forName(
                    AbstractScheduledEventExecutor.class.getName(), true, SimulatedSockets.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * The sockets of the world that runs.
     *
     * @throws IllegalStateException if no world has sockets
     */
    static SimulatedSockets current() {
        SimulatedSockets sockets = current;
        if (sockets == null) {
            throw new IllegalStateException("no world has sockets");
        }
        return sockets;
    }

    /** The address at which a host takes connections. */
    public InetSocketAddress address(String host) {
        return addresses.computeIfAbsent(host, name -> {
            InetSocketAddress address = new InetSocketAddress(loopback(addresses.size() + 1), PORT);
            names.put(address, name);
            return address;
        });
    }

    private static InetAddress loopback(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    ChannelId nextId() {
        return new SocketId(++ids);
    }

    InetSocketAddress nextLocal(SimulatedHost host) {
        return new InetSocketAddress(loopback(1), ++localPorts);
    }

    void listen(InetSocketAddress address, SimulatedServerSocket socket) {
        listening.put(address, socket);
    }

    void deafen(InetSocketAddress address, SimulatedServerSocket socket) {
        listening.remove(address, socket);
    }

    void closed(SimulatedSocket socket) {
        connected.remove(socket);
    }

    Alarm later(SimulatedHost host, Runnable step) {
        return world.alarm(host, SHORTEST_WAY, step);
    }

    private long way() {
        return SHORTEST_WAY + random.nextLong(WAY_SPREAD);
    }

    /** The time at which bytes come that are sent now. */
    private long arrival(String from, String to) {
        return Math.max(world.nanos(), cut.getOrDefault(new Way(from, to), 0L)) + way();
    }

    /** Connects a socket. A machine that is away does not answer; a machine without a listener refuses. */
    void connect(SimulatedSocket client, InetSocketAddress to) {
        String name = names.getOrDefault(to, "nobody");
        long asked = arrival(client.host().name(), name);
        var _ = world.alarm(wires, asked - world.nanos(), () -> {
            SimulatedServerSocket server = listening.get(to);
            long back = arrival(name, client.host().name()) - world.nanos();
            if (server == null) {
                client.comes(
                        world.nanos() + back,
                        () -> client.unconnected(new ConnectException("Connection refused: " + to)));
                var _ = world.alarm(client.host(), back, client::came);
                return;
            }
            if (server.host().isDead()) {
                return;
            }
            SimulatedSocket accepted = new SimulatedSocket(server, to, client);
            connected.add(client);
            connected.add(accepted);
            var _ = world.alarm(server.host(), 0, () -> server.accept(accepted));
            client.comes(world.nanos() + back, () -> client.connected(accepted));
            var _ = world.alarm(client.host(), back, client::came);
        });
    }

    /** Sends bytes, which may come in pieces. */
    void send(SimulatedSocket from, SimulatedSocket to, byte[] bytes) {
        int parts = random.nextInt(4) == 0 ? 1 + random.nextInt(3) : 1;
        for (int sent = 0; sent < bytes.length; ) {
            int length = parts-- > 1 ? 1 + random.nextInt(bytes.length - sent) : bytes.length - sent;
            byte[] part = Arrays.copyOfRange(bytes, sent, sent + length);
            send(from, to, () -> to.received(part));
            sent += length;
        }
    }

    /** Sends an event to the other end of a connection, where it comes after all events that were sent before. */
    void send(SimulatedSocket from, SimulatedSocket to, Runnable what) {
        long at =
                Math.max(to.lastComesAt(), arrival(from.host().name(), to.host().name()));
        if (to.host().isDead()) {
            var _ = world.alarm(wires, at - world.nanos(), () -> resetByStranger(from, to));
            return;
        }
        to.comes(at, what);
        var _ = world.alarm(to.host(), at - world.nanos(), to::came);
    }

    /** A process that was started again resets a connection of the process before it. */
    private void resetByStranger(SimulatedSocket from, SimulatedSocket to) {
        InetSocketAddress address = to.local();
        SimulatedServerSocket next = address == null ? null : listening.get(address);
        if (next != null && !next.host().isDead()) {
            reset(from);
        }
    }

    private void reset(SimulatedSocket socket) {
        SimulatedSocket peer = socket.peer();
        String from = peer == null ? "nobody" : peer.host().name();
        long at = Math.max(socket.lastComesAt(), arrival(from, socket.host().name()));
        socket.comes(at, socket::wasReset);
        var _ = world.alarm(socket.host(), at - world.nanos(), socket::came);
    }

    /** A host has ended: it says goodbye to its connections, or its machine is away, and nobody answers. */
    public void ended(SimulatedHost host) {
        boolean isMachineAway = random.nextBoolean();
        forEachOf(host, socket -> {
            connected.remove(socket);
            SimulatedSocket peer = socket.peer();
            if (peer != null && !isMachineAway) {
                reset(peer);
            }
        });
        if (!isMachineAway) {
            listening.values().removeIf(socket -> socket.host() == host);
        }
    }

    private void forEachOf(SimulatedHost host, Consumer<SimulatedSocket> action) {
        for (SimulatedSocket socket : List.copyOf(connected)) {
            if (socket.host() == host) {
                action.accept(socket);
            }
        }
    }

    /** Breaks all connections between two hosts. */
    public void breakAll(String one, String other) {
        for (SimulatedSocket socket : new ArrayList<>(connected)) {
            SimulatedSocket peer = socket.peer();
            if (peer != null
                    && socket.host().name().equals(one)
                    && peer.host().name().equals(other)) {
                reset(socket);
                reset(peer);
            }
        }
    }

    /** Bytes from one host to another one wait for a time. */
    public void cut(String from, String to, long nanos) {
        cut.merge(new Way(from, to), world.nanos() + nanos, Math::max);
    }

    /** Ends the use of these sockets: no process makes sockets here any more. */
    public void close() {
        current = null;
    }
}
