package dev.kvstore.simulation.fleet;

import dev.kvstore.listener.CallerConnection;
import dev.kvstore.listener.HeldBytes;
import dev.kvstore.simulation.sockets.SimulatedSockets;
import dev.kvstore.simulation.world.HostSchedule;
import dev.kvstore.simulation.world.SimulatedHost;
import dev.kvstore.simulation.world.World;
import io.grpc.Attributes;
import io.grpc.InternalChannelz;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerStreamTracer;
import io.grpc.ServerTransportFilter;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Connects hosts by their names. For the thread of its world. */
public final class SimulatedNetwork {
    private static final String PORT = ":9000";
    private static final long SHORTEST_WAY = Duration.ofNanos(50_000).toNanos();
    private static final long WAY_SPREAD = Duration.ofMillis(2).toNanos();

    private final World world;

    /** The host that tells clients that a connection is gone. */
    private final SimulatedHost wires;

    private final Cables cables;
    private final SplittableRandom random;

    private final Map<String, Server> servers = new HashMap<>();
    private final Map<String, Server> onSockets = new HashMap<>();
    private final String prefix;
    private @Nullable SimulatedSockets sockets;

    public SimulatedNetwork(World world, String prefix) {
        this.world = world;
        this.cables = new Cables(world);
        this.random = world.random("network");
        this.wires = new SimulatedHost(world, "wires");
        this.prefix = prefix;
    }

    /** Makes servers that start from now on take calls through sockets, too. */
    public SimulatedSockets openSockets() {
        SimulatedSockets opened = new SimulatedSockets(world);
        sockets = opened;
        return opened;
    }

    /** A caller's connection to a server. */
    private record SimulatedConnection(String origin, HeldBytes held) implements CallerConnection {
        @Override
        public boolean admit(Object holder) {
            return true;
        }

        @Override
        public void answered() {}

        @Override
        public void refused() {}

        @Override
        public void sendElsewhere() {}
    }

    /** The address of a host: its name, and the port that all hosts have. */
    static String address(String host) {
        return host + PORT;
    }

    /** Starts a server that takes calls to the name of a host. */
    public void serve(
            SimulatedHost host,
            List<ServerServiceDefinition> services,
            List<ServerInterceptor> interceptors,
            List<ServerStreamTracer.Factory> tracers) {
        InProcessServerBuilder builder = InProcessServerBuilder.forName(prefix + host.name())
                .executor(later(host))
                .scheduledExecutorService(new HostSchedule())
                .addTransportFilter(new ServerTransportFilter() {
                    @Override
                    public Attributes transportReady(Attributes attributes) {
                        return attributes.toBuilder()
                                .set(CallerConnection.OF_CALL, new SimulatedConnection("client", new HeldBytes()))
                                .build();
                    }
                });
        services.forEach(
                service -> builder.addService(ServerInterceptors.useMarshalledMessages(service, new CopiedBytes())));
        interceptors.forEach(builder::intercept);
        tracers.forEach(builder::addStreamTracerFactory);
        if (sockets != null) {
            onSockets.put(
                    host.name(), SocketServer.start(sockets.address(host.name()), services, interceptors, tracers));
        }
        try {
            servers.put(host.name(), builder.build().start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A connection from a host.
     *
     * @param address the address of another host, or its name
     */
    ManagedChannel channel(SimulatedHost from, String address) {
        String to = address.replace(PORT, "");
        return InProcessChannelBuilder.forName(prefix + to)
                .executor(later(from))
                .intercept(cables.between(from, to))
                .scheduledExecutorService(new HostSchedule())
                .build();
    }

    /** An executor that hands a host messages after the time of their way. Messages of one call stay in their order. */
    private Executor later(SimulatedHost host) {
        return arrived -> {
            var _ = world.alarm(host, SHORTEST_WAY + random.nextLong(WAY_SPREAD), () -> host.execute(arrived));
        };
    }

    /** Breaks all socket connections between two hosts. */
    public void breakConnections(String one, String other) {
        if (sockets != null) {
            sockets.breakAll(one, other);
        }
    }

    /** Keeps a host from reaching another one for a time. */
    public void cut(String from, String to, long nanos) {
        cables.cut(from, to, nanos);
        if (sockets != null) {
            sockets.cut(from, to, nanos);
        }
    }

    /** Gives a part of the calls from one host to another one a trouble for a time. */
    public void trouble(String from, String to, WayTrouble trouble, double part, long nanos) {
        cables.trouble(from, to, trouble, part, nanos);
    }

    /** Ends all connections. */
    public void close() {
        world.on(wires, () -> servers.values().forEach(Server::shutdownNow));
        if (sockets != null) {
            sockets.close();
        }
        forgetChannels();
    }

    /**
     * Clears gRPC's list of channels that have not ended. Channels of killed hosts never end, and would keep all past
     * worlds in memory.
     */
    private static void forgetChannels() {
        try {
            for (Field field : InternalChannelz.class.getDeclaredFields()) {
                if (Map.class.isAssignableFrom(field.getType())) {
                    field.setAccessible(true);
                    ((Map<?, ?>) field.get(InternalChannelz.instance())).clear();
                }
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Makes a server tell clients that it takes no more calls. For a thread of the server's host. */
    void drain(String host) {
        Server server = onSockets.get(host);
        if (server != null) {
            server.shutdown();
        }
    }

    /** Ends all connections of a host. */
    public void cut(SimulatedHost host) {
        Server server = servers.remove(host.name());
        if (server != null) {
            wires.execute(server::shutdownNow);
        }
        if (sockets != null) {
            onSockets.remove(host.name());
            sockets.ended(host);
        }
    }
}
